/* What moves for the eye alone: a new tree grows in, and its rows run down the branches once and settle in the leaves.
   Nothing is anywhere else than it seems, so whatever is clicked meanwhile is hit; nothing moves where little motion is
   asked for. */

import { html } from "./make.js";

const GROWS = 650, STEP = 120, LEAST = 180, MANY = 400; // milliseconds: all, between levels at most, a level; nodes that just appear
const RUNS = 1400, FALLS = 800, FADES = 200, MOST_DOTS = 2000; // milliseconds in all, of a dot, at the end; dots
const SIZE = 3.2, SPREAD = 13, KEPT = "treecore-table", FILE = "treecore-file"; // pixels of a dot, and of the stream at least

const met = new Set(); // trees that have grown in since the page was loaded

/* Does the reader want as little motion as possible? */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const isStill = () => isCalm() || document.hidden;

/* The nodes of a tree that is seen for the first time come one level after the other, the root first. */
export function growIn(pane, drawn) {
  const { nodes, data } = pane, isNew = !met.has(data.tree);
  met.add(data.tree);
  if (!isNew || isStill() || data.made !== undefined || data.shape !== "tree" || nodes.size < 2 || nodes.size > MANY) return;
  const levels = Math.max(...[...nodes.values()].map(({ row }) => row.level)), step = Math.min(STEP, (GROWS - LEAST) / levels), lasts = GROWS - step * (levels - 1);
  const come = (part, level) => part.animate([{ opacity: 0 }, { opacity: 1 }], { duration: lasts, delay: step * (level - 1), fill: "backwards", easing: "ease-out", id: "grows" });
  for (const node of nodes.values()) come(node.group, node.row.level);
  for (const node of drawn) for (const part of [node.edge, node.route, node.condition]) come(part, node.row.level);
}

export class Stream {
  constructor(pane) {
    this.pane = pane;
    this.seen = new Map();
    this.canvas = html("canvas", "stream");
    this.canvas.setAttribute("aria-hidden", "true");
  }

  /* Once for every table that is opened, and for every file that is answered for. */
  take({ table, stream }) {
    if (!table || this.pane.data.shape !== "tree") return;
    const news = [[KEPT, table], [FILE, stream?.key]].filter(([name, key]) => key && this.known(name) !== key);
    if (!news.length) return;
    for (const [name, key] of news) this.remember(name, key);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.run(), GROWS);
  }

  known(name = KEPT) {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return this.seen.get(name); // a page may be without storage
    }
  }

  remember(name, key) {
    this.seen.set(name, key);
    try {
      sessionStorage.setItem(name, key);
    } catch {
      // it is shown again after a reload
    }
  }

  run() {
    const { pane } = this, { nodes, stage, root } = pane;
    this.stop();
    if (isStill() || !stage.isConnected || !stage.clientWidth || pane.data.shape !== "tree" || nodes.size < 2) return;
    stage.append(this.canvas);
    this.dots = dotsOf(pane, (color) => {
      this.canvas.style.color = color;
      return getComputedStyle(this.canvas).color; // a canvas knows no colours of the theme
    });
    const sharp = Math.min(2, window.devicePixelRatio || 1), { clientWidth: wide, clientHeight: high } = stage;
    Object.assign(this.canvas, { width: wide * sharp, height: high * sharp });
    this.brush = this.canvas.getContext("2d");
    this.brush.scale(sharp, sharp);
    root.dataset.streaming = this.dots.length;
    const start = performance.now();
    const tick = (now) => {
      const t = Math.max(0, now - start);
      this.draw(t, wide, high);
      if (t < RUNS) this.frame = requestAnimationFrame(tick);
      else this.stop();
    };
    this.frame = requestAnimationFrame(tick);
  }

  draw(t, wide, high) {
    const { brush, dots } = this, { x, y, k } = this.pane.camera.at, size = SIZE * Math.min(1.4, Math.max(0.6, k));
    brush.clearRect(0, 0, wide, high);
    brush.globalAlpha = Math.max(0, Math.min(0.85, (RUNS - t) / FADES));
    for (const { starts, color, way, aside } of dots) {
      const q = (t - starts) / FALLS;
      if (q < 0) continue;
      const [px, py] = placeOn(way, Math.min(1, q), aside);
      brush.fillStyle = color;
      brush.fillRect(x + k * px - size / 2, y + k * py - size / 2, size, size);
    }
  }

  stop() {
    clearTimeout(this.waiting);
    cancelAnimationFrame(this.frame);
    this.canvas.remove();
    delete this.pane.root.dataset.streaming;
  }
}

