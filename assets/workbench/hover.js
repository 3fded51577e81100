/* What a node is, in a small card beside the pointer: its sentence, its mix, and where its threshold lies. */

import { html, label, svg } from "./make.js";

const WAIT = 260, WIDE = 232, HIGH = 56;

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

  /* Rows by value, parted by class, and the thresholds of the split. */
  histogram({ bins, thresholds, low, high }) {
    const most = Math.max(...bins.map((bin) => bin.reduce((sum, n) => sum + n, 0)), 1), wide = WIDE / bins.length;
    const picture = svg("svg", { class: "histogram", width: WIDE, height: HIGH + 16, viewBox: `0 0 ${WIDE} ${HIGH + 16}` });
    bins.forEach((bin, i) => {
      let y = HIGH;
      bin.forEach((n, c) => {
        if (!n) return;
        const high = (HIGH - 4) * (n / most);
        y -= high;
        const part = svg("rect", { x: (i * wide).toFixed(1), y: y.toFixed(1), width: Math.max(1, wide - 1).toFixed(1), height: high.toFixed(1) });
        part.setAttribute("fill", this.pane.data.classes.length ? this.pane.colors.fill(c) : "var(--muted)");
        picture.append(part);
      });
    });
    for (const share of thresholds) picture.append(svg("line", { class: "threshold", x1: share * WIDE, x2: share * WIDE, y1: 0, y2: HIGH }));
    picture.append(label({ x: 0, y: HIGH + 13 }, low), label({ x: WIDE, y: HIGH + 13, "text-anchor": "end" }, high));
    return picture;
  }
}
