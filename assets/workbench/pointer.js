/* The pointer on the tree: a press that does not move selects or opens, one that moves takes the picture along. */

const DRAG = 4;

export class Pointer {
  constructor(pane) {
    this.pane = pane;
    const { stage } = pane;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", () => this.end());
    stage.addEventListener("dblclick", (event) => event.target.closest(".node") || pane.views.fit());
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  down(event) {
    this.pane.views.arrived();
    if (event.button !== 0 || event.target.closest(".map")) return;
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, target: event.target, moved: false };
  }

  move(event) {
    const { drag } = this, { stage, camera, data } = this.pane;
    if (!drag || drag.id !== event.pointerId) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAG) return;
    if (data.staged && event.pointerType === "touch") { // a swipe there walks on
      drag.moved = true;
      return;
    }
    if (!drag.moved) {
      drag.moved = true;
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("dragging");
    }
    [drag.x, drag.y] = [event.clientX, event.clientY];
    const { x, y, k } = camera.at;
    camera.look({ x: x + dx, y: y + dy, k }, true);
  }

  up(event) {
    const { drag, pane } = this;
    this.end();
    if (!drag || drag.id !== event.pointerId || drag.moved) return;
    const group = drag.target.closest?.(".node");
    if (!group) return;
    const id = Number(group.dataset.node);
    if (drag.target.closest(".pill")) pane.chosen.open(id);
    else pane.chosen.select(id);
  }

  end() {
    this.drag = null;
    this.pane.stage.classList.remove("dragging");
  }

  wheel(event) {
    event.preventDefault();
    const frame = this.pane.stage.getBoundingClientRect(), lines = event.deltaMode === 1 ? 16 : 1;
    const turn = Math.min(Math.max(-event.deltaY * lines, -120), 120);
    this.pane.views.zoom(Math.exp(turn / 400), event.clientX - frame.left, event.clientY - frame.top, true);
  }
}
