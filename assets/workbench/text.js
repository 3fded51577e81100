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

/* Where names that begin alike differ: text -> places in it, as tree/short_text.py has found them. */
const places = new Map();

export function tellApart(found) {
  if (places.size > 20000) places.clear();
  for (const [text, at] of Object.entries(found ?? {})) places.set(text, at);
}

const WHOLE = 10; // from here on a weight of missing values may be told without decimals
const SIGN = /^[<≤=≥>] /, TAIL = 0.4, LEAD = 8;

function placesIn(text) {
  const sign = SIGN.test(text) ? 2 : 0;
  return places.get(text) ?? (places.get(text.slice(sign)) ?? []).map((place) => place + sign);
}

/* A rate before or behind a name stays whole: of a name with room for less than so many letters nothing is left to read. */
const RATE = /^([<>≤]?[ \u00a0]?[\d.,]+[ \u00a0]%) (.+)$/u, NAMED = /^(.+): ([<>≤]?[ \u00a0]?[\d.,]+[ \u00a0]%)$/u, LEAST_NAME = 8;

export function fitted(text, room, font, where = placesIn(text)) {
  if (!text || widthOf(text, font) <= room) return text;
  const [, rate, name] = text.match(RATE) ?? [], [, first, behind] = text.match(NAMED) ?? [];
  if (rate || behind) {
    const share = rate ?? behind, rest = fitted(name ?? first, room - widthOf(`${share}${rate ? " " : ": "}`, font), font);
    return [...rest].length < LEAST_NAME ? share : rate ? `${rate} ${rest}` : `${rest}: ${behind}`;
  }
  const letters = [...text];
  let low = 1, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(cut(letters, middle, where), font) <= room) low = middle;
    else high = middle - 1;
  }
  return cut(letters, low, where);
}

/* Parts of a text, with ellipses so many letters: the start, and the word at each of the places, or the end. As `cut` of
   tree/short_text.py. */
export function cut(letters, limit, where) {
  const isWord = (letter) => /[\p{L}\p{N}]/u.test(letter);
  const word = (place) => {
    let start = place;
    while (start > 0 && place - start < LEAD && isWord(letters[start - 1])) start -= 1;
    return start && isWord(letters[start - 1]) ? place : start;
  };
  if (letters.length <= limit) return letters.join("");
  const length = letters.length, ends = where.filter((place) => place < length);
  for (let kept = ends.length; kept > 0; kept -= 1) {
    const parts = [[0, 1]];
    for (const place of ends.slice(-kept)) {
      const start = word(place), last = parts[parts.length - 1];
      if (start < last[1] || start === last[0]) last[1] = Math.max(last[1], place + 1);
      else parts.push([start, place + 1]);
    }
    if (wide(parts, length) <= limit) return grown(letters, parts, limit);
  }
  let tail = length - Math.max(0, Math.floor(TAIL * (limit - 1)));
  while (tail < length && letters[tail] === " ") tail += 1;
  return grown(letters, tail < length ? [[0, 0], [tail, length]] : [[0, 0]], limit);
}

function grown(letters, parts, limit) {
  let room = limit - wide(parts, letters.length);
  for (let grows = true; grows;) {
    grows = false;
    parts.forEach((part, i) => {
      const stop = parts[i + 1]?.[0] ?? letters.length, needs = part[1] + 1 === stop ? 0 : 1;
      if (part[1] >= stop || needs > room) return;
      part[1] += 1;
      room -= needs;
      grows = true;
    });
  }
  return joined(letters, parts);
}

function joined(letters, parts) {
  let text = "", at = 0;
  for (const [start, stop] of parts) {
    const part = letters.slice(start, stop).join("");
    text = start === at ? text + part : `${text.trimEnd()}…${part.trimStart()}`;
    at = stop;
  }
  return at === letters.length ? text : `${text.trimEnd()}…`;
}

/* How many letters the parts are, with an ellipsis for what is between them. */
function wide(parts, length) {
  let shown = 0, at = 0;
  for (const [start, stop] of parts) {
    shown += stop - start + (start === at ? 0 : 1);
    at = stop;
  }
  return shown + (at === length ? 0 : 1);
}

/* "117.4 missing, weight 96": where there is no room for all of it "117.4 missing", "117 missing", "117.4 ?", never cut.
   The legend says what "?" is, and that beside the pointer what the count was. */
export function missingText(text, room, font) {
  const [count] = text.split(" "), value = Number(count.replaceAll(",", "")), short = value >= WHOLE ? Math.round(value).toLocaleString("en") : value ? `${Number(value.toPrecision(2))}` : count;
  const texts = [text, text.split(", ")[0], `${short} missing`, `${count} ?`, `${short} ?`];
  return texts.find((shorter) => widthOf(shorter, font) <= room) ?? texts.at(-1);
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
    const words = text.split(/(?<![\d≤≥<>=≠∈]) /u); // a number stays with its unit and behind its sign
    const first = packed(words, " ", room, font);
    if (!first || first === words.length) return [fitted(text, room, font)];
    const start = words.slice(0, first).join(" "), rest = words.slice(first).join(" "), skipped = [...start].length + 1;
    return [start, fitted(rest, room, font, placesIn(text).map((place) => place - skipped).filter((place) => place >= 0))];
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
