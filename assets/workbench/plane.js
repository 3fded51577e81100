/* Decision regions whose borders can be dragged. A border follows the pointer at once; the tree that grows with it there
   comes from the server, one place at a time: the next is asked for when the answer to the last one has come. */

import { button, clamp, html, label, set, svg } from "./make.js";
import { saveDrawing } from "./save.js";
import { widthOf } from "./text.js";

const LEFT = 58, WIDEST = 130, RIGHT = 12, TOP = 8, BOTTOM = 46, FACE = "400 12px", REACH = 7, TOUCHED = 14; // pixels beside a border that take it, with a finger
const DOT = 4, SMALL = 3, MANY = 800, PATIENCE = 4000, REST = 1000; // milliseconds: an answer that does not come; keys that are let go
const SHAPES = [
  (r) => svg("circle", { r }),
  (r) => svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, transform: "rotate(45)" }),
  (r) => svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r }),
];

export class Plane {
  constructor(root) {
    this.root = root;
    this.said = html("p", "said");
    this.said.setAttribute("role", "status");
    this.before = html("p", "before");
    this.keys = html("p", "keys");
    this.plot = svg("svg", { class: "plot", role: "group", "aria-label": "Decision regions, their borders can be dragged" });
    this.seq = 0;
    const line = html("div", "line");
    line.append(this.keys, button("SVG", "The plane as a picture", () => saveDrawing(this.plot, getComputedStyle(root).backgroundColor, "regions"), "picture-of"));
    root.append(this.said, this.before, line, this.plot);
    this.plot.addEventListener("pointermove", (event) => this.move(event));
    this.plot.addEventListener("pointerup", () => this.release());
    this.plot.addEventListener("pointercancel", () => this.release());
  }

  enter() {
    this.sizes ??= new ResizeObserver(() => this.draw());
    this.sizes.observe(this.plot);
  }

  leave() {
    this.sizes?.disconnect();
    clearTimeout(this.resting);
  }

  update(data) {
    this.data = data;
    this.root.style.height = `${data.pixels}px`;
    if (data.seen >= this.seq) {
      this.asked = 0;
      this.seq = data.seen;
    }
    this.said.textContent = this.said.title = data.text;
    this.before.textContent = this.before.title = data.before ? `Before: ${data.before}` : "";
    this.keys.replaceChildren(...this.legend());
    this.draw();
    if (this.drag && !this.asked && this.drag.at !== this.drag.sent) this.ask();
  }

  /* ------------------------------------------------------------ the picture */

  legend() {
    const { scale, points } = this.data;
    const keys = points.keys.map(([name, color]) => {
      const key = html("span", "key", name), swatch = html("i");
      swatch.style.background = color;
      if (color) key.prepend(swatch);
      return key;
    });
    if (!scale) return keys;
    const bar = html("i", "bar");
    bar.style.background = `linear-gradient(to right, ${scale.stops.join(", ")})`;
    return [html("span", "key", `${scale.name}: ${scale.low}`), bar, html("span", "key", scale.high), ...keys];
  }

  /* Pixels left of the plane: names of levels need more than numbers. */
  get left() {
    return Math.max(LEFT, Math.min(WIDEST, Math.ceil(Math.max(0, ...this.data.axes[1].levels.map((name) => widthOf(name, FACE)))) + 30));
  }

  get wide() { return this.plot.clientWidth - this.left - RIGHT; }
  get high() { return this.plot.clientHeight - TOP - BOTTOM; }

  x(value) {
    const [side] = this.data.axes;
    return this.left + (this.wide * (value - side.low)) / (side.high - side.low);
  }

  y(value) {
    const side = this.data.axes[1];
    return TOP + this.high - (this.high * (value - side.low)) / (side.high - side.low);
  }

