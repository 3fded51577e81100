/* The rivals of a node, beside the tree; called again whenever the data change. */

import { Rivals } from "./rivals.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".rivals");
  if (!root || !data) return undefined;
  root.list ??= new Rivals(root);
  root.list.pick = (value) => setTriggerValue("picked", value);
  root.list.update(data);
  return () => root.list.leave();
}
