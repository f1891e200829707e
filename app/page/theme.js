// Light, dark, or as the device says. Remembered; `boot.js` puts it in force before the first paint.

import { byId, el } from "./dom.js";
import { glyph } from "./glyph.js";
import { t } from "./i18n.js";

const KEY = "scholarsearch.theme";
const ORDER = ["auto", "light", "dark"];

function current() {
  return document.documentElement.dataset.theme ?? "auto";
}

/** Writes the theme's name on its button. */
export function showTheme() {
  byId("theme").replaceChildren(
    el("span", { class: "visually-hidden" }, t("theme.label")),
    glyph(`theme-${current()}`),
    " ",
    t(`theme.${current()}`),
  );
}

/** Makes the theme button go round: as the device, light, dark. */
export function wireTheme() {
  byId("theme").addEventListener("click", () => {
    const next = ORDER[(ORDER.indexOf(current()) + 1) % ORDER.length];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      if (next === "auto") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // not remembered, still in force
    }
    showTheme();
  });
  showTheme();
}
