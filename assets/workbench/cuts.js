/* What every cut of one feature would gain, with a handle to drag: gain and rows on either side are said at once, and
   letting go chooses the cut. Groupings of levels stand beside each other as bars. */

import { clamp, html, label, set, svg } from "./make.js";
import { say } from "./signal.js";

const HIGH = 112, SIDE = 8, TOP = 22, BOTTOM = 20, REST = 350, FAR = 10;

export class Cuts {
  constructor(rivals) {
    this.rivals = rivals;
    this.element = html("figure", "cuts");
    this.name = html("figcaption");
    this.picture = svg("svg", { role: "group" });
    this.slide = svg("g", { class: "slide", role: "slider", tabindex: 0 });
    this.said = html("p", "said");
    this.element.append(this.name, this.picture, this.said);
    this.picture.addEventListener("pointerdown", (event) => this.press(event));
    this.picture.addEventListener("pointermove", (event) => this.held && this.go(this.nearest(event)));
    this.picture.addEventListener("pointerup", () => this.release());
    this.picture.addEventListener("pointercancel", () => this.cancel());
    this.slide.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  update(data) {
    this.element.hidden = !data;
    if (!data || this.held) return;
    const stamp = JSON.stringify(data);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.data = data;
    this.place = data.at;
    this.name.textContent = data.name;
    for (const part of [this.picture, this.slide]) part.setAttribute("aria-label", data.words);
    this.draw();
  }

  x(i) {
    return SIDE + this.data.x[i] * (this.picture.clientWidth - 2 * SIDE);
  }

  y(gain) {
    const { low, high } = this.data;
    return TOP + (HIGH - TOP - BOTTOM) * (1 - (gain - low) / (high - low || 1));
  }

  draw() {
    const { data, picture } = this, wide = picture.clientWidth;
    if (!data || !wide) return;
    const base = HIGH - BOTTOM, parts = [svg("line", { class: "base", x1: 0, x2: wide, y1: this.y(0), y2: this.y(0) })];
    if (data.best !== null) parts.push(svg("line", { class: "best", x1: 0, x2: wide, y1: this.y(data.best), y2: this.y(data.best) }), label({ x: wide - 2, y: this.y(data.best) - 4, "text-anchor": "end" }, data.best_text));
    if (data.bars) parts.push(...data.gain.map((gain, i) => this.bar(i, gain)));
    else parts.push(svg("path", { class: "curve", d: `M${data.gain.map((gain, i) => `${this.x(i).toFixed(1)} ${this.y(gain).toFixed(1)}`).join("L")}` }));
    if (data.own !== null) parts.push(svg("circle", { class: "own", cx: this.x(data.own), cy: this.y(data.gain[data.own]), r: 5 }));
    parts.push(label({ x: SIDE, y: HIGH - 5 }, data.ends[0]), label({ x: wide - SIDE, y: HIGH - 5, "text-anchor": "end" }, data.ends[1]));
    this.hand = svg("line", { class: "hand", y1: TOP - 10, y2: base });
    this.knob = svg("circle", { class: "knob", r: 7 });
    const focused = this.slide.getRootNode().activeElement === this.slide;
    this.slide.replaceChildren(this.hand, this.knob);
    picture.replaceChildren(...parts, this.slide);
    if (focused) this.slide.focus({ preventScroll: true });
    this.show();
  }

  bar(i, gain) {
    const wide = (this.picture.clientWidth - 2 * SIDE) / this.data.gain.length, top = this.y(Math.max(gain, 0));
    return svg("rect", { class: "grouping", x: this.x(i) - Math.max(1, wide * 0.38), y: top, width: Math.max(2, wide * 0.76), height: Math.max(1, this.y(0) - top) });
  }

  show() {
    const { data, place } = this;
    if (!this.hand) return;
    const x = this.x(place), text = `${data.asks[place]} · ${data.words_gain} ${data.told[place]} · ${data.rows[place]}`;
    set(this.hand, { x1: x, x2: x });
    set(this.knob, { cx: x, cy: this.y(data.gain[place]) });
    set(this.slide, { "aria-valuenow": place + 1, "aria-valuemin": 1, "aria-valuemax": data.gain.length, "aria-valuetext": text });
    this.said.replaceChildren(html("b", "", data.asks[place]), html("span", "", `${data.words_gain} ${data.told[place]}`), html("span", "", data.rows[place]));
  }

  /* ------------------------------------------------------------ by hand */

  nearest(event) {
    const px = event.clientX - this.picture.getBoundingClientRect().left;
    let best = 0;
    this.data.x.forEach((_, i) => { if (Math.abs(this.x(i) - px) < Math.abs(this.x(best) - px)) best = i; });
    return best;
  }

  press(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.slide.focus({ preventScroll: true });
    this.before = this.place;
    this.held = true;
    this.picture.setPointerCapture(event.pointerId);
    this.go(this.nearest(event));
  }

  go(place) {
    if (place === this.place) return;
    this.place = place;
    this.show();
    say({ node: this.rivals.data.node, branches: this.data.sides?.[place] ?? [], of: this.rivals.data.of });
  }

  release() {
    if (!this.held) return;
    this.held = false;
    say(null);
    if (this.place !== this.before) this.choose();
  }

  cancel() {
    this.held = false;
    say(null);
    this.go(this.before);
  }

  choose() {
    const { data, place } = this;
    this.rivals.pick({ kind: "cut", feature: data.feature, threshold: data.bars ? null : data.threshold[place], place });
  }

  key(event) {
    const to = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -FAR, PageUp: FAR }[event.key];
    const last = this.data.gain.length - 1, place = to ? clamp(this.place + to, 0, last) : { Home: 0, End: last }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(place);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { say(null); this.choose(); }, REST);
  }
}
