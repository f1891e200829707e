// One experiment: the verdict and what it stands on first, then the figures, the traffic, and how it was made.

import { el } from "./dom.js";
import { figuresKey, figuresTable, guardrailTable, overTime, sliceTable } from "./experiments-figures.js";
import { judged, ratioLight, sign, stateBadge, stateOf } from "./experiments-light.js";
import { dailyPicture, swatch, trafficTable } from "./experiments-traffic.js";
import { daysFrom, percentText, pText, utcText } from "./experiments-units.js";
import { known, list, number, t } from "./i18n.js";

function section(title, ...content) {
  const kept = content.flat().filter(Boolean);
  const id = `part-${title.replaceAll(".", "-")}`;
  return kept.length > 0 && el("section", { "aria-labelledby": id }, el("h2", { id }, t(title)), kept);
}

function stamp(report, nowMs) {
  const old = daysFrom(report.at, nowMs) > 0;
  return el(
    "p",
    { class: old ? "facts old" : "facts" },
    t("x.stamp", { at: utcText(report.at) }),
    old && ` ${t("x.stamp.old")}`,
  );
}

function heading(experiment, report, nowMs) {
  const state = stateOf(experiment, nowMs);
  const since = utcText(experiment.starts_at ?? experiment.created_at);
  const until = experiment.stopped_at ?? (state === "ended" ? experiment.stops_at : null);
  const facts = [
    t(state === "planned" ? "x.head.from" : "x.head.since", { at: since }),
    until ? t("x.head.until", { at: utcText(until) }) : null,
    t("x.head.coverage", { share: percentText(experiment.coverage / 100, 2) }),
    t(`x.unit.of.${experiment.unit}`),
    t("x.head.version", { n: String(experiment.version) }),
  ];
  return el(
    "header",
    {},
    el("h2", { id: "shown-title", tabindex: "-1" }, experiment.key, " ", stateBadge(experiment, nowMs)),
    experiment.description && el("p", { class: "lead" }, experiment.description),
    el("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    experiment.stop_reason &&
      el("p", { class: "facts" }, t("x.head.reason", { reason: experiment.stop_reason })),
    report?.at && stamp(report, nowMs),
  );
}

function verdict(report) {
  const { kind, arm, sentence, change } = report.verdict;
  const title = known(`x.verdict.${kind}`) ? t(`x.verdict.${kind}`, { arm: arm ?? "" }) : sentence;
  return el(
    "section",
    { class: `verdict verdict-${kind}`, "aria-labelledby": "verdict-title" },
    el("h2", { id: "verdict-title" }, judged(kind), title),
    sentence && sentence !== title && el("p", { class: "sentence", lang: "en" }, sentence),
    change &&
      el(
        "p",
        { class: "would" },
        el("b", {}, t("x.verdict.change")),
        " ",
        el("span", { lang: "en" }, change),
      ),
  );
}

function tile(title, ...content) {
  return el("div", { class: "tile" }, el("h3", {}, t(title)), content);
}

function ratioTile(report) {
  const { p, alwaysP, sure } = report.ratio;
  const said = report.light === "red" && !sure ? "x.srm.once" : `x.srm.${report.light}.text`;
  return tile(
    "x.srm.title",
    el("p", { class: "big" }, ratioLight(report.light)),
    el("p", {}, t(said)),
    p !== null && el("p", { class: "hint" }, t("x.srm.p", { p: pText(p), always: pText(alwaysP) })),
  );
}

function guardTile(report) {
  const broken = report.guardrails.filter((one) => one.state === "broken");
  const open = report.guardrails.filter((one) => one.state === "open");
  const state = !report.guardrails.length
    ? "none"
    : broken.length
      ? "broken"
      : open.length
        ? "open"
        : "holds";
  const kind = { broken: "bad", open: "wait", holds: "good", none: "wait" }[state];
  const arms = list([...new Set(broken.map((one) => one.arm))]);
  return tile(
    "x.guard.title",
    el(
      "p",
      { class: "big" },
      el("span", { class: `light light-${kind}` }, sign(kind), t(`x.guard.all.${state}`)),
    ),
    el("p", {}, t(`x.guard.all.${state}.text`, { arms, n: open.length })),
  );
}

function sizeTile(report) {
  const { neededUnits, neededDays } = report.verdict;
  const units = report.units ?? 0;
  const share = neededUnits ? Math.min(1, units / neededUnits) : null;
  const bar = share !== null && el("progress", { value: share, max: 1, "aria-label": t("x.size.progress") });
  return tile(
    "x.size.title",
    el("p", { class: "big" }, t("x.size.units", { n: units })),
    el("p", {}, t("x.size.searches", { n: report.searches ?? 0 })),
    bar,
    neededUnits &&
      el(
        "p",
        { class: "hint" },
        t(share < 1 ? "x.size.needed" : "x.size.reached", { units: number(neededUnits) }),
      ),
    neededDays > 0 && el("p", { class: "hint" }, t("x.size.days", { n: neededDays })),
    report.crossed > 0 && el("p", { class: "hint" }, t("x.size.crossed", { n: report.crossed })),
  );
}

function setting(value) {
  return value === null ? "null" : String(value);
}

function armItem(arm, at) {
  const changes = Object.entries(arm.overrides ?? {}).map(([name, value]) => `${name} = ${setting(value)}`);
  const parts = [arm.system && `system = ${arm.system}`, ...changes].filter(Boolean);
  return el(
    "li",
    {},
    el("b", {}, swatch(at), arm.name),
    " ",
    parts.length
      ? parts.map((text, place) => [place > 0 && ", ", el("code", {}, text)])
      : el("span", { class: "plain" }, t("x.design.plain")),
  );
}

function design(experiment) {
  const { langs = [], host_countries: hosts = [], priorities = [] } = experiment.targeting ?? {};
  const only = [...langs, ...hosts, ...priorities];
  const fact = (label, ...value) => el("div", {}, el("dt", {}, t(label)), el("dd", {}, value));
  return [
    el("ul", { class: "arms" }, experiment.arms.map(armItem)),
    el(
      "dl",
      { class: "design" },
      fact("x.design.layer", el("code", {}, experiment.layer)),
      fact("x.design.slot", experiment.slot.map((n) => number(n)).join(" – ")),
      fact("x.design.salt", el("code", {}, experiment.salt)),
      fact("x.design.only", only.length ? list(only) : t("x.design.everybody")),
    ),
  ];
}

function withoutFigures(words) {
  return el("div", { class: "notice none-yet" }, el("h2", {}, t("x.nofigures.title")), el("p", {}, words));
}

function summary(report) {
  return [
    verdict(report),
    el("div", { class: "tiles" }, ratioTile(report), guardTile(report), sizeTile(report)),
  ];
}

function figures(report) {
  return [
    section("x.figures.title", figuresTable(report), figuresKey(report)),
    section("x.looks.title", overTime(report)),
    section("x.guard.title", guardrailTable(report)),
    section("x.slices.title", sliceTable(report)),
  ];
}

/** Everything of an experiment. report: null = there is none; failure: why none could be read, or null. */
export function drawDetail(experiment, report, failure, changes, nowMs) {
  const fitting = report?.version === experiment.version ? report : null;
  const some = fitting?.searches > 0;
  const none = t(fitting ? "x.nofigures.units" : "x.nofigures.text");
  return [
    heading(experiment, some ? report : null, nowMs),
    failure && el("p", { class: "notice problem", role: "alert" }, failure),
    some ? summary(report) : !failure && withoutFigures(none),
    changes,
    some && figures(report),
    section("x.traffic.title", trafficTable(experiment, fitting), some && dailyPicture(report)),
    section("x.design.title", design(experiment)),
  ];
}
