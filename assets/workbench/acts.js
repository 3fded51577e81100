/* What can be done with the selected node, at the node: in the nearest free place, so that it covers no other text. */

import { button, html } from "./make.js";

const GAP = 6, EDGE = 6, STEP = 10, FAR = 260, NEAR_BY = 16;
const TOOLS = 4; // what a covered button weighs, beside a covered part of the tree

export class Acts {
  constructor(pane) {
    this.pane = pane;
    this.element = html("div", "acts");
    this.element.setAttribute("role", "toolbar");
    this.element.hidden = true;
    this.around = new Map();
    this.leader = html("div", "leader");
    this.leader.hidden = true;
  }

  show() {
    const { pane } = this, { data } = pane, node = pane.nodes.get(pane.selected);
    const shown = node && !pane.quiet && data.acts && data.shape === "tree" && !("moving" in pane.root.dataset);
    const deeds = shown ? pane.chosen.deedsOf(node) : [];
    this.element.setAttribute("aria-label", data.words.acts);
    this.fill(deeds);
    this.element.hidden = !deeds.length;
    this.leader.hidden = true;
    if (deeds.length) this.place(node);
  }

  fill(deeds) {
    const stamp = JSON.stringify([this.pane.selected, deeds.map((deed) => deed.name)]);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.off = null;
    this.element.replaceChildren(...deeds.map(({ name, text, title, act }) => {
      const made = button(text, title, act);
      made.dataset.act = name;
      return made;
    }));
  }

  place(node) {
    const { stage, room } = this.pane, own = this.boxOf(node), { clientHeight } = stage, clientWidth = room.wide;
    const out = own.right < 0 || own.left > clientWidth || own.bottom < 0 || own.top > clientHeight;
    this.element.classList.toggle("out", out);
    if (out) return;
    const taken = this.taken(own), space = { wide: clientWidth, high: clientHeight };
    const box = this.free(own, taken, space, false) ?? this.free(own, taken, space, true) ?? this.anywhere(own, space) ?? this.least(own, taken, space);
    this.element.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    this.lead(own, box);
  }

  /* The nearest place that covers nothing, in a line or stacked; it stays where it is if it can. */
  free(own, taken, space, stacked) {
    const size = this.sized(stacked), kept = this.off && this.stacked === stacked ? [this.off] : [];
    const found = [...kept, ...this.offsets(own, size)].find(([x, y]) => {
      const box = boxAt(own.left + x, own.top + y, size);
      return inside(box, space) && !taken.some((other) => meet(box, other));
    });
    this.off = found ?? null;
    this.stacked = stacked;
    return found && boxAt(own.left + found[0], own.top + found[1], size);
  }

  /* The nearest of all places that cover nothing, where there is none beside the node: a line leads to it, which runs over
     no other card if that can be. */
  anywhere(own, space) {
    const taken = this.taken(own, Infinity), middle = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
    for (const stacked of [false, true]) {
      const size = this.sized(stacked), found = [];
      for (let left = EDGE; left + size[0] <= space.wide - EDGE; left += 2 * STEP)
        for (let top = EDGE; top + size[1] <= space.high - EDGE; top += STEP) {
          const box = boxAt(left, top, size);
          if (taken.some((other) => meet(box, other))) continue;
          const away = Math.hypot(left + size[0] / 2 - middle[0], top + size[1] / 2 - middle[1]);
          found.push([away + (this.runsOver(own, box) ? FAR : 0), box]);
        }
      if (found.length) return found.reduce((a, b) => (b[0] < a[0] ? b : a))[1];
    }
    return null;
  }

