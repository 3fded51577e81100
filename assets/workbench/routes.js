/* The way of rows without a value: beside the edge of the branch that took them, on its outer side. */

const PARTS = 20;

/* ends : [x0, y0, x1, y1] of an edge. sideways : does it leave to the right? by : pixels beside it. */
export function beside([x0, y0, x1, y1], sideways, by) {
  const side = (sideways ? y1 < y0 : x1 >= x0) ? 1 : -1, points = [];
  for (let i = 0; i <= PARTS; i += 1) {
    const t = i / PARTS, swing = t * t * (3 - 2 * t), along = 1.5 * t * (1 - t) * (1 - t) + 1.5 * t * t * (1 - t) + t * t * t;
    const turn = 6 * t * (1 - t), ahead = 1.5 * (1 - t) * (1 - t) + 1.5 * t * t; // how fast it goes aside, and ahead
    const [x, y] = sideways ? [x0 + (x1 - x0) * along, y0 + (y1 - y0) * swing] : [x0 + (x1 - x0) * swing, y0 + (y1 - y0) * along];
    const [dx, dy] = sideways ? [(x1 - x0) * ahead, (y1 - y0) * turn] : [(x1 - x0) * turn, (y1 - y0) * ahead];
    const long = Math.hypot(dx, dy) || 1;
    points.push(`${(x + (side * by * dy) / long).toFixed(1)} ${(y - (side * by * dx) / long).toFixed(1)}`);
  }
  return `M${points.join("L")}`;
}
