/* The room of the pane: as high as the window allows, and how much of it there is, told to Python. */

import { NEAR } from "./camera.js";
import { html } from "./make.js";

export const PRESENT = 1.36; // at this scale text is at least 16 px high
const TIGHT = 760; // pixels on which the buttons stand close
const PAPER = 12; // pixels around the drawing on a printed page
const SETTLED = 250, LOST = 1500, MOVING = 600, SETTINGS = "[data-testid=stSidebar][data-collapsed=false], .st-key-costs_editors";

let settings = 0; // that were open at the side of the trees or over them as they were last fitted

export class Room {
  constructor(pane) {
    this.pane = pane;
    this.free = html("div", "free"); // as wide as the part of the stage that nothing lies over
    this.lost = 0; // words about this room, one after the other
    this.fill = () => this.fillWindow();
    this.print = () => this.toPaper();
    this.printed = () => this.fromPaper();
  }

  enter() {
    window.addEventListener("resize", this.fill);
    document.addEventListener("fullscreenchange", this.fill);
    window.addEventListener("beforeprint", this.print);
    window.addEventListener("afterprint", this.printed);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.pane.stage);
    this.sizes.observe(this.free);
    this.above = new ResizeObserver(() => this.risen());
    const page = this.pane.root.getRootNode().host?.closest("[data-testid=stMainBlockContainer]");
    if (page) this.above.observe(page.firstElementChild);
    this.divider = new MutationObserver(() => this.mark()); // it may come after all sizes are what they will be
    this.divider.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
    this.fillWindow();
  }

  leave() {
    window.removeEventListener("resize", this.fill);
    document.removeEventListener("fullscreenchange", this.fill);
    window.removeEventListener("beforeprint", this.print);
    window.removeEventListener("afterprint", this.printed);
    this.sizes?.disconnect();
    this.sizes = null;
    this.above?.disconnect();
    this.divider?.disconnect();
    clearTimeout(this.waiting);
    clearTimeout(this.retrying);
  }

  /* All of the drawing on the sheet, as wide as that is; the camera stays where it is. */
  toPaper() {
    const { picture, drawing, views, data, whole, camera } = this.pane;
    if (!data) return;
    camera.onPaper = true;
    const isTree = data.shape === "tree", { left, top, width, height } = views.extent, tail = views.tail;
    const [x, y, w, h] = isTree ? [left - PAPER, top - PAPER, width + tail + 2 * PAPER, height + 2 * PAPER] : [0, 0, this.wide, this.pane.stage.clientHeight];
    const shown = isTree ? picture : whole.picture;
    shown.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    this.pane.root.style.setProperty("--printed", `${w} / ${h}`);
    if (isTree) drawing.world.setAttribute("transform", "");
    picture.setAttribute("class", "picture near");
  }

  fromPaper() {
    const { picture, camera, whole } = this.pane;
    for (const shown of [picture, whole.picture]) shown.removeAttribute("viewBox");
    camera.onPaper = false;
    camera.zoom = undefined; // the class of its size is written anew
    camera.draw();
  }

  get wide() {
    return this.free.clientWidth;
  }

  get presenting() {
    const { root, data } = this.pane;
    return Boolean(data?.presenting) || root.getRootNode().fullscreenElement === root || document.fullscreenElement === root.getRootNode().host;
  }

  /* As Python is told it: whoever has not heard of this window will lay the tree out anew. */
  get window() {
    const own = this.pane.root.getRootNode().host?.dataset.room; // of a cell in a notebook
    return `${window.innerWidth} ${window.innerHeight} ${this.presenting} ${settings} ${this.divided}${own ? ` ${own}` : ""}`;
  }

  /* Where the divider was let go: a tree whose room it changed is laid out anew. */
  get divided() {
    const drawer = document.querySelector(".st-key-drawer"), set = document.documentElement.style.getPropertyValue("--drawer-width");
    return drawer ? set : "";
  }

  /* The drawer beside the pane reads the same number. */
  fillWindow() {
    const { root, data } = this.pane;
    if (data?.staged) root.style.height = "100%";
    else if (data?.pixels && !this.presenting) {
      const { pixels } = data; // or a share of the window
      root.style.height = `${pixels > 1 ? pixels : Math.floor(window.innerHeight * pixels)}px`;
    } else {
      const full = document.fullscreenElement && root.getRootNode().fullscreenElement === root;
      const top = full ? 0 : root.getBoundingClientRect().top;
      this.top = top;
      const high = Math.max(data?.least ?? 260, Math.floor(window.innerHeight - Math.max(top, 0)));
      root.style.height = `${high}px`;
      root.style.minHeight = data?.least ? `${data.least}px` : "";
      document.documentElement.style.setProperty("--bench-height", `${high}px`);
    }
    this.mark();
    this.wait();
  }

  /* Until Python has laid the tree out for this window, and for the settings at its side unless it was moved by hand. */
  mark() {
    const { data, views } = this.pane;
    if (!data) return;
    if (!views.byHand) settings = document.querySelectorAll(SETTINGS).length;
    if (!this.fits() && this.told !== this.window) this.wait();
  }

  fits() {
    const { root, data } = this.pane, fits = data.window === this.window;
    root.toggleAttribute("data-unfitted", !fits);
    if (fits) this.lost = 0;
    return fits;
  }

  wait() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.report(), SETTLED);
  }

  /* What stood above, as the page before this one while it went, is gone: the window below it is free. */
  risen() {
    const { data, root } = this.pane;
    if (data && this.top !== undefined && Math.abs(root.getBoundingClientRect().top - this.top) > 1) this.fillWindow();
  }

  /* The page around the pane is presented, or no longer: what was over it goes a moment later. */
  present() {
    const { root, views } = this.pane;
    root.classList.toggle("presenting", this.presenting);
    if (this.presenting) views.setAside();
    const until = performance.now() + MOVING, again = () => {
      if (!this.sizes) return;
      this.fillWindow();
      if (performance.now() < until) requestAnimationFrame(again);
      else {
        views.home();
        if (!views.before) views.reveal(this.pane.selected);
      }
    };
    again();
  }

  resized() {
    const { pane } = this;
    if (!pane.stage.clientWidth || !pane.data) return;
    pane.root.classList.toggle("tight", this.wide < TIGHT);
    this.mark();
    pane.views.resized();
    pane.legend.fit();
    pane.whole.draw();
    pane.moved();
  }

  /* Python chooses how many nodes are shown by the room there is; a drawer that opens is no reason to choose anew,
     settings that open are one unless somebody has moved the tree. */
  report() {
    const { stage, data } = this.pane;
    if (!stage.clientWidth || !data) return;
    if (document.querySelector("[data-test-script-state=running]")) { // a word now would stop the page half drawn
      this.wait();
      return;
    }
    const scale = this.presenting ? PRESENT : NEAR;
    const room = [Math.round(this.wide / scale), Math.round(stage.clientHeight / scale)];
    const now = this.window, news = this.told !== now;
    this.told = now;
    const fits = this.fits();
    if (fits) this.lookAgain(LOST, now); // the drawer of the page before this one may only now be gone
    if (fits || !news) return; // the divider may have come to its place without a pixel's move
    this.pane.report("room", { room, window: now });
    this.lookAgain(LOST * 2 ** this.lost++); // a word that came while another was heard may be lost: ever less often
  }

  lookAgain(delay, told = undefined) {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      this.told = told;
      this.mark();
    }, delay);
  }
}
