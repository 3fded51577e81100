/* The sentence of the skyline, as treecore.study.segments tells it: Selection.text. */

export function rows(n) {
  return Math.floor(n + 0.5).toLocaleString("en");
}

/* Four significant digits, a large number whole. */
export function brief(value) {
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) >= 1e4 ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : String(Number(value.toPrecision(4)));
}

function percent(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)}\u00a0%` : "–";
}

/* at, hits : before the line. all, total : of all rows. per : what the hits before the line are counted in. */
export function sentence(data, at, all, hits, total, per) {
  const first = `Contact ${rows(at)} of ${rows(all)}: `;
  if (data.numeric) return `The ${rows(at)} highest of ${rows(all)}: ${data.target} ${data.in_percent ? percent(per ? hits / per : NaN) : brief(per ? (data.units * hits) / per : NaN)}, ${percent(total ? hits / total : NaN)} of the total.`;
  const caught = Math.floor(hits + 0.5), told = `${first}${rows(hits)} of ${rows(total)} “${data.interest}”, ${rows(Math.floor(at + 0.5) - caught)} for nothing`;
  if (!data.profit) return `${told}.`;
  const [hit, miss, alarm, rest] = data.profit, alarms = at - hits, missed = total - hits;
  const profit = hits * hit + missed * miss + alarms * alarm + (all - total - alarms) * rest;
  return `${told}, profit ${rows(profit)}.`;
}
