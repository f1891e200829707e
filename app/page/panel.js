// The filter panel: keeps its controls in step with the state, and tells when the reader changes one.

import { countries } from "./country.js";
import { byId, el } from "./dom.js";
import { drawFacet } from "./facets.js";
import { known, language, t } from "./i18n.js";
import { FACETS, toggled } from "./state.js";

const INPUTS = {
  provider: "provider",
  from: "from",
  to: "to",
  min: "min",
  currency: "currency",
  as_of: "as-of",
  nationality: "nationality",
};
const CURRENCIES =
  "USD EUR GBP CNY INR JPY KRW TWD HKD SGD CAD AUD NZD CHF SEK NOK DKK PLN CZK HUF TRY RUB BRL MXN ZAR NGN KES THB VND IDR MYR PHP PKR BDT AED SAR ILS".split(
    " ",
  );

function option(value, text) {
  return el("option", { value }, text);
}

/** Fills the lists whose words depend on the language of the page. */
export function fillChoices() {
  const names = new Intl.DisplayNames([language()], { type: "currency" });
  for (const [id, options] of [
    [
      "nationality",
      [option("", t("nationality.none")), ...countries().map(([code, name]) => option(code, name))],
    ],
    ["currency", CURRENCIES.map((code) => option(code, `${code} · ${names.of(code)}`))],
  ]) {
    const select = byId(id);
    const kept = select.value;
    select.replaceChildren(...options);
    if (kept) select.value = kept;
  }
}

// What a control can hold of a value that may come from an address anybody could have written.
function held(control, value) {
  if (control.type === "date") return /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? "";
  if (control.type === "number") return Number.isFinite(Number(value)) ? value : "";
  return value;
}

/** Puts a state's values into the controls; one that is being typed in is left alone. */
export function syncPanel(state) {
  for (const [key, id] of Object.entries(INPUTS)) {
    const control = byId(id);
    const value = key === "currency" ? state.currency || "USD" : state[key];
    if (control !== document.activeElement || control.tagName === "SELECT")
      control.value = held(control, value);
  }
  for (const radio of document.querySelectorAll("input[name=unknown]"))
    radio.checked = radio.value === (state.unknown || "include");
}

/** Draws the facets of an answer (null before the first), and says what their counts count. */
export function drawFacets(state, answer, change) {
  const facets = new Map((answer?.facets ?? []).map((facet) => [facet.field, facet]));
  for (const key of FACETS) {
    drawFacet(key, state[key], facets.get(key), (field, value, on) =>
      change(toggled(state, field, value, on)),
    );
  }
  const set = answer?.facets?.[0]?.counted_set;
  const name = set && (known(`counted.${set}`) ? t(`counted.${set}`) : set.replaceAll("_", " "));
  byId("counted").textContent = set ? t("facet.counted", { set: name }) : "";
}

/** Wires the controls that are not facets; `change(patch)` is called with the keys that differ. */
export function wirePanel(change) {
  for (const [key, id] of Object.entries(INPUTS)) {
    byId(id).addEventListener("change", (event) => change({ [key]: event.target.value.trim() }));
  }
  for (const radio of document.querySelectorAll("input[name=unknown]")) {
    radio.addEventListener("change", () => change({ unknown: radio.value === "include" ? "" : radio.value }));
  }
}
