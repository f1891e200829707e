// Marked text from offsets. The service counts Unicode code points and JavaScript counts UTF-16 units,
// so the text is spread into code points before it is cut.

import { el } from "./dom.js";

function merged(spans, length) {
  const clean = (spans ?? [])
    .map(([start, end]) => [Math.max(0, start), Math.min(length, end)])
    .filter(([start, end]) => start < end)
    .sort((a, b) => a[0] - b[0]);
  const out = [];
  for (const [start, end] of clean) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

/** A marked text without the beginning that repeats what stands above it already; its spans move along. */
export function withoutRepeated({ text, spans }, said) {
  let rest = text;
  for (const words of said) if (words && rest.startsWith(`${words}. `)) rest = rest.slice(words.length + 2);
  const cut = [...text].length - [...rest].length;
  return rest
    ? { text: rest, spans: (spans ?? []).map(([start, end]) => [start - cut, end - cut]) }
    : { text, spans };
}

/** The text as nodes, its spans ([start, end) in code points; any order, overlaps allowed) inside `<mark>`. */
export function highlighted(text, spans) {
  const points = [...text];
  const nodes = [];
  let at = 0;
  for (const [start, end] of merged(spans, points.length)) {
    if (start > at) nodes.push(points.slice(at, start).join(""));
    nodes.push(el("mark", {}, points.slice(start, end).join("")));
    at = end;
  }
  if (at < points.length) nodes.push(points.slice(at).join(""));
  return nodes;
}
