/* What the nodes of a tree tell on the canvas: of the page's own, and of each that a worked example shows. */

const LINES = { look: 0, learn: 2, lab: 4 }, CURVE = 22;

class Cards {
  // said : of every node. children : lists of nodes. answers : numbers, empty of classes. interest : place of a class, or -1
  constructor(said, children, answers, interest) {
    Object.assign(this, { said, children, answers, parent: said.map(() => -1), depth: said.map(() => 0) });
    this.interestedIn = interest;
    children.forEach((below, at) => below.forEach((child) => { this.parent[child] = at; this.depth[child] = this.depth[at] + 1; }));
    const known = answers.filter(Number.isFinite);
    [this.lowest, this.highest] = [Math.min(...known), Math.max(...known)];
    this.letters = Math.max(0, ...said.map(({ asks }) => asks?.length ?? 0), ...NAMES.map((name) => name.length));
  }

  // [x, y] : its middle. shown : set of the nodes that are. childrenOf : of the tree that is shown
  row(at, [x, y], shown, childrenOf, lines) {
    const { said: all, parent, depth } = this, said = all[at], below = childrenOf(at), isLeaf = !below.length, isOpen = below.some((child) => shown.has(child));
    const row = {
      id: at, parent: at ? parent[at] : null, level: depth[at] + 1, x, y, leaf: isLeaf, title: isLeaf ? this.answer(at) : said.asks, answer: this.answer(at),
      short: this.answer(at), n: said.rows, fewer: fewer(said.weight), part: this.part(at, isLeaf), share: said.weight / (all[0].weight || 1),
      bars: [this.bar(at)], below: isOpen ? 0 : countBelow(at, childrenOf), label: this.spoken(at), lines, told: this.told(at), ...this.branch(at), ...this.shade(at),
    };
    if (said.came) Object.assign(row, { came: said.came, alone: said.alone });
    if (said.rest && isOpen) row.rest = said.rest;
    if (said.curve) row.curve = { here: said.curve.shares, whole: all[0].curve.shares };
    return row;
  }

  get curve() {
    return this.said[0].curve ? CURVE : 0;
  }

  // what it would answer as a leaf
  answer(at) {
    const said = this.said[at];
    return said.answer ?? said.predicted;
  }

  part(at, isLeaf) {
    const said = this.said[at];
    if (!TREE.classes) return isLeaf ? said.line ?? "" : this.answer(at);
    return isLeaf && this.interestedIn < 0 && said.counted ? shareText(said.counted[said.tint[0]] ?? 0) : this.rate(at);
  }

  // the share of its rows that a node tells, with the name of its class: of the one of interest, or of its answer
  rate(at) {
    const { counted, tint } = this.said[at], k = this.interestedIn >= 0 ? this.interestedIn : tint?.[0];
    return counted && k >= 0 ? rate(NAMES[k], counted[k]) : "";
  }

  spoken(at) {
    return [this.said[at].spoken, this.rate(at)].filter(Boolean).join("; ");
  }

  bar(at) {
    const { counted, spread, weight } = this.said[at];
    if (weight <= 0) return null;
    if (TREE.classes) return counted ? counted.flatMap((share, k) => (share > 0 ? [[k, share]] : [])) : null;
    return spread ? { mean: spread[1], band: [spread[0], spread[2]] } : this.amount(at);
  }

  // where its number lies between the least and the largest of the tree
  amount(at) {
    return Math.min(Math.max((this.answers[at] - this.lowest) / (this.highest - this.lowest || 1) || 0, 0), 1);
  }

  shade(at) {
    const { tint } = this.said[at];
    if (!tint) return TREE.classes ? {} : { tint: 0, value: this.amount(at), purity: 0.5 };
    if (!TREE.classes || this.interestedIn >= 0) return { tint: tint[0], lift: tint[1] };
    return { tint: tint[0], purity: this.children[at].length ? Math.min(1, 2 * tint[1]) : tint[1] };
  }

