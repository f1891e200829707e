// Why a hit is where it is: who found it, and its scores, each on its own named scale.

import { el } from "./dom.js";
import { known, list, number, t } from "./i18n.js";

const SCALES = ["bm25", "dense", "alias", "fused", "rerank"];

function leg(name) {
  return known(`leg.${name}`) ? t(`leg.${name}`) : name;
}

function figure(value) {
  return number(value, { maximumSignificantDigits: 4 });
}

function signed(value) {
  return number(value, { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "exceptZero" });
}

function scoreRow([name, value]) {
  const shown = Number.isFinite(value) ? figure(value) : el("span", { class: "unstated" }, t("score.none"));
  const scale = known(`scale.${name}`) ? t(`scale.${name}`) : "";
  return el("tr", {}, el("th", { scope: "row" }, leg(name)), el("td", {}, shown), el("td", {}, scale));
}

function scoreTable(scores) {
  const names = [...SCALES, ...Object.keys(scores).filter((name) => !SCALES.includes(name))].filter(
    (name) => name in scores,
  );
  const heads = ["score.of", "score.value", "score.scale"].map((key) => el("th", { scope: "col" }, t(key)));
  return el(
    "table",
    {},
    el("caption", { class: "visually-hidden" }, t("score.caption")),
    el("thead", {}, el("tr", {}, heads)),
    el(
      "tbody",
      {},
      names.map((name) => scoreRow([name, scores[name]])),
    ),
  );
}

// The service's own words for a place in the order: a sentence, or a code with figures.
function line(why) {
  if (typeof why === "string") return el("span", { lang: "en" }, why);
  const [, found] = /^matched_(\w+)$/.exec(why.code) ?? [];
  if (found) return t("why.leg", { leg: leg(found), rank: why.rank, score: figure(why.score) });
  const [, state] = /^availability_(\w+)$/.exec(why.code) ?? [];
  if (state && known(`availability.${state}`))
    return t("why.availability", { state: t(`availability.${state}`) });
  const [, part] = /^(rerank_text|rerank_time|fit_\w+)$/.exec(why.code) ?? [];
  if (part && known(`why.${part}`)) return t("why.moved", { what: t(`why.${part}`), score: signed(why.score) });
  return el("span", { lang: "en" }, why.message ?? String(why.code));
}

/** The fold-out that explains a hit's place. */
export function whyDetails(hit) {
  const legs = (hit.matched_by ?? []).map(leg);
  const lines = (hit.why ?? []).map((why) => el("li", {}, line(why)));
  return el(
    "details",
    { class: "why" },
    el("summary", {}, t("why.title")),
    el(
      "p",
      {},
      t("why.rank", { n: hit.rank }),
      " ",
      legs.length > 0 && t("why.matched", { legs: list(legs) }),
    ),
    lines.length > 0 && el("ul", {}, lines),
    hit.scores && scoreTable(hit.scores),
    hit.truncated && el("p", { class: "note" }, t("why.truncated")),
  );
}
