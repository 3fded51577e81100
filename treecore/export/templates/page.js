const WIDE = 170, HIGH = 46, COLUMN = 276, ROW = 60, FIRST = 25, LEGIBLE = 0.85, ASIDE = 4, LETTER = 6.5, LINE = 13;
const CARD = { wide: WIDE, high: HIGH, title: 19, soft: 38, bar: 29, thick: 7, letter: LETTER };
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#e0d040", "#7b5ea7", "#8c6d46", "#8a9099"];
const SPACE = "http://www.w3.org/2000/svg";
const find = (id) => document.getElementById(id);
const parent = WHOLE.map(() => -1);
WHOLE.forEach((node, id) => (node.children || []).forEach((child) => (parent[child] = id)));
const open = new Set(), view = { x: 20, y: 20, scale: 1 };
let picked = 0, way = new Set(), lit = [], hits = new Set(), place = new Map();

// level by level, the heavier nodes first
function openFirst(most) {
  let level = [0], shown = 1;
  while (level.length) {
    const next = [];
    for (const at of level.sort((a, b) => SAID[b].weight - SAID[a].weight)) {
      const below = hasBranches(at) ? WHOLE[at].children : [];
      if (!below.length || shown + below.length > most) continue;
      open.add(at);
      shown += below.length;
      next.push(...below);
    }
    level = next;
  }
}

// a node that is cut has none, unless they are seen as ghosts
const hasBranches = (at) => Boolean(WHOLE[at].children) && (ghosts || !isCut(at));
const shownBelow = (at) => (open.has(at) && hasBranches(at) ? WHOLE[at].children : []);

// leaves one below the other, every node in the middle of its children
function laidOut(childrenOf = shownBelow, root = 0, column = COLUMN, line = ROW) {
  const found = new Map(), waiting = [[root, 0, false]];
  let next = 0;
  while (waiting.length) {
    const [at, depth, done] = waiting.pop(), below = childrenOf(at);
    if (!below.length) found.set(at, { x: depth * column, y: next++ * line });
    else if (done) {
      const ys = below.map((child) => found.get(child).y);
      found.set(at, { x: depth * column, y: (Math.min(...ys) + Math.max(...ys)) / 2 });
    } else {
      waiting.push([at, depth, true]);
      for (const child of [...below].reverse()) waiting.push([child, depth + 1, false]);
    }
  }
  return found;
}

// from the eleventh class on the colours come again with signs over them: distance, turn, lines (1), crosses (2), dots (3)
const SIGNS = [
  ...[45, 90, 135, 0].map((turn) => [4, turn, 1]), ...[45, 90, 135, 0].map((turn) => [8, turn, 1]),
  [5, 0, 2], [5, 45, 2], [5, 0, 3], [9, 0, 2], [9, 45, 2], [9, 0, 3],
];
function sign(k) {
  const [size, turn, kind] = SIGNS[(Math.floor(k / COLORS.length) - 1) % SIGNS.length];
  const pattern = make("pattern", { id: `class-${k}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` });
  pattern.append(make("rect", { width: size, height: size, fill: COLORS[k % COLORS.length] }));
  if (kind === 3) pattern.append(make("circle", { class: "sign", cx: size / 2, cy: size / 2, r: 1.5 }));
  else pattern.append(make("rect", { class: "sign", width: 1.4, height: size }));
  if (kind === 2) pattern.append(make("rect", { class: "sign", width: size, height: 1.4 }));
  return pattern;
}
// of a class's colour as much as the share tells, at most as deep as text can be read on; a grey where no class has it
function ground(k, depth) {
  const hue = k < 0 ? "var(--soft)" : COLORS[k % COLORS.length];
  return `color-mix(in srgb, ${hue} ${Math.round(21 * depth)}%, var(--card))`;
}
function fillOf(k) {
  return k < COLORS.length ? COLORS[k] : `url(#class-${k})`;
}

