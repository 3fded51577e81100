/* What another split would make of a node, drawn at the node for as long as somebody points at that split. */

import { svg } from "./make.js";
import { FACT, NodeView } from "./node.js";
import { hear } from "./signal.js";
import { twoLines } from "./text.js";

const GAP = 9;

export class Preview {
  constructor(pane) {
    this.pane = pane;
    this.ghosts = []; // of the split that stays, which are in view like nodes
    this.group = svg("g", { class: "preview", "aria-hidden": "true" });
  }

  enter() {
    this.deaf ??= hear((told) => this.show(told));
  }

  leave() {
    this.deaf?.();
    this.deaf = null;
    this.show(null);
  }

  /* A split that a lesson talks of stays until the lesson goes on. */
  settle(told = null) {
    if (!told && !this.stays) return;
    this.stays = told;
    this.show(null);
    this.ghosts = this.drawn;
    this.pane.views.follow();
  }

  /* told.of: the one tree that it is about, where a page has several. */
  show(asked) {
    const told = asked ?? this.stays;
    if (told?.of !== undefined && told.of !== this.pane.data?.key) return;
    const { pane } = this, node = told && told.branches.length ? pane.nodes.get(told.node) : null;
    this.group.replaceChildren();
    this.drawn = [];
    for (const other of pane.nodes.values()) {
      const aside = Boolean(node) && other !== node && this.isBelow(other, node);
      for (const part of other.parts()) part.classList.toggle("aside", aside);
    }
    if (node) this.draw(node, told.branches);
  }

  isBelow(other, node) {
    for (let at = other; at; at = this.pane.nodes.get(at.row.parent)) if (at === node) return true;
    return false;
  }

  draw(node, branches) {
    const { pane } = this, { data } = pane, [w, h] = data.size, wide = data.orientation === "LR", font = pane.font(FACT);
    const room = wide ? data.apart - 10 : w + 8;
    branches.forEach((row, i) => {
      const off = (i - (branches.length - 1) / 2) * ((wide ? h : w) + 2 * GAP);
      const x = node.x + (wide ? w + data.apart : off), y = node.y + (wide ? off : (node.size[1] + h) / 2 + data.apart), ghost = new NodeView({ ...row, x, y }, pane);
      ghost.move(x, y);
      ghost.connect(node);
      ghost.dressEdge(row.branch ? twoLines(row.branch, room, font, row.levels, row.n_levels) : []);
      ghost.group.classList.add("maybe");
      ghost.group.removeAttribute("id");
      this.drawn.push(ghost);
      this.group.append(ghost.edge, ghost.condition, ghost.group);
    });
  }
}
