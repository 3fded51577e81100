/* The risk skyline as a component; called again whenever the data change. */

import { unlessLeaving } from "./leaving.js";
import { Skyline } from "./skyline.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".skyline");
  if (!root || !data) return undefined;
  const skyline = (root.skyline ??= new Skyline(root));
  skyline.heard = performance.now();
  skyline.take = (value) => unlessLeaving(root, () => skyline.heard, () => setTriggerValue("taken", value));
  skyline.choose = (node) => unlessLeaving(root, () => skyline.heard, () => setTriggerValue("chosen", node));
  skyline.update(data);
  skyline.enter();
  return () => skyline.leave();
}
