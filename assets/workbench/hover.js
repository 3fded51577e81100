/* What a node is, in a small card beside the pointer: its sentence, its mix, and where its threshold lies. */

import { html, svg } from "./make.js";
import { splitPicture } from "./split_picture.js";

const WAIT = 260, WIDE = 232, HIGH = 62;

export class Hover {
  constructor(pane) {
    this.pane = pane;
    this.element = html("div", "hover");
    this.element.hidden = true;
    pane.stage.addEventListener("pointermove", (event) => this.over(event));
    pane.stage.addEventListener("pointerleave", () => this.hide());
    pane.stage.addEventListener("pointerdown", () => this.hide());
  }

  over(event) {
    const id = Number(event.target.closest?.(".node")?.dataset.node ?? NaN);
    if (event.buttons || Number.isNaN(id)) return this.hide();
    if (id === this.id) return undefined;
    this.hide();
    this.id = id;
    const at = { x: event.clientX, y: event.clientY };
    this.waiting = setTimeout(() => this.show(this.pane.nodes.get(id), at), WAIT);
    return undefined;
  }

  hide() {
    clearTimeout(this.waiting);
    this.id = undefined;
    this.element.hidden = true;
  }

  show(node, at) {
    if (!node) return;
    const { row } = node, parts = [html("strong", "", row.title)];
    for (const line of row.told ?? [row.label]) parts.push(html("p", "", line));
    if (row.histogram) parts.push(this.histogram(row.histogram));
    this.element.replaceChildren(...parts);
    this.element.hidden = false;
    const frame = this.pane.stage.getBoundingClientRect(), { offsetWidth, offsetHeight } = this.element;
    const left = Math.min(at.x - frame.left + 14, frame.width - offsetWidth - 6);
    const under = at.y - frame.top + 16, top = under + offsetHeight > frame.height - 4 ? at.y - frame.top - offsetHeight - 12 : under;
    this.element.style.transform = `translate(${Math.max(6, left)}px, ${Math.max(6, top)}px)`;
  }

  histogram(found) {
    const high = HIGH + 16;
    return svg("svg", { class: "histogram", width: WIDE, height: high, viewBox: `0 0 ${WIDE} ${high}` }, splitPicture(this.pane, found, WIDE, HIGH, true));
  }
}
