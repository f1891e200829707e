// All experiments at a glance: those that run first, each with its state, its light, its arms and its coverage.

import { el } from "./dom.js";
import { ratioLight, stateBadge, stateOf } from "./experiments-light.js";
import { percentText } from "./experiments-units.js";
import { list as joined, t } from "./i18n.js";

const ORDER = ["running", "planned", "ended", "stopped"];

/** The experiments in the order in which they are shown: by state, then the newest first. */
export function inOrder(experiments, nowMs) {
  const place = (one) => ORDER.indexOf(stateOf(one, nowMs));
  return [...experiments].sort(
    (a, b) => place(a) - place(b) || Date.parse(b.created_at) - Date.parse(a.created_at),
  );
}

function entry(experiment, report, chosen, nowMs) {
  const arms = joined(experiment.arms.map((arm) => arm.name));
  return el(
    "li",
    {},
    el(
      "a",
      {
        href: `/experiments?key=${encodeURIComponent(experiment.key)}`,
        id: `entry-${experiment.key}`,
        "data-key": experiment.key,
        "aria-current": chosen ? "page" : null,
      },
      el("span", { class: "name" }, experiment.key),
      stateBadge(experiment, nowMs),
      el(
        "span",
        { class: "facts" },
        t("x.list.facts", { arms, coverage: percentText(experiment.coverage / 100, 2) }),
      ),
      report && ratioLight(report.light),
    ),
  );
}

/** The list; `reports` holds the reports that are known so far, by key. */
export function drawList(experiments, reports, chosenKey, nowMs) {
  return el(
    "ul",
    {},
    inOrder(experiments, nowMs).map((one) => entry(one, reports.get(one.key), one.key === chosenKey, nowMs)),
  );
}

/** What to say where there is no experiment at all. */
export function noneYet() {
  return el(
    "div",
    { class: "notice" },
    el("h2", {}, t("x.empty.title")),
    el("p", {}, t("x.empty.text")),
    el("p", {}, el("code", {}, "scholarsearch experiment create deeper.toml")),
  );
}
