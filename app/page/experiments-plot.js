// Intervals as pictures. Lengths are shares of the width, so that a picture fits any screen and its lines stay sharp.

import { el, svg } from "./dom.js";
import { t } from "./i18n.js";
import { deltaText, metricText, shortDay, spanText, tickText } from "./experiments-units.js";

const ROOM = 1.08; // of the widest thing shown
const percent = (share) => `${(share * 100).toFixed(2)}%`;

/** A scale of differences around 0 that holds everything of these comparisons: a function to shares of the width. */
export function scaleOf(metric, comparisons) {
  const ends = comparisons.flatMap((one) => [one.delta ?? 0, ...(one.once ?? []), ...(one.always ?? [])]);
  const reach = ROOM * Math.max(...ends.map(Math.abs), metric.effect * 1.2) || 1;
  const place = (value) => (value / reach + 1) / 2;
  return Object.assign(place, { reach });
}

function bar(scale, interval, className, y) {
  const [x1, x2] = interval.map((end) => percent(scale(end)));
  return svg("line", { class: className, x1, x2, y1: y, y2: y });
}

function cap(scale, value, y) {
  const x = percent(scale(value));
  return svg("line", { class: "always", x1: x, x2: x, y1: y - 5, y2: y + 5 });
}

/** The picture of one comparison: band of what does not matter, always-valid interval, one-look interval, estimate. */
export function intervalPicture(metric, one, scale, height = 34) {
  const y = height / 2;
  const band = scale(metric.effect) - scale(-metric.effect);
  return svg(
    "svg",
    { class: `interval says-${one.says}`, width: "100%", height, "aria-hidden": "true", focusable: "false" },
    metric.effect > 0 &&
      svg("rect", { class: "band", x: percent(scale(-metric.effect)), width: percent(band), y: 0, height }),
    svg("line", { class: "zero", x1: "50%", x2: "50%", y1: 0, y2: height }),
    one.always && [bar(scale, one.always, "always", y), one.always.map((end) => cap(scale, end, y))],
    one.once && bar(scale, one.once, "once", y),
    one.delta !== null && svg("circle", { class: "dot", cx: percent(scale(one.delta)), cy: y, r: 5 }),
  );
}

/** The axis under pictures of one scale: its ends, the band's ends and 0, as far as they do not touch. */
export function axis(metric, scale) {
  const ends = metric.effect > 0 && metric.effect / scale.reach > 0.2 ? [metric.effect] : [scale.reach / 2];
  const ticks = [-ends[0], 0, ends[0]];
  return el(
    "div",
    { class: "axis", "aria-hidden": "true" },
    ticks.map((value) => {
      const tick = el("span", {}, value === 0 ? "0" : tickText(metric.name, value));
      tick.style.insetInlineStart = percent(scale(value));
      return tick;
    }),
  );
}

/** What the marks of the pictures mean; level: of the intervals, as text. */
export function key(level) {
  const mark = (className) =>
    svg(
      "svg",
      { class: `interval says-open ${className}`, width: 34, height: 14, "aria-hidden": "true" },
      className === "key-band" && svg("rect", { class: "band", x: 0, y: 0, width: 34, height: 14 }),
      className === "key-once" && svg("line", { class: "once", x1: 4, x2: 30, y1: 7, y2: 7 }),
      className === "key-once" && svg("circle", { class: "dot", cx: 17, cy: 7, r: 4.5 }),
      className === "key-always" && svg("line", { class: "always", x1: 2, x2: 32, y1: 7, y2: 7 }),
    );
  return el(
    "ul",
    { class: "key" },
    el("li", {}, mark("key-once"), t("x.key.once", { level })),
    el("li", {}, mark("key-always"), t("x.key.always", { level })),
    el("li", {}, mark("key-band"), t("x.key.band")),
  );
}

// Where the picture of the looks has a point, as parts of a hundred of its width and height.
function frame(metric, looks) {
  const times = looks.map((look) => look.at);
  // The first looks are very wide; were they to set the scale, the last ones could not be read.
  const settled = looks.slice(Math.floor(looks.length / 5)).flatMap((look) => look.always);
  const shown = [...settled, ...looks.map((look) => look.delta), metric.effect, -metric.effect];
  const [bottom, top] = [Math.min(...shown), Math.max(...shown)];
  const room = (ROOM - 1) * (top - bottom);
  const [start, stop] = [Math.min(...times), Math.max(...times)];
  const x = (at) => (100 * (at - start)) / (stop - start || 1);
  const y = (value) =>
    Math.min(100, Math.max(0, (100 * (top + room - value)) / (top - bottom + 2 * room || 1)));
  return { x, y, start, stop, highest: Math.max(top, -bottom) };
}

function ribbon(looks, { x, y }) {
  const edge = (end) => looks.map((look) => `${x(look.at).toFixed(2)},${y(look.always[end]).toFixed(2)}`);
  return [...edge(1), ...edge(0).reverse()].join(" ");
}

function labels(metric, { y, highest, start, stop }) {
  const at = (value) => {
    const label = el("span", { class: "level" }, value === 0 ? "0" : tickText(metric.name, value));
    label.style.insetBlockStart = `${y(value)}%`;
    return label;
  };
  const level = metric.effect > 0 && metric.effect / highest > 0.2 ? metric.effect : highest / 2;
  return [
    [level, 0, -level].map(at),
    el("span", { class: "begin" }, shortDay(start)),
    el("span", { class: "end" }, shortDay(stop)),
  ];
}

/** The difference look by look with its always-valid interval, or null with fewer than two looks. */
export function looksPicture(metric, one, control) {
  if (one.looks.length < 2) return null;
  const place = frame(metric, one.looks);
  const line = one.looks.map((look) => `${place.x(look.at).toFixed(2)},${place.y(look.delta).toFixed(2)}`);
  const low = place.y(-metric.effect);
  const high = place.y(metric.effect);
  const level = (value, className) =>
    svg("line", { class: className, x1: 0, x2: 100, y1: place.y(value), y2: place.y(value) });
  const drawn = svg(
    "svg",
    {
      class: `looks says-${one.says}`,
      viewBox: "0 0 100 100",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("x.looks.label", {
        arm: one.arm,
        control,
        metric: metricText(metric.name),
        delta: deltaText(metric.name, one.delta),
        span: spanText(metric.name, one.always),
      }),
    },
    metric.effect > 0 && svg("rect", { class: "band", x: 0, width: 100, y: high, height: low - high }),
    svg("polygon", { class: "ribbon", points: ribbon(one.looks, place) }),
    level(0, "zero"),
    svg("polyline", { class: "path", points: line.join(" ") }),
  );
  const caption = t("x.looks.caption", { arm: one.arm, control });
  return el(
    "figure",
    { class: "over-time" },
    el("figcaption", {}, caption),
    el("div", { class: "plot" }, drawn, labels(metric, place)),
  );
}
