// When a search fails: what happened in words, what the service said, and what can be done now.

import { el } from "./dom.js";
import { t } from "./i18n.js";

function kind(problem) {
  if (problem.status === 0) return "offline";
  if (problem.status === 429) return "busy";
  if (problem.status === 503) return "unavailable";
  if (problem.status === 409) return "expired";
  return problem.status < 500 ? "refused" : "failed";
}

function waiting(seconds) {
  const line = el("p", { class: "wait" }, t("problem.wait", { n: seconds }));
  let left = seconds;
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0 || !line.isConnected) clearInterval(timer);
    line.textContent = left > 0 ? t("problem.wait", { n: left }) : t("problem.now");
  }, 1000);
  return line;
}

/** A notice for a problem, with a button that calls `again`. */
export function problemNotice(problem, again) {
  const lines = problem.errors.map(({ pointer, message }) =>
    el("li", {}, pointer && [el("code", {}, pointer), " "], message),
  );
  return el(
    "div",
    { class: "notice problem", role: "alert" },
    el("h3", {}, t(`problem.${kind(problem)}`)),
    el("p", {}, t(`problem.${kind(problem)}.todo`)),
    (problem.detail || problem.title) &&
      el("p", { class: "detail", lang: "en" }, problem.detail || problem.title),
    lines.length > 0 && el("ul", { class: "detail", lang: "en" }, lines),
    problem.waitS > 0 && waiting(problem.waitS),
    problem.requestId &&
      el("p", { class: "request" }, t("problem.request"), " ", el("code", {}, problem.requestId)),
    el("button", { type: "button", class: "secondary", onclick: again }, t("problem.again")),
  );
}
