/* What stands beside and below the tree: its sizes, its rules and segments, and the regions of two features. */

const WHOLE = TREE.nodes; // TREE.nodes are those that answer, which the size that is chosen may have cut
const MOST_LISTED = 300, CELLS = 72, PLANE = 260;
let size = SIZES?.at ?? 0, ghosts = size === 0; // ghosts of what was pruned before are asked for

const SPACE = "http://www.w3.org/2000/svg";
const find = (id) => document.getElementById(id);
let picked = 0, way = new Set(), lit = [];

function make(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

const isCut = (at) => SIZES !== null && SIZES.step[at] <= size;
const isGhost = (at) => SIZES !== null && SIZES.until[at] <= size;
const leaves = () => WHOLE.flatMap((node, at) => ((!node.children || isCut(at)) && !isGhost(at) ? [at] : []));

// ---- sizes: a step of the nested sequence, the largest tree first
function resize(step) {
  size = step;
  TREE.nodes = WHOLE.map((node, at) => (isCut(at) ? { answer: node.answer, class_shares: node.class_shares, line: node.line } : node));
  if (sentRow >= 0) light(endsOf(sentRow), rowAt(sentRow));
  else if (Object.values(asked()).some((value) => value !== null)) ask(false);
  listRules();
  listSegments();
  drawRegions();
  listRows();
}

// ---- rules: one for each leaf, those of most rows first
function listRules() {
  const wanted = find("rulefind").value.trim().toLowerCase(), list = find("rulelist");
  const found = leaves().sort((a, b) => SAID[b].weight - SAID[a].weight)
    .map((at) => [at, `IF ${pathTo(at).join(" AND ") || "any row"} THEN ${SAID[at].predicted}`])
    .filter(([, rule]) => rule.toLowerCase().includes(wanted));
  list.replaceChildren(...found.slice(0, MOST_LISTED).map(([at, rule]) => {
    const item = element("li"), button = element("button", rule);
    button.addEventListener("click", () => pick(at));
    item.append(button, element("small", ` ${[rowsOf(SAID[at]), cards.rate(at)].filter(Boolean).join(", ")}`));
    return item;
  }));
  find("rulemore").textContent = found.length > MOST_LISTED ? `and ${found.length - MOST_LISTED} more` : `${found.length} rules`;
}

// a share and the rest of it add up to 100 in print, too: halves go to the even digit
const perCent = (share) => Figures.fixed(Figures.tenths(share) / 10, 1);

// an answer, or a mean of rows, with the digits that cards and sentences give it: treecore's Target.figure_text
function figureText(answer) {
  const shown = SCALE.units * answer;
  if (SCALE.signed === null) return Figures.brief(shown, SCALE.digits);
  const size = SCALE.signed ? Figures.fixed(Math.abs(shown), 1) : Figures.brief(Math.abs(shown), SCALE.digits);
  return `${Number(size.replaceAll(",", "")) === 0 ? "" : shown < 0 ? "−" : "+"}${size}`;
}

// the same with the unit of the target
function figureInUnit(answer) {
  const text = figureText(answer), [before, after] = SCALE.unit;
  return text.startsWith("-") ? `-${before}${text.slice(1)}${after}` : before + text + after;
}

// ---- segments: leaves as towers, the riskiest first; as wide as they have rows
function listSegments() {
  const k = TREE.classes ? Number(find("segmentclass").value) : -1;
  const rateOf = (at) => (k < 0 ? WHOLE[at].answer : SAID[at].counted?.[k]) ?? 0;
  const found = leaves().filter((at) => SAID[at].weight > 0).sort((a, b) => rateOf(b) - rateOf(a));
  const per = (at) => (k < 0 ? SAID[at].per ?? SAID[at].weight : SAID[at].weight), allPer = found.reduce((sum, at) => sum + per(at), 0);
  const all = found.reduce((sum, at) => sum + SAID[at].weight, 0), low = Math.min(0, ...found.map(rateOf));
  const span = (k < 0 ? Math.max(...found.map(rateOf)) : 1) - low || 1, hits_ = found.reduce((sum, at) => sum + per(at) * rateOf(at), 0);
  const towers = [], rows = [];
  let x = 0, part = 0;
  const said = (value) => (k < 0 ? figureText(value) : `${perCent(value)} %`);
  found.forEach((at, i) => {
    const wide = (300 * SAID[at].weight) / all, tall = Math.max((110 * (rateOf(at) - low)) / span, 0.5);
    const tower = make("rect", { class: "tower", x, y: 118 - tall, width: Math.max(wide - 0.5, 0.3), height: tall });
    tower.append(make("title", {}, `${i + 1}. ${said(rateOf(at))}, ${SAID[at].rows} rows`));
    tower.addEventListener("click", () => pick(at));
    towers.push(tower);
    x += wide;
    part += per(at) * rateOf(at);
    const row = element("tr"), button = element("button", pathTo(at).join(" AND ") || "any row"), first = element("td");
    button.addEventListener("click", () => pick(at));
    first.append(button);
    row.append(first, element("td", said(rateOf(at))), element("td", SAID[at].rows), element("td", k < 0 ? "" : `${((100 * part) / (hits_ || 1)).toFixed(0)} %`));
    rows.push(row);
  });
  const base = 118 - (110 * (hits_ / (allPer || 1) - low)) / span;
  towers.push(make("line", { class: "base", x1: 0, x2: 300, y1: base, y2: base }));
  find("skyline").replaceChildren(...towers);
  find("segmentbase").textContent = `All rows: ${k < 0 ? `${SCALE.name} ` : ""}${said(hits_ / (allPer || 1))} (dashed).`;
  const head = element("tr");
  head.append(...["segment", k < 0 ? SCALE.name : "rate", "rows", k < 0 ? "" : "found"].map((name) => element("th", name)));
  find("segmentlist").replaceChildren(head, ...rows.slice(0, MOST_LISTED));
}

// ---- regions: the answer over two features, the others as they stand under What if
function limitsOf(f) {
  const found = WHOLE.flatMap((node) => (node.ask || []).filter((q) => q.feature === f && q.limits).flatMap((q) => q.limits.map(([limit]) => limit)));
  for (const node of WHOLE) for (const question of node.ask || []) {
    if (TREE.features[question.feature].sum?.some(([term]) => term === f)) found.push(0, 1); // of a sum no limit is the feature's own
  }
  const low = Math.min(...found), high = Math.max(...found), pad = (high - low) * 0.25 || Math.abs(high) * 0.5 || 1;
  return found.length ? [low - pad, high + pad] : [0, 1];
}

const isNumber = (f) => ["number", "bins"].includes(TREE.features[f].kind);
const axisValue = (f, part) => {
  if (!isNumber(f)) return TREE.features[f].levels[Math.min(Math.floor(part * TREE.features[f].levels.length), TREE.features[f].levels.length - 1)];
  const [low, high] = limitsOf(f);
  return low + part * (high - low);
};

function colorOf(answer, low, high) {
  if (answer === null) return "#8888";
  if (TREE.classes) return COLORS[TREE.classes.indexOf(answer) % COLORS.length];
  return `hsl(210 60% ${88 - 60 * ((answer - low) / (high - low || 1))}%)`;
}

function drawRegions() {
  const [x, y] = ["axisx", "axisy"].map((id) => Number(find(id).value)), canvas = find("plane"), pen = canvas.getContext("2d");
  if (!find("axisx").options.length) return;
  const row = asked(), step = PLANE / CELLS, seen = new Set();
  const numbers = TREE.classes ? [] : leaves().map((at) => WHOLE[at].answer).filter((value) => value !== null);
  const low = Math.min(...numbers), high = Math.max(...numbers);
  for (let i = 0; i < CELLS; i += 1) for (let j = 0; j < CELLS; j += 1) {
    row[TREE.features[x].name] = axisValue(x, (i + 0.5) / CELLS);
    if (y !== x) row[TREE.features[y].name] = axisValue(y, (j + 0.5) / CELLS);
    const answer = predict(row);
    seen.add(answer);
    pen.fillStyle = colorOf(answer, low, high);
    pen.fillRect(i * step, PLANE - (j + 1) * step, step + 0.6, step + 0.6);
  }
  const ends = (f) => (isNumber(f) ? limitsOf(f).map((value) => Figures.brief(value)).join(" to ") : TREE.features[f].levels.join(", "));
  find("planesaid").textContent = `Across: ${TREE.features[x].name}, ${ends(x)}. Up: ${TREE.features[y].name}, ${ends(y)}. Click a place to ask for it.`;
  find("planekey").replaceChildren(...[...seen].filter((answer) => TREE.classes && answer !== null).map((answer) => {
    const item = element("span", NAMES[TREE.classes.indexOf(answer)]), key = element("i");
    key.style.background = colorOf(answer);
    item.prepend(key);
    return item;
  }));
  canvas.setAttribute("aria-label", `Regions of ${TREE.features[x].name} and ${TREE.features[y].name}`);
}

function setAsked(f, value) {
  const field = document.querySelector(`[data-feature="${f}"]`);
  field.value = isNumber(f) ? String(+value.toPrecision(6)) : String(TREE.features[f].levels.indexOf(value));
}

function regions() {
  const fields = [...document.querySelectorAll("[data-feature]")].map((field) => Number(field.dataset.feature));
  for (const [id, usual] of [["axisx", 0], ["axisy", 1]]) {
    find(id).append(...fields.map((f) => Object.assign(element("option", TREE.features[f].name), { value: f })));
    find(id).value = String(fields[Math.min(usual, fields.length - 1)]);
    find(id).addEventListener("change", drawRegions);
  }
  find("plane").addEventListener("click", (event) => {
    const box = find("plane").getBoundingClientRect(), [x, y] = ["axisx", "axisy"].map((id) => Number(find(id).value));
    setAsked(x, axisValue(x, (event.clientX - box.left) / box.width));
    setAsked(y, axisValue(y, 1 - (event.clientY - box.top) / box.height));
    ask();
    find("planesaid").textContent = find("answer").textContent;
  });
  find("form").addEventListener("change", drawRegions);
}

// ---- tabs, by click and by arrow keys
const TABS = ["if", "rules", "segments", "regions", ...(ROWS ? ["rows"] : []), ...(EXAMPLE ? ["steps"] : [])];
function tab(name) {
  for (const other of TABS) {
    const button = find(`tab-${other}`);
    find(`pane-${other}`).hidden = other !== name;
    button.setAttribute("aria-selected", String(other === name));
    button.tabIndex = other === name ? 0 : -1;
  }
  if (name === "regions") drawRegions();
}

function tabs() {
  TABS.forEach((name, i) => {
    find(`tab-${name}`).addEventListener("click", () => tab(name));
    find(`tab-${name}`).addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.stopPropagation();
      const next = TABS[(i + by + TABS.length) % TABS.length];
      tab(next);
      find(`tab-${next}`).focus();
    });
  });
  find("rulefind").addEventListener("input", listRules);
  if (TREE.classes) {
    find("segmentclass").append(...NAMES.map((name, k) => Object.assign(element("option", name), { value: k })));
    find("segmentclass").value = String(Math.max(LOOKED_FOR, 0));
    find("segmentclass").addEventListener("change", listSegments);
  } else find("segmentof").hidden = true;
}
