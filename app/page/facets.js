// Lists of choices with their counts, and a finder for the long ones.

import { countries, countryName, flag } from "./country.js";
import { byId, el, keepingFocus } from "./dom.js";
import { fieldName } from "./field.js";
import { glyph } from "./glyph.js";
import { language, number, t } from "./i18n.js";
import { AVAILABILITY, LEVELS } from "./state.js";

const SHOWN = 8;
const FOUND = 12;
const expanded = new Set(); // facets whose whole list is open
const sought = new Map(); // facet → what its finder holds

function languageName(tag) {
  try {
    return new Intl.DisplayNames([language()], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

function flagged(code) {
  return [el("span", { class: "flag", "aria-hidden": "true" }, flag(code)), " ", countryName(code)];
}

// key → the name as text, the name as nodes, a fixed order or none, every value one may look for
const KINDS = {
  availability: {
    name: (v) => t(`availability.${v}`),
    nodes: (v) => [glyph(v), " ", t(`availability.${v}`)],
    order: AVAILABILITY,
  },
  levels: { name: (v) => t(`level.${v}`), order: LEVELS },
  host_countries: { name: countryName, nodes: flagged, all: () => countries().map(([code]) => code) },
  fields: { name: fieldName },
  languages: { name: languageName },
};

/** The name of a facet's value, as text. */
export function valueName(key, value) {
  return KINDS[key]?.name(value) ?? value;
}

/** The name of a facet's value, as nodes (with its flag or sign where it has one). */
export function valueNodes(key, value) {
  return (KINDS[key]?.nodes ?? ((v) => [valueName(key, v)]))(value);
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

function entries(key, chosen, facet) {
  const counts = new Map(
    (facet?.counts ?? []).filter(({ value }) => value !== null).map(({ value, count }) => [value, count]),
  );
  for (const value of chosen) if (!counts.has(value)) counts.set(value, facet ? 0 : null);
  const { order } = KINDS[key];
  if (!order) return [...counts];
  // Before an answer every value of a closed set can be chosen; after it, those that are there.
  for (const value of order)
    if (!counts.has(value) && (!facet || key === "availability")) counts.set(value, facet ? 0 : null);
  return [...counts].sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
}

function visible(key, all, chosen) {
  const words = plain(sought.get(key) ?? "");
  if (words) {
    const known = new Set(all.map(([value]) => value));
    const others = (KINDS[key].all?.() ?? [])
      .filter((value) => !known.has(value))
      .map((value) => [value, null]);
    return [...all, ...others]
      .filter(([value]) => plain(valueName(key, value)).includes(words))
      .slice(0, FOUND);
  }
  if (expanded.has(key)) return all;
  return all.filter(([value], i) => i < SHOWN || chosen.includes(value));
}

function choice(key, [value, count], chosen, change) {
  const id = `choose-${key}-${value}`;
  const box = {
    type: "checkbox",
    id,
    checked: chosen.includes(value),
    onchange: (event) => change(key, value, event.target.checked),
  };
  const figure = count !== null && [
    el("span", { class: "n", "aria-hidden": "true" }, number(count)),
    el("span", { class: "visually-hidden" }, t("facet.count", { n: count })),
  ];
  const state = key === "availability" ? value : null;
  return el(
    "li",
    {},
    el(
      "label",
      { class: "choice", "data-state": state, "data-none": count === 0 },
      el("input", box),
      el("span", { class: "name" }, valueNodes(key, value)),
      figure,
    ),
  );
}

function expander(key, hiddenCount, again) {
  const open = expanded.has(key);
  const flip = () => {
    if (open) expanded.delete(key);
    else expanded.add(key);
    again();
  };
  const label = open ? t("facet.fewer") : t("facet.all", { n: hiddenCount });
  return el(
    "button",
    { type: "button", id: `all-${key}`, class: "quiet", "aria-expanded": String(open), onclick: flip },
    label,
  );
}

/** Draws one facet's choices into `choices-KEY`; `change(key, value, on)` is called when one is ticked. */
export function drawFacet(key, chosen, facet, change) {
  const again = () => drawFacet(key, chosen, facet, change);
  const all = entries(key, chosen, facet);
  const rows = visible(key, all, chosen);
  const finder = byId(`find-${key}`);
  if (finder) {
    finder.oninput = () => {
      sought.set(key, finder.value.trim());
      again();
    };
  }
  keepingFocus(() => {
    const none =
      !rows.length &&
      (facet || sought.get(key)) &&
      el("p", { class: "none" }, t(sought.get(key) ? "facet.notfound" : "facet.empty"));
    const rest = !sought.get(key) && all.length > SHOWN && expander(key, all.length, again);
    byId(`choices-${key}`).replaceChildren(
      ...[
        rows.length &&
          el(
            "ul",
            { class: "choices" },
            rows.map((row) => choice(key, row, chosen, change)),
          ),
        none,
        rest,
      ].filter(Boolean),
    );
  });
}
