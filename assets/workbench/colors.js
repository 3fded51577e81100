/* Colours of classes; from the eleventh class on the same colours come again with lines over them. */

import { svg } from "./make.js";

export class Colors {
  constructor(colors, count) {
    this.colors = colors;
    this.defs = svg("defs");
    for (let i = colors.length; i < count; i += 1) this.defs.append(this.pattern(i));
  }

  of(index) {
    return this.colors[index % this.colors.length];
  }

  fill(index) {
    return index < this.colors.length ? this.of(index) : `url(#class-${index})`;
  }

  pattern(index) {
    const turn = 45 * Math.floor(index / this.colors.length), size = 4;
    return svg("pattern", { id: `class-${index}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
      svg("rect", { width: size, height: size, fill: this.of(index) }), svg("rect", { class: "lines", width: 1.4, height: size }));
  }

  /* The swatch of a legend, in HTML. */
  background(index) {
    const color = this.of(index), turn = 45 * Math.floor(index / this.colors.length);
    return turn ? `repeating-linear-gradient(${turn}deg, ${color} 0 3px, var(--paper) 3px 4.5px)` : color;
  }
}
