// What is in force, in words: the reader's own filters (each can be taken off), and how the service read the question.

import { countryName } from "./country.js";
import { dayText } from "./day.js";
import { byId, el, keepingFocus } from "./dom.js";
import { valueName } from "./facets.js";
import { glyph } from "./glyph.js";
import { number, t } from "./i18n.js";
import { active, unfiltered, without } from "./state.js";

/** One filter in words. */
export function filterText(state, key, value) {
  if (key === "nationality") return t("chip.nationality", { country: countryName(value) });
  if (key === "from" || key === "to" || key === "as_of") return t(`chip.${key}`, { day: dayText(value) });
  if (key === "min") return t("chip.min", { amount: `${state.currency || "USD"} ${number(Number(value))}` });
  if (key === "unknown") return t(`chip.unknown.${value}`);
  if (key === "still_open") return t("chip.still_open");
  if (key === "provider") return t("chip.provider", { text: value });
  return valueName(key, value);
}

function chip(id, text, take) {
  const label = text + t("chip.remove");
  const attributes = { type: "button", id, class: "chip", "aria-label": label, onclick: take };
  return el("li", {}, el("button", attributes, text, glyph("remove")));
}

function parsedText(parsed) {
  if (typeof parsed === "string") return parsed;
  const value = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return value.map((one) => valueName(parsed.field, String(one))).join(", ");
}

// The words a filter was read from; without them it cannot be taken back by changing the question.
function source(parsed) {
  return typeof parsed === "object" ? (parsed.text ?? parsed.source ?? null) : null;
}

function understood(state, query, go) {
  const parsed = (query?.parsed_filters ?? []).map((one, i) => {
    const words = source(one);
    if (!words || !state.query.includes(words))
      return el("li", {}, el("span", { class: "chip still" }, parsedText(one)));
    return chip(`parsed-${i}`, parsedText(one), () =>
      go({ ...state, query: state.query.replace(words, " ").replace(/\s+/g, " ").trim() }),
    );
  });
  const aliases = (query?.aliases ?? []).map((name) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: "chip name",
          title: t("chip.alias"),
          onclick: () => go({ ...state, query: name }),
        },
        name,
      ),
    ),
  );
  const time =
    query?.time_intent &&
    el("li", {}, el("span", { class: "chip still" }, String(query.time_intent).replaceAll("_", " ")));
  const items = [...aliases, ...parsed, time].filter(Boolean);
  return items.length
    ? [
        el("h3", { id: "understood-label" }, t("chips.understood")),
        el("ul", { "aria-labelledby": "understood-label" }, items),
      ]
    : [];
}

/** Draws both rows; `go(state)` searches again. Focus goes to the neighbour of a chip that was taken off. */
export function drawChips(state, query, go) {
  const row = byId("in-force");
  const take = (key, value, i) => () => {
    go(without(state, key, value));
    const left = row.querySelectorAll("button");
    (left[Math.min(i, left.length - 1)] ?? byId("q")).focus();
  };
  const filters = active(state);
  const chips = filters.map(([key, value], i) =>
    chip(`chip-${i}`, filterText(state, key, value), take(key, value, i)),
  );
  const clear = () => {
    go(unfiltered(state));
    byId("q").focus();
  };
  const all =
    filters.length > 1 &&
    el("li", {}, el("button", { type: "button", class: "quiet", onclick: clear }, t("chips.clear")));
  const label = el("h3", { id: "in-force-label" }, t("chips.inforce"));
  keepingFocus(() => {
    row.replaceChildren(
      ...(filters.length ? [label, el("ul", { "aria-labelledby": "in-force-label" }, chips, all || [])] : []),
    );
    byId("understood").replaceChildren(...understood(state, query, go));
  });
}
