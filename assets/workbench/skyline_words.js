/* The sentence of the skyline, as treecore.study.segments tells it: Selection.text. */

export function rows(n) {
  return Math.floor(n + 0.5).toLocaleString("en");
}

/* So many significant digits, a large number whole: treecore.figures.brief. */
export function brief(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value), decimals = Math.max(digits - Math.floor(Math.log10(size)) - 1, 0);
  return size >= 1e4 ? value.toLocaleString("en", { maximumFractionDigits: decimals }) : String(Number(value.toPrecision(digits)));
}

/* An effect with its sign: differences of shares in points with one decimal. */
function signed(value, unit) {
  if (!Number.isFinite(value)) return "–";
  const size = unit ? Math.abs(value).toFixed(1) : brief(Math.abs(value));
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}${unit}`;
}

function percent(share) {
  const tenths = 1000 * share, below = Math.floor(tenths), rest = tenths - below;
  const whole = Math.abs(rest - 0.5) < 1e-7 ? below + Math.abs(below % 2) : below + (rest > 0.5 ? 1 : 0); // as figures.percent
  return Number.isFinite(share) ? `${(whole / 10).toFixed(1)}\u00a0%` : "–";
}

/* at, hits : before the line. all, total : of all rows. per : what the hits before the line are counted in. */
export function sentence(data, at, all, hits, total, per) {
  const first = `Contact ${rows(at)} of ${rows(all)}: `;
  if (data.numeric) {
    const rate = per ? hits / per : NaN, part = data.adds_up ? `, ${percent(total ? hits / total : NaN)} of the total` : "", shown = data.units * rate;
    const told = data.in_percent ? percent(rate) : data.signed === null ? brief(shown, data.digits) : signed(shown, data.signed);
    return `The ${rows(at)} highest of ${rows(all)}: ${data.target} ${told}${part}.`;
  }
  const caught = Math.floor(hits + 0.5), told = `${first}${rows(hits)} of ${rows(total)} “${data.interest}”, ${rows(Math.floor(at + 0.5) - caught)} for nothing`;
  if (!data.profit) return `${told}.`;
  const [hit, miss, alarm, rest] = data.profit, alarms = at - hits, missed = total - hits;
  const profit = hits * hit + missed * miss + alarms * alarm + (all - total - alarms) * rest;
  return `${told}, profit ${rows(profit)}.`;
}
