// The whole record behind a hit, fetched when its fold-out is first opened: every round, and where the facts come from.

import { amountText } from "./amount.js";
import { opportunity } from "./client.js";
import { countryName } from "./country.js";
import { dayText, instantText, monthDayText } from "./day.js";
import { el, safeAddress } from "./dom.js";
import { known, list, t } from "./i18n.js";
import { zoneText } from "./rail.js";

function unstated() {
  return el("span", { class: "unstated" }, t("unstated"));
}

function day(iso) {
  return iso ? el("time", { datetime: iso }, dayText(iso)) : unstated();
}

function deadline(window) {
  if (window.deadline_on) return [day(window.deadline_on), window.time && ` ${window.time}`];
  if (window.month_day) return t("date.yearly", { day: monthDayText(window.month_day) });
  return window.kind === "rolling" ? t("date.rolling") : unstated();
}

function windowRow(window) {
  const kind = known(`window.${window.kind}`) ? t(`window.${window.kind}`) : window.kind;
  const cells = [
    window.cycle ?? unstated(),
    day(window.opens_on),
    deadline(window),
    zoneText(window) ?? "–",
    window.text ?? kind,
  ];
  return el(
    "tr",
    {},
    cells.map((cell) => el("td", {}, cell)),
  );
}

function windowTable(windows) {
  const heads = ["window.cycle", "window.opens", "window.deadline", "window.zone", "window.note"].map((key) =>
    el("th", { scope: "col" }, t(key)),
  );
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": t("window.caption") },
    el(
      "table",
      {},
      el("caption", {}, t("window.caption")),
      el("thead", {}, el("tr", {}, heads)),
      el("tbody", {}, windows.map(windowRow)),
    ),
  );
}

function nationalities(record) {
  const codes = record.eligible_nationalities ?? [];
  if (codes.includes("any")) return t("nationality.any");
  const regions = (record.regions ?? []).filter((rule) => rule.field === "eligible_nationalities");
  const words = [...new Set(regions.map((rule) => rule.text ?? rule.region))];
  return codes.length + words.length > 0 ? list([...codes.map(countryName), ...words]) : unstated();
}

// What the source says and nobody could read for certain, in its own words.
function doubts(record) {
  const words = (record.doubts ?? []).map((doubt) => doubt.text ?? doubt.field);
  return words.length > 0 && el("span", { class: "unstated" }, list(words.map((word) => `“${word}”`)));
}

function covered(code) {
  return known(`coverage.${code}`) ? t(`coverage.${code}`) : code;
}

function fact(key, value) {
  return value && el("div", {}, el("dt", {}, t(key)), el("dd", { dir: "auto" }, value));
}

function source(record) {
  const address = safeAddress(record.source);
  if (address)
    return el("a", { href: address.href, target: "_blank", rel: "noopener noreferrer" }, address.host);
  return record.source;
}

function facts(record, closesAt) {
  return el(
    "dl",
    { class: "facts record-facts" },
    fact("record.closes", closesAt && instantText(closesAt)),
    fact("record.aliases", record.aliases?.length > 0 && list(record.aliases)),
    fact("record.nationalities", nationalities(record)),
    fact("record.eligibility", record.eligibility),
    fact("record.coverage", record.coverage?.length > 0 && list(record.coverage.map(covered))),
    fact(
      "record.amount",
      record.amount?.text && record.amount.text !== amountText(record.amount) && record.amount.text,
    ),
    fact("record.doubts", doubts(record)),
    fact("record.verified", record.verified_on ? day(record.verified_on) : unstated()),
    fact("record.source", source(record)),
    fact("record.licence", record.licence),
    fact("record.id", el("code", {}, record.id)),
  );
}

async function fill(place, hit) {
  place.setAttribute("aria-busy", "true");
  place.replaceChildren(el("p", { class: "note" }, t("record.loading")));
  try {
    const answer = await opportunity(hit.id);
    const record = answer.opportunity ?? answer.record ?? answer;
    const parts = [
      record.description &&
        el("p", { class: "description", lang: record.language, dir: "auto" }, record.description),
      record.windows?.length ? windowTable(record.windows) : el("p", { class: "unstated" }, t("window.none")),
      facts(record, hit.window?.closes_at),
    ];
    place.replaceChildren(...parts.filter(Boolean));
    place.dataset.filled = "true";
  } catch (problem) {
    place.replaceChildren(
      el(
        "p",
        { class: "note", role: "alert" },
        t("record.failed"),
        problem.detail ? ` ${problem.detail}` : "",
      ),
    );
  }
  place.removeAttribute("aria-busy");
}

/** The fold-out with the whole record of a hit. */
export function recordDetails(hit) {
  const place = el("div", {});
  const open = (event) => {
    if (event.target.open && !place.dataset.filled) fill(place, hit);
  };
  return el("details", { class: "record", ontoggle: open }, el("summary", {}, t("record.title")), place);
}
