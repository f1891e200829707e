// Signs that judge: each has a colour, a shape and a word of its own.

import { el, svg } from "./dom.js";
import { t } from "./i18n.js";

const SHAPES = {
  good: () => [
    svg("circle", { cx: 10, cy: 10, r: 9, class: "ground" }),
    svg("path", { d: "M5.6 10.4l3 3.1 5.8-6.6", class: "sign" }),
  ],
  bad: () => [
    svg("path", { d: "M6.3 1h7.4L19 6.3v7.4L13.7 19H6.3L1 13.7V6.3z", class: "ground" }),
    svg("path", { d: "M10 5.2v6M10 14.6v.2", class: "sign" }),
  ],
  wait: () => [svg("circle", { cx: 10, cy: 10, r: 8, class: "ring" })],
  even: () => [
    svg("circle", { cx: 10, cy: 10, r: 9, class: "ground" }),
    svg("path", { d: "M6 8.2h8M6 11.8h8", class: "sign" }),
  ],
};
const OF_LIGHT = { green: "good", red: "bad", none: "wait" };
const OF_VERDICT = {
  better: "good",
  worse: "bad",
  blocked: "bad",
  stopped: "bad",
  broken: "bad",
  holds: "good",
  alike: "even",
  a_little_better: "even",
  a_little_worse: "even",
  open: "wait",
  void: "bad",
};

/** A sign by kind ("good", "bad", "even", "wait"); the words beside it say the same. */
export function sign(kind) {
  return svg(
    "svg",
    { class: `sign-${kind}`, viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    SHAPES[kind](),
  );
}

/** The sign of a verdict, a reading or the state of a guardrail. */
export function judged(says) {
  return sign(OF_VERDICT[says] ?? "wait");
}

/** The light of the sample-ratio check with its word: "green", "red" or "none". */
export function ratioLight(light) {
  return el("span", { class: `light light-${light}` }, sign(OF_LIGHT[light]), t(`x.srm.${light}`));
}

/** Whether an experiment takes units in, as a badge. */
export function stateBadge(experiment, nowMs) {
  const state = stateOf(experiment, nowMs);
  return el("span", { class: `badge state-${state}` }, t(`x.state.${state}`));
}

/** "running", "stopped", or what its dates make of a running one: "planned" and "ended". */
export function stateOf(experiment, nowMs) {
  if (experiment.state === "stopped") return "stopped";
  if (experiment.starts_at && Date.parse(experiment.starts_at) > nowMs) return "planned";
  return experiment.stops_at && Date.parse(experiment.stops_at) <= nowMs ? "ended" : "running";
}
