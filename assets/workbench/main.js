/* Streamlit calls this again, with the same element, whenever the data or the theme change. */

import { unlessLeaving } from "./leaving.js";
import { TreePane } from "./pane.js";

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".bench");
  if (!root || !data) return undefined;
  const isNew = !root.pane;
  const pane = (root.pane ??= new TreePane(root));
  pane.heard = performance.now();
  pane.tell = (value) => unlessLeaving(root, () => pane.heard, () => setStateValue("event", value));
  pane.act = (value) => unlessLeaving(root, () => pane.heard, () => setTriggerValue("action", value));
  pane.update(data);
  TreePane.all.add(pane);
  if (isNew || !pane.room.sizes) pane.enter();
  return () => {
    TreePane.all.delete(pane);
    pane.leave();
  };
}
