/* One clock for nodes, edges and camera: everything that glides arrives together. */

const LASTS = 160, MANY = 400;

/* A camera on its way from one to another. */
export function between(start, end, q) {
  return { x: start.x + (end.x - start.x) * q, y: start.y + (end.y - start.y) * q, k: start.k + (end.k - start.k) * q };
}

export class Motion {
  /* step(share of the way, eased) draws; done() when at rest. Too many things to move jump. */
  run(count, step, done) {
    cancelAnimationFrame(this.frame);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || count > MANY || document.hidden;
    if (still) {
      step(1);
      done();
      return;
    }
    const start = performance.now();
    const tick = (now) => {
      const t = Math.min(1, Math.max(0, (now - start) / LASTS));
      step(1 - (1 - t) ** 3);
      if (t < 1) this.frame = requestAnimationFrame(tick);
      else done();
    };
    step(0);
    this.frame = requestAnimationFrame(tick);
  }
}
