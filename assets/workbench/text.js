/* Text that fits: measured in the font of the page, ended by an ellipsis where something is left out. */

const canvas = document.createElement("canvas").getContext("2d");
const widths = new Map();

export function widthOf(text, font) {
  const key = `${font}|${text}`;
  if (!widths.has(key)) {
    if (widths.size > 20000) widths.clear();
    canvas.font = font;
    widths.set(key, canvas.measureText(text).width);
  }
  return widths.get(key);
}

export function fitted(text, room, font) {
  if (!text || widthOf(text, font) <= room) return text;
  const letters = [...text];
  let low = 0, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(`${letters.slice(0, middle).join("")}…`, font) <= room) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("").trimEnd()}…`;
}

/* Of a list of levels, the first of n, as many as fit, then how many more there are. */
export function oneLine(text, room, font, items = [], n = items.length) {
  if (items.length < 2 || widthOf(text, font) <= room) return fitted(text, room, font);
  const line = (kept) => `${items.slice(0, kept).join(", ")}${kept < n ? ` +${(n - kept).toLocaleString("en")} more` : ""}`;
  for (let kept = items.length; kept > 0; kept -= 1) if (widthOf(line(kept), font) <= room) return line(kept);
  const more = ` +${(n - 1).toLocaleString("en")} more`;
  return fitted(items[0], room - widthOf(more, font), font) + more;
}

/* At most two lines: of a list of levels, the first of n, as many as fit, then how many more there are. Two trees have a
   line each. */
export function twoLines(text, room, font, items = [], n = items.length) {
  if (text.includes("\n")) return text.split("\n").map((line) => fitted(line, room, font));
  if (widthOf(text, font) <= room) return [text];
  if (items.length < 2) {
    const words = text.split(" ");
    const first = packed(words, " ", room, font);
    if (!first || first === words.length) return [fitted(text, room, font)];
    return [words.slice(0, first).join(" "), fitted(words.slice(first).join(" "), room, font)];
  }
  const first = Math.max(packed(items, ", ", room, font, ","), 1), rest = items.slice(first);
  const start = fitted(items.slice(0, first).join(", ") + (rest.length ? "," : ""), room, font), more = (kept) => `+${(n - first - kept).toLocaleString("en")} more`;
  if (!rest.length) return [start];
  for (let kept = rest.length; kept > 0; kept -= 1) {
    const line = rest.slice(0, kept).join(", ") + (kept < n - first ? ` ${more(kept)}` : "");
    if (widthOf(line, font) <= room) return [start, line];
  }
  const short = `${items.slice(0, first).join(", ")} ${more(0)}`;
  if (widthOf(short, font) <= room) return [short];
  return [start, fitted(more(0), room, font)];
}

function packed(words, glue, room, font, end = "") {
  let count = 0;
  while (count < words.length && widthOf(words.slice(0, count + 1).join(glue) + end, font) <= room) count += 1;
  return count;
}
