// The left edge of a card: can one still apply, until when, and on whose clock.

import { dayText, daysBetween, monthDayText, zoneName } from "./day.js";
import { el } from "./dom.js";
import { glyph } from "./glyph.js";
import { horizon } from "./horizon.js";
import { number, rich, t } from "./i18n.js";

const SOON_DAYS = 14;

function day(iso) {
  return el("time", { datetime: iso }, dayText(iso));
}

function count(key, n) {
  return el("p", { class: "left" }, rich(key, { n: el("strong", {}, number(n)) }, n));
}

function words(key) {
  return el("p", { class: "left" }, el("strong", { class: "words" }, t(key)));
}

// The days left are counted on the deadline's clock. Where the reader's calendar is ahead of it, theirs is said:
// nobody is late for having been told too early. Past their day only an assumed zone makes the end doubtful.
function daysLeft(hit, asOf) {
  const days = Math.min(hit.days_left, daysBetween(asOf, hit.window?.deadline_on) ?? hit.days_left);
  if (days > 0) return count("days.left", days);
  return words(days < 0 && !hit.window.zone ? "days.perhaps" : "days.last");
}

function lead(hit, asOf) {
  if (hit.availability === "open" && Number.isInteger(hit.days_left)) return daysLeft(hit, asOf);
  if (hit.availability === "upcoming") {
    const days = daysBetween(asOf, hit.window?.opens_on);
    return days > 0 ? count("days.opens", days) : null;
  }
  return null;
}

// Whether the day shown comes from a day of every year that the source states, rather than from past rounds.
function statedYearly(hit) {
  return hit.availability === "unknown" && hit.window?.expected_on && !hit.estimate?.years?.length;
}

function dates(hit) {
  const {
    opens_on: opens,
    deadline_on: deadline,
    month_day: yearly,
    expected_on: expected,
  } = hit.window ?? {};
  if (hit.availability === "closed" && deadline) return rich("date.closed", { day: day(deadline) });
  if (hit.availability === "upcoming" && opens && deadline) {
    return rich("date.between", { from: day(opens), to: day(deadline) });
  }
  if (hit.availability === "upcoming" && opens) return rich("date.from", { day: day(opens) });
  if (statedYearly(hit)) return rich("date.expected", { day: day(expected) });
  if (deadline) return rich("date.until", { day: day(deadline) });
  if (yearly) return t("date.yearly", { day: monthDayText(yearly) });
  // The source's own words where no date could be read from them for certain.
  if (hit.window?.text)
    return rich("date.text", { text: el("span", { lang: hit.language ?? null }, hit.window.text) });
  if (hit.availability === "rolling") return t("date.rolling");
  return t("date.unstated");
}

/** Whether the end is near enough to be said loudly. */
export function closesSoon(hit) {
  return hit.availability === "open" && Number.isInteger(hit.days_left) && hit.days_left <= SOON_DAYS;
}

/** On whose clock the deadline day ends, in words; null where there is no deadline to end. */
export function zoneText(window) {
  const day = window?.deadline_on ?? window?.expected_on;
  if (!day) return null;
  if (!window.zone) return t("zone.assumed");
  return window.zone === "AoE" ? t("zone.aoe") : zoneName(window.zone, day);
}

// What past rounds let one expect: said apart from the facts, and quietly. A stated day of every year is in the dates.
function estimate(hit) {
  const { deadline_on: expected, years = [], basis } = hit.estimate ?? {};
  if (!expected || !years.length) return null;
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const parts = { day: day(expected), years: first === last ? String(first) : `${first}–${last}` };
  return el("p", { class: "estimate", title: basis }, rich("date.estimate", parts));
}

/** The rail of one hit as seen on the day of the answer. */
export function rail(hit, asOf) {
  const guessed = hit.window?.estimated || statedYearly(hit);
  const estimated = guessed && el("span", { class: "estimated" }, t("date.estimated"));
  const zone = hit.availability === "closed" ? null : zoneText(hit.window);
  return el(
    "div",
    { class: "rail" },
    el("p", { class: "state" }, glyph(hit.availability), t(`availability.${hit.availability}`)),
    lead(hit, asOf),
    el("p", { class: "dates" }, dates(hit), estimated && [" ", estimated]),
    zone && el("p", { class: "zone" }, zone),
    estimate(hit),
    horizon(hit.window, hit.availability, asOf),
  );
}
