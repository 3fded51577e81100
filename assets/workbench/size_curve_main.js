/* The size curve as the picture of its page: what is dragged here fades branches of the trees beside it at once. */

import { Dock } from "./dock.js";
import { say, STEP } from "./signal.js";
import { widthOf } from "./text.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".sizes");
  if (!root || !data) return undefined;
  if (!root.dock) {
    root.dock = new Dock({
      large: true,
      drawing: { fadeTo: (step) => say(step, STEP) },
      report: (kind, { step }) => root.take(step),
      width: (text, face) => widthOf(text, `${face} ${getComputedStyle(root).fontFamily}`),
    });
    root.append(root.dock.element);
  }
  root.take = (step) => setTriggerValue("step", step);
  root.style.height = `${data.pixels}px`;
  root.dock.update(data.curve);
  return undefined;
}
