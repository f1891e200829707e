// What is asked for: the question and its filters, as a value. It lives in the address, so that every search can be
// shared, bookmarked and walked back to; and it becomes the body of POST /v1/search.

export const AVAILABILITY = ["open", "upcoming", "rolling", "unknown", "closed"];
export const STILL_OPEN = AVAILABILITY.filter((one) => one !== "closed");
export const LEVELS = ["highschool", "vocational", "bachelor", "master", "phd", "postdoc", "other"];
export const SORTS = ["relevance", "deadline", "-amount", "-updated", "title"];
export const FACETS = ["availability", "levels", "host_countries", "fields", "languages"];

// state key → [name in the address, whether it holds several values]
const NAMES = {
  query: ["q", false],
  availability: ["availability", true],
  levels: ["level", true],
  host_countries: ["country", true],
  fields: ["field", true],
  languages: ["language", true],
  provider: ["provider", false],
  nationality: ["nationality", false], // after the "#": see `writeState`
  from: ["deadline_from", false],
  to: ["deadline_to", false],
  min: ["min_amount", false],
  currency: ["currency", false],
  unknown: ["unknown", false],
  sort: ["sort", false],
  as_of: ["as_of", false],
};

/** The state in which nothing is asked. */
export function nothing() {
  return Object.fromEntries(Object.entries(NAMES).map(([key, [, many]]) => [key, many ? [] : ""]));
}

/** The state that an address (a Location or URL) holds; names that are not ours are ignored. */
export function readState({ search, hash }) {
  const address = new URLSearchParams(`${search}&${hash.slice(1)}`);
  const state = nothing();
  for (const [key, [name, many]] of Object.entries(NAMES)) {
    state[key] = many ? [...new Set(address.getAll(name).filter(Boolean))] : (address.get(name) ?? "").trim();
  }
  return state;
}

/** Whether an address asks anything: an empty `q` alone asks for everything there is. */
export function asks({ search }) {
  const address = new URLSearchParams(search);
  return Object.values(NAMES).some(([name]) => address.has(name));
}

/**
 * The address of a state, always with `q`, so that an empty question is still a search.
 * The nationality stands behind the "#": a browser never sends that part, so no server log can hold it.
 */
export function writeState(state) {
  const address = new URLSearchParams({ q: state.query });
  for (const [key, [name, many]] of Object.entries(NAMES)) {
    if (key === "query" || key === "nationality") continue;
    for (const value of many ? state[key] : [state[key]]) {
      if (value !== "" && !(key === "currency" && state.min === "")) address.append(name, value);
    }
  }
  return `/?${address}${state.nationality ? `#${new URLSearchParams({ nationality: state.nationality })}` : ""}`;
}

function filters(state) {
  const out = {};
  for (const key of ["availability", "levels", "host_countries", "fields", "languages"]) {
    if (state[key].length) out[key] = state[key];
  }
  if (state.provider) out.provider = state.provider;
  if (state.nationality) out.nationality = state.nationality;
  if (state.min !== "") out.min_amount = { value: Number(state.min), currency: state.currency || "USD" };
  if (state.from || state.to)
    out.deadline = { ...(state.from && { from: state.from }), ...(state.to && { to: state.to }) };
  if (state.unknown) out.unknown = state.unknown;
  return out;
}

/** The body of POST /v1/search for a state. */
export function toRequest(state) {
  const body = { query: state.query, filters: filters(state), facets: FACETS, page_size: 10, explain: true };
  if (state.sort) body.sort = [state.sort];
  if (state.as_of) body.as_of = state.as_of;
  body.timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return body;
}

/** Whether the filters leave out exactly what is closed. */
export function hidesClosed(state) {
  return (
    state.availability.length === STILL_OPEN.length &&
    STILL_OPEN.every((one) => state.availability.includes(one))
  );
}

/** The filters in force, one entry each: [key, value]. "All but closed" is one filter, called `still_open`. */
export function active(state) {
  const out = hidesClosed(state) ? [["still_open", ""]] : [];
  for (const [key, [, many]] of Object.entries(NAMES)) {
    if (key === "query" || key === "currency" || key === "sort") continue;
    if (key === "availability" && out.length) continue;
    for (const value of many ? state[key] : [state[key]]) if (value !== "") out.push([key, value]);
  }
  return out;
}

/** A state without one filter. */
export function without(state, key, value) {
  if (key === "still_open") return { ...state, availability: [] };
  const kept = Array.isArray(state[key]) ? state[key].filter((other) => other !== value) : "";
  return { ...state, [key]: kept };
}

/** A state with every filter taken off; the question and the order stay. */
export function unfiltered(state) {
  return { ...nothing(), query: state.query, sort: state.sort };
}

/** A state with a value put in or taken out of one of its lists. */
export function toggled(state, key, value, on) {
  const rest = state[key].filter((other) => other !== value);
  return { ...state, [key]: on ? [...rest, value] : rest };
}