  /* The place that covers least, where there is none that covers nothing. */
  least(own, taken, space) {
    const size = this.sized(false), boxes = this.offsets(own, size).map(([x, y]) => boxAt(own.left + x, own.top + y, size)).filter((box) => inside(box, space));
    const covered = (box) => taken.reduce((sum, other) => sum + shared(box, other) * (other.tools ? TOOLS : 1), 0);
    return boxes.map((box) => [covered(box), box]).reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, boxAt(EDGE, EDGE, size)])[1];
  }

  sized(stacked) {
    this.element.classList.toggle("stacked", stacked);
    return [this.element.offsetWidth, this.element.offsetHeight];
  }

  boxOf(node) {
    const { x, y, k } = this.pane.camera.at, [w, h] = node.size;
    return boxAt(x + k * (node.x - w / 2), y + k * (node.y - h / 2), [k * w, k * h]);
  }

  /* Left and top of every place around the node, from its own corner, the nearest first. */
  offsets(own, [wide, high]) {
    const w = own.right - own.left, h = own.bottom - own.top, key = [w, h, wide, high].join(" ");
    if (this.around.has(key)) return this.around.get(key);
    const found = [], sideways = this.pane.data.orientation === "LR";
    for (let y = -high - GAP - FAR; y <= h + GAP + FAR; y += STEP)
      for (let x = -wide - GAP - FAR; x <= w + GAP + FAR; x += STEP) {
        const dx = Math.max(x - w, -wide - x, 0), dy = Math.max(y - h, -high - y, 0);
        if (Math.max(dx, dy) < GAP) continue;
        const middle = Math.abs(x + wide / 2 - w / 2) / 40, side = (y > 0) === sideways ? 0 : 4;
        found.push([Math.hypot(dx, dy) + middle + side, x, y]);
      }
    const places = found.sort((a, b) => a[0] - b[0]).map(([, x, y]) => [x, y]);
    if (this.around.size > 8) this.around.clear(); // every scale has its own
    this.around.set(key, places);
    return places;
  }

  /* What must stay in sight: cards, conditions, pills, and what lies over the tree. */
  taken(own, reach = FAR + 320) {
    const { pane } = this, { x, y, k } = pane.camera.at, found = [];
    const add = (box) => {
      if (box.right > own.left - reach && box.left < own.right + reach && box.bottom > own.top - reach && box.top < own.bottom + reach) found.push(box);
    };
    for (const node of pane.nodes.values()) {
      add(this.boxOf(node));
      for (const [cx, cy, w, h] of node.around()) add(boxAt(x + k * cx, y + k * cy, [k * w, k * h]));
    }
    const frame = pane.stage.getBoundingClientRect();
    for (const part of [pane.tools.bar, pane.tools.tag, pane.map.element, pane.tools.notice]) {
      const box = part.getBoundingClientRect();
      if (box.width) add({ ...boxAt(box.left - frame.left, box.top - frame.top, [box.width, box.height]), tools: true });
    }
    return found;
  }

  /* Does the line to a place run over the card of another node? */
  runsOver(own, box) {
    const from = nearest(own, box), to = nearest(box, own);
    return [...this.pane.nodes.values()].some((node) => node.id !== this.pane.selected && hits(this.boxOf(node), from, to));
  }

  /* A thin line to the node, where they do not stand side by side. */
  lead(own, box) {
    const from = nearest(own, box), to = nearest(box, own), dx = to[0] - from[0], dy = to[1] - from[1], long = Math.hypot(dx, dy);
    const apart = Math.max(box.left - own.right, own.left - box.right, box.top - own.bottom, own.top - box.bottom);
    this.leader.hidden = apart < NEAR_BY || this.runsOver(own, box);
    this.leader.style.width = `${long.toFixed(1)}px`;
    this.leader.style.transform = `translate(${from[0].toFixed(1)}px, ${from[1].toFixed(1)}px) rotate(${Math.atan2(dy, dx).toFixed(4)}rad)`;
  }
}

function boxAt(left, top, [wide, high]) {
  return { left, top, right: left + wide, bottom: top + high };
}

function meet(one, other) {
  return one.left < other.right + 2 && one.right > other.left - 2 && one.top < other.bottom + 2 && one.bottom > other.top - 2;
}

function inside(box, { wide, high }) {
  return box.left >= EDGE && box.top >= EDGE && box.right <= wide - EDGE && box.bottom <= high - EDGE;
}

/* Has a line between two points a part within a box? */
function hits(box, [x, y], [toX, toY]) {
  let first = 0, last = 1;
  for (const [at, step, low, high] of [[x, toX - x, box.left, box.right], [y, toY - y, box.top, box.bottom]]) {
    if (step === 0) {
      if (at <= low || at >= high) return false;
      continue;
    }
    const ends = [(low - at) / step, (high - at) / step].sort((a, b) => a - b);
    [first, last] = [Math.max(first, ends[0]), Math.min(last, ends[1])];
  }
  return first < last;
}

/* Square pixels that two boxes have in common. */
function shared(one, other) {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left), high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/* The point of a box's border that is nearest to the middle of another one. */
function nearest(box, other) {
  const between = (value, low, high) => Math.min(Math.max(value, low), high);
  return [between((other.left + other.right) / 2, box.left, box.right), between((other.top + other.bottom) / 2, box.top, box.bottom)];
}
