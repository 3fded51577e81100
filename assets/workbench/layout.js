/* Which nodes of a tree fit a canvas, and where they stand, for a page without Python: as view/canvas.py and
   export/layout.py, which tell the sources. */

const WIDE = { LR: 136, TB: 118 }, HIGH = 37, LINE = 15, BAR = 7, BESIDE = 11, STACKED = 15;
const APART = { LR: [9, 88], TB: [14, 46] }, MOST = 121, LEAST = 5, EDGE = { LR: [74, 72], TB: [42, 94] };
const WIDEST = 240, WIDEST_GAP = 150, PAD = 28, LETTER = 7.2, HARDLY_LESS = 0.85, NEAR = 0.92, NAMED = 1.2;
const PILL = { LR: [48, 0], TB: [0, 15] }, SPARE = [36, 30], SPREAD = 26; // what a pill takes beyond the last card, and pixels around a drawing
export const LARGEST = 1.5;

/* tree : childrenOf(id), parentOf(id), weightOf(id), depthOf(id). asked : room, lines, bars, orientation, before, letters,
   curve. opened, closed : sets of ids. keep : the node that is always there.
   { ids, orientation, stacked, size, at, width, height, gap } */
export function canvasLayout(tree, asked, opened, closed, keep) {
  let best = bestOf(tree, asked);
  if (closed.size) best = fitting(tree, asked, best.side, closed);
  const unasked = covering(tree, best.limit, best.deepest, [], closed);
  const inner = unasked.map((at) => tree.parentOf(at)).filter((at) => at >= 0); // what the reader opens takes no other node's place
  const ids = covering(tree, 0, Infinity, [...inner, ...opened], closed, keep);
  const stacked = best.side === "TB" || hasHeight(tree, asked);
  const [card, gap] = roomy(tree, unasked, asked, best.side, stacked), placed = placedOf(tree, ids, best.side, card, gap);
  return { ids, orientation: best.side, stacked, size: card, gap, ...placed };
}

/* From the first down, the node of most rows is opened next; a node is shown with all its siblings. */
export function covering(tree, limit, deepest, opened, closed, keep = -1) {
  const must = new Set(opened), shown = new Set([0]), asked = [], waiting = [];
  for (let up = tree.parentOf(keep); keep >= 0 && up >= 0; up = tree.parentOf(up)) must.add(up);
  for (const at of closed) must.delete(at);
  for (const at of [...must]) for (let up = tree.parentOf(at); up >= 0; up = tree.parentOf(up)) if (!closed.has(up)) must.add(up);
  const arrive = (at) => {
    if (must.has(at) && tree.childrenOf(at).length && !closed.has(at)) asked.push(at);
    else if (tree.childrenOf(at).length && !closed.has(at) && tree.depthOf(at) < deepest) waiting.push(at);
  };
  const open = (at) => {
    const below = tree.childrenOf(at);
    for (const child of below) shown.add(child);
    below.forEach(arrive);
  };
  arrive(0);
  while (asked.length || (waiting.length && shown.size < limit)) {
    if (asked.length) {
      open(asked.pop());
      continue;
    }
    let next = 0;
    for (let i = 1; i < waiting.length; i += 1) if (tree.weightOf(waiting[i]) > tree.weightOf(waiting[next]) || (tree.weightOf(waiting[i]) === tree.weightOf(waiting[next]) && waiting[i] < waiting[next])) next = i;
    const [at] = waiting.splice(next, 1);
    if (shown.size + tree.childrenOf(at).length <= limit) open(at); // else a narrower split may still fit
  }
  return [...shown].sort((a, b) => a - b);
}

/* All of these nodes as large as they fit: for a picture that is read from afar. asked : as canvasLayout, the room in
   pixels; of two ways to lay them out that are about as large, and none below the least scale, the one before. As canvasLayout,
   with the scale. */
