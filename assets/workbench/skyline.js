/* The risk skyline: a tower for every segment, the riskiest first, as wide as its rows and as high as its rate. A line is
   dragged across, or moved by keys: what lies before it lights up here and in the tree, and is told in a sentence.
   Nothing goes to the server until the line is let go. */

import { Colors } from "./colors.js";
import { button, clamp, html, label, set, svg } from "./make.js";
import { saveDrawing } from "./save.js";
import { LIT, LIT_ASKED, hear, say } from "./signal.js";
import { widthOf } from "./text.js";
import { rows, sentence } from "./skyline_words.js";

const LEFT = 56, RIGHT = 18, TOP = 46, BOTTOM = 42, REACH = 12, MOVED = 4, REST = 350, FAR = 0.1;
const CAPS = 9, ROOM = 34, WORDY = 112, FACE = "400 12px"; // pixels of a tower from which on its whisker has caps, its number is written, its rate is, too
const STRIP = 5; // pixels of the groups of a column, under a tower
const PART = 0.68; // of the window below the strip; the tree has the rest

export class Skyline {
  constructor(root) {
    this.root = root;
    this.said = html("p", "said");
    this.rule = html("p", "rule");
    this.legend = html("p", "what");
    for (const part of [this.said, this.rule]) part.setAttribute("role", "status");
    this.plot = svg("svg", { class: "plot", role: "group" });
    this.slide = svg("g", { class: "slide", role: "slider", tabindex: 0, "aria-orientation": "horizontal" });
    this.hover = html("div", "hover");
    this.hover.hidden = true;
    this.hover.setAttribute("aria-hidden", "true");
    const line = html("div", "told");
    const picture = button("SVG", "The skyline as a picture", () => saveDrawing(this.plot, getComputedStyle(root).backgroundColor, "skyline"), "picture-of");
    const beside = html("div", "beside");
    beside.append(this.legend, picture);
    line.append(this.rule, beside);
    root.append(this.said, line, this.plot, this.hover);
    this.plot.addEventListener("pointerdown", (event) => this.press(event));
    this.plot.addEventListener("pointermove", (event) => this.move(event));
    this.plot.addEventListener("pointerup", (event) => this.release(event));
    this.plot.addEventListener("pointercancel", () => this.cancel());
    this.plot.addEventListener("pointerleave", () => { this.hover.hidden = true; });
    this.slide.addEventListener("keydown", (event) => this.key(event));
    this.fill = () => this.fillWindow();
  }

  enter() {
    this.sizes ??= new ResizeObserver(() => this.draw());
    this.sizes.observe(this.plot);
    window.addEventListener("resize", this.fill);
    this.deaf ??= hear(() => this.shine(), LIT_ASKED);
    this.fillWindow();
  }

  leave() {
    this.sizes?.disconnect();
    window.removeEventListener("resize", this.fill);
    this.deaf?.();
    this.deaf = null;
    clearTimeout(this.waiting);
    say(null, LIT);
  }

  fillWindow() {
    const top = Math.max(this.root.getBoundingClientRect().top, 0);
    const high = Math.floor(window.innerHeight - top);
    this.root.style.height = `${Math.max(260, Math.floor(high * PART))}px`;
    document.documentElement.style.setProperty("--skyline-row", `${high}px`); // of the drawer beside it and the tree
  }

  update(data) {
    const stamp = JSON.stringify(data);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.data = data;
    this.ends = [0];
    for (const n of data.rows) this.ends.push(this.ends.at(-1) + n);
    this.found = [0];
    for (const n of data.hits) this.found.push(this.found.at(-1) + n);
    this.per = [0];
    for (const n of data.per) this.per.push(this.per.at(-1) + n);
    this.all = this.ends.at(-1);
    if (!this.held && !this.waiting) this.at = clamp(data.at, 0, this.all);
    this.colors = new Colors(data.colors, data.n_classes);
    this.root.style.setProperty("--hue", data.k === null ? "var(--accent)" : this.colors.of(data.k));
    this.plot.setAttribute("aria-label", data.words.name);
    this.slide.setAttribute("aria-label", data.words.line);
    this.legend.textContent = this.legend.title = data.words.height;
    this.draw();
  }

