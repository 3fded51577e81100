/* The tree on its canvas, with the dock under it. Python says what is shown and where it stands; everything that
   only looks at it happens here. */

import { Camera, NEAR } from "./camera.js";
import { Colors } from "./colors.js";
import { Dock } from "./dock.js";
import { Hover } from "./hover.js";
import { onKey } from "./keys.js";
import { html, set, svg } from "./make.js";
import { Overview } from "./map.js";
import { Motion } from "./motion.js";
import { FACT, NodeView } from "./node.js";
import { save } from "./save.js";
import { twoLines, widthOf } from "./text.js";
import { Tools } from "./tools.js";
import { Whole } from "./whole.js";

const DRAG = 4, LARGEST = 1.25, MARGIN = 18, ABOVE = 46, PRESENT = 1.36, PLAY = 260, SETTLED = 250, ARRIVING = 2500;

/* Outlives the pane when the page changes: how each tree was last looked at. */
const looks = new Map();
/* What was drawn, by its stamp: Python need not send again what is here. */
const drawings = new Map();

export class TreePane {
  constructor(root) {
    this.root = root;
    this.nodes = new Map();
    this.motion = new Motion();
    this.stage = html("div", "stage");
    this.stage.dataset.testid = "tree";
    set(this.stage, { role: "tree", tabindex: 0, "aria-multiselectable": "false" });
    this.layers = { routes: svg("g"), edges: svg("g"), conditions: svg("g", { class: "conditions" }), nodes: svg("g") };
    this.world = svg("g", { class: "world" }, ...Object.values(this.layers));
    this.picture = svg("svg", { class: "picture near", role: "none" }, this.world);
    this.camera = new Camera(this.stage, this.picture, this.world, () => this.moved());
    this.map = new Overview(this);
    this.tools = new Tools(this);
    this.hover = new Hover(this);
    this.dock = new Dock(this);
    const { bar, legend, acts, notice, help } = this.tools;
    this.whole = new Whole(this);
    this.stage.append(this.picture, this.whole.element);
    this.canvas = html("div", "canvas");
    this.canvas.append(this.stage, legend, bar, acts, notice, help, this.hover.element);
    this.stage.append(this.map.element);
    root.append(this.canvas, this.dock.element);
    this.listen();
  }

  /* ------------------------------------------------------------ with the page */

