// The list of hits and everything around it that speaks of the answer as a whole.

import { announce } from "./announce.js";
import { skeleton, zeroNotice } from "./blank.js";
import { card } from "./card.js";
import { dayText } from "./day.js";
import { byId, el } from "./dom.js";
import { known, t } from "./i18n.js";
import { problemNotice } from "./problem.js";
import { drawTimings } from "./timings.js";

const SKELETONS = 4;

function countText(total) {
  return t(total.relation === "gte" ? "results.atleast" : "results.count", { n: total.value });
}

function drawHead(session) {
  const { answer, state } = session;
  const question =
    state.query && el("span", { class: "asked" }, " ", t("results.for", { query: state.query }));
  byId("results").replaceChildren(...[countText(answer.total), question].filter(Boolean));
  byId("as-of-line").textContent = answer.as_of ? t("results.asof", { day: dayText(answer.as_of) }) : "";
  byId("as-of-line").classList.toggle("chosen", Boolean(state.as_of));
}

function drawDegraded(answer) {
  const parts = (answer.degraded ?? []).map(({ stage, reason }) =>
    el(
      "li",
      {},
      el("b", {}, known(`stage.${stage}`) ? t(`stage.${stage}`) : stage),
      ": ",
      known(`degraded.${reason}`) ? t(`degraded.${reason}`) : reason,
    ),
  );
  if (!parts.length) return [];
  return [
    el(
      "div",
      { class: "notice degraded" },
      el("h3", {}, t("degraded.title")),
      el("p", {}, t("degraded.what")),
      el("ul", {}, parts),
    ),
  ];
}

// The service puts what is closed last; a line says where that begins, wherever the closed ones do form the end.
function drawDivider() {
  const list = byId("hits");
  list.querySelector(".divider")?.remove();
  const cards = [...list.children];
  const first = cards.findIndex((node) => node.firstChild.dataset.state === "closed");
  const rest = cards.slice(first);
  if (first > 0 && rest.every((node) => node.firstChild.dataset.state === "closed")) {
    cards[first].before(el("li", { class: "divider" }, t("results.closed")));
  }
}

function drawAfter(session, go) {
  const { answer, hits, cursor } = session;
  const { value } = answer.total;
  const shown = hits.length > 0 && el("p", {}, t("after.shown", { n: hits.length, total: value }));
  const beyond =
    !cursor &&
    hits.length < value &&
    el("p", { class: "note" }, t("after.reachable", { n: answer.reachable ?? hits.length }));
  const more =
    cursor &&
    el("button", { type: "button", id: "more", class: "secondary", onclick: go.more }, t("after.more"));
  byId("after").replaceChildren(...[shown, beyond, more].filter(Boolean));
}

function busy(on) {
  byId("found").setAttribute("aria-busy", String(on));
  document.documentElement.classList.toggle("busy", on);
}

/** While an answer is on its way: what is there stays; an empty list shows the shapes of cards to come. */
export function showBusy(session) {
  busy(true);
  const more = byId("more");
  if (more) more.textContent = t("after.loading");
  if (byId("hits").children.length) return;
  byId("results").replaceChildren(t("results.busy"));
  byId("hits").replaceChildren(...Array.from({ length: SKELETONS }, skeleton));
  byId("timings").hidden = true;
  byId("notices").replaceChildren();
  byId("after").replaceChildren();
  announce(t("results.busy"));
}

/** A first page: everything is drawn anew. `go` has `search(state)`, `more()` and `again()`. */
export function showAnswer(session, go) {
  busy(false);
  const { answer, hits, state } = session;
  drawHead(session);
  byId("notices").replaceChildren(
    ...drawDegraded(answer),
    ...(hits.length ? [] : [zeroNotice(state, go.search)]),
  );
  byId("hits").replaceChildren(...hits.map((hit) => card(hit, answer.as_of)));
  byId("timings").hidden = false;
  drawTimings(answer, session.roundTripMs);
  drawDivider();
  drawAfter(session, go);
  announce(`${countText(answer.total)} ${t("results.shown", { n: hits.length })}`);
}

/** A further page: its cards are added, and focus goes to the first of them. */
export function showMore(session, go) {
  busy(false);
  const { hits, answer } = session;
  const fresh = session.pages.at(-1).hits.map((hit) => card(hit, answer.as_of));
  byId("hits").append(...fresh);
  drawDivider();
  drawAfter(session, go);
  fresh[0]?.querySelector("h3 > *")?.focus();
  announce(t("after.added", { n: fresh.length, shown: hits.length, total: answer.total.value }));
}

/** A failed search. A failed further page leaves the list as it is. */
export function showProblem(session, go) {
  busy(false);
  const notice = problemNotice(session.problem, go.again);
  if (session.answer) {
    byId("after").replaceChildren(notice);
    return;
  }
  byId("results").replaceChildren(t("results.failed"));
  byId("as-of-line").textContent = "";
  byId("timings").hidden = true;
  byId("hits").replaceChildren();
  byId("after").replaceChildren();
  byId("notices").replaceChildren(notice);
}

/** The catalogue moved on between two pages: says so above the list that began again. */
export function showRestarted() {
  byId("notices").prepend(
    el("div", { class: "notice restarted", role: "status" }, el("p", {}, t("results.restarted"))),
  );
  byId("results").focus();
}
