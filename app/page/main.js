// The page, wired: address ↔ state ↔ session ↔ what is seen.

import { examples } from "./blank.js";
import { drawChips } from "./chips.js";
import { byId } from "./dom.js";
import { language, setLanguage, t, translate } from "./i18n.js";
import { drawFacets, fillChoices, syncPanel, wirePanel } from "./panel.js";
import { showAnswer, showBusy, showMore, showProblem, showRestarted } from "./results.js";
import { Session } from "./session.js";
import { active, asks, hidesClosed, nothing, readState, SORTS, STILL_OPEN, writeState } from "./state.js";
import { wireSuggestions } from "./suggest.js";
import { showTheme, wireTheme } from "./theme.js";

let state = nothing();
let started = false; // whether the reader has done anything yet: a page that just opened leaves the focus alone

const session = new Session((event) => {
  if (event === "busy") showBusy(session);
  if (event === "answer") showAnswer(session, go);
  if (event === "more") showMore(session, go);
  if (event === "problem") showProblem(session, go);
  if (event === "restarted") showRestarted();
  if (event === "answer" || event === "problem") drawAround();
  rescueFocus();
});

const go = {
  /** Searches for a state and makes it the address. */
  search(next) {
    started = true;
    const landed = document.activeElement?.closest(".landing");
    const address = writeState(next);
    if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
    enter(next);
    if (landed) byId("results").focus();
  },
  more() {
    started = true;
    session.more();
  },
  again() {
    started = true;
    session.again();
  },
};

// Words typed but not yet sent count: touching a filter must not throw them away.
function searchAsTyped(next) {
  go.search({ ...next, query: byId("q").value.trim() });
}

// Everything but the list: the controls show the state, whether or not an answer came.
function drawAround() {
  syncPanel(state);
  drawChips(state, session.answer?.query, go.search);
  drawFacets(state, session.answer, searchAsTyped);
  byId("hide-closed").setAttribute("aria-pressed", String(hidesClosed(state)));
  byId("sort").value = state.sort || SORTS[0];
  const filters = active(state).length;
  byId("show-filters").textContent = filters ? t("filters.shown", { n: filters }) : t("filters.show");
}

// A control that did its work and went away takes the focus with it: the heading of what it led to is next.
function rescueFocus() {
  if (started && (!document.activeElement || document.activeElement === document.body))
    byId("results").focus({ preventScroll: true });
}

function enter(next, { remembered = false } = {}) {
  state = next;
  document.documentElement.dataset.view = "results";
  document.title = `${state.query || t("title.browse")} · ScholarSearch`;
  byId("q").value = state.query;
  drawAround();
  session.search(state, { remembered });
}

function land() {
  state = { ...nothing(), nationality: readState(location).nationality };
  session.forget();
  document.documentElement.dataset.view = "landing";
  document.title = "ScholarSearch";
  byId("q").value = "";
  byId("hits").replaceChildren();
  syncPanel(state);
}

function follow({ remembered = true } = {}) {
  if (asks(location)) enter(readState(location), { remembered });
  else land();
}

function speak(tag) {
  if (tag) setLanguage(tag);
  translate();
  fillChoices();
  showTheme();
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === language()));
  }
  byId("examples").replaceChildren(
    ...examples((patch) => go.search({ ...nothing(), ...patch, nationality: state.nationality })),
  );
  if (document.documentElement.dataset.view !== "results") return;
  drawAround();
  if (session.problem) showProblem(session, go);
  else if (session.answer) showAnswer(session, go);
}

function wire() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (matchMedia("(pointer: coarse)").matches) byId("q").blur(); // put the on-screen keyboard away
    go.search({ ...state, query: byId("q").value.trim() });
    scrollTo({ top: 0 });
  });
  wireSuggestions((suggestion) => {
    byId("q").value = suggestion.text;
    go.search({ ...state, query: suggestion.text });
  });
  wirePanel((patch) => {
    state = { ...state, ...patch };
    if (document.documentElement.dataset.view === "results") searchAsTyped(state);
  });
  byId("sort").addEventListener("change", (event) =>
    go.search({ ...state, sort: event.target.value === SORTS[0] ? "" : event.target.value }),
  );
  byId("hide-closed").addEventListener("click", () =>
    go.search({ ...state, availability: hidesClosed(state) ? [] : STILL_OPEN }),
  );
  byId("browse").addEventListener("click", () =>
    go.search({ ...nothing(), nationality: state.nationality, availability: STILL_OPEN, sort: "deadline" }),
  );
  const filtering = (open) => {
    document.documentElement.classList.toggle("filtering", open);
    byId("show-filters").setAttribute("aria-expanded", String(open));
  };
  byId("show-filters").addEventListener("click", () =>
    filtering(!document.documentElement.classList.contains("filtering")),
  );
  byId("done").addEventListener("click", () => {
    filtering(false);
    byId("results").focus();
  });
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => speak(button.dataset.language));
  }
  // Not by address: its "#" is taken.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId(document.documentElement.dataset.view === "results" ? "results" : "main").focus();
  });
  addEventListener("popstate", () => follow());
  wireTheme();
}

wire();
speak();
follow({ remembered: false });
