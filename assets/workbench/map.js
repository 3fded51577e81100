/* The whole drawing in a corner, once it is too large to be seen at a glance. */

import { set, svg } from "./make.js";

export class Overview {
  constructor(pane) {
    this.pane = pane;
    this.element = svg("svg", { class: "map", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.frame = svg("rect", { class: "frame" });
    for (const name of ["pointerdown", "pointermove"]) this.element.addEventListener(name, (event) => this.press(event));
    this.element.addEventListener("dblclick", (event) => event.stopPropagation());
  }

  draw() {
    const { data, nodes } = this.pane;
    this.element.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
    this.element.replaceChildren(...[...nodes.values()].map((node) => {
      const [w, h] = node.size, block = svg("rect", { x: node.row.x - w / 2, y: node.row.y - h / 2, width: w, height: h });
      block.style.fill = node.tint();
      return block;
    }), this.frame);
    this.show();
  }

  show() {
    const { pane } = this, { data, stage } = pane;
    if (!data.nodes) return;
    const { x, y, k } = pane.camera.at, left = -x / k, top = -y / k, wide = stage.clientWidth / k, high = stage.clientHeight / k;
    const whole = left <= 1 && top <= 1 && left + wide >= data.width - 1 && top + high >= data.height - 1;
    this.element.classList.toggle("unneeded", whole || pane.nodes.size < 60);
    const x0 = Math.max(left, 0), y0 = Math.max(top, 0);
    set(this.frame, { x: x0, y: y0, width: Math.max(0, Math.min(left + wide, data.width) - x0), height: Math.max(0, Math.min(top + high, data.height) - y0) });
  }

  press(event) {
    event.stopPropagation();
    if (!(event.buttons & 1)) return;
    const box = this.element.getBoundingClientRect(), { data, stage, camera } = this.pane, { k } = camera.at;
    const px = ((event.clientX - box.left) / box.width) * data.width, py = ((event.clientY - box.top) / box.height) * data.height;
    camera.look({ x: stage.clientWidth / 2 - k * px, y: stage.clientHeight / 2 - k * py, k }, true);
  }
}