export function wholeLayout(tree, ids, asked) {
  const ways = ["LR", "TB"].map((side) => {
    const stacked = side === "TB" || asked.letters > BESIDE, across = side === "LR" ? 1 : 0, placed = (card, gap, apart) => {
      const found = placedOf(tree, ids, side, card, gap, apart), foot = PILL[side];
      return { ...found, free: ["width", "height"].map((name, i) => (asked.room[i] - SPARE[i]) / (found[name] + foot[i])) };
    };
    const small = placed(sizeOf(asked, side, stacked), APART[side][1]), room = asked.room.map((length) => length / Math.min(...small.free, asked.largest));
    const [size, gap] = roomy(tree, ids, { ...asked, room }, side, stacked), { free } = placed(size, gap), scale = Math.min(...free);
    const apart = APART[side][0] + Math.max(0, Math.min(SPREAD, (size[across] + APART[side][0]) * (free[across] / Math.min(scale, asked.largest) - 1))); // neighbours stand apart where there is room
    return { ids, orientation: side, stacked, size, gap, scale, ...placed(size, gap, apart) };
  });
  const [wide, high] = ways, better = wide.scale >= high.scale ? wide : high, same = ways.find(({ orientation }) => orientation === asked.before) ?? better;
  return same.scale >= Math.min(asked.least, better.scale) && Math.min(same.scale, asked.largest) >= HARDLY_LESS * Math.min(better.scale, asked.largest) ? same : better;
}

function bestOf(tree, asked) {
  const fits = (asked.orientation ? [asked.orientation] : ["LR", "TB"]).map((side) => fitting(tree, asked, side, new Set()));
  const best = fits.reduce((a, b) => (b.n > a.n || (b.n === a.n && b.scale > a.scale) ? b : a)), same = fits.find(({ side }) => side === asked.before) ?? best;
  return same.n >= HARDLY_LESS * best.n && same.scale >= HARDLY_LESS * best.scale ? same : best;
}

/* Width and height of a card. */
function sizeOf({ lines, bars, curve }, side, stacked) {
  return [WIDE[side] + 14 * (lines > 0), HIGH + LINE * (lines + stacked) + (curve || BAR * (bars - 1)) + stacked];
}

const roomOf = ({ room }, side) => room.map((length, i) => length - EDGE[side][i]);

function fitting(tree, asked, side, closed) {
  const card = sizeOf(asked, side, side === "TB"), [across, down] = roomOf(asked, side);
  const [along, step] = side === "LR" ? [across - card[0], card[0]] : [down - card[1], card[1]];
  const deepest = Math.max(1, Math.floor(along / (step + APART[side][1])));
  const tried = (limit) => {
    const ids = covering(tree, limit, deepest, [], closed), { width, height } = placedOf(tree, ids, side, card, APART[side][1]);
    return [ids.length, Math.min(across / width, down / height, LARGEST / NEAR)];
  };
  let low = LEAST, top = MOST, [n, scale] = tried(low);
  while (low < top) {
    const middle = Math.floor((low + top + 1) / 2), [many, larger] = tried(middle);
    if (larger >= 1) [low, n, scale] = [middle, many, larger];
    else top = middle - 1;
  }
  return { n, scale, limit: low, deepest, side };
}

/* Is there a long name, and height for higher cards? */
function hasHeight(tree, asked) {
  if (asked.letters <= BESIDE) return false;
  const fit = fitting(tree, asked, "LR", new Set()), ids = covering(tree, fit.limit, fit.deepest, [], new Set());
  return placedOf(tree, ids, "LR", sizeOf(asked, "LR", true), APART.LR[1]).height <= roomOf(asked, "LR")[1];
}

/* The size of a card and the gap between levels: width that is left goes to long names, then to conditions. */
function roomy(tree, ids, asked, side, stacked) {
  let card = sizeOf(asked, side, stacked);
  const gap = APART[side][1], at = placedOf(tree, ids, side, card, gap), deepest = new Set([...at.at.values()].map(([x]) => x)).size - 1;
  if (!deepest) return [card, gap];
  const [across, down] = roomOf(asked, side), large = down / at.height;
  if (asked.letters > STACKED && stacked) {
    const free = across / Math.max(1, Math.min(large, NAMED)), wanted = Math.min(WIDEST, Math.round(PAD + LETTER * asked.letters));
    const wider = [wanted, Math.floor((wanted + card[0]) / 2)].filter((wide) => wide > card[0]).map((wide) => [wide, card[1]]);
    card = wider.find((one) => placedOf(tree, ids, side, one, gap).width <= free) ?? card;
  }
  if (side === "TB") return [card, gap];
  const free = across / Math.max(1, Math.min(large, LARGEST / NEAR)) - placedOf(tree, ids, side, card, gap).width;
  return [card, Math.min(Math.max(gap, gap + free / deepest), WIDEST_GAP)];
}

