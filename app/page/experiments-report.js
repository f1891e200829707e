// A report of the service, read once into what the page draws. Whatever is missing in it is null here, never a guess.

const finite = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const items = (value) => (Array.isArray(value) ? value : []);

// [low, high] where both ends are known, else null: half an interval cannot be drawn.
function span(pair) {
  const [low, high] = items(pair).map(finite);
  return low === null || high === null || low === undefined || high === undefined ? null : [low, high];
}

function estimate(raw) {
  return { value: finite(raw?.value), interval: span(raw?.ci), searches: finite(raw?.searches) };
}

/** What an interval of a difference says by itself: "better", "worse", "alike", "open"; "a_little" = too little. */
export function reading(always, metric) {
  if (!always) return "open";
  const [low, high] = metric.better >= 0 ? always : [-always[1], -always[0]];
  const little = metric.effect > 0 && low > -metric.effect && high < metric.effect;
  if (low > 0) return little ? "a_little_better" : "better";
  if (high < 0) return little ? "a_little_worse" : "worse";
  return little ? "alike" : "open";
}

// trusted: false = the arms lost units, so an interval says nothing, however clear it looks.
function comparison(raw, metric, trusted) {
  const always = span(raw.always_ci);
  return {
    arm: String(raw.arm),
    delta: finite(raw.delta),
    once: span(raw.ci),
    always,
    alwaysP: finite(raw.always_p),
    lift: finite(raw.lift),
    cuped: raw.cuped === true,
    says: trusted ? reading(always, metric) : "void",
    looks: items(raw.looks)
      .map((look) => ({ at: Date.parse(look.at), delta: finite(look.delta), always: span(look.always_ci) }))
      .filter((look) => Number.isFinite(look.at) && look.delta !== null && look.always),
  };
}

function metricOf(raw, primary, trusted) {
  const metric = {
    name: String(raw.name),
    words: raw.words || "",
    better: raw.better === -1 ? -1 : 1,
    effect: finite(raw.effect) ?? 0,
    primary: raw.name === primary,
  };
  const arms = Object.entries(raw.arms ?? {}).map(([name, one]) => [name, estimate(one)]);
  return {
    ...metric,
    arms: new Map(arms),
    comparisons: items(raw.comparisons).map((one) => comparison(one, metric, trusted)),
  };
}

/** The sample-ratio light: "green", "red", or "none" while there is too little to say. */
export function lightOf(ratio) {
  if (finite(ratio?.p) === null) return "none";
  return ratio.mismatch ? "red" : "green";
}

function guardrail(raw) {
  const state = ["holds", "broken", "open"].includes(raw.state) ? raw.state : "open";
  return {
    name: String(raw.name),
    metric: String(raw.metric ?? raw.name),
    arm: String(raw.arm),
    tolerance: finite(raw.tolerance),
    delta: finite(raw.delta),
    always: span(raw.always_ci),
    state,
  };
}

function slice(raw, trusted) {
  const metric = { better: raw.better === -1 ? -1 : 1, effect: finite(raw.effect) ?? 0 };
  return {
    tag: String(raw.tag),
    value: String(raw.value),
    metric: String(raw.metric),
    searches: finite(raw.searches),
    ...comparison(raw, metric, trusted),
  };
}

/** The report as the page draws it, or null without one. */
export function readReport(raw) {
  if (!raw) return null;
  const ratio = raw.ratio ?? {};
  const light = lightOf(ratio);
  const trusted = light !== "red";
  const metrics = items(raw.metrics).map((one) => metricOf(one, raw.primary, trusted));
  return {
    version: raw.version,
    at: raw.as_of ?? null,
    days: finite(raw.days),
    searches: finite(raw.searches),
    units: finite(raw.units),
    crossed: finite(raw.crossed_units) ?? 0,
    alpha: finite(raw.alpha) ?? 0.05,
    control: String(raw.control ?? ""),
    arms: items(raw.arms).map((arm) => ({
      name: String(arm.name),
      share: finite(arm.share),
      units: finite(arm.units),
      searches: finite(arm.searches),
    })),
    daily: items(raw.daily).map((day) => ({
      day: day.day,
      units: items(day.units).map((n) => finite(n) ?? 0),
    })),
    light,
    ratio: { p: finite(ratio.p), alwaysP: finite(ratio.always_p), sure: ratio.sure === true },
    metrics: [...metrics.filter((one) => one.primary), ...metrics.filter((one) => !one.primary)],
    guardrails: items(raw.guardrails).map(guardrail),
    slices: items(raw.slices).map((one) => slice(one, trusted)),
    verdict: {
      kind: String(raw.verdict?.kind ?? "open"),
      arm: raw.verdict?.arm ?? null,
      sentence: raw.verdict?.sentence ?? "",
      change: raw.verdict?.change ?? "",
      neededUnits: finite(raw.verdict?.needed_units),
      neededDays: finite(raw.verdict?.needed_days),
    },
  };
}