/* A sample of the rows, of the file that is answered for where there is one: to every node where branches end on the
   canvas as many as its share, by class. */
function dotsOf(pane, resolved) {
  const { nodes, data } = pane, { stream } = data, come = ({ id, row }) => (stream ? sumOf(stream.rows[id]) / stream.n : row.share);
  const reached = [...nodes.values()].filter((node) => come(node) > 0), inner = new Set(reached.map(({ row }) => row.parent));
  const ends = reached.filter((node) => !inner.has(node.id)), whole = ends.reduce((sum, node) => sum + come(node), 0) || 1;
  const rows = stream?.n ?? (Number(String(nodes.get(pane.first).row.n).replaceAll(",", "")) || MOST_DOTS);
  const many = Math.min(MOST_DOTS, Math.max(rows, 1)), found = [];
  for (const node of ends) {
    const way = wayTo(node, nodes), answers = stream?.rows[node.id], bar = answers ? answers.map(([k, n]) => [k, n / sumOf(answers)]) : node.row.bars[0];
    const isMix = data.classes.length > 0 && (answers || !pane.shades) && Array.isArray(bar);
    const mix = isMix ? bar : [[-1, 1]], own = resolved(`color-mix(in srgb, var(--accent) ${Math.round(25 + 75 * (node.row.value ?? 0.5))}%, var(--muted))`);
    for (const [k, share] of mix) {
      const color = isMix && k >= 0 && k < data.classes.length ? pane.colors.of(k) : own;
      for (let i = Math.round((many * come(node) * share) / whole); i > 0; i -= 1)
        found.push({ color, way, aside: Math.random() - 0.5, starts: Math.random() * (RUNS - FALLS - FADES) });
    }
  }
  return found.slice(0, MOST_DOTS);
}

const sumOf = (answers = []) => answers.reduce((sum, [, n]) => sum + n, 0);

/* The edges from the first node to this one, and the card where it settles. */
function wayTo(node, nodes) {
  const steps = [];
  for (let at = node; nodes.has(at.row.parent); at = nodes.get(at.row.parent)) steps.unshift(at.ends(nodes.get(at.row.parent)));
  return { steps, node };
}

/* Where a dot is after a share of its way: on the curve of an edge, as far beside it as the edge is wide; at the end
   anywhere in the lower part of the card. */
function placeOn({ steps, node }, q, aside) {
  const at = q * (steps.length + 0.35), i = Math.floor(at);
  if (i < steps.length) {
    const { ends: [x0, y0, x1, y1], wide, thick } = steps[i], t = at - i, s = 1 - t, swing = t * t * (3 - 2 * t), broad = Math.max(thick, SPREAD), go = 1.5 * t * s + t ** 3;
    return wide ? [x0 + (x1 - x0) * go, y0 + (y1 - y0) * swing + aside * broad] : [x0 + (x1 - x0) * swing + aside * broad, y0 + (y1 - y0) * go];
  }
  const [w, h] = node.size, into = Math.min(1, (at - steps.length) / 0.35), last = steps.at(-1);
  const [x1, y1] = last ? [last.ends[2], last.ends[3]] : [node.x, node.y];
  const [x2, y2] = [node.x + aside * (w - 16), node.y + h / 2 - 6 - Math.abs((aside * 7919) % 1) * 8];
  return [x1 + (x2 - x1) * into, y1 + (y2 - y1) * into];
}
