/* All of the tree at once: nested bars (icicle) or rings (sunburst), as wide as their rows. */

import { html, label, svg } from "./make.js";
import { fitted } from "./text.js";

const TEXT = "400 12px", ROW = 18, STRIP = 5, NARROW = 8, TOP = 46, MARGIN = 14, LEAST = 0.4;
const GROUND = "color-mix(in srgb, var(--ink) 13%, var(--paper))"; // of a node with the base rate: no class's colour, but a surface

export class Whole {
  constructor(pane) {
    this.pane = pane;
    this.picture = svg("svg", { class: "whole" });
    this.element = html("div", "whole-box");
    this.element.append(this.picture);
    this.element.hidden = true;
  }

  update(data) {
    const shown = data.shape !== "tree" && Boolean(data.whole);
    this.element.hidden = !shown;
    this.pane.drawing.world.style.display = shown ? "none" : "";
    this.nodes = shown ? new Set(data.whole.map((row) => row.id)) : new Set();
    if (shown) this.draw();
  }

  /* Pixels that the buttons stand on, and the name of a tree below them. */
  get top() {
    return this.pane.data.tag && !this.pane.data.slim ? TOP + 32 : TOP;
  }

  has(id) {
    return this.nodes?.has(id);
  }

  draw() {
    const { pane } = this, { data } = pane;
    if (this.element.hidden || !pane.stage.clientWidth) return;
    const deepest = Math.max(...data.whole.map((row) => row.depth)) + 1;
    this.picture.replaceChildren(...data.whole.map((row) => (data.shape === "icicle" ? this.bar(row, deepest) : this.ring(row, deepest))));
    this.light((id) => pane.lit?.lookOf(id) ?? "");
  }

  /* lookOf : id -> "lit", "lit some" or "". */
  light(lookOf) {
    if (this.element.hidden) return;
    for (const part of this.picture.children) {
      const look = lookOf(Number(part.dataset.node));
      part.classList.toggle("lit", look !== "");
      part.classList.toggle("some", look === "lit some");
    }
  }

  group(row, shape, ...more) {
    const { pane } = this, title = svg("title");
    title.textContent = row.told;
    shape.style.fill = row.lift !== undefined ? pane.colors.shade(row.tint, row.lift, 90, GROUND) : pane.data.classes.length ? pane.colors.pure(row.tint, row.purity) : pane.colors.amountOfWhole(row.value);
    shape.style.fillOpacity = row.cut ? 0.2 : row.leaf || row.value !== undefined ? 0.95 : 0.55;
    return svg("g", { class: `node part ${row.id === pane.selected ? "selected" : ""} ${pane.search.classOf(row.id)}`, "data-node": row.id, role: "treeitem", "aria-label": row.told, "aria-level": row.depth + 1, "aria-selected": row.id === pane.selected }, title, shape, ...more);
  }

  bar(row, deepest) {
    const { stage: { clientHeight }, room: { wide: clientWidth } } = this.pane, wide = clientWidth - 2 * MARGIN;
    const high = Math.min(40, (clientHeight - this.top - MARGIN) / deepest);
    const x = MARGIN + row.left * wide, w = Math.max(LEAST, row.width * wide - 1), y = this.top + row.depth * high;
    const shape = svg("rect", { x, y, width: w, height: Math.max(1, high - 1), rx: Math.min(3, w / 4) });
    const foot = y + high - 1 - STRIP, strip = high < ROW ? [] : this.strip(row, w, (from, to) => svg("rect", { x: x + from * w, y: foot, width: (to - from) * w, height: STRIP }));
    if (w < 44 || high < ROW) return this.group(row, shape, ...strip);
    const text = label({ x: x + 6, y: y + (high - (strip.length ? STRIP : 0)) / 2 + 4, class: "told" }, fitted(row.title, w - 12, this.pane.font(TEXT)));
    return this.group(row, shape, text, ...strip);
  }

  ring(row, deepest) {
    const { stage: { clientHeight }, room: { wide: clientWidth } } = this.pane;
    const most = Math.min(clientWidth / 2 - MARGIN, (clientHeight - this.top - MARGIN) / 2), step = most / deepest;
    const cx = clientWidth / 2, cy = this.top + most, inner = row.depth * step, outer = inner + step - 1;
    const start = 2 * Math.PI * row.left - Math.PI / 2, turn = 2 * Math.PI * Math.min(row.width, 0.99999);
    const at = (r, a) => `${(cx + r * Math.cos(a)).toFixed(2)} ${(cy + r * Math.sin(a)).toFixed(2)}`;
    const arc = (low, from, to) => {
      const large = to - from > Math.PI ? 1 : 0;
      return `M${at(low, from)}L${at(outer, from)}A${outer} ${outer} 0 ${large} 1 ${at(outer, to)}L${at(low, to)}A${low} ${low} 0 ${large} 0 ${at(low, from)}Z`;
    };
    const path = inner < 1
      ? `M${at(outer, 0)}A${outer} ${outer} 0 1 1 ${at(outer, Math.PI)}A${outer} ${outer} 0 1 1 ${at(outer, 0)}Z`
      : arc(inner, start, start + turn);
    const strip = step < ROW ? [] : this.strip(row, turn * outer, (from, to) => svg("path", { d: arc(outer - STRIP, start + from * turn, start + to * turn) }));
    return this.group(row, svg("path", { d: path }), ...strip);
  }

  /* The groups of a column among the rows of a node, each as long as its share. made : from and to, 0 to 1, -> its shape. */
  strip(row, room, made) {
    const { shades } = this.pane;
    if (!shades || !row.parts || room < NARROW) return [];
    let from = 0;
    return row.parts.map(([index, share]) => {
      const part = made(from, Math.min(1, from + share));
      part.setAttribute("class", "strip");
      part.style.fill = shades.fill(index);
      from += share;
      return part;
    });
  }
}
