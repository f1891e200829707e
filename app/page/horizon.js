// The coming twelve months as a strip: when one can apply, at a glance and comparable from card to card.
// A picture of what the words beside it already say, so it is hidden from assistive technology.

import { dayMs } from "./day.js";
import { el } from "./dom.js";
import { locale } from "./i18n.js";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const LABELLED_MONTHS = 3;

function at(share, node) {
  node.style.insetInlineStart = `${(share * 100).toFixed(2)}%`;
  return node;
}

function months(startMs) {
  const name = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" });
  const start = new Date(startMs);
  const marks = [];
  for (let step = 0; step < 12; step += 1) {
    const from = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + step, 1);
    const share = Math.max(0, (from - startMs) / YEAR_MS);
    const label = step % LABELLED_MONTHS === 0 && el("span", { class: "month" }, name.format(from));
    marks.push(at(share, el("i", { class: "tick" }, label)));
  }
  return marks;
}

// The window as [from, to] in shares of the year shown, or null where there is nothing to draw.
function span(window, state, startMs) {
  if (state === "rolling") return [0, 1];
  const share = (day, plus = 0) => (dayMs(day) + plus - startMs) / YEAR_MS;
  const from = share(window?.opens_on);
  const to = share(window?.deadline_on ?? window?.expected_on, DAY_MS); // the deadline day itself is still open
  if (state === "unknown") return Number.isNaN(to) ? null : [to - 7 / 365, to + 7 / 365]; // about then
  if (Number.isNaN(to)) return Number.isNaN(from) ? null : [from, 1];
  return [Number.isNaN(from) ? 0 : from, to];
}

/** The strip for a window seen on a day, or null when nothing of it can be drawn on the coming year. */
export function horizon(window, state, asOf) {
  const startMs = dayMs(asOf);
  const drawn = Number.isNaN(startMs) || state === "closed" ? null : span(window, state, startMs);
  if (!drawn) return null;
  const [from, end] = drawn.map((share) => Math.min(Math.max(share, 0), 1));
  const to = state === "open" ? Math.max(end, 1 / 365) : end;
  if (to <= from) return null;
  const soft = window?.estimated || state === "rolling" || state === "unknown";
  const bar = at(from, el("i", { class: soft ? "bar soft" : "bar" }));
  bar.style.width = `${((to - from) * 100).toFixed(2)}%`;
  return el("div", { class: "horizon", "aria-hidden": "true" }, bar, months(startMs));
}
