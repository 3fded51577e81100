/* The size curve under the tree, with a handle: dragging fades branches here, letting go prunes there. */

import { button, clamp, html, label, set, svg } from "./make.js";

const LEFT = 46, RIGHT = 172, TOP = 12, BOTTOM = 22, NAME = "400 11.5px", LARGE_NAME = "400 13px";
const ROW = 26; // pixels from its mark that a name gives for a line less that runs through it
const EDGE = 2; // pixels from the edge to a name
const BETWEEN = 22, AFTER = 9; // pixels between sizes on the axis, and of the last one beyond the lines: names begin there
const LARGE = { left: 62, top: 40, bottom: 52 }; // beside the tree, with names of its axes
const PLAYS = 3200, SLOWEST = 320, RESTS = 3; // milliseconds from the whole tree to its root and of a size at most; sizes that the root stays
const SLIM = 300, BARE = 14; // a narrower plot has no names: beside them nothing would be left of the lines

/* Between two sizes there is no tree: the smaller one is the best that fits until the larger one does. */
const stepped = (points) => points.flatMap(([x, y], i) => (i ? [[points[i - 1][0], y], [x, y]] : [[x, y]]));

export class Dock {
  constructor(pane) {
    this.pane = pane;
    this.element = html("div", "dock");
    this.element.dataset.testid = pane.large ? "size-curve" : "dock";
    this.plot = svg("svg", { role: "group" });
    this.slide = svg("g", { class: "slide", role: "slider", tabindex: 0 });
    this.element.append(this.plot);
    this.plot.addEventListener("pointerdown", (event) => this.press(event));
    this.plot.addEventListener("pointermove", (event) => this.drag(event));
    this.plot.addEventListener("pointerup", () => this.release());
    this.plot.addEventListener("pointercancel", () => this.cancel());
    this.slide.addEventListener("keydown", (event) => this.key(event));
    if (pane.large) this.element.append(this.player = button("", "", () => (this.playing ? this.stop() : this.play()), "player"));
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  update(data) {
    this.element.hidden = !data || data.steps.length < 2;
    if (this.element.hidden) return;
    const stamp = JSON.stringify(data);
    if (stamp === this.stamp) return;
    this.stop();
    this.stamp = stamp;
    this.data = data;
    this.place = data.steps.findIndex((step) => step.k === data.chosen);
    for (const part of [this.plot, this.slide]) part.setAttribute("aria-label", data.words.name);
    this.sayPlaying();
    this.draw();
  }

  get isSlim() {
    return this.plot.clientWidth < SLIM;
  }

  /* Where the lines end, and their names begin. */
  get end() {
    return this.plot.clientWidth - (this.isSlim ? BARE : RIGHT);
  }

  /* Pixels that the plot leaves free. */
  get margin() {
    return this.pane.large ? LARGE : { left: LEFT, top: TOP, bottom: BOTTOM };
  }

  /* Of a size; depths begin with 0, so they stand evenly. */
  x(size) {
    const { steps, even } = this.data, scale = even ? (n) => n : Math.log, most = scale(steps[0].at), { left } = this.margin;
    return left + (this.end - left) * (most ? scale(size) / most : 0);
  }

  y(value) {
    const { low, high } = this.data, { top, bottom } = this.margin, room = this.plot.clientHeight - top - bottom;
    return top + room * (1 - (value - low) / (high - low));
  }

  draw() {
    const { data, plot } = this;
    if (!data || !plot.clientWidth || !plot.clientHeight) return;
    const { end } = this, { left, top, bottom } = this.margin, base = plot.clientHeight - bottom, parts = [];
    let free = Infinity;
    for (const [value, text] of data.ticks) {
      const y = this.y(value);
      if (free - y < 15) continue;
      free = y;
      parts.push(svg("line", { class: "grid", x1: left, x2: end, y1: y, y2: y }), label({ x: left - 6, y: y + 4, "text-anchor": "end" }, text));
    }
    let right = -Infinity;
    for (const step of [...data.steps].reverse()) {
      const text = step.at.toLocaleString("en"), half = this.pane.width(text, NAME) / 2;
      const x = Math.min(this.x(step.at), end + AFTER - half);
      if (x - half - right < BETWEEN) continue;
      right = x + half;
      parts.push(label({ x, y: base + 15, "text-anchor": "middle" }, text));
    }
    if (data.band) parts.push(this.band());
    if (this.pane.large) parts.push(label({ class: "axis", x: left - 6, y: 16 }, data.words.quality), label({ class: "axis", x: (left + end) / 2, y: base + 40, "text-anchor": "middle" }, data.words.sizes));
    if (data.majority !== null) parts.push(svg("line", { class: "majority", x1: left, x2: end, y1: this.y(data.majority), y2: this.y(data.majority) }));
    for (const line of data.lines) parts.push(this.line(line));
    this.ends = svg("g", {});
    parts.push(this.ends, ...this.marks());
    this.hand = svg("line", { class: "hand", y1: top - 6, y2: base });
    this.knob = svg("circle", { class: "knob", r: 7 });
    this.size = label({ class: "size", y: this.pane.large ? top - 10 : top }, "");
    const focused = this.slide.getRootNode().activeElement === this.slide;
    this.slide.replaceChildren(this.hand, this.knob, this.size);
    plot.replaceChildren(...parts, this.slide);
    if (focused) this.slide.focus({ preventScroll: true });
    this.show();
  }

  line({ name, values }) {
    const points = this.data.steps.map((step, i) => [this.x(step.at).toFixed(1), this.y(values[i]).toFixed(1)]);
    const d = `M${(this.pane.large ? stepped(points) : points).map((point) => point.join(" ")).join("L")}`;
    return svg("path", { class: `curve ${name}`, d });
  }

  /* Within the plot, however much wider than the curves' range the folds scatter. */
  band() {
    const { steps, band } = this.data, { top, bottom } = this.margin, base = this.plot.clientHeight - bottom;
    const edge = (end) => steps.map((step, i) => [this.x(step.at).toFixed(1), clamp(this.y(band[i][end]), top, base).toFixed(1)]);
    const up = this.pane.large ? stepped(edge(1)) : edge(1), down = this.pane.large ? stepped(edge(0)) : edge(0);
    return svg("path", { class: "band", d: `M${[...up, ...down.reverse()].map((point) => point.join(" ")).join("L")}Z` });
  }

  /* Names at the ends of the lines, moved apart where they would lie on each other. */
  names(end) {
    const { data, place } = this, { top } = this.margin;
    const ends = data.lines.map((line) => ({ name: line.name, text: line.told?.[place] ?? line.label, y: this.y(line.values[0]) + 4 }));
    if (data.majority !== null) ends.push({ name: "majority", text: data.words.majority, y: this.y(data.majority) + 4 });
    if (data.words.answers) ends.push({ name: "answers", text: data.words.answers, title: data.words.answers_title, y: Infinity });
    if (place >= 0) ends.push({ name: "place", text: data.steps[place].size, y: -Infinity });
    ends.sort((a, b) => a.y - b.y);
    const low = this.plot.clientHeight - 5, step = Math.min(this.pane.large ? 17 : 14, (low - top) / Math.max(ends.length - 1, 1));
    ends.forEach((entry, i) => { entry.y = Math.max(entry.y, i ? ends[i - 1].y + step : top); });
    ends.reverse().forEach((entry, i) => { entry.y = Math.min(entry.y, i ? ends[i - 1].y - step : low); });
    return ends.map(({ name, text, title, y }) => {
      const words = label({ class: `name ${name}`, x: end + 12, y }, text);
      if (title) words.append(svg("title", {}, title));
      return words;
    });
  }

  marks() {
    const { data } = this, taken = [];
    return data.marks.map(({ name, text, k, title }) => {
      const place = data.steps.findIndex((step) => step.k === k);
      if (place < 0) return "";
      const x = this.x(data.steps[place].at), y = this.y(this.judged(place));
      const tip = svg("title");
      tip.textContent = title;
      const mark = svg("g", { class: `mark ${name}`, tabindex: 0, role: "button", "aria-label": title }, tip, svg("circle", { cx: x, cy: y, r: 5 }),
        svg("circle", { class: "reach", cx: x, cy: y, r: 11 }), this.isSlim ? "" : label(this.beside(x, y, text, taken), text));
      const choose = (event) => {
        event.stopPropagation();
        this.stop();
        this.go(place);
        this.pane.report("step", { step: k });
      };
      mark.addEventListener("pointerdown", (event) => event.stopPropagation());
      mark.addEventListener("click", choose);
      mark.addEventListener("keydown", (event) => event.key === "Enter" && choose(event));
      return mark;
    });
  }

  /* Where the name of a mark stands: right or left of it, above or below, near it, where no other name stands and few
     lines run. */
  beside(x, y, text, taken) {
    const wide = this.pane.width(text, this.pane.large ? LARGE_NAME : NAME), { end } = this, low = y > this.plot.clientHeight / 2;
    const sides = x > end - wide - 12 ? [-1] : x - 9 - wide < this.margin.left ? [1] : [1, -1], rows = low ? [-10, -23, -36, 18, 30, 42, 54] : [18, 30, 42, 54, -10, -23, -36];
    const from = (side) => Math.max(EDGE, side > 0 ? x + 9 : x - 9 - wide); // of a name that fits on neither side as far left as can be
    const places = rows.flatMap((row) => sides.map((side) => ({ side, at: y + row, from: from(side) })))
      .filter(({ at }) => at > this.margin.top + 12 && at < this.plot.clientHeight - this.margin.bottom + 4); // over them stands the size in hand
    const isFree = ({ at, from }) => taken.every((other) => Math.abs(other.at - at) > 11 || from > other.from + other.wide + 4 || other.from > from + wide + 4);
    const away = (at) => Math.abs(at - 4 - y) / ROW;
    const costs = places.map((one) => (isFree(one) ? away(one.at) + this.crossing(one.from, one.from + wide, one.at - 11, one.at + 3) : Infinity));
    const best = places[costs.indexOf(Math.min(...costs))] ?? { side: sides[0], at: y - 10, from: from(sides[0]) };
    taken.push({ ...best, wide });
    return { x: best.from, y: best.at, "text-anchor": "start" };
  }

  /* How many lines run through a box. */
  crossing(left, right, top, bottom) {
    const { steps, lines } = this.data, at = steps.map((step) => this.x(step.at)), isStepped = this.pane.large;
    return lines.filter(({ values }) => values.some((value, i) => {
      if (i + 1 === steps.length || at[i + 1] > right || at[i] < left) return false;
      const [from, to] = [this.y(values[i + 1]), this.y(value)], wide = at[i] - at[i + 1] || 1;
      const height = (x) => (isStepped ? (x < at[i] ? from : to) : from + (to - from) * (x - at[i + 1]) / wide);
      const ends = [height(Math.max(left, at[i + 1])), height(Math.min(right, at[i]))];
      return Math.min(...ends) <= bottom && Math.max(...ends) >= top;
    })).length;
  }

  judged(place) {
    const { lines } = this.data;
    return (lines.find((line) => line.name === "validation") ?? lines.find((line) => line.name === "cross") ?? lines[0]).values[place];
  }

  show() {
    const { data, place } = this;
    const shown = place >= 0;
    this.ends?.replaceChildren(...(this.isSlim ? [] : this.names(this.end)));
    for (const part of [this.hand, this.knob, this.size]) part?.classList.toggle("off", !shown);
    if (!shown || !this.hand) return;
    const step = data.steps[place], x = this.x(step.at);
    set(this.hand, { x1: x, x2: x });
    set(this.knob, { cx: x, cy: this.y(this.judged(place)) });
    const { end } = this, late = x > end - 90, early = x < this.margin.left + 90;
    set(this.size, { x: late ? x - 8 : early ? x + 8 : x, "text-anchor": late ? "end" : early ? "start" : "middle" });
    this.size.textContent = step.text;
    set(this.slide, { "aria-valuenow": step.leaves, "aria-valuemin": 1, "aria-valuemax": data.steps[0].leaves, "aria-valuetext": step.spoken });
  }

  /* ------------------------------------------------------------ by hand */

  nearest(event) {
    const px = event.clientX - this.plot.getBoundingClientRect().left;
    let best = 0;
    this.data.steps.forEach((step, i) => {
      if (Math.abs(this.x(step.at) - px) < Math.abs(this.x(this.data.steps[best].at) - px)) best = i;
    });
    return best;
  }

  press(event) {
    if (event.button !== 0) return;
    this.stop();
    this.before = this.place;
    this.held = true;
    this.plot.setPointerCapture(event.pointerId);
    this.go(this.nearest(event));
  }

  drag(event) {
    if (this.held) this.go(this.nearest(event));
  }

  go(place) {
    if (place === this.place) return;
    this.place = place;
    this.pane.drawing.fadeTo(this.data.steps[place]?.k ?? null);
    this.show();
  }

  release() {
    if (!this.held) return;
    this.held = false;
    if (this.place !== this.before) this.pane.report("step", { step: this.data.steps[this.place].k });
  }

  cancel() {
    this.held = false;
    this.go(this.before);
  }

  key(event) {
    const to = { ArrowLeft: 1, ArrowDown: 1, ArrowRight: -1, ArrowUp: -1 }[event.key];
    const last = this.data.steps.length - 1;
    const place = to ? clamp(this.place + to, 0, last) : { Home: last, End: 0 }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.stop();
    this.go(place);
    const step = this.data.steps[place].k; // what the server says meanwhile takes the hand back to where it was
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.pane.report("step", { step }), 350);
  }

  /* ------------------------------------------------------------ by itself */

  /* From the whole tree branches fall as their price rises, until the root stands alone, and come back the same way. The
     size in force stays what it is, and is shown again at the end. */
  play() {
    const last = this.data.steps.length - 1, down = Array.from({ length: last + 1 }, (_, place) => place);
    const way = [...down, ...Array(RESTS).fill(last), ...down.toReversed()];
    this.chosen = this.place;
    this.playing = setInterval(() => (this.element.isConnected && way.length ? this.go(way.shift()) : this.stop()), Math.min(SLOWEST, PLAYS / (last + 1)));
    this.sayPlaying();
  }

  stop() {
    clearInterval(this.playing);
    if (this.playing && this.element.isConnected) this.go(this.chosen);
    this.playing = undefined;
    this.sayPlaying();
  }

  sayPlaying() {
    const words = this.data?.words;
    if (!this.player || !words) return;
    this.player.textContent = words[this.playing ? "stop" : "play"];
    this.player.title = words.play_title;
  }
}
