// One hit as a card. Every fact that is not known says so: an empty place would read as "no condition".

import { also } from "./also.js";
import { amountText } from "./amount.js";
import { countryName, flag } from "./country.js";
import { el, safeAddress } from "./dom.js";
import { fieldName } from "./field.js";
import { glyph } from "./glyph.js";
import { highlighted, withoutRepeated } from "./highlight.js";
import { few, known, t } from "./i18n.js";
import { closesSoon, rail } from "./rail.js";
import { recordDetails } from "./record.js";
import { whyDetails } from "./why.js";

const COUNTRIES_SHOWN = 4;
const FIELDS_SHOWN = 4;

function unstated(key) {
  return el("span", { class: "unstated" }, t(key));
}

function title(hit) {
  const text = highlighted(hit.title ?? hit.id, hit.highlights?.title);
  const address = safeAddress(hit.url);
  const attributes = { class: "title", id: `title-${hit.rank}`, lang: hit.language ?? null, dir: "auto" };
  if (!address) return el("h3", attributes, el("span", { tabindex: "-1" }, text));
  const link = { href: address.href, target: "_blank", rel: "noopener noreferrer" };
  return el(
    "h3",
    attributes,
    el("a", link, text, el("span", { class: "visually-hidden" }, t("card.newtab"))),
  );
}

function place(codes) {
  if (!codes?.length) return unstated("country.unstated");
  const shown = codes
    .slice(0, COUNTRIES_SHOWN)
    .map((code) =>
      el(
        "span",
        { class: "country" },
        el("span", { class: "flag", "aria-hidden": "true" }, flag(code)),
        " ",
        countryName(code),
      ),
    );
  const rest = codes.length - shown.length;
  return [shown, rest > 0 && el("span", { class: "country" }, t("more.n", { n: rest }))];
}

function where(hit) {
  const provider = hit.provider
    ? el("span", { class: "provider", dir: "auto" }, hit.provider)
    : unstated("provider.unstated");
  return el("p", { class: "where" }, provider, place(hit.host_countries));
}

function levels(values) {
  if (!values?.length) return unstated("unstated");
  return values.map((level) => (known(`level.${level}`) ? t(`level.${level}`) : level)).join(t("comma"));
}

function fields(values) {
  if (!values?.length) return unstated("unstated");
  return few([...new Set(values.map(fieldName))], FIELDS_SHOWN);
}

function fact(key, value) {
  return el("div", {}, el("dt", {}, t(key)), el("dd", {}, value));
}

function facts(hit) {
  const amount = amountText(hit.amount);
  return el(
    "dl",
    { class: "facts" },
    fact("fact.amount", amount ? el("span", { class: "amount" }, amount) : unstated("unstated")),
    fact("fact.level", levels(hit.levels)),
    fact("fact.field", fields(hit.fields)),
  );
}

// A reason is a sentence, or a sentence with a code and the record's own values beside it.
function reason(why) {
  const { code = why, message = why, stated = [] } = typeof why === "string" ? {} : why;
  if (!known(`reason.${code}`)) return el("span", { lang: "en" }, message);
  const values = code.startsWith("nationality") ? stated.filter((one) => one !== "any").map(countryName) : [];
  return (
    t(`reason.${code}`) + (values.length ? t("reason.stated", { names: few(values, COUNTRIES_SHOWN) }) : "")
  );
}

const SIGNS = { eligible: "eligible", unknown: "undecided", ineligible: "ineligible" };

function verdict(eligibility) {
  if (!eligibility) return null;
  const { verdict: word, reasons = [] } = eligibility;
  const parts = reasons.map((why, i) => [i > 0 && t("semicolon"), reason(why)]);
  const why = reasons.length > 0 && el("span", { class: "reasons" }, parts);
  return el(
    "p",
    { class: "verdict", "data-verdict": word },
    glyph(SIGNS[word] ?? "undecided"),
    el("b", {}, t(`verdict.${word}`)),
    why,
  );
}

function passage(hit) {
  if (!hit.highlights?.passage?.text) return null;
  const { text, spans } = withoutRepeated(hit.highlights.passage, [hit.title, hit.provider]);
  return el("p", { class: "passage", lang: hit.language ?? null, dir: "auto" }, highlighted(text, spans));
}

function link(hit) {
  const address = safeAddress(hit.url);
  if (!address) return el("p", { class: "source unstated" }, t("card.nolink"));
  const attributes = {
    href: address.href,
    target: "_blank",
    rel: "noopener noreferrer",
    "aria-label": t("card.source", { host: address.host, title: hit.title ?? hit.id }),
  };
  return el("p", { class: "source" }, el("a", attributes, address.host, glyph("out")));
}

/** The card of one hit, in an answer as of a day. */
export function card(hit, asOf) {
  const body = el(
    "div",
    { class: "body" },
    title(hit),
    where(hit),
    facts(hit),
    verdict(hit.eligibility),
    passage(hit),
    also(hit),
    el("div", { class: "foot" }, recordDetails(hit), whyDetails(hit), link(hit)),
  );
  const attributes = {
    "aria-labelledby": `title-${hit.rank}`,
    class: "card",
    "data-state": hit.availability,
    "data-soon": closesSoon(hit),
  };
  return el("li", {}, el("article", attributes, rail(hit, asOf), body));
}
