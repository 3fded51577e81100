/* Streamlit calls this again, with the same element, whenever the data or the theme change. */

import { TreePane } from "./pane.js";

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".bench");
  if (!root || !data) return undefined;
  const isNew = !root.pane;
  const pane = (root.pane ??= new TreePane(root));
  pane.tell = (value) => setStateValue("event", value);
  pane.act = (value) => setTriggerValue("action", value);
  pane.update(data);
  TreePane.all.add(pane);
  if (isNew || !pane.sizes) pane.enter();
  return () => {
    TreePane.all.delete(pane);
    pane.leave();
  };
}
