/* The values that a split parts: rows by value, stacked by class; of a target of numbers its answers by value, with the
   mean of every side. Under it the threshold as a wedge, or a line under the levels of each branch. */

import { label, svg } from "./make.js";
import { fitted } from "./text.js";

const FOOT = 8, APART = 6, WEDGE = 4.5, FACE = "400 11px", NAMED = 30;

/* found: as view/split_histogram.py makes it. wide, high: pixels, its foot among them. named: with words under it? */
export function splitPicture(pane, found, wide, high, named = false) {
  const base = high - FOOT, places = placesOf(found, wide), picture = svg("g", { class: "parted" });
  picture.append(svg("rect", { class: "sheet", x: -3, y: -2, width: wide + 6, height: base + 2, rx: 2 }), svg("path", { class: "ground", d: `M0 ${base}H${wide}` }));
  if (found.points) picture.append(...scatter(found, places, base));
  else picture.append(...bars(pane, found, places, base));
  for (const share of found.thresholds ?? []) picture.append(...wedge(share * wide, base));
  for (const [from, to] of branches(found, places)) picture.append(svg("path", { class: "branch", d: `M${from} ${base + 4}H${to}` }));
  if (named) picture.append(...words(pane, found, places, wide, high));
  return picture;
}

/* From and to of every bar; the branches of levels stand a little apart. */
function placesOf({ series, branches: of }, wide) {
  const n = series[0][1].length, gaps = of ? of.filter((branch, i) => i && branch !== of[i - 1]).length : 0;
  const step = (wide - APART * gaps) / n;
  let at = 0;
  return Array.from({ length: n }, (_, i) => {
    if (of && i && of[i] !== of[i - 1]) at += APART;
    at += step;
    return [at - step, at];
  });
}

/* One path per class; the class of interest at the bottom, where its bars can be compared. */
function bars(pane, { series, levels }, places, base) {
  const { classes, interest } = pane.data, first = interest?.k, air = levels ? 1.5 : 1;
  const most = Math.max(...places.map((_, i) => series.reduce((sum, [, counts]) => sum + counts[i], 0)), 1);
  const stack = places.map(() => base), ordered = [...series].sort(([a], [b]) => (b === first) - (a === first));
  return ordered.map(([k, counts]) => {
    const path = svg("path", { class: "bars", d: counts.map((n, i) => {
      const high = (base - 2) * (n / most), [from, to] = places[i];
      stack[i] -= high;
      return n ? `M${from.toFixed(1)} ${stack[i].toFixed(1)}h${Math.max(0.8, to - from - air).toFixed(1)}v${high.toFixed(1)}h${-Math.max(0.8, to - from - air).toFixed(1)}z` : "";
    }).join("") });
    path.style.fill = !classes.length ? "var(--muted)" : k < 0 ? "var(--line)" : pane.colors.fill(k);
    return path;
  });
}

function scatter({ points, means, levels }, places, base) {
  const wide = places.at(-1)[1], up = (y) => (base - 2) * (1 - y) + 1;
  const along = (share, from) => { // levels of a branch stand together, so a share of the axis lies in its own bar
    if (!levels) return share * wide;
    const i = Math.min(places.length - 1, from ?? Math.floor(share * places.length)), [a, b] = places[i];
    return a + (b - a) * (share * places.length - i);
  };
  const dots = svg("path", { class: "dots", d: points.map((x, i) => (i % 2 ? "" : `M${along(x / 1000).toFixed(1)} ${up(points[i + 1] / 1000).toFixed(1)}h0`)).join("") });
  const lines = means.map(([from, to, y], i) => {
    const at = levels ? i : undefined;
    return `M${(along(from, at) + 1).toFixed(1)} ${up(y).toFixed(1)}H${(along(to, at) - 1).toFixed(1)}`;
  });
  return [dots, svg("path", { class: "means", d: lines.join("") })];
}

function wedge(x, base) {
  return [
    svg("path", { class: "threshold", d: `M${x.toFixed(1)} 0V${base}` }),
    svg("path", { class: "cut", d: `M${x.toFixed(1)} ${base + 0.5}l${-WEDGE} ${FOOT - 1}h${2 * WEDGE}z` }),
  ];
}

/* From and to of the levels of every branch. */
function branches({ branches: of }, places) {
  const found = [];
  (of ?? []).forEach((branch, i) => {
    if (i && branch === of[i - 1]) found.at(-1)[1] = places[i][1] - 1;
    else found.push([places[i][0], places[i][1] - 1]);
  });
  return found;
}

function words(pane, { levels, low, high: top }, places, wide, high) {
  const y = high + 12;
  if (!levels) return [label({ x: 0, y }, low), label({ x: wide, y, "text-anchor": "end" }, top)];
  if (places[0][1] - places[0][0] < NAMED) return [];
  return levels.map((name, i) => {
    const [from, to] = places[i];
    return label({ x: (from + to) / 2, y, "text-anchor": "middle" }, fitted(name, to - from - 3, pane.font(FACE)));
  });
}