  /* The value of an axis under a pixel of the plot. */
  value(axis, pixel) {
    const side = this.data.axes[axis], part = axis === 0 ? (pixel - this.left) / this.wide : (TOP + this.high - pixel) / this.high;
    return side.low + part * (side.high - side.low);
  }

  draw() {
    const { data, plot } = this;
    if (!data || this.wide < 40 || this.high < 40) return;
    const focused = plot.getRootNode().activeElement?.getAttribute?.("data-node");
    plot.replaceChildren(...this.boxes(), ...this.sides(), ...this.rows(), ...this.words(), ...this.lines());
    if (focused) plot.querySelector(`[data-node="${focused}"]`)?.focus({ preventScroll: true });
  }

  boxes() {
    return this.data.boxes.map(([x0, x1, y0, y1, color, , told]) => {
      const [left, right, top, bottom] = [this.x(x0), this.x(x1), this.y(y1), this.y(y0)];
      const box = svg("rect", { class: "box", x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0), fill: color });
      box.append(svg("title"));
      box.firstChild.textContent = told;
      return box;
    });
  }

  words() {
    return this.data.boxes.flatMap(([x0, x1, y0, y1, , answer]) => {
      const left = this.x(x0), top = this.y(y1);
      if (this.x(x1) - left < widthOf(answer, FACE) + 12 || this.y(y0) - top < 18) return [];
      return [label({ class: "answer", x: left + 6, y: top + 14 }, answer)];
    });
  }

  rows() {
    const { points, wrong, pale, scale } = this.data, size = points.x.length > MANY ? SMALL : DOT;
    const faded = new Set(pale), missed = new Set(wrong);
    return points.x.map((value, i) => {
      const place = svg("g", { class: `row${faded.has(i) ? " pale" : ""}${scale && !points.keys.length ? " number" : ""}`, transform: `translate(${this.x(value).toFixed(1)} ${this.y(points.y[i]).toFixed(1)})`, fill: points.colors[i] });
      place.append(SHAPES[points.roles[i] % SHAPES.length](size));
      if (missed.has(i)) place.append(svg("circle", { class: "wrong", r: 1.9 * size }));
      return place;
    });
  }

  sides() {
    const [x, y] = this.data.axes, right = this.left + this.wide, bottom = TOP + this.high, parts = [svg("path", { class: "side", d: `M${this.left} ${TOP}V${bottom}H${right}` })];
    for (const [at, text] of ticks(x, Math.max(2, Math.floor(this.wide / 90)))) {
      parts.push(svg("path", { class: "side", d: `M${this.x(at)} ${bottom}v4` }), label({ x: this.x(at), y: bottom + 17, "text-anchor": "middle" }, fitted(text, 86)));
    }
    for (const [at, text] of ticks(y, Math.max(2, Math.floor(this.high / 44)))) {
      parts.push(svg("path", { class: "side", d: `M${this.left} ${this.y(at)}h-4` }), label({ x: this.left - 7, y: this.y(at) + 4, "text-anchor": "end" }, fitted(text, this.left - 22)));
    }
    const up = (TOP + bottom) / 2;
    parts.push(label({ class: "name", x: this.left + this.wide / 2, y: bottom + 36, "text-anchor": "middle" }, fitted(x.name, this.wide)));
    parts.push(label({ class: "name", x: 12, y: up, "text-anchor": "middle", transform: `rotate(-90 12 ${up})` }, fitted(y.name, this.high)));
    return parts;
  }

  lines() {
    const held = this.drag ? this.data.held ?? this.drag.node : null;
    const parts = this.data.borders.map((border) => this.line(border, border.node === held));
    if (this.drag) parts.push(svg("path", { class: "hand", d: this.path(this.drag.border, this.drag.at) }));
    return parts;
  }

  path(border, at) {
    return border.spans.map(([low, high]) => border.axis === 0 ? `M${this.x(at)} ${this.y(low)}V${this.y(high)}` : `M${this.x(low)} ${this.y(at)}H${this.x(high)}`).join("");
  }

  line(border, isHeld) {
    const d = this.path(border, border.at);
    const line = svg("g", {
      class: `border ${border.axis === 0 ? "upright" : "level"}${border.node === this.data.selected ? " selected" : ""}${isHeld ? " held" : ""}`,
      "data-node": border.node, tabindex: 0, role: "slider", "aria-label": border.text,
      "aria-valuenow": border.at, "aria-valuemin": border.low, "aria-valuemax": border.high, "aria-valuetext": border.text,
      "aria-orientation": border.axis === 0 ? "horizontal" : "vertical",
    });
    line.append(svg("path", { class: "reach", d, "stroke-width": 2 * (matchMedia("(pointer: coarse)").matches ? TOUCHED : REACH) }), svg("path", { class: "stroke", d }), svg("title"));
    line.lastChild.textContent = `${border.text}: drag it`;
    line.addEventListener("pointerdown", (event) => this.press(event, border));
    line.addEventListener("keydown", (event) => this.key(event, border));
    return line;
  }

  /* ------------------------------------------------------------ what the reader does */

  press(event, border) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.plot.setPointerCapture(event.pointerId);
    this.plot.querySelector(`[data-node="${border.node}"]`)?.focus({ preventScroll: true });
    this.begin(border);
  }

  begin(border) {
    this.drag = { node: border.node, border, at: border.at, sent: border.at };
  }

  move(event) {
    if (!this.drag || !this.plot.hasPointerCapture(event.pointerId)) return;
    const box = this.plot.getBoundingClientRect(), { border } = this.drag;
    this.to(this.value(border.axis, border.axis === 0 ? event.clientX - box.left : event.clientY - box.top));
  }

  to(value) {
    const { border } = this.drag, rim = (border.high - border.low) / 1e6;
    this.drag.at = clamp(value, border.low + rim, border.high - rim);
    const hand = this.plot.querySelector(".hand") ?? this.plot.appendChild(svg("path", { class: "hand" }));
    set(hand, { d: this.path(border, this.drag.at) });
    if (!this.asked || performance.now() - this.asked > PATIENCE) this.ask();
  }

  ask() {
    this.seq += 1;
    this.asked = performance.now();
    this.drag.sent = this.drag.at;
    this.drag.moved = true;
    this.tell("moved", { node: this.drag.node, at: this.drag.at, seq: this.seq });
  }

  release() {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    this.asked = 0;
    if (!drag.moved) {
      this.tell("chosen", drag.node);
      this.draw();
    } else {
      this.seq += 1;
      this.tell("dropped", { node: drag.node, at: drag.at, seq: this.seq });
    }
  }

  key(event, border) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.key === "Escape" && this.drag) {
      event.stopPropagation();
      this.drag.at = this.drag.border.at;
      clearTimeout(this.resting);
      this.release();
    } else if (step !== undefined) {
      event.preventDefault();
      event.stopPropagation(); // the page moves to another node with these keys
      if (!this.drag) this.begin(border);
      const side = this.data.axes[border.axis];
      this.to(this.drag.at + (step * (side.high - side.low)) / (event.shiftKey ? 20 : 100));
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.release(), REST);
    }
  }
}

/* [value, text] of about so many round numbers on a side, or of its levels. */
function ticks(side, most) {
  if (side.levels.length) return side.levels.map((name, i) => [i, name]);
  const span = side.high - side.low, raw = span / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? 10 * power, result = [];
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  for (let k = Math.ceil(side.low / step); k * step <= side.high; k += 1) {
    const value = k * step || 0; // no -0
    result.push([value, Math.abs(value) >= 1e7 || digits > 6 ? value.toPrecision(3) : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: Math.abs(value) >= 10000 })]);
  }
  return result;
}

function fitted(text, room) {
  let result = text;
  while (result.length > 1 && widthOf(result, FACE) > room) result = `${result.slice(0, -2)}…`;
  return result;
}