  enter() {
    this.fill = () => this.fillWindow();
    window.addEventListener("resize", this.fill);
    document.addEventListener("fullscreenchange", this.fill);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.stage);
    this.fillWindow();
  }

  leave() {
    window.removeEventListener("resize", this.fill);
    document.removeEventListener("fullscreenchange", this.fill);
    this.sizes?.disconnect();
    this.sizes = null;
    clearTimeout(this.roomWaits);
  }

  /* As high as the window allows; the drawer beside it reads the same number. */
  fillWindow() {
    if (this.data?.pixels) {
      this.root.style.height = `${this.data.pixels}px`;
    } else {
      const full = document.fullscreenElement && this.root.getRootNode().fullscreenElement === this.root;
      const top = full ? 0 : this.root.getBoundingClientRect().top;
      const high = Math.max(260, Math.floor(window.innerHeight - Math.max(top, 0)));
      this.root.style.height = `${high}px`;
      document.documentElement.style.setProperty("--bench-height", `${high}px`);
    }
    clearTimeout(this.roomWaits);
    this.roomWaits = setTimeout(() => this.reportRoom(), SETTLED);
  }

  resized() {
    if (!this.stage.clientWidth || !this.data) return;
    if (this.waitsForRoom || (this.fresh && performance.now() - this.fresh < ARRIVING)) {
      this.waitsForRoom = false;
      this.home();
    }
    this.whole.draw();
    this.moved();
  }

  get presenting() {
    return this.root.getRootNode().fullscreenElement === this.root || document.fullscreenElement === this.root.getRootNode().host;
  }

  /* Python chooses how many nodes are shown by the room there is; a drawer that opens is no reason to choose anew. */
  reportRoom() {
    if (!this.stage.clientWidth || !this.data) return;
    const scale = this.presenting ? PRESENT : NEAR;
    const room = [Math.round(this.stage.clientWidth / scale), Math.round(this.stage.clientHeight / scale)];
    const window_ = `${window.innerWidth} ${window.innerHeight} ${this.presenting}`;
    if (this.window === window_ || (this.data.window === window_)) {
      this.window = window_;
      return;
    }
    this.window = window_;
    this.report("room", { room, window: window_ });
  }

  /* ------------------------------------------------------------ data from Python */

  update(data) {
    if (data.nodes) {
      drawings.set(data.stamp, data.nodes);
      if (drawings.size > 8) drawings.delete(drawings.keys().next().value);
    } else if (drawings.has(data.stamp)) data = { ...data, nodes: drawings.get(data.stamp) };
    else {
      this.report("need");
      return;
    }
    const before = this.data;
    this.data = data;
    this.session ??= data.session;
    if (data.session !== this.session) [this.session, this.sequence] = [data.session, data.seen];
    this.sequence ??= data.seen;
    if (!this.colors || before.classes.length !== data.classes.length || String(before.colors) !== String(data.colors)) {
      this.colors = new Colors(data.colors, data.classes.length);
      this.picture.querySelector("defs")?.remove();
      this.picture.prepend(this.colors.defs);
    }
    if (data.pixels !== before?.pixels) this.fillWindow();
    this.stage.setAttribute("aria-label", data.words.tree);
    this.tools.update(data);
    this.dock.update(data.dock);
    this.root.classList.toggle("lr", data.orientation === "LR");
    if (!before || before.stamp !== data.stamp || before.session !== data.session) this.takeDrawing(before);
    this.takeSelection(data);
    if (data.seen >= this.sequence || !before) this.fadeTo(data.dock?.chosen ?? null, true);
    this.whole.update(data);
    this.showSelection();
    this.tools.tell(data.notice);
    if (data.command && data.command.id !== this.commanded) {
      if (this.commanded !== undefined || data.command.fresh) save(this, data.command.kind, data.command.name);
      this.commanded = data.command.id;
    }
    if (this.commanded === undefined) this.commanded = null;
  }

  font(face) {
    this.family ??= getComputedStyle(this.root).fontFamily;
    return `${face} ${this.family}`;
  }

  width(text, face) {
    return widthOf(text, this.font(face));
  }

  childrenOf(id) {
    return [...this.nodes.values()].filter((node) => node.row.parent === id);
  }

  /* New places for the nodes: those that stay glide, new ones come out of their parent. */
  takeDrawing(before) {
    const { data, nodes } = this, rows = data.nodes, kept = new Set(rows.map((row) => row.id));
    const same = before && before.tree === data.tree, old = new Map();
    for (const [id, node] of nodes) {
      old.set(id, { x: node.x, y: node.y });
      if (!kept.has(id) || !same) {
        node.remove();
        nodes.delete(id);
      }
    }
    const anchor = same ? [this.anchor, this.active, this.selected, data.nodes[0].id].find((id) => kept.has(id) && old.has(id)) : undefined;
    const moves = [], fresh = [];
    for (const row of rows) {
      let node = nodes.get(row.id);
      if (!node) {
        node = new NodeView(row, this);
        nodes.set(row.id, node);
        const from = same ? old.get(row.id) ?? old.get(row.parent) ?? nodes.get(row.parent) : null;
        node.move(from?.x ?? row.x, from?.y ?? row.y);
        fresh.push(node);
      } else node.take(row);
      moves.push([node, node.x, node.y]);
    }
    this.first = rows[0].id;
    this.layers.nodes.replaceChildren(...rows.map((row) => nodes.get(row.id).group));
    const drawn = rows.map((row) => nodes.get(row.id)).filter((node) => nodes.has(node.row.parent));
    this.layers.edges.replaceChildren(...drawn.map((node) => node.edge));
    this.layers.routes.replaceChildren(...drawn.map((node) => node.route));
    this.layers.conditions.replaceChildren(...drawn.map((node) => node.condition));
    this.dressEdges(drawn);
    this.setSizes();
    this.camera.nodes = nodes.size;
    this.root.dataset.moving = "";
    if (!before) {
      for (const [node] of moves) node.move(node.row.x, node.row.y);
      this.firstLook();
      this.rest(drawn);
      return;
    }
    const start = this.camera.at, fresh_ = new Set(fresh);
    const end = this.cameraAfter(before, anchor, old);
    this.motion.run(nodes.size, (q) => {
      for (const [node, x, y] of moves) {
        node.move(x + (node.row.x - x) * q, y + (node.row.y - y) * q);
        if (fresh_.has(node)) node.group.style.opacity = q < 1 ? q : "";
      }
      for (const node of drawn) node.connect(nodes.get(node.row.parent));
      this.camera.look({ x: start.x + (end.x - start.x) * q, y: start.y + (end.y - start.y) * q, k: start.k + (end.k - start.k) * q });
    }, () => this.rest(drawn));
  }

  rest(drawn) {
    for (const node of drawn) node.connect(this.nodes.get(node.row.parent));
    for (const node of this.nodes.values()) node.group.style.opacity = "";
    this.map.draw();
    this.anchor = undefined;
    delete this.root.dataset.moving;
    this.moved();
  }

  dressEdges(drawn) {
    const [w] = this.data.size, sideways = this.data.orientation === "LR";
    const room = sideways ? this.data.apart - 10 : w + 8, font = this.font(FACT);
    for (const node of drawn) node.dressEdge(node.row.branch ? twoLines(node.row.branch, room, font) : []);
  }

  setSizes() {
    const { nodes } = this, counts = new Map(), places = new Map();
    for (const node of nodes.values()) counts.set(node.row.parent, (counts.get(node.row.parent) ?? 0) + 1);
    for (const node of nodes.values()) {
      const place = (places.get(node.row.parent) ?? 0) + 1;
      places.set(node.row.parent, place);
      set(node.group, { "aria-posinset": place, "aria-setsize": counts.get(node.row.parent) });
    }
  }

  /* Where one looks from after a change: the node at hand stands still; another tree is fitted. */
  cameraAfter(before, anchor, old) {
    if (before.tree !== this.data.tree || before.cut !== this.data.cut || String(before.room) !== String(this.data.room) || before.orientation !== this.data.orientation || String(before.size) !== String(this.data.size)) return this.homeAt();
    if (anchor === undefined) return this.camera.at;
    const from = old.get(anchor), { row } = this.nodes.get(anchor), { x, y, k } = this.camera.at;
    return { x: x + (from.x - row.x) * k, y: y + (from.y - row.y) * k, k };
  }

  takeSelection(data) {
    if (data.seen < this.sequence) return;
    const moved = this.selected !== data.selected;
    this.selected = this.nodes.has(data.selected) ? data.selected : null;
    if (moved || !this.nodes.has(this.active)) this.active = this.selected ?? this.first;
    if (moved && this.told) this.reveal(this.selected);
    this.told = true;
  }

  /* ------------------------------------------------------------ what is shown */

  /* Branches that fall by this step of the sequence fade; nodes that become leaves say what they answer. */
  fadeTo(step, all = false) {
    if (step === this.step && !all) return;
    this.step = step;
    const alone = step === null || step === undefined;
    for (const node of this.nodes.values()) {
      const { row } = node;
      const fallen = alone ? Boolean(row.ghost) : row.until !== undefined ? row.until <= step : Boolean(row.ghost);
      const shut = alone ? Boolean(row.cut) : row.closes !== undefined && row.closes <= step && !fallen && !row.leaf;
      if (fallen !== node.fallen) {
        node.fallen = fallen;
        for (const part of [node.group, node.edge, node.condition, node.route]) part.classList.toggle("fallen", fallen);
      }
      if (shut !== node.shut) {
        node.shut = shut;
        node.group.classList.toggle("shut", shut);
      }
    }
  }

  showSelection() {
    const path = new Set();
    for (let node = this.nodes.get(this.selected); node; node = this.nodes.get(node.row.parent)) path.add(node.id);
    const parents = new Set([...this.nodes.values()].map((node) => node.row.parent));
    for (const node of this.nodes.values()) {
      const on = path.has(node.id), picked = node.id === this.selected;
      node.group.classList.toggle("path", on);
      node.group.classList.toggle("selected", picked);
      node.group.classList.toggle("active", node.id === this.active);
      node.group.setAttribute("aria-selected", String(picked));
      if (parents.has(node.id)) node.group.setAttribute("aria-expanded", "true");
      else if (node.row.below) node.group.setAttribute("aria-expanded", "false");
      else node.group.removeAttribute("aria-expanded");
      node.edge.classList.toggle("path", on);
    }
    if (this.active !== null) this.stage.setAttribute("aria-activedescendant", `n${this.active}`);
    this.whole.draw();
    this.tools.showActs();
  }

  moved() {
    if (this.data?.nodes) {
      this.map.show();
      this.tools.showActs();
      looks.set(this.data.key, { tree: this.data.tree, cut: this.data.cut, stamp: this.data.stamp, camera: this.camera.at });
    }
  }

  /* ------------------------------------------------------------ camera */

  fitted(least) {
    const { clientWidth, clientHeight } = this.stage, { width, height, orientation } = this.data;
    const tail = orientation === "LR" ? 30 : 0;
    const wide = clientWidth - 2 * MARGIN - tail, high = clientHeight - ABOVE - MARGIN;
    const k = Math.min(wide / width, high / height, this.presenting ? 2.4 : LARGEST);
    if (k >= least) return { k, x: MARGIN + (wide - k * width) / 2, y: ABOVE + (high - k * height) / 2 };
    const root = this.nodes.get(this.first).row;
    const at = (length, room, start, middle) => (least * length <= room ? start + (room - least * length) / 2 : middle);
    const x = at(width, wide, MARGIN, orientation === "LR" ? MARGIN : clientWidth / 2 - least * root.x);
    const y = at(height, high, ABOVE, orientation === "LR" ? clientHeight / 2 - least * root.y : ABOVE);
    return { k: least, x, y };
  }

  homeAt() {
    return this.fitted(this.presenting ? PRESENT : NEAR);
  }

  home() {
    this.camera.look(this.homeAt());
  }

  /* All of it, however small; a second time: back to what can be read. */
  fit() {
    const all = this.fitted(0), now = this.camera.at;
    this.camera.look(Math.abs(all.k - now.k) < 1e-6 && all.k < NEAR ? this.homeAt() : all);
  }

  /* Where it was left on another page, else all of it as far as it can be read. */
  firstLook() {
    const left = looks.get(this.data.key);
    if (!this.stage.clientWidth) {
      this.waitsForRoom = true;
      return;
    }
    if (left && left.tree === this.data.tree && left.cut === this.data.cut) this.camera.look(left.camera);
    else {
      this.fresh = performance.now(); // what stands beside the tree has not arrived yet
      this.home();
    }
  }

  zoom(factor, x, y, gesture) {
    this.fresh = 0;
    this.camera.zoomBy(factor, x, y, gesture);
    for (const other of TreePane.all) if (other !== this && this.data.group && other.data?.group === this.data.group) other.camera.zoomBy(factor);
  }

  reveal(id) {
    const node = this.nodes.get(id);
    if (!node || !this.stage.clientWidth) return;
    const { x, y, k } = this.camera.at, [w, h] = this.data.size, { clientWidth, clientHeight } = this.stage;
    const shift = (middle, half, low, high) => (middle - half < low ? low - middle + half : middle + half > high ? high - middle - half : 0);
    const dx = shift(x + k * node.row.x, (k * w) / 2, 8, clientWidth - 8), dy = shift(y + k * node.row.y, (k * h) / 2, ABOVE, clientHeight - 8);
    if (dx || dy) this.camera.look({ x: x + dx, y: y + dy, k });
  }

  /* ------------------------------------------------------------ what the reader does */

  /* Events are numbered, so that both sides can tell news from echoes. */
  report(kind, more = {}) {
    this.sequence = (this.sequence ?? 0) + 1;
    this.tell({ seq: this.sequence, kind, have: this.data?.stamp ?? null, ...more });
  }

  select(id) {
    if (!this.nodes.has(id) && !this.whole.has(id)) return;
    this.active = id;
    const moved = this.selected !== id;
    this.selected = id;
    this.showSelection();
    if (moved || this.data.calls) this.report("select", { node: id });
  }

  walk(id) {
    if (id === undefined || id === null || !this.nodes.has(id)) return;
    this.active = id;
    this.showSelection();
    this.reveal(id);
  }

  open(id) {
    this.anchor = id;
    this.report("open", { node: id });
  }

  close(id) {
    this.anchor = id;
    this.report("close", { node: id });
  }

  turnOpen(id) {
    const node = this.nodes.get(id);
    if (node?.row.below) this.open(id);
    else if (this.childrenOf(id).length) this.close(id);
  }

  deedsOf(node) {
    const { row } = node, { data } = this, { words } = data, deeds = [];
    const add = (name, act) => deeds.push({ name, text: words.deeds[name][0], title: words.deeds[name][1], act });
    const ask = (name) => () => this.act({ type: name, node: node.id });
    for (const name of row.deeds ?? []) add(name, ask(name));
    if (row.below) add("open", () => this.open(node.id));
    else if (this.childrenOf(node.id).length) add("fold", () => this.close(node.id));
    return deeds;
  }

  cutOrRestore(id) {
    const deed = (this.nodes.get(id)?.row.deeds ?? []).find((name) => name === "cut" || name === "restore");
    if (deed) this.act({ type: deed, node: id });
  }

  calm() {
    this.tools.showHelp(false);
    this.tools.notice.hidden = true;
    this.hover.hide();
  }

  present() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen();
  }

  /* The tree as it grew: the split of the most rows first. */
  play() {
    clearInterval(this.playing);
    const order = [...this.nodes.values()].sort((a, b) => b.row.share - a.row.share || a.row.level - b.row.level);
    const parents = [...new Set(order.map((node) => node.row.parent))].filter((id) => this.nodes.has(id));
    const hide = (node, on) => [node.group, node.edge, node.condition, node.route].forEach((part) => part.classList.toggle("unborn", on));
    order.forEach((node) => hide(node, this.nodes.has(node.row.parent)));
    this.quiet = true;
    this.playing = setInterval(() => {
      const parent = parents.shift();
      if (parent === undefined) {
        clearInterval(this.playing);
        this.quiet = false;
        this.showSelection();
        return;
      }
      this.childrenOf(parent).forEach((node) => hide(node, false));
    }, PLAY);
  }

  /* ------------------------------------------------------------ search */

  find(text) {
    const asked = text.trim().toLowerCase();
    this.found = asked ? [...this.nodes.values()].filter(({ row }) => `${row.title}\n${row.branch ?? ""}\n${row.answer ?? ""}\n#${row.id}`.toLowerCase().includes(asked)) : [];
    const hits = new Set(this.found);
    for (const node of this.nodes.values()) {
      node.group.classList.toggle("hit", hits.has(node));
      node.group.classList.toggle("miss", Boolean(asked) && !hits.has(node));
    }
    this.tools.found.textContent = asked ? `${this.found.length}` : "";
    this.place = -1;
    if (this.found.length) this.nextFound(1);
  }

  nextFound(step) {
    const count = this.found?.length;
    if (!count) return;
    this.place = (this.place + step + count) % count;
    this.walk(this.found[this.place].id);
    this.tools.found.textContent = `${this.place + 1} of ${count}`;
  }

  /* ------------------------------------------------------------ pointer */

  listen() {
    const { stage } = this;
    stage.addEventListener("keydown", (event) => onKey(this, event));
    stage.addEventListener("pointerdown", (event) => this.onDown(event));
    stage.addEventListener("pointermove", (event) => this.onMove(event));
    stage.addEventListener("pointerup", (event) => this.onUp(event));
    stage.addEventListener("pointercancel", () => this.endDrag());
    stage.addEventListener("dblclick", (event) => event.target.closest(".node") || this.fit());
    stage.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
  }

  onDown(event) {
    this.fresh = 0;
    if (event.button !== 0 || event.target.closest(".map")) return;
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, target: event.target, moved: false };
  }

  onMove(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAG) return;
    if (!drag.moved) {
      drag.moved = true;
      this.stage.setPointerCapture(event.pointerId);
      this.stage.classList.add("dragging");
    }
    [drag.x, drag.y] = [event.clientX, event.clientY];
    const { x, y, k } = this.camera.at;
    this.camera.look({ x: x + dx, y: y + dy, k }, true);
  }

  onUp(event) {
    const { drag } = this;
    this.endDrag();
    if (!drag || drag.id !== event.pointerId || drag.moved) return;
    const group = drag.target.closest?.(".node");
    if (!group) return;
    const id = Number(group.dataset.node);
    if (drag.target.closest(".pill")) this.open(id);
    else this.select(id);
  }

  endDrag() {
    this.drag = null;
    this.stage.classList.remove("dragging");
  }

  onWheel(event) {
    this.fresh = 0;
    event.preventDefault();
    const frame = this.stage.getBoundingClientRect(), lines = event.deltaMode === 1 ? 16 : 1;
    const turn = Math.min(Math.max(-event.deltaY * lines, -120), 120);
    this.zoom(Math.exp(turn / 400), event.clientX - frame.left, event.clientY - frame.top, true);
  }
}

TreePane.all = new Set();
