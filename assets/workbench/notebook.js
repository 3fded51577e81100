/* A tree in a notebook: its canvas, and beside it what is known of the selected node. Python and this script hear of
   each other through the model of the widget, whoever shows it: Jupyter, VS Code, Colab, marimo. */

import { html } from "./make.js";
import { NodeDrawer } from "./node_drawer.js";
import { TreePane } from "./pane.js";

let views = 0; // a widget may be shown several times in one page

export default function (styles) {
  return { render: ({ model, el }) => new View(model, el, styles).leaver };
}

class View {
  constructor(model, element, styles) {
    this.model = model;
    this.name = `${Date.now()} ${views++}`;
    this.host = html("div", "treecore-view");
    this.host.dataset.lmSuppressShortcuts = "true"; // letters typed here are no commands of JupyterLab
    element.append(this.host);
    this.root = html("div", "bench");
    this.frame = html("div", "notebook");
    this.parts = html("div", "parts");
    const side = html("div", "side");
    this.parts.append(this.root, side);
    this.frame.append(this.parts);
    this.host.attachShadow({ mode: "open" }).append(html("style", "", styles), this.frame);
    this.drawer = new NodeDrawer(side, (kind, more) => this.send({ kind, ...more }));
    this.taken = () => this.take();
    this.frame.addEventListener("wheel", (event) => this.scroll(event), { capture: true });
    this.frame.addEventListener("keydown", (event) => event.stopPropagation());
    this.waiting = new ResizeObserver(() => (this.pane ? this.measure() : this.begin()));
    this.waiting.observe(this.host);
    this.leaver = () => this.leave();
  }

  send(content) {
    this.model.send({ ...content, view: this.name });
  }

  /* Fonts and room are known once the cell is in the page. */
  begin() {
    if (!this.host.clientWidth) return;
    this.pane = new TreePane(this.root);
    this.root.pane = this.pane;
    this.pane.tell = (value) => (value.kind === "room" && !this.leads ? undefined : this.send(value));
    this.pane.act = ({ type, node }) => this.send({ kind: "act", type, node });
    TreePane.all.add(this.pane);
    for (const name of ["_drawing", "_state"]) this.model.on(`change:${name}`, this.taken);
    this.take();
    if (this.pane.data) this.pane.enter();
  }

  take() {
    const drawing = this.model.get("_drawing"), state = this.model.get("_state"), { pane } = this;
    if (!drawing || !state || drawing.stamp !== state.stamp) return; // the other half is on its way
    const mine = state.view === this.name, first = !pane.data;
    if (!mine && !first) pane.sequence = state.seen; // another view of the tree was used: all of it is news here
    const { drawer, height, ...more } = state, led = this.leads;
    this.leads = mine || !state.view;
    this.shut = !drawer.tab;
    this.frame.style.height = `${height}px`;
    pane.update({ ...drawing, ...more, key: `${state.key} ${this.name}`, pixels: this.narrow ? height * 0.58 : height });
    this.drawer.update(drawer, `${state.key} ${this.name}`);
    this.measure();
    if (this.leads && !led) { // laid out for the room of another view, as yet
      pane.room.told = undefined;
      pane.room.mark();
    }
    if (mine) this.echo(state.count);
  }

  /* The tree is laid out for this room: of the view that was used last, where there are several. */
  measure() {
    const room = `${this.host.clientWidth}${this.shut ? " alone" : ""}`;
    if (this.host.dataset.room === room) return;
    this.host.dataset.room = room;
    this.pane.room.mark();
  }

  /* Says that what was done here has its answer: marimo runs the cells that depend on it then. */
  echo(count) {
    if (this.model.get("_heard") === count) return;
    this.model.set("_heard", count);
    this.model.save_changes();
  }

  get narrow() {
    return getComputedStyle(this.parts).flexDirection === "column";
  }

  /* The wheel goes on through the notebook until somebody has turned to the tree. */
  scroll(event) {
    const turned = this.root.contains(this.host.shadowRoot.activeElement);
    if (this.root.contains(event.target) && !turned && !event.ctrlKey) event.stopPropagation();
  }

  leave() {
    this.waiting.disconnect();
    for (const name of ["_drawing", "_state"]) this.model.off(`change:${name}`, this.taken);
    if (!this.pane) return;
    TreePane.all.delete(this.pane);
    this.drawer.leave();
    this.pane.leave();
  }
}
