/* The tree as it grew: what is still to come is out of sight, or a ghost where it will stand. */

import { Flights } from "./flights.js";

const PACE = 900;

export class Growth {
  constructor(pane) {
    this.pane = pane;
    this.flights = new Flights(pane);
  }

  /* What the reader has just asked for comes before what Python knew. */
  update(data) {
    if (data.made === undefined) return;
    const before = this.made;
    if (this.made === undefined || data.seen >= this.pane.sequence) this.made = data.made;
    if (before !== this.made && this.pane.room.presenting) this.pane.views.byHand = false; // every step is in view
    if (before !== this.made) this.flights.begin(this.made);
    this.show();
    this.pane.views.follow();
  }

  show() {
    for (const node of this.pane.nodes.values()) {
      const { born, parts } = node.row, coming = born > this.made, ghost = coming && this.pane.data.coming;
      node.unborn = coming && !ghost;
      node.unparted = parts > this.made;
      for (const part of node.parts()) {
        part.classList.toggle("unborn", node.unborn);
        part.classList.toggle("fallen", ghost);
      }
      node.pill?.classList.toggle("unborn", node.unparted);
      node.group.classList.toggle("shut", node.unparted && !node.row.leaf && !coming);
      node.fallen = node.shut = undefined; // whoever fades by size looks anew
    }
  }

  /* So many splits more. */
  step(by) {
    const { pane } = this, next = Math.min(Math.max(this.made + by, 0), pane.data.splits);
    if (next === this.made) return;
    this.made = next;
    this.flights.begin(next);
    this.show();
    this.pane.views.follow();
    pane.report("made", { made: next });
  }

  /* Split after split, until the tree is grown or somebody says stop; false where nothing grows. */
  play() {
    if (this.pane.data.made === undefined) return false;
    if (this.playing) this.stop();
    else this.playing = setInterval(() => (this.pane.root.isConnected && this.made < this.pane.data.splits ? this.step(1) : this.stop()), PACE);
    return true;
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
  }
}