  // what leads to it, without the name of the feature; levels: those that the text lists
  branch(at) {
    const { condition, branch = "" } = this.said[at], up = this.parent[at], asks = at ? this.said[up].asks : "";
    if (!at || !condition.startsWith(`${asks} `)) return { branch };
    const text = condition.slice(asks.length + 1).replace(/^[∈=] /u, "").replace(/^\{(.*)\}$/su, "$1"), asked = this.said === SAID ? WHOLE[up].ask : undefined;
    const levels = (asked?.[0]?.levels ?? []).filter(([, to]) => this.children[up][to] === at).map(([level]) => level);
    return levels.length > 1 && levels.join(", ") === text ? { branch: text, levels: levels.slice(0, 24), n_levels: levels.length } : { branch: text };
  }

  lines(at, isLeaf, detail) {
    const said = this.said[at], own = this.said.some(({ line }) => line) ? [[said.line ? "line" : "", said.line ?? ""]] : [];
    if (detail === "look") return own;
    const all = this.ofAll(at), tellsImpurity = this.said[0].figures[1]?.[0] !== "gain";
    const found = [tellsImpurity && said.figures[1] ? said.figures[1] : ["of all rows", all], isLeaf || !said.gain ? ["answer", this.answer(at)] : ["gain", said.gain]];
    if (detail === "lab") found.push([`node ${at}`, all], ["depth", `${this.depth[at]}`]);
    return [...own, ...found];
  }

  ofAll(at) {
    return `${perCent(this.said[at].weight / (this.said[0].weight || 1))} %`;
  }

  pathTo(at) {
    const path = [];
    for (let up = at; up >= 0; up = this.parent[up]) if (this.said[up].condition) path.unshift(this.said[up].condition);
    return path;
  }

  // beside the pointer
  told(at) {
    const said = this.said[at], path = this.pathTo(at).join(" and ") || "all rows", [, ...figures] = said.figures;
    const classes = TREE.classes ? figures.splice(figures.length - NAMES.length) : [], mix = [...classes].sort((a, b) => parseFloat(b[1].replaceAll(",", "")) - parseFloat(a[1].replaceAll(",", "")));
    return [
      path, `${rowsOf(said)}, ${this.ofAll(at)} of all`,
      ...(mix.length ? [mix.slice(0, 5).map(([name, text]) => `${name} ${text}`).join(", ") + (mix.length > 5 ? " …" : "")] : []),
      ...figures.map(([name, text]) => `${name}: ${text}`), ...(this.children[at].length ? [`as a leaf it would answer ${said.predicted}`] : []),
    ];
  }

  get interest() {
    const k = this.interestedIn, { counted } = this.said[0];
    return k < 0 || !counted ? null : { k, name: NAMES[k], base: `base ${perCent(counted[k])} %` };
  }

  get numbers() {
    const { lowest, highest, said } = this;
    if (TREE.classes || !(highest > lowest)) return null;
    const ends = [lowest, highest].map((value) => this.answers.indexOf(value));
    const legend = { name: SCALE.name, low: figureText(lowest), high: figureText(highest) };
    return said[0].tint ? { ...legend, ends: ends.map((at) => said[at].tint), zero: lowest < 0 && highest > 0 } : legend;
  }
}

// two numbers beside each other would be read as one
function rate(name, share) {
  return /^[+\-\u2212.]*\d/.test(name) ? `${name}: ${shareText(share)}` : `${shareText(share)} ${name}`;
}

const shareText = (share) => `${share > 0 && share < 0.0005 && perCent(share) === "0.0" ? "<0.1" : perCent(share)} %`;

const rowsOf = (said) => `${said.rows} ${said.rows === "1" ? "row" : "rows"}`;

function countBelow(at, childrenOf) {
  let found = 0;
  const waiting = [...childrenOf(at)];
  while (waiting.length) {
    found += 1;
    waiting.push(...childrenOf(waiting.pop()));
  }
  return found;
}

// a count ever shorter, where there is little room: 12.4k, 12k
function fewer(value) {
  const [unit, sign] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([least]) => value >= least) ?? [];
  return unit ? [...new Set([1, 0].map((digits) => `${(value / unit).toFixed(digits).replace(/\.0$/u, "")}${sign}`))] : [];
}
