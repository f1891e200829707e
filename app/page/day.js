// Calendar days ("YYYY-MM-DD"). A day has no zone: it is read and written in UTC so that it can never shift by one.

import { locale } from "./i18n.js";

const DAY_MS = 86_400_000;

/** The milliseconds of a day's start, read as UTC; NaN for anything that is not a day. Instants are cut to their day. */
export function dayMs(text) {
  return typeof text === "string" ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : Number.NaN;
}

/** Whole days from one day to another, negative when the second is earlier; null when either is not a day. */
export function daysBetween(from, to) {
  const days = Math.round((dayMs(to) - dayMs(from)) / DAY_MS);
  return Number.isNaN(days) ? null : days;
}

/** A day as this language writes it, e.g. "15 Jan 2027"; the text itself when it is not a day. */
export function dayText(text) {
  const ms = dayMs(text);
  if (Number.isNaN(ms)) return String(text);
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(ms);
}

/** A day of every year ("--MM-DD"), e.g. "15 January". */
export function monthDayText(text) {
  const found = /^--(\d\d)-(\d\d)$/.exec(text ?? "");
  if (!found) return String(text);
  const format = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long", timeZone: "UTC" });
  return format.format(Date.UTC(2024, Number(found[1]) - 1, Number(found[2])));
}

/** An instant on the reader's own clock, e.g. "16 Jan 2027, 13:00"; null when it is not an instant. */
export function instantText(text) {
  const ms = Date.parse(text ?? "");
  if (Number.isNaN(ms)) return null;
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** The name of a time zone on a day as this language says it; the identifier where the browser has no name. */
export function zoneName(zone, day) {
  try {
    const format = new Intl.DateTimeFormat(locale(), { timeZone: zone, timeZoneName: "longGeneric" });
    return format.formatToParts(dayMs(day) || Date.now()).find((part) => part.type === "timeZoneName").value;
  } catch {
    return zone;
  }
}
