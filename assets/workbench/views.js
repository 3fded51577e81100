/* Where the camera looks from: at first, after a change, to find a node; and how each tree was last looked at. */

import { MIDDLE, NEAR } from "./camera.js";
import { clamp } from "./make.js";
import { between, Motion } from "./motion.js";
import { WEDGE } from "./node.js";
import { PRESENT } from "./room.js";

const MARGIN = 18, ABOVE = 12, PILL = 3, BELOW = 22, FOOT = 15; // a pill stands below its card
const GROWING = 800; // milliseconds in which a window, or the settings that open beside it, come to rest

/* When a hand was last laid on the page. A tree that came later is still waiting for its neighbours; one that was there
   before may be about to go, and the room that its neighbours leave as they go is none. */
let touched = 0;
for (const kind of ["pointerdown", "keydown", "wheel", "popstate"]) window.addEventListener(kind, () => { touched = performance.now(); }, { capture: true, passive: true });

/* Outlives the pane when the page changes. */
const looks = new Map();

/* How large a drawing is: one that was laid out for another room is looked at from elsewhere. */
const drawn = ({ width, height }) => `${width} ${height}`;

export class Views {
  constructor(pane) {
    this.pane = pane;
    this.fresh = 0; // when the tree was first looked at, until somebody has moved it
    this.grownAt = -GROWING;
    this.left = null; // how the tree was left on another page
    this.brought = null; // the node that was last brought into view because it was chosen
    this.guest = this.byHand = this.due = false;
    this.aside = null; // how the tree was looked at when it began to be presented
    this.motion = new Motion();
  }

  /* Pixels from the top that the buttons stand on: more than one line of them where there is little room. */
  get above() {
    const { bar } = this.pane.tools;
    return bar.offsetTop + bar.offsetHeight + ABOVE;
  }

  /* How far pills stand out at the right of the last level. */
  get tail() {
    const { nodes, data: { width, size: [w], orientation } } = this.pane;
    if (orientation !== "LR") return 0;
    return Math.max(0, ...[...nodes.values()].filter((node) => node.pill).map((node) => node.row.x + w / 2 + PILL + node.pillWide - width));
  }

  /* What is to be in view: the drawing, or as much of it as has grown. */
  get extent() {
    const { nodes, data } = this.pane, grown = [...nodes.values(), ...this.pane.preview.ghosts].filter((node) => !node.unborn);
    const foot = data.orientation === "LR" ? 0 : grown.some((node) => node.wedge) ? WEDGE : data.staged && grown.some((node) => node.pill) ? FOOT : 0;
    if (!grown.length || grown.length === nodes.size) return { left: 0, top: 0, width: data.width, height: data.height + foot };
    const end = (axis, side) => grown.map(({ row, size }) => (axis ? row.y : row.x) + (side * size[axis]) / 2);
    const left = Math.min(...end(0, -1)), top = Math.min(...end(1, -1));
    return { left, top, width: Math.max(...end(0, 1)) - left, height: Math.max(...end(1, 1)) - top };
  }

  fitted(least) {
    const { left, top, width, height } = this.extent, { k, x, y } = this.framed(least, width, height, left, top);
    return { k, x: x - k * left, y: y - k * top };
  }

  /* Where the upper left corner of a picture of this size stands, and how large it is drawn. */
  framed(least, width, height, left, top) {
    const { data, stage, nodes, room } = this.pane, { above } = this, { clientHeight } = stage, clientWidth = room.wide, { orientation } = data;
    const wide = clientWidth - 2 * MARGIN, high = clientHeight - above - MARGIN;
    const others = room.presenting ? [] : this.pane.others();
    const k = Math.min(this.scale(wide, high, width, height), ...others.map((other) => other.views.ownScale));
    if (k >= least) return { k, x: MARGIN + (wide - k * (width + this.tail)) / 2, y: above + (high - k * height) / 2 };
    const root = nodes.get(this.pane.first).row;
    // what does not fit is cut at one end at most: there is no empty room beside it
    const at = (length, space, start, middle) => {
      const spare = space - least * length;
      return spare >= 0 ? start + spare / 2 : clamp(middle, start + spare, start);
    };
    const x = at(width, wide, MARGIN, orientation === "LR" ? MARGIN : clientWidth / 2 - least * (root.x - left));
    const y = at(height, high, above, orientation === "LR" ? clientHeight / 2 - least * (root.y - top) : above);
    return { k: least, x, y };
  }