function make(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw() {
  if (shape === "icicle") { drawIcicle(); return; }
  place = laidOut();
  const edges = [], nodes = [];
  for (const [at, { x, y }] of place) {
    const said = SAID[at], up = place.get(parent[at]);
    if (up) {
      const from = [up.x + WIDE, up.y + HIGH / 2], to = [x, y + HIGH / 2], middle = (from[0] + to[0]) / 2;
      const line = `M${from} C${middle},${from[1]} ${middle},${to[1]} ${to}`;
      const wide = 1 + 7 * Math.sqrt(said.weight / SAID[0].weight || 0);
      if (!said.alone) edges.push(make("path", { d: line, class: "edge" + (way.has(at) ? " way" : "") + (isGhost(at) ? " ghost" : ""), "stroke-width": wide }));
      if (said.came) edges.push(make("path", { d: said.alone ? line : beside(from, to, wide / 2 + ASIDE), class: "route" }));
      const lines = said.alone ? [said.came] : said.came ? [said.branch, said.came] : [said.branch];
      // words stand on the side that the edge does not come from; a route is between them and it
      const room = wide / 2 + (said.came && !said.alone ? ASIDE : 0), falls = to[1] > from[1];
      const first = to[1] + (falls ? 12 + room : -4 - room - LINE * (lines.length - 1));
      lines.forEach((text, i) => nodes.push(make("text", { x: x - 6, y: first + LINE * i, "text-anchor": "end", class: "soft" }, text)));
    }
    if (said.rest && open.has(at)) {
      edges.push(make("path", { d: `M${x + 10} ${y + HIGH}c0 17 20 17 20 0`, class: "route" }));
      nodes.push(make("text", { x: x + 35, y: y + HIGH + 13, class: "soft" }, said.rest));
    }
    nodes.push(card(at, x, y));
  }
  find("drawn").replaceChildren(...edges, ...nodes);
  for (const node of find("drawn").querySelectorAll(".node")) fitTitle(node, WIDE);
  move();
}

// a title gives way to the number of rows beside it, in its middle, as names are shortened
function fitTitle(node, wide) {
  const title = node.querySelector("text.title"), rows = node.querySelector("text.soft[text-anchor=end]");
  const room = wide - 23 - (rows ? rows.getComputedTextLength() : 0);
  let [head, tail = []] = title.textContent.split("…").map((part) => [...part]);
  while (title.getComputedTextLength() > room && head.length + tail.length > 2) {
    if (head.length > tail.length) head = head.slice(0, -1);
    else tail = tail.slice(1);
    title.textContent = `${head.join("")}…${tail.join("")}`;
  }
}

// the way of rows without the value: beside the edge, on its outer side
function beside([x0, y0], [x1, y1], by) {
  const side = y1 < y0 ? 1 : -1, points = [];
  for (let i = 0; i <= 20; i += 1) {
    const t = i / 20, u = 1 - t, dx = (x1 - x0) * 1.5 * (u * u + t * t), dy = (y1 - y0) * 6 * t * u, long = Math.hypot(dx, dy) || 1;
    const x = x0 + (x1 - x0) * (1.5 * t * u + t * t * t), y = y0 + (y1 - y0) * t * t * (3 - 2 * t);
    points.push(`${(x + (side * by * dy) / long).toFixed(1)} ${(y - (side * by * dx) / long).toFixed(1)}`);
  }
  return `M${points.join("L")}`;
}

function card(at, x, y) {
  const said = SAID[at], node = WHOLE[at], closed = hasBranches(at) && !open.has(at);
  const marks = [way.has(at) && "way", hits.has(at) && "hit", at === picked && "picked", isGhost(at) && "ghost"].filter(Boolean).join(" ");
  const group = make("g", {
    class: "node " + marks, transform: `translate(${x},${y})`, tabindex: at === picked ? 0 : -1, role: "treeitem",
    "data-id": at, "aria-label": said.spoken, "aria-selected": at === picked,
  });
  if (hasBranches(at)) group.setAttribute("aria-expanded", open.has(at));
  group.append(make("title", {}, said.spoken), ...face(said, titleOf(at), CARD));
  if (!node.class_shares && node.children) group.append(make("text", { x: 9, y: CARD.soft - (said.spread ? 7 : 0), class: "soft" }, meanText(said, NOUN)));
  else if (said.line) group.append(make("text", { x: 9, y: CARD.soft, class: "soft" }, said.line));
  if (closed) group.append(make("text", { x: WIDE + 6, y: HIGH / 2 + 4, class: "soft" }, "+" + said.below));
  group.addEventListener("click", () => { pick(at); if (closed) toggle(at); });
  group.addEventListener("dblclick", () => toggle(at));
  return group;
}

// "mean 23.4"; a hazard says what it is
const meanText = ({ predicted, brief = predicted }, noun) => (brief.startsWith(noun.split(" ")[0]) ? brief : `${noun} ${brief}`);

// the card itself: what it asks or answers, its rows, and the classes among them
function face(said, title, { wide, high, title: first, soft, bar, thick, letter }) {
  const drawn = [
    make("rect", { class: "card", width: wide, height: high, rx: 6 }),
    make("text", { x: 9, y: first, class: "title" }, title),
    make("text", { x: wide - 8, y: first, class: "soft", "text-anchor": "end" }, said.rows),
  ];
  if (said.tint) drawn[0].style.fill = ground(...said.tint);
  if (said.rate) drawn.push(make("text", { x: wide - 8, y: soft, class: "soft", "text-anchor": "end" }, said.rate));
  if (said.curve) drawn.push(...curves(said, wide * 0.62, bar - thick / 2, wide * 0.33, high - bar + thick / 2 - 5));
  if (said.spread) drawn.push(...spreadBar(said.spread, 9, high - 10, wide - 18, 5));
  let from = 9;
  (said.counted || []).forEach((share, k) => {
    const part = share * Math.max(20, wide - 24 - letter * said.rate.length);
    drawn.push(make("rect", { x: from, y: bar, width: part, height: thick, fill: fillOf(k) }));
    from += part;
  });
  return drawn;
}

// where most rows of a node lie on the scale of the tree's answers, and the answer among them
function spreadBar([begin, at, end], left, y, wide, thick) {
  const part = (name, x, long, high) => make("rect", { class: name, x: left + x * wide, y: y + (thick - high) / 2, width: Math.max(long, 1), height: high });
  return [part("rail", 0, wide, 2), part("most", begin, (end - begin) * wide, thick), part("answer", Math.min(at, 1 - 3 / wide), 3, thick + 4)];
}

// the share of the rows without an event, as steps over time, before that of all rows
function curves({ curve }, left, top, wide, high) {
  const whole = SAID[0].curve?.shares || [], last = Math.max(whole.length - 1, 1);
  const steps = (shares) => shares.map((share, i) => {
    const y = (top + high * (1 - share / 1000)).toFixed(1);
    return i ? `H${(left + (wide * i) / last).toFixed(1)}V${y}` : `M${left} ${y}`;
  }).join("");
  return [
    make("path", { class: "axes", d: `M${left} ${top}V${top + high}H${left + wide}` }),
    make("path", { class: "survival whole", d: steps(whole) }), make("path", { class: "survival", d: steps(curve.shares) }),
  ];
}

// the same large, with its axes
function curvePicture(said) {
  const { last, time, event } = SAID[0].curve, picture = make("svg", { class: "km", viewBox: "0 0 300 150", role: "img", "aria-label": `Share of the rows without ${event}, over ${time}` });
  picture.append(...curves(said, 46, 8, 246, 118));
  picture.append(make("text", { x: 42, y: 14, "text-anchor": "end", class: "soft" }, "100 %"), make("text", { x: 42, y: 128, "text-anchor": "end", class: "soft" }, "0"));
  picture.append(make("text", { x: 292, y: 142, "text-anchor": "end", class: "soft" }, last));
  const figure = element("figure");
  figure.append(picture, element("figcaption", `Share without ${event} over ${time}; grey: all rows.`));
  return figure;
}

function move() {
  find("drawn").setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.scale})`);
}

function zoom(factor, x, y) {
  const box = find("canvas").getBoundingClientRect(), to = Math.min(4, Math.max(0.05, view.scale * factor));
  const at = [x ?? box.width / 2, y ?? box.height / 2];
  view.x = at[0] - ((at[0] - view.x) * to) / view.scale;
  view.y = at[1] - ((at[1] - view.y) * to) / view.scale;
  view.scale = to;
  move();
}

function fit() {
  const box = find("canvas").getBoundingClientRect(), places = [...place.values()];
  const wide = Math.max(...places.map((p) => p.x)) + WIDE + 40, high = Math.max(...places.map((p) => p.y)) + HIGH;
  if (shape === "icicle") { Object.assign(view, { x: 20, y: 20, scale: 1 }); move(); return; }
  view.scale = Math.max(LEGIBLE, Math.min(1.4, (box.width - 40) / wide, (box.height - 40) / high));
  view.x = 20;
  view.y = box.height / 2 - (place.get(0).y + HIGH / 2) * view.scale; // the root in the middle, where not all has room
  if (high * view.scale < box.height) view.y = (box.height - high * view.scale) / 2;
  move();
}

function toggle(at) {
  if (!hasBranches(at)) return;
  if (!open.delete(at)) open.add(at);
  draw();
  focus();
}

function focus() {
  document.querySelector(`[data-id="${picked}"]`)?.focus({ preventScroll: true });
}

function pick(at) {
  picked = at;
  reveal(at);
  focus();
  tell(at);
}

// opened down to the node, which is moved into the window where it lies outside
function reveal(at) {
  for (let up = parent[at]; up >= 0; up = parent[up]) open.add(up);
  draw();
  const { x, y } = place.get(at), box = find("canvas").getBoundingClientRect();
  const [left, top] = [x * view.scale + view.x, y * view.scale + view.y];
  if (left < 0 || left + WIDE * view.scale > box.width) view.x += box.width / 2 - left;
  if (top < 0 || top + HIGH * view.scale > box.height) view.y += box.height / 2 - top;
  move();
}

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function pathTo(at) {
  const path = [];
  for (let up = at; up >= 0; up = parent[up]) if (SAID[up].condition) path.unshift(SAID[up].condition);
  return path;
}

function tell(at) {
  const said = SAID[at], table = element("table"), list = element("ol");
  list.append(...pathTo(at).map((condition) => element("li", condition)));
  const first = said.figures.length - (TREE.classes || []).length; // classes stand last
  said.figures.forEach(([name, value], i) => {
    const row = element("tr"), head = element("td", name);
    if (i >= first) {
      const color = make("svg", { class: "color", "aria-hidden": true });
      color.append(make("rect", { width: "100%", height: "100%", rx: 2, fill: fillOf(i - first) }));
      head.prepend(color);
    }
    row.append(head, element("td", value));
    table.append(row);
  });
  find("node").replaceChildren(element("p", said.spoken), list, ...(said.curve ? [curvePicture(said)] : []), table);
  listRows();
}

function asked() {
  const row = {};
  TREE.features.forEach(({ name, kind }, f) => {
    const field = document.querySelector(`[data-feature="${f}"]`);
    const value = field ? field.value : "";
    if (TREE.features[f].sum) return;
    row[name] = value === "" ? null : kind === "number" || kind === "bins" ? Number(value) : TREE.features[f].levels[Number(value)];
  });
  return row;
}

function ask(looks = true) {
  sentRow = -1;
  light(walk(asked()), asked());
  if (way.size && looks) pick(lit[0][0]);
}

// the way to where a row ends, and what is answered there
function light(ends, row) {
  const answer = answerOf(ends, row), mean = TREE.classes && mix(ends, row), told = mean && TREE.classes.map((name, k) => [name, mean[k]]);
  lit = ends;
  way = new Set();
  for (const [end] of ends) for (let up = end; up >= 0; up = parent[up]) way.add(up);
  const sure = told ? surely(ends, told) : ends.length === 1 ? lineSum(ends[0][0], row) : "";
  find("answer").textContent = answer === null ? "no answer" : `${TREE.classes ? TREE.target : SCALE.name} = ${typeof answer === "number" ? +(SCALE.units * answer).toPrecision(6) : NAMES[TREE.classes.indexOf(answer)]}`;
  find("sure").textContent = (ends.length > 1 ? `shared among ${ends.length} leaves; ` : "") + sure;
  mixed(ends, told, row);
  draw();
}

// the line of a leaf for this row, written out: "42.66 + 4.574 × 118 (area) − 2.057 × 20.6 (km)"; "" without one
function lineSum(at, row) {
  const [intercept, terms] = TREE.nodes[at].line || [0, []], short = (value) => +value.toPrecision(6);
  if (!terms.length) return "";
  const written = terms.map(([feature, coefficient, fill, low, high]) => {
    const value = valueOf(row, feature), counted = value === null ? fill : Math.min(Math.max(value, low), high);
    const why = value === null ? ", not known: the mean" : counted === value ? "" : `, beyond ${short(low)} to ${short(high)}`;
    return `${coefficient < 0 ? "−" : "+"} ${short(Math.abs(coefficient))} × ${short(counted)} (${TREE.features[feature].name}${why})`;
  });
  return `${short(intercept)} ${written.join(" ")}`;
}

// two numbers beside each other would be read as one
function rate(name, share) {
  const part = `${perCent(share)} %`;
  return /^[+\-\u2212.]*\d/.test(name) ? `${name}: ${part}` : `${part} ${name}`;
}

// the shares among the training rows of the leaves as they are, and by their name those that the tree reckons with
function surely(ends, told) {
  const order = told.map((_, k) => k), at = order.indexOf(LOOKED_FOR);
  if (at > 0) order.unshift(...order.splice(at, 1));
  const list = (shares) => order.map((k) => rate(NAMES[k], shares[k])).join(", ");
  const counted = ends.every(([end]) => SAID[end].counted) ? told.map((_, k) => ends.reduce((all, [end, share]) => all + share * SAID[end].counted[k], 0)) : null;
  const weighted = list(told.map(([, share]) => share));
  if (!counted || !WEIGHTED) return weighted;
  return `${list(counted)} of the training rows; ${WEIGHTED}: ${weighted}`;
}

// of a row that is shared: its parts, where they end, and the sum of what these leaves answer
function mixed(ends, told, row) {
  const parts = [], per = (share) => `${perCent(share)} %`, list = find("parts");
  if (ends.length > 1 && (told || !TREE.classes)) {
    const k = !told ? -1 : LOOKED_FOR >= 0 ? LOOKED_FOR : told.reduce((best, [, share], i) => (share > told[best][1] ? i : best), 0);
    const answers = (at) => (told ? WHOLE[at].class_shares[k] : SCALE.units * answerAt(at, row)), short = (value) => +value.toPrecision(4);
    for (const [at, share] of ends) parts.push(element("li", `${per(share)} of the row ends where ${pathTo(at).join(" and ")}: ${told ? rate(NAMES[k], answers(at)) : short(answers(at))}`));
    const sum = ends.map(([at, share]) => `${short(share)} · ${short(answers(at))}`).join(" + ");
    const whole = ends.reduce((all, [at, share]) => all + share * answers(at), 0);
    parts.push(element("li", `${told ? `Share of ${NAMES[k]}${WEIGHTED && ` ${WEIGHTED}`}` : "Mean"}: ${sum} = ${told ? `${short(whole)} (${per(whole)})` : short(whole)}`));
  }
  list.replaceChildren(...parts);
}

function form() {
  const asked = WHOLE.flatMap((node) => [...(node.ask || []).map((question) => question.feature), ...(node.line ? node.line[1] : []).map(([f]) => f)]);
  const parts = (f) => (TREE.features[f].sum ? TREE.features[f].sum.map(([term]) => term) : [f]);
  const used = new Set(asked.flatMap(parts));
  for (const f of [...used].sort((a, b) => a - b)) {
    const { name, kind, levels } = TREE.features[f], label = element("label", name);
    const field = element(kind === "number" || kind === "bins" ? "input" : "select");
    if (field.tagName === "INPUT") Object.assign(field, { type: "number", step: "any", placeholder: "not known" });
    else {
      const none = element("option", "not known");
      none.value = "";
      field.append(none, ...levels.map((level, i) => Object.assign(element("option", level), { value: i })));
    }
    field.dataset.feature = f;
    label.append(field);
    find("form").append(label);
  }
  find("form").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  find("form").addEventListener("change", () => ask());
}

function search(text) {
  const wanted = text.trim().toLowerCase();
  hits = new Set(wanted ? SAID.flatMap((said, at) => (said.spoken.toLowerCase().includes(wanted) ? [at] : [])) : []);
  find("found").textContent = wanted ? `${hits.size} found` : "";
  for (const at of [...hits].slice(0, 60)) for (let up = parent[at]; up >= 0; up = parent[up]) open.add(up);
  draw();
}

function neighbour(key) {
  const up = parent[picked], beside = up < 0 ? [] : WHOLE[up].children, here = beside.indexOf(picked);
  if (key === "ArrowLeft") return up < 0 ? picked : up;
  if (key === "ArrowRight") { open.add(picked); return (WHOLE[picked].children || [picked])[0]; }
  return beside[here + (key === "ArrowDown" ? 1 : -1)] ?? picked;
}

document.addEventListener("keydown", (event) => {
  if (presents(event)) return;
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === "/" && !typing) { event.preventDefault(); find("search").focus(); }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const acts = { "+": () => zoom(1.25), "-": () => zoom(0.8), 0: fit };
  if (acts[event.key]) acts[event.key]();
  if (event.key.startsWith("Arrow")) { event.preventDefault(); pick(neighbour(event.key)); }
  if ((event.key === "Enter" || event.key === " ") && event.target.dataset?.id) { event.preventDefault(); toggle(picked); }
});
const canvas = find("canvas");
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = canvas.getBoundingClientRect();
  zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
let held = null;
canvas.addEventListener("pointerdown", (event) => { held = [event.clientX - view.x, event.clientY - view.y]; });
addEventListener("pointermove", (event) => {
  if (!held || !event.buttons) return;
  [view.x, view.y] = [event.clientX - held[0], event.clientY - held[1]];
  move();
});
addEventListener("pointerup", () => { held = null; });
find("search").addEventListener("input", (event) => search(event.target.value));
find("search").addEventListener("keydown", (event) => { if (event.key === "Enter" && hits.size) pick([...hits][0]); });
find("in").addEventListener("click", () => zoom(1.25));
find("out").addEventListener("click", () => zoom(0.8));
find("fit").addEventListener("click", fit);
find("all").addEventListener("click", () => { WHOLE.forEach((node, at) => node.children && open.add(at)); draw(); fit(); });
find("few").addEventListener("click", () => { open.clear(); openFirst(FIRST); draw(); fit(); });
addEventListener("resize", fit);
const signs = make("defs", {});
signs.append(...(TREE.classes || []).slice(COLORS.length).map((_, k) => sign(k + COLORS.length)));
canvas.prepend(signs);
openFirst(FIRST);
form();
tabs();
sizes();
regions();
rows();
presenting();
listRules();
listSegments();
draw();
fit();
tell(0);
