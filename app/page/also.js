// Who else lists the programme of a hit, in one quiet line: one link for each site, and how many records were joined.

import { el, safeAddress } from "./dom.js";
import { rich, t } from "./i18n.js";

const SHOWN = 4;

// The sites of the other records, each once, without the site that the card itself leads to.
function others(hit) {
  const seen = new Set([safeAddress(hit.url)?.host]);
  const found = [];
  for (const one of hit.sources.slice(1)) {
    const address = safeAddress(one.url);
    const name = address?.host ?? one.source;
    if (!name || seen.has(name)) continue;
    seen.add(name);
    found.push({ name, address, title: one.title });
  }
  return found;
}

function site({ name, address, title }) {
  if (!address) return el("span", {}, name);
  const label = t("card.source", { host: name, title });
  const attributes = { href: address.href, target: "_blank", rel: "noopener noreferrer", "aria-label": label };
  return el("a", attributes, name);
}

/** The line below a card's facts, or null for a programme that is known from one record alone. */
export function also(hit) {
  if (!(hit.sources?.length > 1)) return null;
  const sites = others(hit);
  const rest = sites.length - SHOWN;
  const names = sites.slice(0, SHOWN).flatMap((one, i) => [i > 0 && t("comma"), site(one)]);
  if (rest > 0) names.push(t("comma"), t("more.n", { n: rest }));
  const said = names.length
    ? rich("also.listed", { sites: el("span", { class: "sites", dir: "auto" }, names) })
    : t("also.records", { n: hit.sources.length });
  return el("p", { class: "also" }, said);
}
