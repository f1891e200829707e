// Where the time went: one bar, stage by stage, and the same as a table. A stage that took nothing is left out.

import { byId, el } from "./dom.js";
import { known, number, t } from "./i18n.js";

const LEAST_MS = 0.05; // what would be written as 0 is left out
const ORDER = [
  "queue",
  "parse",
  "encode",
  "mask",
  "lexical",
  "dense",
  "alias",
  "fuse",
  "rerank",
  "order",
  "collapse",
  "facets",
  "answer",
  "serialise",
];

function place(stage) {
  const at = ORDER.indexOf(stage);
  return at < 0 ? ORDER.length : at;
}

/** Milliseconds as this language writes them: two figures are enough below ten. */
export function msText(ms) {
  return t("ms", { figure: number(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 }) });
}

function stageName(stage) {
  return known(`stage.${stage}`) ? t(`stage.${stage}`) : stage;
}

function row(stage, ms, share) {
  return el(
    "tr",
    { class: `stage-${stage}` },
    el("th", { scope: "row" }, el("i", { class: "swatch" }), stageName(stage)),
    el("td", {}, msText(ms)),
    el("td", {}, number(share, { style: "percent" })),
  );
}

function table(stages, sum, total, roundTripMs) {
  const head = el(
    "tr",
    {},
    ["timings.stage", "timings.time", "timings.share"].map((key) => el("th", { scope: "col" }, t(key))),
  );
  const foot = [
    ["timings.total", total],
    ["timings.roundtrip", roundTripMs],
  ].map(
    ([key, ms]) =>
      ms > 0 && el("tr", {}, el("th", { scope: "row" }, t(key)), el("td", {}, msText(ms)), el("td")),
  );
  return el(
    "table",
    {},
    el("caption", { class: "visually-hidden" }, t("timings.caption")),
    el("thead", {}, head),
    el(
      "tbody",
      {},
      stages.map(([stage, ms]) => row(stage, ms, sum ? ms / sum : 0)),
    ),
    el("tfoot", {}, foot),
  );
}

function servedText(served) {
  if (!served) return null;
  const precision = served.precision ? ` · ${served.precision}` : "";
  const reranked = served.reranked ? t("served.reranked", { n: served.depth ?? 0 }) : t("served.plain");
  const mark =
    served.fingerprint &&
    el("code", { title: t("served.fingerprint") }, String(served.fingerprint).slice(0, 12));
  return el(
    "p",
    { class: "served" },
    `${t("served.by")} `,
    el("b", {}, served.system),
    `${precision} · ${reranked} · `,
    mark,
  );
}

/** Draws the stages of an answer into the page. */
export function drawTimings(answer, roundTripMs) {
  const { total = 0, ...rest } = answer.timings_ms ?? {};
  const stages = Object.entries(rest)
    .filter(([, ms]) => Number.isFinite(ms) && ms >= LEAST_MS)
    .sort((a, b) => place(a[0]) - place(b[0]));
  const sum = stages.reduce((all, [, ms]) => all + ms, 0);
  byId("timings-total").textContent = t("timings.summary", { time: msText(total || sum) });
  byId("timings-bar").replaceChildren(
    ...stages.map(([stage, ms]) => {
      const part = el("i", { class: `stage-${stage}` });
      part.style.flexGrow = String(ms / (sum || 1));
      return part;
    }),
  );
  byId("timings-table").replaceChildren(
    ...[table(stages, sum, total, roundTripMs), servedText(answer.served)].filter(Boolean),
  );
}