  /* As large as it fits, and no larger than is of use. */
  scale(wide, high, width, height) {
    const { room, data } = this.pane;
    return Math.min(wide / (width + this.tail), high / height, room.presenting ? 2.4 : data.largest);
  }

  /* At which all of it is in view, whatever stands beside it. */
  get ownScale() {
    const { stage, room, data } = this.pane, { width, height } = this.extent;
    if (!stage.clientWidth || data.shape !== "tree") return Infinity;
    return Math.max(NEAR, this.scale(room.wide - 2 * MARGIN, stage.clientHeight - this.above - MARGIN, width, height));
  }

  /* Trees that are looked at together are drawn equally large, unless somebody has moved one. */
  matchOthers() {
    const { pane } = this;
    for (const { views } of [pane, ...pane.others()]) {
      if (!pane.others().length || views.byHand || !views.pane.stage.clientWidth) continue;
      const at = views.homeAt();
      if (Math.abs(at.k - views.at.k) > 1e-4) views.go(at);
    }
  }

  readable() {
    const { room, data } = this.pane;
    return this.fitted(room.presenting ? (data.staged ? 0 : data.made === undefined ? PRESENT : NEAR) : data.least ? 0 : data.ways?.length ? MIDDLE : NEAR);
  }

  homeAt() {
    return this.before?.camera ?? this.readable();
  }

  /* The tree is about to be presented. */
  setAside() {
    const { window, byHand, pane: { camera, data } } = this;
    this.aside = { camera: camera.at, window, byHand, stamp: data.stamp };
  }

  /* What was set aside, once the same drawing is shown again in the same window. */
  get before() {
    const { aside, pane: { room, data } } = this;
    return aside && aside.window === room.window && aside.stamp === data.stamp ? aside : null;
  }

  /* The tree has grown: all that is there in view, unless somebody has moved it. */
  follow() {
    const { camera, root, stage } = this.pane;
    this.due = root.dataset.moving !== undefined; // then once it stands still
    if (this.due || this.byHand || !stage.clientWidth) return;
    const start = camera.at, end = this.homeAt();
    this.motion.run(1, (q) => this.byHand || camera.look(between(start, end, q)), () => {});
  }

  home() {
    this.go(this.homeAt());
  }

  /* Where the camera is, or will be once the tree stands still. */
  get at() {
    return this.pane.drawing.end ?? this.pane.camera.at;
  }

  go(at) {
    const { drawing, camera } = this.pane;
    if (drawing.end) drawing.end = at;
    else camera.look(at);
  }

  /* All of it, however small; a second time: back to what can be read. */
  fit() {
    const { camera } = this.pane, all = this.fitted(0), now = camera.at;
    camera.look(Math.abs(all.k - now.k) < 1e-6 && all.k < NEAR ? this.readable() : all);
  }

  /* Where it was left on another page, else all of it as far as it can be read: one that nobody has moved may have been
     fitted to a page that was not all there yet. */
  first() {
    const { data, stage, camera } = this.pane, left = looks.get(data.key);
    if (!stage.clientWidth) {
      this.waitsForRoom = true;
      return;
    }
    this.window = this.pane.room.window;
    this.fresh = performance.now(); // what stands beside the tree has not arrived yet
    this.left = left && left.tree === data.tree && left.cut === data.cut && (left.byHand || (!data.group && left.window === this.window && left.high === stage.clientHeight && left.drawn === drawn(data))) ? left : null;
    this.guest = this.isTight();
    this.byHand = Boolean(this.left?.byHand);
    if (this.left && !this.guest) camera.look(left.camera);
    else this.home();
  }

