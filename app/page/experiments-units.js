// How a figure is written: shares as per cent and their differences in points, times in ms or s, the rest as it is.

import { known, locale, number, t } from "./i18n.js";

const SHARES = /^(ctr@\d+|zero_click|zero_result|refined|applied|error|degraded)$/;
const DAY_MS = 86_400_000;

function unitOf(metric) {
  const name = metric.replace(/^p\d+ /, "");
  if (SHARES.test(name)) return "share";
  if (name === "dwell_ms") return "s";
  return name.endsWith("_ms") ? "ms" : "plain";
}

const SCALES = { share: 100, s: 0.001, ms: 1, plain: 1 };
const DIGITS = { share: 1, s: 1, ms: 1, plain: 3 };

// A true minus: a hyphen is easily overlooked, and here it decides.
function written(value, options) {
  return number(value, options).replace("-", "−");
}

function figure(metric, value, isDifference) {
  const unit = unitOf(metric);
  const digits = DIGITS[unit];
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return written(value * SCALES[unit], { ...options, signDisplay: isDifference ? "negative" : "auto" });
}

/** A mean with its unit, "–" when it is not known. */
export function valueText(metric, value) {
  if (value === null) return t("x.none");
  return t(`x.unit.${unitOf(metric)}`, { figure: figure(metric, value, false) });
}

function signed(metric, value) {
  const text = figure(metric, value, true);
  return value > 0 && !/^[0.,]*$/.test(text) ? `+${text}` : text;
}

/** A difference with its sign and unit. */
export function deltaText(metric, value) {
  if (value === null) return t("x.none");
  const unit = unitOf(metric);
  return t(unit === "share" ? "x.unit.points" : `x.unit.${unit}`, { figure: signed(metric, value) });
}

/** Both ends of an interval of differences: "−0.4 to +2.8". */
export function spanText(metric, interval) {
  if (!interval) return t("x.none");
  return t("x.span", { low: signed(metric, interval[0]), high: signed(metric, interval[1]) });
}

/** A tick of an axis of differences: its sign and as few figures as tell it apart. */
export function tickText(metric, value) {
  const text = written(value * SCALES[unitOf(metric)], { maximumSignificantDigits: 2 });
  return value > 0 ? `+${text}` : text;
}

/** A p value: two figures, and "< 0.001" below that. */
export function pText(p) {
  if (p === null) return t("x.none");
  if (p < 0.001) return `< ${number(0.001, { minimumFractionDigits: 3 })}`;
  return number(p, { maximumSignificantDigits: 2 });
}

/** A part of a whole, given as 0 to 1. */
export function percentText(share, digits = 1) {
  return number(share, { style: "percent", maximumFractionDigits: digits });
}

/** A metric's name in the page's language, or the name itself when it is not a known one. */
export function metricText(name) {
  const quantile = /^p(\d+) (.+)$/.exec(name);
  if (quantile) return t("x.quantile", { n: quantile[1], metric: metricText(quantile[2]) });
  return known(`x.metric.${name}`) ? t(`x.metric.${name}`) : name;
}

/** An instant in UTC, the clock of logs and reports. */
export function utcText(text) {
  const ms = typeof text === "number" ? text : Date.parse(text ?? "");
  if (Number.isNaN(ms)) return null;
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" };
  return `${new Intl.DateTimeFormat(locale(), format).format(ms)} UTC`;
}

/** The day of an instant in UTC, without its year. */
export function shortDay(ms) {
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" }).format(ms);
}

/** Whole days from an instant to another one, 0 or more. */
export function daysFrom(text, untilMs) {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? null : Math.max(0, Math.floor((untilMs - ms) / DAY_MS));
}
