/* A word from one part of the page to another without the server: what a split would make of a node, or null. */

const NAME = "treecore-preview";

export function say(detail) {
  window.dispatchEvent(new CustomEvent(NAME, { detail }));
}

/* Returns what ends the listening. */
export function hear(told) {
  const listener = (event) => told(event.detail);
  window.addEventListener(NAME, listener);
  return () => window.removeEventListener(NAME, listener);
}