  /* ------------------------------------------------------------ the picture */

  get wide() {
    return this.plot.clientWidth;
  }

  get base() {
    return this.plot.clientHeight - BOTTOM;
  }

  x(n) {
    return LEFT + ((this.wide - LEFT - RIGHT) * n) / (this.all || 1);
  }

  y(value) {
    const { low, top } = this.data;
    return this.base - ((this.base - TOP) * (value - low)) / (top - low || 1);
  }

  draw() {
    const { data, plot } = this;
    if (!data || !plot.clientWidth || !plot.clientHeight) return;
    const focused = this.slide.getRootNode().activeElement === this.slide, towers = this.towers();
    this.clip = svg("rect", { x: 0, y: 0, width: 0, height: plot.clientHeight });
    this.hand = svg("line", { class: "hand", y1: TOP - 14, y2: this.base });
    this.reach = svg("rect", { class: "reach", y: 0, width: 2 * REACH, height: this.base });
    this.knob = svg("circle", { class: "knob", r: 9, cy: TOP - 14 });
    this.tag = label({ class: "tag", y: TOP - 26, "text-anchor": "middle" }, "");
    this.slide.replaceChildren(this.reach, this.hand, this.knob, this.tag);
    plot.replaceChildren(
      svg("defs", {}, svg("clipPath", { id: "skyline-before" }, this.clip)), ...this.axes(),
      svg("path", { class: "tower", d: towers }), svg("path", { class: "tower lit", d: towers, "clip-path": "url(#skyline-before)" }),
      ...this.chosen(), svg("path", { class: "whisker", d: this.whiskers() }), svg("path", { class: "dot", d: this.dots() }),
      ...this.groups(), ...this.numbers(), ...this.overall(), ...this.best(), this.slide,
    );
    if (focused) this.slide.focus({ preventScroll: true });
    this.show();
  }

  towers() {
    const ground = this.y(Math.max(0, this.data.low));
    return this.data.told.map((value, i) => {
      const left = this.x(this.ends[i]), right = this.x(this.ends[i + 1]), gap = right - left > 5 ? 1 : 0;
      if (value === null || right - left < 0.05) return "";
      return `M${left.toFixed(2)} ${ground.toFixed(1)}V${this.y(value).toFixed(1)}H${(right - gap).toFixed(2)}V${ground.toFixed(1)}Z`;
    }).join("");
  }

  middle(i) {
    return (this.x(this.ends[i]) + this.x(this.ends[i + 1])) / 2;
  }

  whiskers() {
    const { lows, highs, rows: counts } = this.data;
    return lows.map((low, i) => {
      if (low === null || !counts[i]) return "";
      const x = this.middle(i), half = this.x(this.ends[i + 1]) - this.x(this.ends[i]) >= CAPS ? 3.5 : 0;
      const [a, b] = [low, highs[i]].map((end) => this.y(Math.min(Math.max(end, this.data.low), this.data.top)).toFixed(1));
      const caps = half ? `M${(x - half).toFixed(2)} ${a}h7M${(x - half).toFixed(2)} ${b}h7` : "";
      return `M${x.toFixed(2)} ${a}V${b}${caps}`;
    }).join("");
  }

  dots() {
    return this.data.rates.map((rate, i) => {
      if (rate === null || rate > this.data.top) return "";
      return `M${this.middle(i).toFixed(2)} ${(this.y(rate) - 4).toFixed(1)}l4 4l-4 4l-4 -4Z`;
    }).join("");
  }

  /* The groups of a column under every tower, each as wide as its share of the rows. */
  groups() {
    const { groups, group_colors: colors } = this.data;
    return groups.flatMap((parts, i) => {
      let x = this.x(this.ends[i]);
      const room = this.x(this.ends[i + 1]) - x - 1;
      return parts.map(([index, share]) => {
        const part = svg("rect", { class: "group", x: x.toFixed(2), y: this.base + 1, width: Math.max(0, room * share).toFixed(2), height: STRIP, fill: colors[index] });
        x += room * share;
        return part;
      });
    });
  }

