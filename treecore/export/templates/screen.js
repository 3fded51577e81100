/* What the canvas shows of the tree and what its reader does there, as treecore/notebook/screen.py where Python runs. */

const { Reader } = Canvas, host = find("canvas");
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#e0d040", "#7b5ea7", "#8c6d46", "#8a9099"];
const LINES = { look: 0, learn: 2, lab: 4 }, CURVE = 22, MOST_FOUND = 10_000, THINNEST = 0.0003, MOST_PART = 16, READABLE = 0.92, STRIPS = 116, DEEDS = ["Delete", "x, ", "Ctrl", "Page", "p"];
const parent = WHOLE.map(() => -1), depth = WHOLE.map(() => 0);
WHOLE.forEach((node, at) => (node.children || []).forEach((child) => { parent[child] = at; depth[child] = depth[at] + 1; }));
const answers = TREE.classes ? [] : WHOLE.map(({ answer }) => answer ?? NaN), known = answers.filter(Number.isFinite);
const lowest = Math.min(...known), highest = Math.max(...known);

const canvas = {
  opened: new Set(), closed: new Set(), room: [1100, 560], window: null, detail: "look", orientation: "", before: "", searched: "",
  shape: "tree", sequence: 0, stamp: 0, drawn: "",

  // ---- what the reader does
  begin() {
    const root = element("div"), sheet = element("style", STYLES);
    root.className = "bench";
    host.attachShadow({ mode: "open" }).append(sheet, root);
    this.pane = new Reader.TreePane(root);
    this.pane.tell = (event) => this.hear(event);
    this.pane.act = () => {};
    this.pane.present = () => present();
    new ResizeObserver(() => this.measure()).observe(host);
    this.room = [host.clientWidth, host.clientHeight - STRIPS].map((length) => Math.max(200, Math.round(length / READABLE))); // until the canvas has measured it
    this.measure();
    this.pane.enter();
  },

  measure() {
    this.pixels = Math.max(260, host.clientHeight);
    host.dataset.room = `${host.clientWidth} ${host.clientHeight}`; // another room than before: the tree is laid out anew
    this.show();
  },

  hear({ seq, kind, node, ...event }) {
    this.sequence = seq;
    const isNode = Number.isInteger(node) && node >= 0 && node < WHOLE.length;
    if (kind === "select" && isNode) {
      picked = node;
      tell(node);
    } else if (kind === "open" && isNode) this.turn(node, true);
    else if (kind === "close" && isNode) this.turn(node, false);
    else if (kind === "room") Object.assign(this, { room: event.room, window: event.window });
    else if (kind === "find") this.searched = event.text.trim().toLowerCase();
    else if (kind === "step") resize(event.step);
    else if (kind === "choose" && event.name === "ghosts") ghosts = event.value;
    else if (kind === "choose") this[event.name] = event.value;
    this.show();
  },

  turn(at, isOpen) {
    (isOpen ? this.opened : this.closed).add(at);
    (isOpen ? this.closed : this.opened).delete(at);
  },

  // by something beside the canvas: where the canvas is not waiting for an answer of its own, it follows
  pick(at) {
    for (let up = parent[at]; up >= 0; up = parent[up]) this.closed.delete(up);
    this.show();
  },

  // opened down to the node, which comes into view
  reveal(at) {
    for (let up = parent[at]; up >= 0; up = parent[up]) this.turn(up, true);
    this.show();
    this.pane.views.reveal(at);
  },

  focus() {
    this.pane.stage.focus({ preventScroll: true });
  },

  // ---- what is shown: all of the grown tree with its ghosts, or what is left of it
  get tree() {
    const childrenOf = ghosts ? (at) => WHOLE[at].children || [] : (at) => (isCut(at) ? [] : WHOLE[at].children || []);
    return { childrenOf, parentOf: (at) => parent[at] ?? -1, weightOf: (at) => SAID[at].weight, depthOf: (at) => depth[at] };
  },

  get visible() {
    let at = picked;
    while (!ghosts && isGhost(at)) at = parent[at];
    return at;
  },

  show() {
    const { tree, detail, visible: selected } = this, lines = LINES[detail] + (TREE.nodes.some(({ line }) => line) ? 1 : 0);
    const asked = { room: this.room, lines, bars: 1, orientation: this.orientation, before: this.before, letters: LONGEST, curve: SAID[0].curve ? CURVE : 0 };
    const found = Reader.canvasLayout(tree, asked, this.opened, this.closed, selected), shown = new Set(found.ids);
    this.before = found.orientation;
    const nodes = found.ids.map((at) => this.row(at, found.at.get(at), shown, tree)), drawn = JSON.stringify([nodes, found.size]);
    if (drawn !== this.drawn) [this.drawn, this.stamp] = [drawn, this.stamp + 1];
    this.pane.update({
      stamp: this.stamp, tree: "page", cut: ghosts ? "grown" : `${size}`, nodes, orientation: found.orientation, stacked: found.stacked, size: found.size,
      width: found.width, height: found.height, apart: found.gap, largest: Reader.LARGEST, classes: NAMES, colors: COLORS, differ: Object.fromEntries(DIFFER), interest: this.interest,
      numbers: this.numbers, groups: null, figures: null, whole: this.shape === "tree" ? null : this.whole(), words: this.words, key: "page", session: "page",
      seen: this.sequence, pixels: this.pixels, selected, detail, turned: found.orientation, ghosts, cuts: size > 0, acts: true, window: this.window,
      shape: this.shape, room: this.room, presenting: false, found: this.found(shown), dock: this.dock(), follows: null, group: "", tag: "", notice: null,
      command: null, switches: {}, shapes: true, shows: null, ways: way.size ? lit.map(([end]) => end) : [], least: null,
    });
  },

  row(at, [x, y], shown, tree) {
    const said = SAID[at], node = WHOLE[at], below = tree.childrenOf(at), isLeaf = !below.length, isOpen = below.some((child) => shown.has(child));
    const row = {
      id: at, parent: at ? parent[at] : null, level: depth[at] + 1, x, y, leaf: isLeaf, title: isLeaf ? this.answer(at) : said.asks, answer: this.answer(at),
      short: this.answer(at), n: said.rows, fewer: fewer(said.weight), part: this.part(said, node, isLeaf), share: said.weight / (SAID[0].weight || 1),
      bars: [this.bar(at)], below: isOpen ? 0 : countBelow(at, tree), label: said.spoken, lines: this.lines(at, isLeaf), told: this.told(at), ...this.branch(at), ...this.shade(at, isLeaf),
    };
    if (said.came) Object.assign(row, { came: said.came, alone: said.alone });
    if (said.rest && isOpen) row.rest = said.rest;
    if (said.curve) row.curve = { here: said.curve.shares, whole: SAID[0].curve.shares };
    if (SIZES && ghosts) {
      Object.assign(row, { until: SIZES.until[at], closes: SIZES.step[at] });
      if (isGhost(at)) row.ghost = true;
      else if (isCut(at) && node.children) row.cut = `Pruned here: ${this.answer(at)}`;
    }
    return row;
  },

  // what it would answer as a leaf
  answer(at) {
    const said = SAID[at];
    return TREE.classes ? said.predicted : WHOLE[at].children ? said.leaf : said.title;
  },

  part(said, node, isLeaf) {
    if (!TREE.classes) return Reader.cut([...((isLeaf ? said.line : said.leaf) ?? "")], MOST_PART, []);
    return isLeaf && LOOKED_FOR < 0 && said.counted ? `${perCent(said.counted[TREE.classes.indexOf(node.answer)] ?? 0)} %` : said.rate;
  },

  bar(at) {
    const { counted, spread, weight } = SAID[at];
    if (weight <= 0) return null;
    if (TREE.classes) return counted ? counted.flatMap((share, k) => (share > 0 ? [[k, share]] : [])) : null;
    return spread ? { mean: spread[1], band: [spread[0], spread[2]] } : this.amount(at);
  },

  // where its number lies between the least and the largest of the tree
  amount(at) {
    return Math.min(Math.max((answers[at] - lowest) / (highest - lowest || 1) || 0, 0), 1);
  },

  shade(at, isLeaf) {
    const { tint } = SAID[at];
    if (!tint) return TREE.classes ? {} : { tint: 0, value: this.amount(at), purity: 0.5 };
    if (!TREE.classes || LOOKED_FOR >= 0) return { tint: tint[0], lift: tint[1] };
    return { tint: tint[0], purity: WHOLE[at].children ? Math.min(1, 2 * tint[1]) : tint[1] };
  },

  // what leads to it, without the name of the feature; levels: those that the text lists
  branch(at) {
    const { condition, branch } = SAID[at], asks = at ? SAID[parent[at]].asks : "";
    if (!at || !condition.startsWith(`${asks} `)) return { branch };
    const text = condition.slice(asks.length + 1).replace(/^[∈=] /u, "").replace(/^\{(.*)\}$/su, "$1"), up = WHOLE[parent[at]];
    const levels = (up.ask?.[0]?.levels ?? []).filter(([, to]) => up.children[to] === at).map(([level]) => level);
    return levels.length > 1 && levels.join(", ") === text ? { branch: text, levels: levels.slice(0, 24), n_levels: levels.length } : { branch: text };
  },

  lines(at, isLeaf) {
    const said = SAID[at], own = TREE.nodes.some(({ line }) => line) ? [[said.line ? "line" : "", said.line ?? ""]] : [];
    if (this.detail === "look") return own;
    const all = `${perCent(said.weight / (SAID[0].weight || 1))} %`, tellsImpurity = SAID[0].figures[1]?.[0] !== "gain";
    const found = [tellsImpurity && said.figures[1] ? said.figures[1] : ["of all rows", all], isLeaf || !said.gain ? ["answer", this.answer(at)] : ["gain", said.gain]];
    if (this.detail === "lab") found.push([`node ${at}`, all], ["depth", `${depth[at]}`]);
    return [...own, ...found];
  },

  // beside the pointer
  told(at) {
    const said = SAID[at], path = pathTo(at).join(" and ") || "all rows", [, ...figures] = said.figures;
    const classes = TREE.classes ? figures.splice(figures.length - NAMES.length) : [], mix = [...classes].sort((a, b) => parseFloat(b[1].replaceAll(",", "")) - parseFloat(a[1].replaceAll(",", "")));
    return [
      path, `${said.rows} ${said.rows === "1" ? "row" : "rows"}, ${perCent(said.weight / (SAID[0].weight || 1))} % of all`,
      ...(mix.length ? [mix.slice(0, 5).map(([name, text]) => `${name} ${text}`).join(", ") + (mix.length > 5 ? " …" : "")] : []),
      ...figures.map(([name, text]) => `${name}: ${text}`), ...(WHOLE[at].children ? [`as a leaf it would answer ${said.predicted}`] : []),
    ];
  },

  get interest() {
    return LOOKED_FOR < 0 || !SAID[0].counted ? null : { k: LOOKED_FOR, name: NAMES[LOOKED_FOR], base: `base ${perCent(SAID[0].counted[LOOKED_FOR])} %` };
  },

  get numbers() {
    if (TREE.classes || !(highest > lowest)) return null;
    const ends = [lowest, highest].map((value) => answers.indexOf(value)), text = (value) => `${+(SCALE.units * value).toPrecision(4)}`.replace("-", "−");
    const legend = { name: SCALE.name, low: text(lowest), high: text(highest) };
    return SAID[0].tint ? { ...legend, ends: ends.map((at) => SAID[at].tint), zero: lowest < 0 && highest > 0 } : legend;
  },

  // texts of the buttons, and of those keys that do something here
  get words() {
    const help = Object.fromEntries(Object.entries(WORDS.help).filter(([key]) => !DEEDS.some((deed) => key === deed || key.startsWith(deed) && deed !== "p")));
    return { ...WORDS, present_title: "The tree alone, in large letters, split by split (Alt+P); Page Up and Page Down walk", help: { ...help, "Alt+P": "present, split by split" } };
  },

  found(shown) {
    const { searched } = this, text = (at) => `${this.tree.childrenOf(at).length ? SAID[at].asks : this.answer(at)}\n${this.branch(at).branch}\n${SAID[at].predicted}\n#${at}`.toLowerCase();
    if (!searched) return null;
    const ids = [], under = {};
    for (let at = 0; at < Math.min(WHOLE.length, MOST_FOUND); at += 1) {
      if ((!ghosts && isGhost(at)) || !text(at).includes(searched)) continue;
      ids.push(at);
      let up = at;
      while (!shown.has(up)) up = parent[up];
      if (up !== at) under[up] = (under[up] || 0) + 1;
    }
    return { text: searched, ids, under };
  },

  // all of the tree at once: where each node lies among the rows
  whole() {
    const rows = [], waiting = [[0, 0]], all = SAID[0].weight || 1;
    while (waiting.length) {
      const [at, left] = waiting.shift(), said = SAID[at], below = this.tree.childrenOf(at), ends = !below.length || isCut(at);
      rows.push({
        id: at, depth: depth[at], left, width: said.weight / all, title: ends ? this.answer(at) : said.asks, leaf: ends, cut: isGhost(at),
        told: said.spoken, ...this.shade(at, ends),
      });
      let from = left;
      for (const child of below) {
        const wide = SAID[child].weight / all;
        if (wide > THINNEST) waiting.push([child, from]);
        from += wide;
      }
    }
    return rows;
  },

  dock() {
    if (!SIZES) return null;
    const low = Math.min(...SIZES.risk), high = Math.max(...SIZES.risk), margin = 0.06 * (high - low) || 0.05;
    const number = SIZES.told.map((told) => told.match(/[−-]?[\d.,]+(?:e[+-]?\d+)?(?:[ \u00a0]%)?$/u)?.[0] ?? ""), leaves = SIZES.leaves.map((n) => `${n.toLocaleString("en")} ${n === 1 ? "leaf" : "leaves"}`);
    const measure = SIZES.told[0].slice(0, -number[0].length).trim(), last = SIZES.risk.length - 1, name = measure.replace(/^training /u, "");
    return {
      steps: SIZES.leaves.map((n, k) => ({ k, leaves: n, at: n, size: leaves[k], text: `${leaves[k]} · ${number[k]}`, spoken: `${leaves[k]}, ${SIZES.told[k]}` })),
      lines: [{ name: "train", label: `training ${number[0]}`, values: SIZES.risk, told: number.map((text) => `training ${text}`) }], marks: [], band: null, majority: null,
      low: low - margin, high: high + margin, ticks: [...new Set([0, last])].map((k) => [SIZES.risk[k], number[k].endsWith("%") ? number[k] : `${+SIZES.risk[k].toPrecision(3)}`]),
      words: { name: `${name[0].toUpperCase()}${name.slice(1)} of the training rows against leaves: drag to prune`, majority: "" }, chosen: size,
    };
  },
};

const LONGEST = Math.max(0, ...SAID.map(({ asks }) => asks?.length ?? 0), ...NAMES.map((name) => name.length));

function countBelow(at, tree) {
  let found = 0;
  const waiting = [...tree.childrenOf(at)];
  while (waiting.length) {
    found += 1;
    waiting.push(...tree.childrenOf(waiting.pop()));
  }
  return found;
}

// a count ever shorter, where there is little room: 12.4k, 12k
function fewer(value) {
  const [unit, sign] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([least]) => value >= least) ?? [];
  return unit ? [...new Set([1, 0].map((digits) => `${(value / unit).toFixed(digits).replace(/\.0$/u, "")}${sign}`))] : [];
}
