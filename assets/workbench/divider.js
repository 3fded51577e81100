/* The divider between the tree and what stands beside it: dragged or moved by keys, told when it is let go. */

const LEAST = 20, MOST = 78, STEP = 2; // percent of the row that the drawer takes
const KEYS = { ArrowLeft: (at) => at + STEP, ArrowRight: (at) => at - STEP, Home: () => MOST, End: () => LEAST };
const page = document.documentElement;

/* Percent of the row that lie at the right of this place: settings at the left have their own room. */
function shareFrom(x) {
  const { right, width } = document.querySelector(".st-key-bench_row").getBoundingClientRect();
  return (100 * (right - x)) / width;
}

export class Divider {
  constructor(bar) {
    this.bar = bar;
    bar.addEventListener("pointerdown", (event) => {
      if (event.button || !event.isPrimary) return;
      bar.setPointerCapture(event.pointerId);
      this.held = true;
      event.preventDefault();
      bar.focus();
    });
    bar.addEventListener("pointermove", (event) => {
      if (this.held) this.place(shareFrom(event.clientX));
    });
    for (const kind of ["pointerup", "pointercancel"]) bar.addEventListener(kind, () => this.release());
    bar.addEventListener("dblclick", () => this.tell(0));
    bar.addEventListener("keydown", (event) => {
      const to = KEYS[event.key];
      if (!to && event.key !== "Enter") return;
      event.preventDefault();
      if (!to) return this.tell(0);
      this.place(to(this.at));
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.tell(this.at), 400); // keys held down are one move
    });
  }

  update({ share, words }) {
    Object.assign(this.bar, { title: words });
    this.bar.setAttribute("aria-label", words);
    if (this.held || this.waiting) return;
    if (share) this.place(100 * share);
    else {
      this.free();
      const drawer = document.querySelector(".st-key-drawer");
      this.mark(drawer ? shareFrom(drawer.getBoundingClientRect().left) : LEAST);
    }
  }

  place(percent) {
    const at = Math.min(MOST, Math.max(LEAST, percent));
    this.mark(at);
    page.style.setProperty("--drawer-width", `${at.toFixed(2)}%`);
  }

  mark(at) {
    this.at = at;
    for (const [name, value] of [["min", LEAST], ["max", MOST], ["now", Math.round(at)]]) this.bar.setAttribute(`aria-value${name}`, value);
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.tell(this.at);
  }

  /* 0: the page's own width. */
  tell(percent) {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.take?.(Number((percent / 100).toFixed(4)));
  }

  free() {
    page.style.removeProperty("--drawer-width");
  }

  leave() {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.free();
  }
}