  /* Under every tower that is wide enough its number, and over it its rate. */
  numbers() {
    const { data } = this;
    return data.numbers.flatMap((number, i) => {
      const room = this.x(this.ends[i + 1]) - this.x(this.ends[i]);
      if (room < ROOM / 2 || !number) return [];
      const parts = [label({ class: "number", x: this.middle(i), y: this.base + (data.groups.length ? 18 : 15), "text-anchor": "middle" }, String(number))];
      const top = data.told[i] === null ? this.base : this.y(data.told[i]);
      if (room >= WORDY && this.base - top > 22) parts.push(label({ class: "rate", x: this.x(this.ends[i]) + 5, y: top + 15 }, data.heights[i]));
      return parts;
    });
  }

  axes() {
    const { data, wide, base } = this, parts = [];
    for (const [value, text] of data.ticks) {
      const y = this.y(value);
      parts.push(svg("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: y, y2: y }), label({ x: LEFT - 8, y: y + 4, "text-anchor": "end" }, text));
    }
    for (const [n, text] of data.steps) parts.push(label({ x: clamp(this.x(n), LEFT, wide - RIGHT), y: base + 32, "text-anchor": n ? "middle" : "start" }, text));
    parts.push(svg("line", { class: "base", x1: LEFT, x2: wide - RIGHT, y1: base, y2: base }));
    return parts;
  }

  get family() {
    this.letters ??= getComputedStyle(this.root).fontFamily;
    return this.letters;
  }

  overall() {
    const { data, wide } = this, y = this.y(data.base);
    if (data.base === null) return [];
    return [svg("line", { class: "overall", x1: LEFT, x2: wide - RIGHT, y1: y, y2: y }), label({ class: "overall", x: wide - RIGHT, y: y - 6, "text-anchor": "end" }, data.words.base)];
  }

  best() {
    const { best } = this.data;
    if (best === null) return [];
    const x = this.x(best), text = this.data.words.best, half = widthOf(text, `${FACE} ${this.family}`) / 2;
    return [svg("path", { class: "best", d: `M${x} ${TOP + 2}V${this.base}` }), label({ class: "best", x: clamp(x, LEFT + half, this.wide - RIGHT - half), y: this.base + 30, "text-anchor": "middle" }, text)];
  }

  chosen() {
    const i = this.data.chosen;
    if (i === null || this.data.told[i] === null) return [];
    const left = this.x(this.ends[i]), top = this.y(this.data.told[i]), width = Math.max(2, this.x(this.ends[i + 1]) - left);
    return [svg("rect", { class: "chosen", x: left, y: Math.min(top, this.base - 2), width, height: Math.max(2, this.base - top) })];
  }

  /* ------------------------------------------------------------ the line */

  /* How many segments begin before the line. */
  before() {
    const { ends, at } = this, slack = 1e-9 * this.all;
    let begun = 0;
    while (begun < ends.length - 1 && ends[begun] < at - slack) begun += 1;
    return begun;
  }

  /* How many segments lie before the line wholly. */
  whole() {
    const slack = 1e-9 * this.all;
    let n = 0;
    while (n < this.data.rows.length && this.ends[n + 1] <= this.at + slack) n += 1;
    return n;
  }

  show() {
    const { data, at } = this, x = this.x(at), begun = this.before(), i = Math.max(0, begun - 1);
    const part = begun && data.rows[i] ? (at - this.ends[i]) / data.rows[i] : 0;
    const hits = begun ? this.found[i] + part * data.hits[i] : 0;
    const per = begun ? this.per[i] + part * data.per[i] : 0;
    const told = sentence(data, at, this.all, hits, this.found.at(-1), per);
    this.said.textContent = told;
    this.rule.textContent = data.rules[this.whole()];
    set(this.clip, { width: Math.max(0, x) });
    set(this.hand, { x1: x, x2: x });
    set(this.reach, { x: x - REACH });
    set(this.knob, { cx: x });
    const text = begun && data.told[i] !== null ? `${rows(at)} · ${data.words.from} ${data.heights[i]}` : rows(at);
    const half = widthOf(text, `600 12.5px ${this.family}`) / 2 + 4;
    this.tag.textContent = text;
    set(this.tag, { x: clamp(x, LEFT - 40 + half, this.wide - RIGHT - half) });
    set(this.slide, { "aria-valuenow": Math.round(at), "aria-valuemin": 0, "aria-valuemax": Math.round(this.all), "aria-valuetext": told });
    this.begun = begun;
    this.shine();
  }

  /* The tree on the same page lights up the same segments. */
  shine() {
    if (this.data) say({ ways: this.data.ways, begun: this.begun, part: this.ends[this.begun] > this.at + 1e-9 * this.all }, LIT);
  }

  go(at) {
    const now = clamp(at, 0, this.all);
    if (now === this.at) return;
    this.at = now;
    this.show();
  }

  /* Rows under the pointer; near the end of a tower just that many. */
  rowsAt(event) {
    const px = event.clientX - this.plot.getBoundingClientRect().left;
    const n = ((px - LEFT) / (this.wide - LEFT - RIGHT || 1)) * this.all;
    const near = this.ends.reduce((best, end) => (Math.abs(end - n) < Math.abs(best - n) ? end : best), 0);
    return Math.abs(this.x(near) - px) <= 3 ? near : Math.round(n);
  }

  towerAt(event) {
    const px = event.clientX - this.plot.getBoundingClientRect().left;
    return this.data.rows.findIndex((_, i) => px >= this.x(this.ends[i]) && px < this.x(this.ends[i + 1]));
  }

  press(event) {
    if (event.button !== 0) return;
    const px = event.clientX - this.plot.getBoundingClientRect().left;
    this.from = event.clientX;
    this.start = this.at;
    this.held = Math.abs(px - this.x(this.at)) <= REACH;
    this.down = true;
    this.plot.setPointerCapture(event.pointerId);
    if (this.held) this.slide.focus({ preventScroll: true });
  }

  move(event) {
    if (this.down && !this.held && Math.abs(event.clientX - this.from) > MOVED) this.held = true;
    if (this.held) {
      this.hover.hidden = true;
      this.go(this.rowsAt(event));
    } else this.point(event);
  }

  release(event) {
    if (!this.down) return;
    this.down = false;
    if (this.held) {
      this.held = false;
      if (this.at !== this.start) this.keep();
      return;
    }
    const i = this.towerAt(event);
    if (i >= 0) this.choose(this.data.nodes[i]);
  }

  cancel() {
    if (this.held) this.go(this.start);
    this.down = this.held = false;
  }

  keep() {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.take({ rows: this.at });
  }

  key(event) {
    const { ends, at, all } = this, slack = 1e-9 * all;
    let to;
    if (event.key === "ArrowRight") to = event.shiftKey ? at + 1 : ends.find((end) => end > at + slack) ?? all;
    else if (event.key === "ArrowLeft") to = event.shiftKey ? at - 1 : ends.findLast((end) => end < at - slack) ?? 0;
    else if (event.key === "ArrowUp") to = at + 1;
    else if (event.key === "ArrowDown") to = at - 1;
    else if (event.key === "PageUp") to = at + FAR * all;
    else if (event.key === "PageDown") to = at - FAR * all;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = all;
    else if (event.key === "Enter" && this.begun) this.choose(this.data.nodes[this.begun - 1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) return;
    this.go(to);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.keep(), REST);
  }

  /* ------------------------------------------------------------ beside the pointer */

  point(event) {
    const i = this.towerAt(event);
    this.hover.hidden = i < 0;
    if (i < 0) return;
    if (this.pointed !== i) {
      this.pointed = i;
      const [title, ...lines] = this.data.cards[i];
      this.hover.replaceChildren(html("b", "", title), ...lines.map((line) => html("p", "", line)));
    }
    const frame = this.root.getBoundingClientRect(), { offsetWidth: wide, offsetHeight: high } = this.hover;
    const x = event.clientX - frame.left, y = event.clientY - frame.top;
    const left = x + 16 + wide > frame.width ? x - wide - 16 : x + 16;
    this.hover.style.transform = `translate(${Math.round(left)}px, ${Math.round(clamp(y - high / 2, 4, Math.max(4, frame.height - high - 4)))}px)`;
  }
}
