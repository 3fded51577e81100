/* The share of a node's rows without an event, as steps over time, before that of all rows in grey. */

import { svg } from "./make.js";

/* found: as view/split_histogram.py makes it, in thousandths. left, top, wide, high: pixels. */
export function survivalCurve({ here, whole }, left, top, wide, high) {
  const last = Math.max(whole.length - 1, here.length - 1, 1);
  const steps = (shares) => shares.map((share, i) => {
    const y = (top + high * (1 - share / 1000)).toFixed(1);
    return i ? `H${(left + (wide * i) / last).toFixed(1)}V${y}` : `M${left} ${y}`;
  });
  return svg(
    "g", { class: "survival" },
    svg("path", { class: "ground", d: `M${left} ${top}V${top + high}H${left + wide}` }),
    svg("path", { class: "whole", d: steps(whole).join("") }),
    svg("path", { class: "here", d: steps(here).join("") }),
  );
}
