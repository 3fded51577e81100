/* A word from one part of the page to another without the server. What is said by default: what a split would make of a
   node, or null. */

const NAME = "treecore-preview";
export const LIT = "treecore-lit"; // the segments before the line of the skyline, or null
export const STEP = "treecore-step"; // of the nested sequence, to which branches are to fade
export const LIT_ASKED = "treecore-lit-asked"; // by a tree that came later

export function say(detail, name = NAME) {
  window.dispatchEvent(new CustomEvent(name, { detail }));
}

/* Returns what ends the listening. */
export function hear(told, name = NAME) {
  const listener = (event) => told(event.detail);
  window.addEventListener(name, listener);
  return () => window.removeEventListener(name, listener);
}