/* Middles of the cards, and the width and height of the drawing. */
function placedOf(tree, ids, side, card, gap, apart = APART[side][0]) {
  const shown = new Set(ids), { places, levels } = tidy(new Map(ids.map((at) => [at, shown.has(tree.parentOf(at)) ? tree.parentOf(at) : null])));
  const turned = side === "LR", [along, down] = turned ? [card[1], card[0]] : card, step = along + apart, deep = down + gap, at = new Map();
  let length = 0, depth = 0;
  for (const [id, place] of places) {
    const point = [place * step + along / 2, levels.get(id) * deep + down / 2];
    length = Math.max(length, place);
    depth = Math.max(depth, levels.get(id));
    at.set(id, turned ? point.reverse() : point);
  }
  const size = [length * step + along, depth * deep + down];
  return { at, width: size[turned ? 1 : 0], height: size[turned ? 0 : 1] };
}

/* Place along its level, and level, of every node; neighbours of a level are 1 apart at least. parents : id -> id of the
   parent, null of the first, parents before children and siblings in their order. Buchheim, Jünger and Leipert (2002). */
export function tidy(parents) {
  const nodes = new Map(), order = [];
  for (const [id, above] of parents) {
    const up = nodes.get(above) ?? null, node = { up, place: 0, level: 0, below: [], prelim: 0, mod: 0, change: 0, shift: 0, thread: null };
    node.ancestor = node;
    if (up) {
      node.place = up.below.length;
      node.level = up.level + 1;
      up.below.push(node);
    }
    nodes.set(id, node);
  }
  const waiting = [...nodes.values()].filter((node) => !node.up);
  while (waiting.length) {
    const node = waiting.pop();
    order.push(node);
    waiting.push(...node.below);
  }
  for (const node of [...order].reverse()) stand(node);
  let low = Infinity;
  for (const node of order) {
    node.moved = node.up ? node.up.moved + node.up.mod : 0;
    node.at = node.prelim + node.moved;
    low = Math.min(low, node.at);
  }
  const places = new Map(), levels = new Map();
  for (const [id, node] of nodes) {
    places.set(id, node.at - low);
    levels.set(id, node.level);
  }
  return { places, levels };
}

/* Its subtrees beside each other, and the node over their middle. */
function stand(node) {
  const { below } = node;
  if (!below.length) return;
  let first = below[0], shift = 0, change = 0;
  for (const child of below) {
    const left = below[child.place - 1];
    if (left) {
      child.mod = left.prelim + 1 - child.prelim;
      child.prelim = left.prelim + 1;
      first = apportion(child, left, first);
    }
  }
  for (const child of [...below].reverse()) {
    child.prelim += shift;
    child.mod += shift;
    change += child.change;
    shift += child.shift + change;
  }
  node.prelim = (below[0].prelim + below.at(-1).prelim) / 2;
}

const firstOf = (node) => node.below[0] ?? node.thread, lastOf = (node) => node.below.at(-1) ?? node.thread;

/* Move a subtree right until its left edge is clear of the right edges of its left siblings' subtrees. */
function apportion(node, left, first) {
  let inner = node, outer = node, right = left, far = node.up.below[0];
  let innerBy = node.mod, outerBy = node.mod, rightBy = right.mod, farBy = far.mod;
  while (lastOf(right) && firstOf(inner)) {
    [right, inner, far, outer] = [lastOf(right), firstOf(inner), firstOf(far), lastOf(outer)];
    outer.ancestor = node;
    const gap = right.prelim + rightBy - inner.prelim - innerBy + 1;
    if (gap > 0) {
      const from = right.ancestor.up === node.up ? right.ancestor : first, between = node.place - from.place;
      node.change -= gap / between;
      node.shift += gap;
      from.change += gap / between;
      node.prelim += gap;
      node.mod += gap;
      innerBy += gap;
      outerBy += gap;
    }
    rightBy += right.mod;
    innerBy += inner.mod;
    farBy += far.mod;
    outerBy += outer.mod;
  }
  if (lastOf(right) && !lastOf(outer)) {
    outer.thread = lastOf(right);
    outer.mod += rightBy - outerBy;
  }
  if (firstOf(inner) && !firstOf(far)) {
    far.thread = firstOf(inner);
    far.mod += innerBy - farBy;
    return node;
  }
  return first;
}
