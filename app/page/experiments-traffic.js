// Who got which arm: shares as planned and as they came, and the units of each day.

import { el, svg } from "./dom.js";
import { percentText, shortDay } from "./experiments-units.js";
import { number, t } from "./i18n.js";

const percent = (share) => `${(share * 100).toFixed(2)}%`;
const ARM_COLOURS = 5;

/** The sign of an arm's colour; its name stands beside it. */
export function swatch(at) {
  return el("i", { class: `swatch arm-${at % ARM_COLOURS}`, "aria-hidden": "true" });
}

function shareBar(at, planned, came) {
  return svg(
    "svg",
    { class: "share", width: "100%", height: 20, "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "track", x: 0, y: 4, width: "100%", height: 12 }),
    came !== null &&
      svg("rect", { class: `arm-${at % ARM_COLOURS}`, x: 0, y: 4, width: percent(came), height: 12 }),
    svg("line", { class: "plan", x1: percent(planned), x2: percent(planned), y1: 0, y2: 20 }),
  );
}

function row(arm, at, seen, units) {
  const planned = seen?.share ?? arm.weight / 100;
  const came = seen?.units !== null && seen && units ? seen.units / units : null;
  const cell = (label, text, className) =>
    el("td", { role: "cell", class: className, "data-label": t(label) }, text);
  return el(
    "tr",
    { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, swatch(at), arm.name),
    el("td", { role: "cell", class: "picture" }, shareBar(at, planned, came)),
    cell("x.traffic.planned", percentText(planned, 2), "figure"),
    cell("x.traffic.came", came === null ? t("x.none") : percentText(came, 2), "figure"),
    cell("x.traffic.units", seen ? number(seen.units ?? 0) : t("x.none"), "figure"),
    cell("x.traffic.searches", seen ? number(seen.searches ?? 0) : t("x.none"), "figure"),
  );
}

/** Arms, their planned and their real share of the units. Without a report, the plan alone. */
export function trafficTable(experiment, report) {
  const seen = new Map((report?.arms ?? []).map((arm) => [arm.name, arm]));
  const units = [...seen.values()].reduce((sum, arm) => sum + (arm.units ?? 0), 0);
  const heads = ["arm", "picture", "planned", "came", "units", "searches"].map((name) =>
    el(
      "th",
      { scope: "col", role: "columnheader", class: name === "arm" || name === "picture" ? null : "figure" },
      name === "picture"
        ? el("span", { class: "visually-hidden" }, t("x.traffic.picture"))
        : t(`x.traffic.${name}`),
    ),
  );
  return el(
    "table",
    { class: "grid traffic", role: "table" },
    el("caption", { class: "visually-hidden" }, t("x.traffic.title")),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads)),
    el(
      "tbody",
      { role: "rowgroup" },
      experiment.arms.map((arm, at) => row(arm, at, seen.get(arm.name), units)),
    ),
  );
}

/** New units of each day, arm upon arm, or null with fewer than two days. */
export function dailyPicture(report) {
  const days = report.daily.filter((day) => !Number.isNaN(Date.parse(day.day)));
  if (days.length < 2) return null;
  const most = Math.max(...days.map((day) => day.units.reduce((sum, n) => sum + n, 0)), 1);
  const step = 100 / days.length;
  const bars = days.map((day, at) => {
    let top = 100;
    return day.units.map((n, arm) => {
      const height = (100 * n) / most;
      top -= height;
      const box = { x: at * step + step * 0.1, width: step * 0.8, y: top, height };
      return svg("rect", { class: `arm-${arm % ARM_COLOURS}`, ...box });
    });
  });
  const label = t("x.daily.label", { n: days.length, most: number(most) });
  const box = { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": label };
  return el(
    "figure",
    { class: "daily" },
    el("figcaption", {}, t("x.daily.caption")),
    el(
      "div",
      { class: "plot" },
      svg("svg", box, bars),
      el("span", { class: "level top" }, number(most)),
      el("span", { class: "begin" }, shortDay(Date.parse(days[0].day))),
      el("span", { class: "end" }, shortDay(Date.parse(days.at(-1).day))),
    ),
  );
}
