/* The tree on its canvas, with the dock under it. Python says what is shown and where it stands; everything that
   only looks at it happens here. This holds the parts together; each has a module of its own. */

import { Acts } from "./acts.js";
import { Camera, NEAR, STAGED } from "./camera.js";
import { Chosen } from "./chosen.js";
import { Colors } from "./colors.js";
import { Dock } from "./dock.js";
import { Drawing } from "./drawing.js";
import { Growth } from "./growth.js";
import { Hover } from "./hover.js";
import { onKey } from "./keys.js";
import { Legend } from "./legend.js";
import { Stream } from "./life.js";
import { Lit } from "./lit.js";
import { html, set, svg } from "./make.js";
import { Overview } from "./map.js";
import { Pointer } from "./pointer.js";
import { Preview } from "./preview.js";
import { Room } from "./room.js";
import { save } from "./save.js";
import { Search } from "./search.js";
import { hear, STEP } from "./signal.js";
import { tellApart, widthOf } from "./text.js";
import { Tools } from "./tools.js";
import { Views } from "./views.js";
import { Whole } from "./whole.js";

/* What was drawn, by its stamp: Python need not send again what is here. */
const drawings = new Map();
const MOST_KEPT = 8;

export class TreePane {
  constructor(root) {
    this.root = root;
    this.nodes = new Map();
    this.stage = html("div", "stage");
    set(this.stage, { role: "tree", tabindex: 0, "aria-multiselectable": "false" });
    this.drawing = new Drawing(this);
    this.preview = new Preview(this);
    this.drawing.world.append(this.preview.group);
    this.picture = svg("svg", { class: "picture near", role: "none" }, this.drawing.world);
    this.camera = new Camera(this.stage, this.picture, this.drawing.world, () => this.moved());
    this.room = new Room(this);
    this.views = new Views(this);
    this.chosen = new Chosen(this);
    this.search = new Search(this);
    this.map = new Overview(this);
    this.legend = new Legend(this);
    this.tools = new Tools(this);
    this.acts = new Acts(this);
    this.hover = new Hover(this);
    this.dock = new Dock(this);
    this.growth = new Growth(this);
    this.whole = new Whole(this);
    this.lit = new Lit(this);
    this.stream = new Stream(this);
    this.pointer = new Pointer(this);
    this.stage.addEventListener("keydown", (event) => onKey(this, event));
    const { bar, tag, notice, help } = this.tools;
    this.canvas = html("div", "canvas");
    this.canvas.append(this.stage, this.room.free, tag, bar, this.acts.leader, this.acts.element, notice, help, this.hover.element);
    this.stage.append(this.picture, this.whole.element, this.map.element);
    root.append(this.canvas, this.legend.element, this.dock.element);
  }

  enter() {
    this.room.enter();
    this.preview.enter();
    this.unhear = hear((step) => this.data?.follows && this.drawing.fadeTo(step), STEP);
    this.lit.enter();
  }

  leave() {
    this.room.leave();
    this.preview.leave();
    this.unhear?.();
    this.lit.leave();
    this.growth.flights.leave();
    this.stream.stop();
  }

  /* ------------------------------------------------------------ data from Python */

  update(given) {
    const data = this.complete(given);
    if (!data) {
      this.report("need");
      return;
    }
    const before = this.data;
    this.data = data;
    this.count(data);
    this.paint(data, before);
    this.camera.near = data.staged ? STAGED : NEAR;
    if (data.pixels !== before?.pixels) this.room.fillWindow();
    if (Boolean(data.presenting) !== Boolean(before?.presenting)) this.room.present();
    this.stage.setAttribute("aria-label", data.tag ? `${data.words.tree}, ${data.tag}` : data.words.tree);
    this.stage.dataset.testid = data.mark ?? "tree";
    tellApart(data.differ);
    this.tools.update(data);
    this.dock.update(data.dock);
    this.root.classList.toggle("slim", Boolean(data.slim));
    this.root.classList.toggle("lr", data.orientation === "LR");
    if (!before || before.stamp !== data.stamp || before.session !== data.session) {
      if (before) this.stream.stop();
      this.drawing.take(before);
    }
    this.chosen.take(data);
    this.search.take(data);
    if (data.seen >= this.sequence || !before) this.drawing.fadeTo(data.dock?.chosen ?? data.follows?.chosen ?? null, true);
    this.growth.update(data);
    this.preview.settle(data.maybe ?? null);
    this.whole.update(data);
    this.chosen.show();
    this.drawing.spread([this, ...this.others()]);
    this.views.matchOthers();
    this.lit.renew();
    this.stream.take(data);
    this.tools.tell(data.notice);
    this.obey(data.command);
    this.room.mark();
  }

  /* With the nodes, which Python sends only once. */
  complete(data) {
    if (data.nodes) {
      drawings.set(data.stamp, data.nodes);
      if (drawings.size > MOST_KEPT) drawings.delete(drawings.keys().next().value);
      return data;
    }
    return drawings.has(data.stamp) ? { ...data, nodes: drawings.get(data.stamp) } : null;
  }

  /* Events are numbered, so that both sides can tell news from echoes; a new session counts anew. */
  count(data) {
    this.session ??= data.session;
    if (data.session !== this.session) [this.session, this.sequence] = [data.session, data.seen];
    this.sequence ??= data.seen;
  }

  paint(data, before) {
    this.shades = data.groups ? new Colors(data.groups.colors, 0) : null;
    if (this.colors && before.classes.length === data.classes.length && String(before.colors) === String(data.colors)) return;
    this.colors = new Colors(data.colors, data.classes.length);
    this.picture.querySelector("defs")?.remove();
    this.picture.prepend(this.colors.defs);
  }

  /* Something is to be done once: save the picture as a file. */
  obey(command) {
    if (command && command.id !== this.commanded) {
      if (this.commanded !== undefined || command.fresh) save(this, command.kind, command.name);
      this.commanded = command.id;
    }
    if (this.commanded === undefined) this.commanded = null;
  }

  report(kind, more = {}) {
    this.sequence = (this.sequence ?? 0) + 1;
    this.tell({ seq: this.sequence, kind, have: this.data?.stamp ?? null, ...more });
  }

  /* ------------------------------------------------------------ for the parts */

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

  /* Panes that are looked at together with this one. */
  others() {
    return [...TreePane.all].filter((other) => other !== this && this.data.group && other.data?.group === this.data.group);
  }

  moved() {
    if (!this.data?.nodes) return;
    this.map.show();
    this.acts.show();
    this.views.keep();
  }

  calm() {
    this.tools.showHelp(false);
    this.tools.notice.hidden = true;
    this.hover.hide();
  }

  present() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
      return;
    }
    this.views.setAside();
    this.root.requestFullscreen();
  }
}

TreePane.all = new Set();
