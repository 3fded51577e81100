/* Edges of bins on the histogram that they part: each a slider to drag or to move by keys; letting go takes them. A
   double click adds one, Delete takes one away. */

import { Colors } from "./colors.js";
import { clamp, html, label, set, svg } from "./make.js";

const HIGH = 240, SIDE = 14, TOP = 30, BOTTOM = 22, FAR = 10, REST = 350;

export class Edges {
  constructor(root) {
    this.legend = html("p", "legend");
    this.picture = svg("svg", { class: "picture", role: "group" });
    this.said = html("p", "said");
    this.said.setAttribute("role", "status");
    root.append(this.legend, this.picture, this.said);
    this.picture.addEventListener("pointermove", (event) => this.held !== undefined && this.go(this.held, this.value(event)));
    this.picture.addEventListener("pointerup", () => this.release());
    this.picture.addEventListener("pointercancel", () => this.cancel());
    this.picture.addEventListener("dblclick", (event) => this.add(event));
    new ResizeObserver(() => this.draw()).observe(root);
  }

  update(data) {
    const stamp = JSON.stringify(data);
    if (this.held !== undefined || stamp === this.stamp) return;
    clearTimeout(this.waiting);
    Object.assign(this, { stamp, data, edges: [...data.edges] });
    this.picture.setAttribute("aria-label", data.words.name);
    this.draw();
  }

  x(value) {
    const { low, high } = this.data;
    return SIDE + ((value - low) / (high - low || 1)) * (this.wide - 2 * SIDE);
  }

  /* The value under the pointer, a whole number of steps. */
  value(event) {
    const { low, high } = this.data, px = event.clientX - this.picture.getBoundingClientRect().left;
    return this.whole(clamp(low + ((px - SIDE) / (this.wide - 2 * SIDE)) * (high - low), low, high));
  }

  whole(value) {
    return Number((Math.round(value / this.data.step) * this.data.step).toPrecision(12));
  }

  draw() {
    const { data, picture } = this;
    this.wide = picture.clientWidth;
    if (!data || !this.wide) return;
    this.colors = new Colors(data.colors, data.groups.length);
    const focused = this.handles?.findIndex((handle) => handle.getRootNode().activeElement === handle) ?? -1;
    const base = HIGH - BOTTOM, most = Math.max(1, ...data.bins.map((_, i) => this.total(i)));
    const parts = [this.colors.defs, ...data.bins.flatMap((ends, i) => this.bar(ends, i, base, (base - TOP) / most))];
    parts.push(svg("line", { class: "base", x1: 0, x2: this.wide, y1: base, y2: base }));
    data.ticks.forEach(([at, text]) => parts.push(label({ x: this.x(at), y: HIGH - 6, "text-anchor": "middle" }, text)));
    this.handles = this.edges.map((_, i) => this.handle(i, base));
    picture.replaceChildren(...parts, ...this.handles);
    this.edges.forEach((_, i) => this.show(i));
    if (focused >= 0) this.handles[Math.min(focused, this.handles.length - 1)]?.focus({ preventScroll: true });
    this.legend.replaceChildren(...data.groups.map((name, i) => this.entry(name, i)));
    this.said.textContent = data.words.hint;
  }

  total(i) {
    return this.data.counts.reduce((sum, of) => sum + of[i], 0);
  }

  bar([left, right], i, base, per) {
    let top = base;
    return this.data.counts.map((of, k) => {
      const high = of[i] * per;
      top -= high;
      const bar = svg("rect", { class: "bin", x: this.x(left), y: top, width: Math.max(1, this.x(right) - this.x(left) - 1), height: high });
      bar.style.fill = this.colors.fill(k);
      bar.append(svg("title", {}, this.data.told[k][i]));
      return bar;
    });
  }

  entry(name, i) {
    const entry = html("span", "group");
    entry.append(this.colors.swatch(i), html("span", "", name));
    return entry;
  }

  handle(i, base) {
    const handle = svg("g", { class: "edge", role: "slider", tabindex: 0 });
    handle.append(svg("line", { class: "wide", y1: TOP - 8, y2: base }), svg("line", { class: "hand", y1: TOP - 8, y2: base }), svg("circle", { class: "knob", r: 7, cy: TOP - 8 }), label({ y: 11, "text-anchor": "middle" }, ""));
    handle.addEventListener("pointerdown", (event) => this.press(event, i));
    handle.addEventListener("keydown", (event) => this.key(event, i));
    return handle;
  }

  show(i) {
    const [wide, hand, knob, text] = this.handles[i].children, x = this.x(this.edges[i]), { low, high } = this.room(i);
    for (const line of [wide, hand]) set(line, { x1: x, x2: x });
    knob.setAttribute("cx", x);
    set(text, { x: clamp(x, 20, this.wide - 20) });
    text.textContent = String(this.edges[i]);
    set(this.handles[i], { "aria-label": `${this.data.words.edge} ${i + 1}`, "aria-valuenow": this.edges[i], "aria-valuemin": low, "aria-valuemax": high });
  }

  /* Between its neighbours: an edge does not pass another one. */
  room(i) {
    const { data, edges } = this;
    return { low: i ? edges[i - 1] + data.step : data.low, high: i + 1 < edges.length ? edges[i + 1] - data.step : data.high };
  }

  /* ------------------------------------------------------------ by hand */

  press(event, i) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.handles[i].focus({ preventScroll: true });
    this.before = [...this.edges];
    this.held = i;
    this.picture.setPointerCapture(event.pointerId);
  }

  go(i, value) {
    const { low, high } = this.room(i);
    this.edges[i] = this.whole(clamp(value, low, Math.max(low, high)));
    this.show(i);
  }

  release() {
    if (this.held === undefined) return;
    const i = this.held;
    this.held = undefined;
    if (this.edges[i] !== this.before[i]) this.take(this.edges);
  }

  cancel() {
    if (this.held !== undefined) this.edges = this.before;
    this.held = undefined;
    this.draw();
  }

  add(event) {
    const value = this.value(event);
    if (!this.edges.includes(value)) this.take([...this.edges, value].sort((a, b) => a - b));
  }

  key(event, i) {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -FAR, PageUp: FAR }[event.key];
    const { low, high } = this.room(i);
    if (event.key === "Delete" || event.key === "Backspace") this.take(this.edges.filter((_, k) => k !== i));
    else if (steps || event.key === "Home" || event.key === "End") {
      this.go(i, steps ? this.edges[i] + steps * this.data.step : event.key === "Home" ? low : high);
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.take(this.edges), REST);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
