// The small signs. Each availability has a shape of its own, so that colour is never the only difference.

import { svg } from "./dom.js";

const ring = () => svg("circle", { cx: 8, cy: 8, r: 5.6, class: "stroke" });
const SHAPES = {
  open: () => [svg("circle", { cx: 8, cy: 8, r: 6.2, class: "solid" })],
  upcoming: () => [ring(), svg("path", { d: "M8 2.4a5.6 5.6 0 0 1 0 11.2z", class: "solid" })],
  rolling: () => [
    svg("path", { d: "M13.4 6.6A5.6 5.6 0 0 0 3.2 5.2M2.6 9.4a5.6 5.6 0 0 0 10.2 1.4", class: "stroke" }),
    svg("path", { d: "M3.4 1.8v3.8h3.8M12.6 14.2v-3.8H8.8", class: "stroke" }),
  ],
  unknown: () => [svg("circle", { cx: 8, cy: 8, r: 5.6, class: "stroke dotted" })],
  closed: () => [svg("path", { d: "M3.4 3.4l9.2 9.2M12.6 3.4l-9.2 9.2", class: "stroke" })],
  eligible: () => [svg("path", { d: "M2.8 8.6l3.4 3.6 7-8", class: "stroke" })],
  undecided: () => [ring(), svg("path", { d: "M5 8h6", class: "stroke" })],
  ineligible: () => [ring(), svg("path", { d: "M4.2 11.8l7.6-7.6", class: "stroke" })],
  out: () => [svg("path", { d: "M5.5 3.5h7v7M12 4 3.8 12.2", class: "stroke" })],
  "theme-auto": () => [ring(), svg("path", { d: "M8 2.4a5.6 5.6 0 0 0 0 11.2z", class: "solid" })],
  "theme-light": () => [ring()],
  "theme-dark": () => [
    svg("path", { d: "M13 10.2A5.6 5.6 0 1 1 6.6 2.6a4.6 4.6 0 0 0 6.4 7.6z", class: "solid" }),
  ],
  remove: () => [svg("path", { d: "M4.4 4.4l7.2 7.2M11.6 4.4l-7.2 7.2", class: "stroke" })],
  search: () => [
    svg("circle", { cx: 7, cy: 7, r: 4.6, class: "stroke" }),
    svg("path", { d: "M10.4 10.4 14 14", class: "stroke" }),
  ],
};

/** A sign by name, hidden from assistive technology: the words beside it say the same. */
export function glyph(name) {
  return svg(
    "svg",
    { class: `glyph glyph-${name}`, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    SHAPES[name](),
  );
}
