/* What the canvas shows of the tree and what its reader does there, as treecore/notebook/screen.py where Python runs. */

const { Reader } = Canvas, host = find("canvas");
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#e0d040", "#7b5ea7", "#8c6d46", "#8a9099"];
const MOST_FOUND = 10_000, THINNEST = 0.0003, READABLE = 0.92, STRIPS = 116, DEEDS = ["Delete", "x, ", "Ctrl", "Page", "p"];
const cards = new Cards(SAID, WHOLE.map(({ children }) => children ?? []), TREE.classes ? [] : WHOLE.map(({ answer }) => answer ?? NaN), LOOKED_FOR), { parent, depth } = cards;
const pathTo = (at) => cards.pathTo(at);

// what the canvas always hears on a page of one file
const ALWAYS = {
  classes: NAMES, colors: COLORS, differ: Object.fromEntries(DIFFER), largest: Reader.LARGEST, groups: null, figures: null, session: "page", cuts: false, acts: false,
  ghosts: true, found: null, dock: null, follows: null, group: "", tag: "", notice: null, command: null, switches: {}, shapes: true, shows: null, ways: [], least: null,
  whole: null, shape: "tree", detail: "look",
};

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
    const asked = { room: this.room, lines, bars: 1, orientation: this.orientation, before: this.before, letters: cards.letters, curve: cards.curve };
    const found = Reader.canvasLayout(tree, asked, this.opened, this.closed, selected), shown = new Set(found.ids);
    this.before = found.orientation;
    const nodes = found.ids.map((at) => this.row(at, found.at.get(at), shown, tree)), drawn = JSON.stringify([nodes, found.size]);
    if (drawn !== this.drawn) [this.drawn, this.stamp] = [drawn, this.stamp + 1];
    this.pane.update({
      ...ALWAYS, stamp: this.stamp, tree: "page", cut: ghosts ? "grown" : `${size}`, nodes, orientation: found.orientation, stacked: found.stacked, size: found.size,
      width: found.width, height: found.height, apart: found.gap, interest: cards.interest, numbers: this.numbers, whole: this.shape === "tree" ? null : this.whole(),
      words: this.words, key: "page", seen: this.sequence, pixels: this.pixels, selected, detail, turned: found.orientation, ghosts, cuts: size > 0, acts: true,
      window: this.window, shape: this.shape, room: this.room, presenting: false, found: this.found(shown), dock: this.dock(), ways: way.size ? lit.map(([end]) => end) : [],
    });
  },

  row(at, place, shown, { childrenOf }) {
    const row = cards.row(at, place, shown, childrenOf, this.lines(at, !childrenOf(at).length));
    if (SIZES && ghosts) {
      Object.assign(row, { until: SIZES.until[at], closes: SIZES.step[at] });
      if (isGhost(at)) row.ghost = true;
      else if (isCut(at) && WHOLE[at].children) row.cut = `Pruned here: ${cards.answer(at)}`;
    }
    return row;
  },

  lines(at, isLeaf) {
    return cards.lines(at, isLeaf, this.detail);
  },

  get numbers() {
    return cards.numbers;
  },

  // texts of the buttons, and of those keys that do something here
  get words() {
    const help = Object.fromEntries(Object.entries(WORDS.help).filter(([key]) => !DEEDS.some((deed) => key === deed || key.startsWith(deed) && deed !== "p")));
    return { ...WORDS, present_title: "The tree alone, in large letters, split by split (Alt+P); Page Up and Page Down walk", help: { ...help, "Alt+P": "present, split by split" } };
  },

  found(shown) {
    const { searched } = this, text = (at) => `${this.tree.childrenOf(at).length ? SAID[at].asks : cards.answer(at)}\n${cards.branch(at).branch}\n${SAID[at].predicted}\n#${at}`.toLowerCase();
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
        id: at, depth: depth[at], left, width: said.weight / all, title: ends ? cards.answer(at) : said.asks, leaf: ends, cut: isGhost(at),
        told: cards.spoken(at), ...cards.shade(at),
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
    const number = SIZES.told, leaves = SIZES.leaves.map((n) => `${n.toLocaleString("en")} ${n === 1 ? "leaf" : "leaves"}`), last = SIZES.risk.length - 1;
    return {
      steps: SIZES.leaves.map((n, k) => ({ k, leaves: n, at: n, size: leaves[k], text: `${leaves[k]} · ${number[k]}`, spoken: `${leaves[k]}, training ${SIZES.name} ${number[k]}` })),
      lines: [{ name: "train", label: `training ${number[0]}`, values: SIZES.risk, told: number.map((text) => `training ${text}`) }], marks: [], band: null, majority: null,
      low: low - margin, high: high + margin, ticks: [...new Set([0, last])].map((k) => [SIZES.risk[k], number[k]]),
      words: { name: `${SIZES.name[0].toUpperCase()}${SIZES.name.slice(1)} of the training rows against leaves: drag to prune`, majority: "" }, chosen: size,
    };
  },
};
