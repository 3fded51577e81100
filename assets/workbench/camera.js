/* Where one looks from. Large trees are moved as a picture while the hand moves, and drawn anew when it rests. */

import { clamp } from "./make.js";

/* From here on text of cards is at least 11 px high; from there on that of chips is. */
export const NEAR = 0.92;
export const MIDDLE = 0.46;
const ROOMY = 0.69; // and of the small letters of chips
export const STAGED = 0.7; // a card on a stage is still one, on a telephone, too
const LEAST = 0.02, MOST = 4, HEAVY = 160, REST = 140;

export class Camera {
  constructor(stage, picture, world, moved) {
    Object.assign(this, { stage, picture, world, moved });
    this.at = { x: 0, y: 0, k: 1 };
    this.drawn = this.at;
    this.nodes = 0;
    this.onPaper = false;
    this.near = NEAR; // from here on cards are shown
  }

  /* Look from here; by hand: as a gesture, which may be drawn in two steps. */
  look(at, gesture = false) {
    this.at = at;
    if (gesture && this.nodes > HEAVY) this.slide();
    else this.draw();
    this.moved();
  }

  slide() {
    const { at, drawn } = this, r = at.k / drawn.k;
    this.picture.style.willChange = "transform";
    this.picture.style.transformOrigin = "0 0";
    this.picture.style.transform = `translate(${at.x - drawn.x * r}px, ${at.y - drawn.y * r}px) scale(${r})`;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.draw(), REST);
  }

  draw() {
    clearTimeout(this.waiting);
    if (this.onPaper) return; // all of the drawing is shown there, wherever one looks from
    const { x, y, k } = this.at;
    this.drawn = this.at;
    this.picture.style.transform = this.picture.style.willChange = "";
    this.world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${k.toFixed(4)})`);
    const zoom = k >= this.near ? "near" : k >= ROOMY ? "middle roomy" : k >= MIDDLE ? "middle" : "far";
    if (zoom !== this.zoom) {
      this.zoom = zoom;
      this.picture.setAttribute("class", `picture ${zoom}`);
    }
  }

  zoomBy(factor, px = this.stage.clientWidth / 2, py = this.stage.clientHeight / 2, gesture = false) {
    const { x, y, k } = this.at, next = clamp(k * factor, LEAST, MOST), r = next / k;
    this.look({ x: px - (px - x) * r, y: py - (py - y) * r, k: next }, gesture);
  }
}
