// What changed, said once to those who cannot see it change.

import { byId } from "./dom.js";

/** Says a sentence in the page's polite live region. */
export function announce(text) {
  const region = byId("announce");
  region.textContent = ""; // the same sentence twice must be spoken twice
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
