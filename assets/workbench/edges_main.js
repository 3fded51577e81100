/* A column's histogram with handles at the edges of its bins; called again whenever the data change. */

import { Edges } from "./edges.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".edges");
  if (!root || !data) return undefined;
  root.bins ??= new Edges(root);
  root.bins.take = (edges) => setTriggerValue("taken", edges);
  root.bins.update(data);
  return undefined;
}
