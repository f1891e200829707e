// The calls about experiments, and the admin key: kept for this tab alone, and sent with changes alone.

import { call } from "./client.js";

const KEY = "scholarsearch.admin-key";
const FIELDS = [
  "arms",
  "description",
  "layer",
  "slot",
  "coverage",
  "unit",
  "salt",
  "targeting",
  "starts_at",
  "stops_at",
  "primary",
  "effect",
  "guardrails",
];
let held = ""; // where the tab's storage is forbidden, the key lives as long as the page

/** The admin key of this tab, or "". */
export function adminKey() {
  try {
    return sessionStorage.getItem(KEY) ?? held;
  } catch {
    return held;
  }
}

/** Keeps a key until the tab is closed; "" forgets it. */
export function keepKey(key) {
  held = key;
  try {
    if (key) sessionStorage.setItem(KEY, key);
    else sessionStorage.removeItem(KEY);
  } catch {
    // kept in `held`
  }
}

function path(key, rest = "") {
  return `/v1/experiments/${encodeURIComponent(key)}${rest}`;
}

function change(method, body, headers = {}) {
  const sent = { "Content-Type": "application/json", "X-Api-Key": adminKey(), ...headers };
  return { method, headers: sent, body: JSON.stringify(body) };
}

/** The newest version of every experiment. */
export async function allExperiments(signal) {
  const answer = await call("/v1/experiments", { signal });
  return answer.experiments ?? [];
}

/** What the analysis says of an experiment, as the service sends it; null where there is no report of it yet. */
export async function reportOf(key, signal) {
  try {
    return await call(path(key, "/report"), { signal });
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** The experiment with another coverage, unless it was changed by somebody since `seen` was read. */
export async function changeCoverage(seen, coverage) {
  const read = async (response) => ({ etag: response.headers.get("ETag"), value: await response.json() });
  const { etag, value } = await call(path(seen.key), {}, read);
  if (value.version !== seen.version || value.coverage !== seen.coverage || value.state !== seen.state)
    return { changed: false, experiment: value };
  const body = Object.fromEntries(FIELDS.map((field) => [field, value[field]]));
  const sent = change("PUT", { ...body, coverage }, etag ? { "If-Match": etag } : {});
  return { changed: true, experiment: await call(path(seen.key), sent) };
}

/** The experiment, stopped. */
export function stopExperiment(key, reason) {
  return call(path(key, ":stop"), change("POST", reason ? { reason } : {}));
}
