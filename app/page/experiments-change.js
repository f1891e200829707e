// What the holder of the admin key can do: stop an experiment, and let more or fewer units take part.

import { byId, el } from "./dom.js";
import { adminKey, changeCoverage, keepKey, stopExperiment } from "./experiments-client.js";
import { number, t } from "./i18n.js";

/** Why a call failed, in a sentence of the page and, where there is one, the service's own. */
export function failureText(problem) {
  const kind = { 0: "offline", 403: "key", 404: "gone", 412: "changed", 422: "refused", 503: "unavailable" };
  const said = problem.errors?.map(({ message }) => message).join("; ") || problem.detail;
  const words = t(`x.failure.${kind[problem.status] ?? "other"}`);
  return problem.status === 403 || !said ? words : `${words} (${said})`;
}

/** The box for the admin key; `changed()` is called when it was given or forgotten. */
export function keyBox(changed) {
  if (adminKey()) {
    const forget = () => {
      keepKey("");
      changed();
    };
    return el(
      "div",
      { class: "key-box" },
      el("p", {}, t("x.key.held")),
      el("button", { type: "button", id: "forget-key", class: "quiet", onclick: forget }, t("x.key.forget")),
    );
  }
  const input = el("input", {
    id: "admin-key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "admin-key-hint",
  });
  const submit = (event) => {
    event.preventDefault();
    if (!input.value.trim()) return;
    keepKey(input.value.trim());
    changed();
  };
  return el(
    "form",
    { class: "key-box", onsubmit: submit },
    el("label", { for: "admin-key" }, t("x.key.label")),
    el("div", { class: "line" }, input, el("button", { type: "submit", class: "secondary" }, t("x.key.use"))),
    el("p", { class: "hint", id: "admin-key-hint" }, t("x.key.hint")),
  );
}

// Runs a change with its form closed meanwhile; the answer or the failure is said beside it.
async function attempt(form, work, done) {
  const said = form.querySelector(".said");
  const controls = [...form.querySelectorAll("button, input")];
  for (const control of controls) control.disabled = true;
  said.textContent = t("x.change.sending");
  try {
    done(await work());
  } catch (problem) {
    if (problem.status === undefined) throw problem; // a fault of the page, not an answer of the service
    said.textContent = failureText(problem);
  } finally {
    for (const control of controls) control.disabled = false;
  }
}

function coverageForm(experiment, done) {
  const [first, end] = experiment.slot;
  const most = (end - first) / 100;
  const input = el("input", {
    id: "coverage",
    type: "number",
    min: 0,
    max: most,
    step: "0.01",
    required: true,
    value: experiment.coverage,
    inputmode: "decimal",
    "aria-describedby": "coverage-hint",
  });
  const submit = (event) => {
    event.preventDefault();
    const wanted = Number(input.value);
    attempt(
      form,
      () => changeCoverage(experiment, wanted),
      (answer) => done(answer.experiment, answer.changed ? "x.change.covered" : "x.failure.changed"),
    );
  };
  const form = el(
    "form",
    { class: "change", onsubmit: submit },
    el("label", { for: "coverage" }, t("x.change.coverage")),
    el(
      "div",
      { class: "line" },
      input,
      el("button", { type: "submit", class: "secondary" }, t("x.change.coverage.do")),
    ),
    el("p", { class: "hint", id: "coverage-hint" }, t("x.change.coverage.hint", { most: number(most) })),
    el("p", { class: "said", role: "status" }),
  );
  return form;
}

function stopDialog(experiment, done) {
  const reason = el("input", { id: "reason", type: "text", maxlength: 500, autocomplete: "off" });
  const submit = (event) => {
    event.preventDefault();
    attempt(
      form,
      () => stopExperiment(experiment.key, reason.value.trim()),
      (stopped) => {
        dialog.close();
        done(stopped, "x.change.stopped");
      },
    );
  };
  const form = el(
    "form",
    { onsubmit: submit },
    el("h2", { id: "stop-title" }, t("x.stop.title", { key: experiment.key })),
    el("p", {}, t("x.stop.text")),
    el("label", { for: "reason" }, t("x.stop.reason")),
    reason,
    el("p", { class: "said", role: "status" }),
    el(
      "div",
      { class: "line" },
      el("button", { type: "submit", class: "danger", id: "stop-now" }, t("x.stop.do")),
      el("button", { type: "button", class: "secondary", onclick: () => dialog.close() }, t("x.stop.keep")),
    ),
  );
  const dialog = el("dialog", { "aria-labelledby": "stop-title", class: "stop" }, form);
  return dialog;
}

/** The controls of a running experiment, or null without the key. `done(experiment, words)`: it was changed. */
export function controls(experiment, done) {
  if (!adminKey() || experiment.state !== "running") return null;
  const dialog = stopDialog(experiment, done);
  const open = () => {
    dialog.showModal();
    byId("reason").focus();
  };
  return el(
    "section",
    { class: "controls", "aria-labelledby": "controls-title" },
    el("h2", { id: "controls-title" }, t("x.change.title")),
    coverageForm(experiment, done),
    el("button", { type: "button", id: "stop", class: "danger", onclick: open }, t("x.stop.open")),
    dialog,
  );
}
