/* Of a split that has just been made: numbers that stand on its cards fly to their places in its arithmetic, each line as
   it comes into view. What flies lies over nothing that can be pressed, and is gone with the next key or press. */

import { html } from "./make.js";

const LASTS = 520, LATER = 30, LATEST = 180; // milliseconds of a flight, from one start to the next, of the last start
const SEEN = 0.6; // of a line, to be one that is read
const LOOKS = 120, PATIENCE = 8000; // milliseconds between looks for the formulas, and until there are none
const OF_NODE = /^i\(t(?:_\{?(\d+)\}?)?\)\s*=/u, NUMBER = /^[−-]?[\d.,\u2009]*\d$/u;
const RUNNING = "[data-test-script-state=running]";

const plain = (text) => text.replace(/[,\u2009]/gu, "").replace("−", "-");
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export class Flights {
  constructor(pane) {
    this.pane = pane;
    this.aloft = new Set();
    this.land = () => this.stop();
  }

  /* So many splits are made: of the last one, once its formulas are on the page. */
  begin(made) {
    this.leave();
    if (!made || isStill()) return;
    const until = performance.now() + PATIENCE;
    const look = () => {
      const node = [...this.pane.nodes.values()].find(({ row }) => row.parts === made);
      const lines = node && !document.querySelector(RUNNING) ? [...document.querySelectorAll(`.st-key-arithmetic_${node.id} .katex-display`)] : [];
      if (lines.length) this.watch(node, lines);
      else if (performance.now() < until) this.waiting = setTimeout(look, LOOKS);
    };
    this.waiting = setTimeout(look, LOOKS);
  }

  /* A page that is gone has nothing in the air. */
  leave() {
    clearTimeout(this.waiting);
    this.sight?.disconnect();
    this.sight = null;
    this.stop();
  }

  watch(node, lines) {
    this.sight = new IntersectionObserver((seen) => {
      const now = seen.filter((line) => line.isIntersecting).map(({ target }) => target);
      for (const line of now) this.sight.unobserve(line);
      this.fly(node, lines.filter((line) => now.includes(line)));
    }, { threshold: SEEN });
    for (const line of lines) this.sight.observe(line);
  }

  fly(node, lines) {
    const pairs = isStill() ? [] : lines.flatMap((line) => this.pairs(node, line));
    if (!pairs.length) return;
    for (const kind of ["pointerdown", "keydown", "wheel"]) window.addEventListener(kind, this.land, { capture: true, passive: true, once: true });
    const step = Math.min(LATER, LATEST / pairs.length);
    pairs.forEach(([from, to], i) => this.lift(from, to, step * i));
  }

  /* [a number on a card, its place in the formula]: of the node a line is about, else of the node and its branches. */
  pairs(node, line) {
    const branches = this.pane.childrenOf(node.id).sort((a, b) => a.id - b.id), tex = line.querySelector("annotation")?.textContent ?? "";
    const about = OF_NODE.exec(tex.replace(/^\\begin\{aligned\}&/u, "")), cards = !about ? [node, ...branches] : about[1] ? [branches[about[1] - 1]] : [node];
    const stand = cards.filter(Boolean).flatMap((card) => this.numbers(card)), used = new Map();
    return [...line.querySelectorAll(".katex-html .mord")].filter((place) => !place.childElementCount && NUMBER.test(place.textContent) && !place.closest(".msupsub")).flatMap((place) => {
      const part = Boolean(place.closest(".mfrac")), same = stand.filter(({ isCount, text }) => isCount === part && plain(text) === plain(place.textContent));
      if (!same.length) return [];
      const from = same.reduce((best, one) => ((used.get(one) ?? 0) < (used.get(best) ?? 0) ? one : best)); // branches of equal size take turns
      used.set(from, (used.get(from) ?? 0) + 1);
      return [[from, place]];
    });
  }

  /* Numbers that can be read on a card: how many rows, which stand in fractions, and figures such as an impurity. */
  numbers({ id, group, row }) {
    const stage = this.pane.stage.getBoundingClientRect();
    return [...group.querySelectorAll(".card .fact")].flatMap((element) => {
      const box = element.getBoundingClientRect(), text = element.textContent.trim();
      const isSeen = box.width && box.left >= stage.left && box.right <= stage.right && box.top >= stage.top && box.bottom <= stage.bottom;
      return isSeen && NUMBER.test(text) ? [{ id, text, box, isCount: text === row.n }] : [];
    });
  }

  lift({ id, text, box }, place, delay) {
    const end = place.getBoundingClientRect(), { fontFamily, fontSize, color } = getComputedStyle(place), number = html("span", "flight", place.textContent);
    Object.assign(number.style, { position: "fixed", left: 0, top: 0, zIndex: 1000, pointerEvents: "none", whiteSpace: "nowrap", lineHeight: 1, fontFamily, fontSize, color });
    Object.assign(number.dataset, { node: id, number: text });
    number.setAttribute("aria-hidden", "true");
    document.body.append(number);
    const { offsetWidth: wide, offsetHeight: high } = number, at = (to, k) => `translate(${to.left + (to.width - wide) / 2}px, ${to.top + (to.height - high) / 2}px) scale(${k})`;
    const timing = { duration: LASTS, delay, easing: "cubic-bezier(.3, 0, .2, 1)", fill: "backwards" };
    const flight = number.animate([{ transform: at(box, box.width / wide) }, { transform: at(end, 1) }], timing);
    const waits = place.animate([{ opacity: 0 }, { opacity: 0 }], { duration: LASTS + delay });
    const aloft = { number, flight, waits };
    this.aloft.add(aloft);
    flight.finished.then(() => this.drop(aloft), () => {});
  }

  drop(aloft) {
    aloft.flight.cancel();
    aloft.waits.cancel();
    aloft.number.remove();
    this.aloft.delete(aloft);
  }

  stop() {
    for (const kind of ["pointerdown", "keydown", "wheel"]) window.removeEventListener(kind, this.land, { capture: true });
    for (const aloft of [...this.aloft]) this.drop(aloft);
  }
}
