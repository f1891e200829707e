// The page of experiments, wired: address → experiment → report → what is seen, and again every half minute.

import { announce } from "./announce.js";
import { byId, el, keepingFocus } from "./dom.js";
import { controls, failureText, keyBox } from "./experiments-change.js";
import { allExperiments, reportOf } from "./experiments-client.js";
import { drawDetail } from "./experiments-detail.js";
import en from "./experiments-en.js";
import { drawList, inOrder, noneYet } from "./experiments-list.js";
import { stateOf } from "./experiments-light.js";
import { readReport } from "./experiments-report.js";
import zhHans from "./experiments-zh-hans.js";
import { language, learn, setLanguage, t, translate } from "./i18n.js";
import { showTheme, wireTheme } from "./theme.js";

const EVERY_MS = 30_000;

let experiments = null; // null: not read yet
let failure = null; // why the list could not be read
const reports = new Map(); // key → report, or null where there is none
const reportFailures = new Map(); // key → why the report could not be read
let chosen = null;

const now = () => Date.now();

function keyInAddress() {
  return new URLSearchParams(location.search).get("key");
}

function current() {
  return experiments?.find((one) => one.key === chosen) ?? null;
}

// Half-typed figures and an open dialog must not be swept away by the next reading.
function busyTyping() {
  const at = document.activeElement;
  return (
    Boolean(document.querySelector("dialog[open]")) ||
    (at?.matches("#shown input, #key-place input") ?? false)
  );
}

function drawNavigation() {
  const shown = experiments ?? [];
  const running = shown.filter((one) => stateOf(one, now()) === "running").length;
  byId("all-summary").textContent = experiments ? t("x.summary", { n: running, all: shown.length }) : "";
  const drawn = shown.length ? [drawList(shown, reports, chosen, now())] : [];
  keepingFocus(() => byId("list").replaceChildren(...drawn));
}

function drawShown() {
  const place = byId("shown");
  const one = current();
  let drawn = [];
  if (failure) drawn = [failureNotice()];
  else if (one) {
    const said = reportFailures.get(one.key);
    const parts = drawDetail(
      one,
      reports.get(one.key) ?? null,
      said ? failureText(said) : null,
      controls(one, changed),
      now(),
    );
    drawn = parts.flat(Infinity).filter(Boolean);
  } else if (experiments?.length === 0) drawn = [noneYet()];
  else if (experiments) drawn = [el("p", { class: "notice" }, t("x.unknown", { key: chosen ?? "" }))];
  const folded = place.scrollTop;
  keepingFocus(() => place.replaceChildren(...drawn));
  place.scrollTop = folded;
  place.setAttribute("aria-busy", String(!experiments && !failure));
  document.title = one ? `${one.key} · ${t("x.title")} · ScholarSearch` : `${t("x.title")} · ScholarSearch`;
}

function failureNotice() {
  return el(
    "div",
    { class: "notice problem", role: "alert" },
    el("h2", {}, t("x.failure.title")),
    el("p", {}, failureText(failure)),
    el("button", { type: "button", class: "secondary", id: "again", onclick: refresh }, t("problem.again")),
  );
}

function draw() {
  drawNavigation();
  if (!busyTyping()) drawShown();
}

async function readOne(key) {
  try {
    reports.set(key, readReport(await reportOf(key)));
    reportFailures.delete(key);
  } catch (problem) {
    if (problem.status === undefined) throw problem;
    reportFailures.set(key, problem);
  }
}

// The experiment that is looked at first, then those that run, one after another: a report costs the service work.
async function refresh() {
  try {
    experiments = await allExperiments();
    failure = null;
  } catch (problem) {
    if (problem.status === undefined) throw problem;
    failure = problem;
    draw();
    return;
  }
  chosen ??= keyInAddress() ?? inOrder(experiments, now())[0]?.key ?? null;
  drawNavigation();
  if (current()) await readOne(chosen);
  draw();
  for (const one of experiments) {
    if (one.key === chosen || (one.state !== "running" && reports.has(one.key))) continue;
    await readOne(one.key);
    drawNavigation();
  }
}

async function choose(key, { push = true } = {}) {
  chosen = key;
  if (push) history.pushState(null, "", `/experiments?key=${encodeURIComponent(key)}`);
  draw();
  byId("shown-title")?.focus({ preventScroll: false });
  if (current()) {
    await readOne(key);
    draw();
  }
}

function changed(experiment, words) {
  experiments = experiments.map((one) => (one.key === experiment.key ? experiment : one));
  drawNavigation();
  drawShown();
  announce(t(words));
  const said = document.querySelector(".controls .said");
  if (said) said.textContent = t(words);
  else byId("shown-title").focus();
}

function drawKey() {
  byId("key-place").replaceChildren(keyBox(keyChanged));
}

function keyChanged() {
  drawKey();
  drawShown();
  (byId("coverage") ?? byId("forget-key") ?? byId("admin-key")).focus();
}

function speak(tag) {
  if (tag) setLanguage(tag);
  translate();
  for (const button of document.querySelectorAll("[data-language]"))
    button.setAttribute("aria-pressed", String(button.dataset.language === language()));
  showTheme();
  drawKey();
  drawNavigation();
  drawShown();
}

function wire() {
  for (const button of document.querySelectorAll("[data-language]"))
    button.addEventListener("click", () => speak(button.dataset.language));
  byId("list").addEventListener("click", (event) => {
    const link = event.target.closest("[data-key]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button > 0) return;
    event.preventDefault();
    choose(link.dataset.key);
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    (byId("shown-title") ?? byId("shown")).focus();
  });
  addEventListener("popstate", () => {
    const key = keyInAddress() ?? (experiments && inOrder(experiments, now())[0]?.key);
    if (key) choose(key, { push: false });
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && experiments) refresh();
  });
  wireTheme();
}

async function keepReading() {
  for (;;) {
    if (document.visibilityState === "visible" || !experiments) await refresh();
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS);
    });
  }
}

learn({ en, "zh-Hans": zhHans });
wire();
speak();
keepReading();
