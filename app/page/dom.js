// Elements from data. Text only ever becomes a text node; nothing here, or anywhere on the page, parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/** A new HTML element; attributes that are null or false are left out, `onclick` and its kind are listeners. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** A new SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of the page with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** `render()` done, with the focus put back on the control of the same id when the old one went away. */
export function keepingFocus(render) {
  const id = document.activeElement?.id;
  render();
  const again = id && document.activeElement?.id !== id && byId(id);
  if (again) again.focus({ preventScroll: true });
}

/** The address if it is one that a link may lead to (http or https), else null. */
export function safeAddress(text) {
  try {
    const address = new URL(text);
    return address.protocol === "https:" || address.protocol === "http:" ? address : null;
  } catch {
    return null;
  }
}
