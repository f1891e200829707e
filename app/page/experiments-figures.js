// The figures of every metric by arm, and the differences from control with their intervals drawn.

import { el } from "./dom.js";
import { judged } from "./experiments-light.js";
import { axis, intervalPicture, key, looksPicture, scaleOf } from "./experiments-plot.js";
import { deltaText, metricText, percentText, pText, spanText, valueText } from "./experiments-units.js";
import { number, t } from "./i18n.js";

function cell(label, className, ...content) {
  return el("td", { role: "cell", class: className, "data-label": label }, content);
}

function head(names) {
  const cells = names.map(([text, className]) =>
    el("th", { scope: "col", role: "columnheader", class: className }, text),
  );
  return el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, cells));
}

function says(one) {
  return el("span", { class: `says says-${one.says}` }, judged(one.says), t(`x.says.${one.says}`));
}

function mean(metric, arm) {
  return valueText(metric.name, metric.arms.get(arm)?.value ?? null);
}

function lift(one) {
  if (one.lift === null) return null;
  const text = `${one.lift > 0 ? "+" : ""}${percentText(one.lift)}`.replace("-", "−");
  return el("small", {}, t("x.figures.lift", { lift: text }));
}

function row(metric, one, first, control, scale) {
  const several = metric.comparisons.length > 1;
  return el(
    "tr",
    { role: "row", class: metric.primary ? "primary" : null },
    el(
      "th",
      { scope: "row", role: "rowheader" },
      first || several ? metricText(metric.name) : null,
      several && el("small", {}, t("x.figures.against", { arm: one.arm, control })),
      metric.primary && first && el("small", { class: "decides" }, t("x.figures.decides")),
      el("small", {}, t(metric.better > 0 ? "x.figures.more" : "x.figures.less")),
    ),
    cell(control, "figure", mean(metric, control)),
    cell(one.arm, "figure", mean(metric, one.arm)),
    cell(null, "picture", intervalPicture(metric, one, scale), axis(metric, scale)),
    cell(
      t("x.figures.delta"),
      "figure delta",
      el("b", {}, deltaText(metric.name, one.delta)),
      el("small", {}, spanText(metric.name, one.always)),
      lift(one),
    ),
    cell(t("x.figures.p"), "figure", pText(one.alwaysP)),
    cell(t("x.figures.says"), "reads", says(one)),
  );
}

/** The table of all metrics, the one that decides first. */
export function figuresTable(report) {
  const treatments = report.arms.map((arm) => arm.name).filter((name) => name !== report.control);
  const treated = treatments.length === 1 ? treatments[0] : t("x.figures.arm");
  const rows = report.metrics.flatMap((metric) => {
    const scale = scaleOf(metric, metric.comparisons);
    return metric.comparisons.map((one, at) => row(metric, one, at === 0, report.control, scale));
  });
  const heads = [
    [t("x.figures.metric")],
    [report.control, "figure"],
    [treated, "figure"],
    [t("x.figures.difference")],
    [t("x.figures.delta"), "figure"],
    [t("x.figures.p"), "figure"],
    [t("x.figures.says")],
  ];
  return el(
    "table",
    { class: "grid figures", role: "table" },
    el("caption", { class: "visually-hidden" }, t("x.figures.title")),
    head(heads),
    el("tbody", { role: "rowgroup" }, rows),
  );
}

/** The metric that decides, look by look. */
export function overTime(report) {
  const [metric] = report.metrics;
  if (!metric) return [];
  return metric.comparisons.map((one) => looksPicture(metric, one, report.control)).filter(Boolean);
}

/** What the pictures' marks mean, and what was adjusted. */
export function figuresKey(report) {
  const adjusted = report.metrics.some((metric) => metric.comparisons.some((one) => one.cuped));
  return [key(percentText(1 - report.alpha)), adjusted && el("p", { class: "hint" }, t("x.figures.cuped"))];
}

/** The harms that stop an arm, or null where none is watched. */
export function guardrailTable(report) {
  if (!report.guardrails.length) return null;
  const rows = report.guardrails.map((one) =>
    el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, metricText(one.name), el("small", {}, one.arm)),
      cell(t("x.guard.tolerance"), "figure", deltaText(one.metric, one.tolerance)),
      cell(
        t("x.figures.delta"),
        "figure delta",
        deltaText(one.metric, one.delta),
        el("small", {}, spanText(one.metric, one.always)),
      ),
      cell(
        t("x.guard.state"),
        "reads",
        el("span", { class: `says says-${one.state}` }, judged(one.state), t(`x.guard.${one.state}`)),
      ),
    ),
  );
  const heads = [
    [t("x.guard.harm")],
    [t("x.guard.tolerance"), "figure"],
    [t("x.figures.delta"), "figure"],
    [t("x.guard.state")],
  ];
  return el(
    "table",
    { class: "grid guards", role: "table" },
    el("caption", { class: "visually-hidden" }, t("x.guard.title")),
    head(heads),
    el("tbody", { role: "rowgroup" }, rows),
  );
}

/** Where the difference is another one: by tag, corrected for how many were looked at. Null without any. */
export function sliceTable(report) {
  if (!report.slices.length) return null;
  const rows = report.slices.map((one, at) => {
    const metric = report.metrics.find((found) => found.name === one.metric) ?? {
      name: one.metric,
      effect: 0,
    };
    const alike = report.slices.filter((other) => other.metric === one.metric);
    const scale = scaleOf(metric, alike);
    const last = report.slices[at + 1]?.metric !== one.metric;
    return el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, `${one.tag} = ${one.value}`, el("small", {}, one.arm)),
      cell(t("x.traffic.searches"), "figure", one.searches === null ? t("x.none") : number(one.searches)),
      cell(null, "picture", intervalPicture(metric, one, scale, 26), last && axis(metric, scale)),
      cell(
        t("x.figures.delta"),
        "figure delta",
        el("b", {}, deltaText(one.metric, one.delta)),
        el("small", {}, spanText(one.metric, one.always)),
      ),
      cell(t("x.figures.says"), "reads", says(one)),
    );
  });
  const heads = [
    [t("x.slices.slice")],
    [t("x.traffic.searches"), "figure"],
    [t("x.figures.difference")],
    [t("x.figures.delta"), "figure"],
    [t("x.figures.says")],
  ];
  return el(
    "table",
    { class: "grid slices", role: "table" },
    el("caption", { class: "visually-hidden" }, t("x.slices.title")),
    head(heads),
    el("tbody", { role: "rowgroup" }, rows),
  );
}
