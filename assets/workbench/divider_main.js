/* The divider as a component; called again whenever the data change. */

import { Divider } from "./divider.js";
import { unlessLeaving } from "./leaving.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const bar = parentElement.querySelector(".divider");
  if (!bar || !data) return undefined;
  const divider = (bar.divider ??= new Divider(bar));
  const heard = performance.now();
  divider.take = (share) => unlessLeaving(bar, () => heard, () => setTriggerValue("moved", share));
  divider.update(data);
  return () => divider.leave();
}
