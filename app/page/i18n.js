// The language of the page: which one, and what it says for a key. Numbers and plurals follow it.

import en from "./en.js";
import zhHans from "./zh-hans.js";

const DICTIONARIES = { en, "zh-Hans": zhHans };
// Dates in English are day-first: readers come from everywhere, and 03/04 must not be a riddle.
const LOCALES = { en: "en-GB", "zh-Hans": "zh-Hans-CN" };
const KEY = "scholarsearch.language";

let current = document.documentElement.lang in DICTIONARIES ? document.documentElement.lang : "en";

/** Adds the words of one page to those that all pages share: {"en": {…}, "zh-Hans": {…}}. */
export function learn(words) {
  for (const [tag, entries] of Object.entries(words)) Object.assign(DICTIONARIES[tag], entries);
}

/** The tag of the language in force: "en" or "zh-Hans". */
export function language() {
  return current;
}

/** The locale that formats dates and numbers. */
export function locale() {
  return LOCALES[current];
}

/** Puts a language in force and remembers it. */
export function setLanguage(tag) {
  if (!(tag in DICTIONARIES)) return;
  current = tag;
  document.documentElement.lang = tag;
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // not remembered, still in force
  }
}

/** Whether the dictionary knows the key. */
export function known(key) {
  return key in DICTIONARIES[current];
}

function sentence(key, n) {
  const entry = DICTIONARIES[current][key] ?? DICTIONARIES.en[key] ?? key;
  if (typeof entry === "string") return entry;
  return entry[new Intl.PluralRules(locale()).select(n ?? 0)] ?? entry.other;
}

/** What the page says for `key`, with `{names}` filled in; the number `n` chooses the plural form. */
export function t(key, values = {}) {
  return sentence(key, values.n).replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined || value === null) return whole;
    return typeof value === "number" ? number(value) : value;
  });
}

/** The same sentence as a row of texts and nodes, for parts that are elements; `n` chooses the plural form. */
export function rich(key, nodes, n) {
  return sentence(key, n)
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? (nodes[part.slice(1, -1)] ?? part) : part))
    .filter((part) => part !== "");
}

/** A number as this language writes it. */
export function number(value, options = {}) {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** Items joined as a list: "a, b and c". */
export function list(items) {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(items);
}

/** The first names of a long list, and how many more there are: "a, b and 3 more". */
export function few(names, most) {
  const shown = names.slice(0, most).join(t("comma"));
  return names.length > most ? shown + t("more.joined", { n: names.length - most }) : shown;
}

/** Fills every element that names a key: `data-t` its text, `data-t-label` and `data-t-hint` its attributes. */
export function translate(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]"))
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  for (const node of root.querySelectorAll("[data-t-hint]"))
    node.setAttribute("placeholder", t(node.dataset.tHint));
}