  /* Is there less room here than where the tree was left as it had been fitted, so that a part would be out of sight? */
  isTight() {
    const { left, pane: { data, room } } = this;
    if (!left || left.byHand || room.wide >= left.wide) return false;
    return left.camera.x + left.camera.k * data.width + MARGIN > room.wide;
  }

  /* Somebody has moved the tree: from now on it stays. */
  arrived() {
    this.fresh = 0;
    this.guest = false;
    this.byHand = true;
    if (!this.pane.room.presenting) this.aside = null;
  }

  resized() {
    const arriving = this.fresh > touched; // what stands beside the tree comes when it comes, later on a busy machine
    this.guest ||= Boolean(arriving && this.isTight());
    const { window, presenting } = this.pane.room; // a drawer that opens moves nothing
    if (window !== this.window) this.grownAt = performance.now();
    const grown = performance.now() - this.grownAt < GROWING;
    this.window = window;
    if (grown && this.aside && !presenting) this.byHand = Boolean(this.before?.byHand);
    if (this.waitsForRoom || (grown && (this.aside || !this.byHand)) || (arriving && (this.guest || !this.left))) {
      this.waitsForRoom = false;
      this.home();
      this.matchOthers();
    }
    if (arriving && this.brought === this.pane.selected) this.reveal(this.brought); // before the drawer lay over it
  }

  /* After a change: the node at hand stands still; another tree, or another room for it, is fitted. */
  after(before, anchor, old) {
    const { data, nodes, camera } = this.pane;
    const differs = (name) => String(before[name]) !== String(data[name]);
    if (differs("selected")) this.brought = data.selected;
    const seen = (at) => (differs("selected") || this.pane.room.presenting ? this.showing(data.selected, at) : at);
    if (["tree", "cut", "room", "orientation", "size"].some(differs)) {
      this.fresh = performance.now(); // what stands beside it may be on its way, too
      this.left = null;
      this.byHand = this.before?.byHand ?? this.byHand;
      return seen(this.homeAt());
    }
    if (anchor === undefined) return camera.at;
    if (data.ways?.length && !this.byHand) return seen(this.homeAt()); // the whole way is what is looked for
    const from = old.get(anchor), { row } = nodes.get(anchor), { x, y, k } = camera.at;
    return seen({ x: x + (from.x - row.x) * k, y: y + (from.y - row.y) * k, k });
  }

  zoom(factor, x, y, gesture) {
    const { pane } = this;
    this.arrived();
    pane.camera.zoomBy(factor, x, y, gesture);
    for (const other of pane.others()) other.camera.zoomBy(factor);
  }

  reveal(id) {
    if (!this.pane.stage.clientWidth) return;
    const { at } = this, moved = this.showing(id, at);
    if (moved !== at) this.go(moved);
  }

  /* This camera, or the nearest one that has all of a node in view. */
  showing(id, at) {
    const { nodes, stage, data } = this.pane, node = nodes.get(id);
    if (!node) return at;
    const { x, y, k } = at, [w, h] = node.size, { clientHeight } = stage, clientWidth = this.pane.room.wide;
    const shift = (middle, half, low, high) => (middle - half < low ? low - middle + half : middle + half > high ? high - middle - half : 0);
    const dx = shift(x + k * node.row.x, (k * w) / 2, 8, clientWidth - 8), dy = shift(y + k * node.row.y, (k * h) / 2, this.above, clientHeight - (data.orientation === "LR" ? 8 : BELOW));
    return dx || dy ? { x: x + dx, y: y + dy, k } : at;
  }

  /* A page with less room is fitted for itself, and one that is presented. */
  keep() {
    const { data, room, camera, stage } = this.pane;
    if (this.guest || room.presenting) return;
    looks.set(data.key, { tree: data.tree, cut: data.cut, stamp: data.stamp, camera: camera.at, wide: room.wide, high: stage.clientHeight, window: this.window, drawn: drawn(data), byHand: this.byHand });
  }
}
