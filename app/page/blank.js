// The states without hits: nothing asked yet, being asked, and nothing found.

import { filterText } from "./chips.js";
import { search } from "./client.js";
import { el } from "./dom.js";
import { language, t } from "./i18n.js";
import { active, toRequest, unfiltered, without } from "./state.js";

const EXAMPLES = {
  en: [
    "PhD funding in Germany",
    "NSF GRFP",
    "women in engineering",
    "master's in public health, full tuition",
    "国家留学基金委",
  ],
  "zh-Hans": ["德国 博士 奖学金", "国家留学基金委", "英国 硕士 全额奖学金", "NSF GRFP", "公共卫生 硕士"],
};
const RELAXED_AT_MOST = 5;

/** Examples to begin with; `go(patch)` searches. */
export function examples(go) {
  return EXAMPLES[language()].map((text) =>
    el(
      "li",
      {},
      el("button", { type: "button", class: "chip example", onclick: () => go({ query: text }) }, text),
    ),
  );
}

/** A card's shape while the answer is on its way. */
export function skeleton() {
  const lines = ["rail", "body"].map((part) => el("div", { class: part }, el("i"), el("i"), el("i")));
  return el("li", { "aria-hidden": "true" }, el("div", { class: "card waiting" }, lines));
}

async function offer(state, [key, value]) {
  const relaxed = without(state, key, value);
  const answer = await search({ ...toRequest(relaxed), page_size: 1, facets: [], explain: false });
  return { state: relaxed, name: filterText(state, key, value), n: answer.total.value };
}

// One after another: a reader who found nothing must not cost the service five searches at once.
async function fillOffers(place, state, filters, go) {
  for (const filter of filters) {
    try {
      const found = await offer(state, filter);
      if (!place.isConnected) return;
      if (found.n > 0) {
        place.previousElementSibling.hidden = false;
        place.append(offerButton(found, go));
      }
    } catch {
      return; // an offer that cannot be checked is not made
    }
  }
}

function offerButton(found, go) {
  const label = t("zero.without", { name: found.name, n: found.n });
  return el(
    "li",
    {},
    el("button", { type: "button", class: "secondary", onclick: () => go(found.state) }, label),
  );
}

/** What to say when nothing fits: which one filter stands in the way, found by asking without each. */
export function zeroNotice(state, go) {
  const filters = active(state).filter(([key]) => key !== "as_of" && key !== "unknown");
  const offers = el("ul", { class: "offers" });
  const all =
    filters.length > 1 &&
    el("button", { type: "button", class: "quiet", onclick: () => go(unfiltered(state)) }, t("zero.all"));
  const hints = ["zero.hint.spelling", "zero.hint.name", "zero.hint.language"].map((key) =>
    el("li", {}, t(key)),
  );
  fillOffers(offers, state, filters.slice(0, RELAXED_AT_MOST), go);
  return el(
    "div",
    { class: "notice zero" },
    el("h3", {}, t("zero.title")),
    filters.length > 0 ? el("p", {}, t("zero.filters")) : el("p", {}, t("zero.plain")),
    el("p", { hidden: true }, t("zero.offers")),
    offers,
    all,
    el("ul", { class: "hints" }, hints),
  );
}
