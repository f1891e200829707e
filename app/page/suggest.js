// The question box as a combobox with a list (ARIA APG: list autocomplete, manual selection).
// Focus stays in the box; `aria-activedescendant` walks the list.

import { announce } from "./announce.js";
import { suggest } from "./client.js";
import { byId, el } from "./dom.js";
import { known, t } from "./i18n.js";

const PAUSE_MS = 120;
const SHOWN = 8;

/** Wires the box; `choose(suggestion)` is called when one is taken. */
export function wireSuggestions(choose) {
  const box = byId("q");
  const popup = byId("suggestions");
  let shown = [];
  let at = -1;
  let timer = 0;
  let pending = null;

  function close() {
    clearTimeout(timer);
    pending?.abort();
    shown = [];
    at = -1;
    popup.replaceChildren();
    popup.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    at = index;
    [...popup.children].forEach((node, i) => node.setAttribute("aria-selected", String(i === index)));
    if (index < 0) box.removeAttribute("aria-activedescendant");
    else {
      box.setAttribute("aria-activedescendant", popup.children[index].id);
      popup.children[index].scrollIntoView({ block: "nearest" });
    }
  }

  function take(index) {
    const taken = shown[index];
    close();
    choose(taken);
  }

  function option(item, i) {
    const kind = item.kind && (known(`kind.${item.kind}`) ? t(`kind.${item.kind}`) : item.kind);
    const attributes = { id: `suggestion-${i}`, role: "option", "aria-selected": "false" };
    // The pointer must not take the focus out of the box before the click arrives.
    attributes.onmousedown = (event) => event.preventDefault();
    attributes.onclick = () => take(i);
    return el(
      "li",
      attributes,
      el("span", { class: "name" }, item.text),
      kind && el("span", { class: "kind" }, kind),
    );
  }

  function open(items) {
    shown = items.slice(0, SHOWN);
    if (!shown.length) return close();
    popup.replaceChildren(...shown.map(option));
    popup.hidden = false;
    box.setAttribute("aria-expanded", "true");
    mark(-1);
    return announce(t("suggest.count", { n: shown.length }));
  }

  async function ask() {
    pending?.abort();
    const text = box.value.trim();
    if (!text) return close();
    pending = new AbortController();
    const { signal } = pending;
    try {
      const items = await suggest(text, signal);
      if (!signal.aborted && document.activeElement === box) open(items);
    } catch (error) {
      if (error.name !== "AbortError") close(); // suggestions are a courtesy: their failure is not the reader's
    }
    return undefined;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  }

  function walk(step) {
    if (popup.hidden) return ask();
    // One stop outside the list, so that the reader's own words can be come back to.
    const stops = shown.length + 1;
    return mark(((at + 1 + step + stops) % stops) - 1);
  }

  const keys = {
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    Enter: () => (at >= 0 ? take(at) : false),
    Escape: () => (popup.hidden ? (box.value = "") : close()),
  };

  box.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) return; // an input method's own keys
    if (event.key === "Tab") close();
    else if (event.key in keys && keys[event.key]() !== false) event.preventDefault();
  });
  box.addEventListener("input", (event) => event.isComposing || later());
  box.addEventListener("compositionend", later);
  box.addEventListener("blur", close);
  box.form.addEventListener("submit", close);
}
