/* What is known of a node beside the tree, and What if. */

const colors = new Reader.Colors(COLORS, NAMES.length), signs = make("svg", { class: "signs", "aria-hidden": true });
signs.append(colors.defs);
document.body.append(signs);

function pick(at) {
  picked = at;
  canvas.pick(at);
  tell(at);
}

// the same large, with its axes
function curvePicture(said) {
  const { last, time, event } = SAID[0].curve, picture = make("svg", { class: "km", viewBox: "0 0 300 150", role: "img", "aria-label": `Share of the rows without ${event}, over ${time}` });
  picture.append(Reader.survivalCurve({ here: said.curve.shares, whole: SAID[0].curve.shares }, 46, 8, 246, 118));
  picture.append(make("text", { x: 42, y: 14, "text-anchor": "end", class: "soft" }, "100 %"), make("text", { x: 42, y: 128, "text-anchor": "end", class: "soft" }, "0"));
  picture.append(make("text", { x: 292, y: 142, "text-anchor": "end", class: "soft" }, last));
  const figure = element("figure");
  figure.append(picture, element("figcaption", `Share without ${event} over ${time}; grey: all rows.`));
  return figure;
}

function tell(at) {
  const said = SAID[at], table = element("table"), list = element("ol");
  list.append(...pathTo(at).map((condition) => element("li", condition)));
  const first = said.figures.length - (TREE.classes || []).length; // classes stand last
  said.figures.forEach(([name, value], i) => {
    const row = element("tr"), head = element("td", name);
    if (i >= first) head.prepend(colors.swatch(i - first));
    row.append(head, element("td", value));
    table.append(row);
  });
  find("node").replaceChildren(element("p", cards.spoken(at)), list, ...(said.curve ? [curvePicture(said)] : []), table);
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
  const sum = ends.length === 1 ? lineSum(ends[0][0], row) : "", odds = sum && TREE.classes ? `; log-odds of “${NAMES[1]}” = ${sum} = ${Figures.brief(answerAt(ends[0][0], row)).replace("-", "−")}` : "";
  const sure = told ? surely(ends, told) + odds : sum;
  find("answer").textContent = answer === null ? "no answer" : `${TREE.classes ? TREE.target : SCALE.name} = ${typeof answer === "number" ? figureInUnit(answer) : NAMES[TREE.classes.indexOf(answer)]}`;
  find("sure").textContent = (ends.length > 1 ? `shared among ${ends.length} leaves; ` : "") + sure;
  mixed(ends, told, row);
  if (canvas.pane) canvas.show();
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
    const answers = (at) => (told ? sharesAt(at, row)[k] : answerAt(at, row)), short = told ? (value) => Figures.brief(value) : figureText;
    for (const [at, share] of ends) parts.push(element("li", `${per(share)} of the row ends where ${pathTo(at).join(" and ")}: ${told ? rate(NAMES[k], answers(at)) : short(answers(at))}`));
    const sum = ends.map(([at, share]) => `${Figures.brief(share)} · ${short(answers(at))}`).join(" + ");
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

document.addEventListener("keydown", (event) => {
  if (presents(event)) return;
  const typing = ["INPUT", "SELECT"].includes(event.composedPath()[0].tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); canvas.pane.tools.box.focus(); }
});
find("all").addEventListener("click", () => {
  WHOLE.forEach((node, at) => node.children && canvas.turn(at, true));
  canvas.show();
  canvas.pane.views.home();
});
find("few").addEventListener("click", () => {
  canvas.opened.clear();
  canvas.closed.clear();
  canvas.show();
  canvas.pane.views.home();
});
form();
tabs();
if (SIZES) resize(size);
regions();
rows();
presenting();
listRules();
listSegments();
canvas.begin();
tell(0);
