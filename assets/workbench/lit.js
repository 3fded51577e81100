/* Nodes that light up: those that hold the segments before the line of the skyline; the others step back. */

import { LIT, LIT_ASKED, hear, say } from "./signal.js";

export class Lit {
  constructor(pane) {
    this.pane = pane;
    this.told = null;
  }

  enter() {
    this.deaf ??= hear((told) => this.take(told), LIT);
    say(null, LIT_ASKED);
  }

  leave() {
    this.deaf?.();
    this.deaf = null;
    this.take(null);
  }

  take(told) {
    if (told?.ways !== this.told?.ways) this.spans = null;
    this.told = told;
    this.show();
  }

  /* The nodes are others now. */
  renew() {
    this.spans = null;
    if (!this.told) return;
    this.shown = new Map([...this.pane.nodes.keys()].map((id) => [id, "unknown"]));
    this.show();
  }

  /* Of every node the first and the last of the segments that lie in it or below it. */
  find() {
    const spans = new Map();
    this.told.ways.forEach((way, i) => {
      for (const id of way) spans.set(id, [spans.get(id)?.[0] ?? i, i]);
    });
    return spans;
  }

  show() {
    const { pane, told } = this, on = Boolean(told && told.begun);
    pane.root.classList.toggle("has-lit", on);
    if (!told) {
      if (this.shown?.size) for (const node of pane.nodes.values()) this.mark(node, "");
      pane.whole.light(() => "");
      return;
    }
    this.spans ??= this.find();
    for (const node of pane.nodes.values()) this.mark(node, this.lookOf(node.id));
    pane.whole.light((id) => this.lookOf(id));
  }

  /* "lit" where all segments in it lie before the line, "lit some" where a part of them does. */
  lookOf(id) {
    const { told } = this, span = told?.begun ? this.spans?.get(id) : null, last = told?.begun - (told?.part ? 1 : 0);
    return !span || span[0] >= told.begun ? "" : span[1] < last ? "lit" : "lit some";
  }

  /* Only what has changed is touched: the line moves many times a second. */
  mark(node, look) {
    this.shown ??= new Map();
    if ((this.shown.get(node.id) ?? "") === look) return;
    this.shown.set(node.id, look);
    for (const part of [node.group, node.edge]) {
      part.classList.toggle("lit", look !== "");
      part.classList.toggle("some", look === "lit some");
    }
  }
}
