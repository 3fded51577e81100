/* Colours of classes; from the eleventh class on the same colours come again with signs over them. */

import { svg } from "./make.js";

/* What lies over a colour when it comes again: the distance of the signs, the turn of their lines, what is drawn. */
const STROKE = (size) => [svg("rect", { class: "lines", width: 1.4, height: size })];
const CROSS = (size) => [...STROKE(size), svg("rect", { class: "lines", width: size, height: 1.4 })];
const DOT = (size) => [svg("circle", { class: "lines", cx: size / 2, cy: size / 2, r: 1.5 })];
const TURNS = [45, 90, 135, 0];
const SIGNS = [
  ...TURNS.map((turn) => [4, turn, STROKE]),
  ...TURNS.map((turn) => [8, turn, STROKE]),
  [5, 0, CROSS], [5, 45, CROSS], [5, 0, DOT], [9, 0, CROSS], [9, 45, CROSS], [9, 0, DOT],
];

export class Colors {
  constructor(colors, count) {
    this.colors = colors;
    this.defs = svg("defs");
    for (let i = colors.length; i < count; i += 1) this.defs.append(this.pattern(i));
  }

  of(index) {
    return this.colors[index % this.colors.length];
  }

  /* Of a class's colour as much as its share is away from the base rate, 0 to 1; at the base rate the ground. */
  shade(index, part, most = 85, ground = "var(--paper)") {
    const hue = index < 0 ? "var(--muted)" : this.of(index);
    return `color-mix(in srgb, ${hue} ${Math.round(most * part)}%, ${ground})`;
  }

  /* Of a number: where it lies between the least and the largest prediction of the tree, 0 to 1. */
  amount(part, least = 4, most = 38) {
    return `color-mix(in srgb, var(--accent) ${Math.round(least + (most - least) * part)}%, var(--paper))`;
  }

  /* The same where a node is a surface without a border: it stands off the page at either end of the scale. */
  amountOfWhole(part) {
    return this.amount(part, 16, 72);
  }

  /* Of the answer's colour as much as the node is pure; one that comes again keeps its pattern. */
  pure(index, purity, most = 100, ground = "var(--paper)") {
    return index < this.colors.length ? this.shade(index, 0.3 + 0.7 * purity, most, ground) : this.fill(index);
  }

  /* What fills a shape; the picture that holds the patterns must not be taken out of the page. */
  fill(index) {
    return index < this.colors.length ? this.of(index) : `url(#class-${index})`;
  }

  pattern(index) {
    const [size, turn, drawn] = SIGNS[(Math.floor(index / this.colors.length) - 1) % SIGNS.length];
    return svg("pattern", { id: `class-${index}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
      svg("rect", { width: size, height: size, fill: this.of(index) }), ...drawn(size));
  }

  swatch(index) {
    return svg("svg", { class: "swatch", "aria-hidden": "true" }, svg("rect", { width: "100%", height: "100%", rx: 2, fill: this.fill(index) }));
  }
}
