/* Makers of elements. Text from data enters as textContent only. */

const SVG = "http://www.w3.org/2000/svg";

export function html(tag, className = "", text = undefined) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

export function label(attributes, text) {
  const element = svg("text", attributes);
  element.textContent = text;
  return element;
}

export function button(text, title, action, className = "") {
  const element = html("button", className, text);
  element.type = "button";
  if (title) {
    element.title = title;
    if (text.length < 2) element.setAttribute("aria-label", title); // a sign says nothing to who hears it
  }
  element.addEventListener("click", action);
  return element;
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
