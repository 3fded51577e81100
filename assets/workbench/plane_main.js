/* The plane with borders as a component; called again whenever the data change. */

import { unlessLeaving } from "./leaving.js";
import { Plane } from "./plane.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".plane");
  if (!root || !data) return undefined;
  const plane = (root.plane ??= new Plane(root));
  plane.heard = performance.now();
  plane.tell = (name, value) => unlessLeaving(root, () => plane.heard, () => setTriggerValue(name, value));
  plane.update(data);
  plane.enter();
  return () => plane.leave();
}
