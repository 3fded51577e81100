/* The tree diagram: a Graphviz drawing that can be selected, walked, zoomed, folded and pruned.

   Streamlit calls the default export again, with the same DOM, whenever the data or the theme change;
   everything that must survive lives in one TreeView kept on the root element. Python decides what the
   tree is; this file decides only how it is looked at. Text from data enters as textContent only. */

const SVG = "http://www.w3.org/2000/svg";
const MIN_SCALE = 0.02, MAX_SCALE = 4, FAR = 0.34, NEAR_START = 0.62, DRAG = 4, MARGIN = 14, LEGEND = 12;

/* Outlives a remount (a page switch): how each diagram was last looked at. */
const looks = new Map();

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".tree-view");
  if (!root || !data) return undefined;
  const view = (root.treeView ??= new TreeView(root, data));
  view.tell = (value) => setStateValue("event", value);
  view.act = (value) => setTriggerValue("action", value);
  view.ask = (value) => setStateValue("need", { svg_key: value, at: Date.now() });
  view.update(data);
  return () => view.leave();
}

/* ---------------------------------------------------------------- the drawing, made harmless */

/* The SVG text as an element with nothing in it that runs, loads or links. */
export function harmlessDrawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.nodeName !== "svg" || parsed.querySelector("parsererror")) return null;
  const copy = harmlessCopy(svg);
  copy.removeAttribute("width");
  copy.removeAttribute("height");
  copy.removeAttribute("viewBox");
  return copy;
}

const KEPT_TAGS = new Set(["svg", "g", "polygon", "polyline", "path", "ellipse", "circle", "rect", "line", "text", "tspan"]);
const KEPT_ATTRIBUTES = new Set([
  "id", "class", "transform", "points", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height",
  "viewBox", "fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "font-family", "font-size", "font-weight",
  "font-style", "xml:space",
]);

/* Lists what may stay rather than what must go: no script, link, image, style, on… or url(…) gets by. */
function harmlessCopy(element) {
  const tag = element.localName === "a" ? "g" : element.localName;
  if (!KEPT_TAGS.has(tag) || element.namespaceURI !== SVG) return null;
  const copy = document.createElementNS(SVG, tag);
  for (const { name, value } of element.attributes)
    if (KEPT_ATTRIBUTES.has(name) && !/url\s*\(|javascript:/i.test(value)) copy.setAttribute(name, value);
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      if (tag === "text" || tag === "tspan") copy.append(child.textContent);
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      const inner = harmlessCopy(child);
      if (inner) copy.append(inner);
    }
  }
  return copy;
}

/* ---------------------------------------------------------------- small makers */

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/* Corners of a shape from its own numbers: getBBox answers nothing while a tab is hidden. */
function boxOf(shape) {
  const numbers = (shape.getAttribute("points") ?? shape.getAttribute("d") ?? "0,0").match(/-?\d+(\.\d+)?/g).map(Number);
  const xs = numbers.filter((_, i) => i % 2 === 0), ys = numbers.filter((_, i) => i % 2 === 1);
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
}

/* ---------------------------------------------------------------- the view */

class TreeView {
  /* Drawings by key; they outlive a remount too. */
  static drawings = new Map();
  /* All that are on the page now. */
  static views = new Set();

  constructor(root, data) {
    this.root = root;
    this.key = data.key ?? "";
    this.nodes = new Map();
    this.folded = new Set();
    this.selected = null;
    this.active = null;
    this.session = data.session;
    this.sequence = data.seen;
    this.camera = { x: 0, y: 0, k: 1 };
    this.showGhosts = looks.get(this.key)?.showGhosts ?? true;
    this.build();
    this.listen();
  }

  build() {
    this.toolbar = make("div", "bar");
    this.toolbar.setAttribute("role", "toolbar");
    this.legend = make("ul", "legend");
    this.stage = make("div", "stage");
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "tree");
    this.help = make("p", "help");
    this.help.id = "help";
    this.stage.setAttribute("aria-describedby", "help");
    this.buttons = {
      out: this.button("−", () => this.zoomAll(1 / 1.25)),
      in: this.button("+", () => this.zoomAll(1.25)),
      fit: this.button("", () => this.fitAll()),
      ghosts: this.button("", () => this.toggleGhosts()),
      cut: this.button("", () => this.cutOrRestore()),
    };
    this.map = draw("svg", { class: "map", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.toolbar.append(...Object.values(this.buttons), this.help);
    this.root.replaceChildren(this.toolbar, this.legend, this.stage);
  }

  button(text, action) {
    const button = make("button", "", text);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  }

  leave() {
    TreeView.views.delete(this);
    this.remember();
    this.sizes?.disconnect();
    this.sizes = null;
  }

  /* ------------------------------------------------------------ data from Python */

  update(data) {
    this.data = data;
    TreeView.views.add(this);
    if (!this.sizes) this.watchSize();
    this.root.style.height = `${data.height}px`;
    this.label(data.strings);
    if (!this.takeDrawing(data)) return;
    this.takeNodes(data);
    this.takeSelection(data);
    this.showState();
  }

  /* Words of the toolbar and the legend; only when they change. */
  label(strings) {
    const stamp = JSON.stringify([strings, this.data.classes, this.data.colors, this.data.actions]);
    if (stamp === this.labelled) return;
    this.labelled = stamp;
    const { out, in: closer, fit, ghosts } = this.buttons;
    for (const [button, name] of [[out, strings.zoom_out], [closer, strings.zoom_in]]) {
      button.title = name;
      button.setAttribute("aria-label", name);
    }
    fit.textContent = strings.fit;
    ghosts.textContent = strings.ghosts;
    this.toolbar.setAttribute("aria-label", strings.toolbar);
    this.stage.setAttribute("aria-label", strings.tree);
    this.help.textContent = strings.help;
    this.help.title = strings.help;
    this.data.colors.forEach((color, i) => this.root.style.setProperty(`--class-${i}`, color));
    this.legend.replaceChildren(...this.data.classes.map((name, i) => this.legendItem(name, i)));
    this.legend.hidden = !this.data.classes.length;
    this.legend.classList.remove("open");
    const more = this.data.classes.length - LEGEND;
    if (more > 1) this.legend.children[LEGEND - 1].after(this.legendRest(more));
  }

  /* "+45" opens the rest of a long legend, and closes it again. */
  legendRest(more) {
    const item = make("li", "rest"), { legend } = this;
    const button = this.button(`+${more}`, () => {
      const open = legend.classList.toggle("open");
      button.textContent = open ? "−" : `+${more}`;
      button.setAttribute("aria-expanded", open);
      if (open) legend.append(item);
      else legend.children[LEGEND - 1].after(item);
    });
    button.setAttribute("aria-expanded", false);
    button.title = this.data.strings.legend;
    item.append(button);
    return item;
  }

  legendItem(name, i) {
    const item = make("li", "", name);
    const swatch = make("span", "swatch");
    swatch.style.background = this.data.colors[i % this.data.colors.length];
    item.prepend(swatch);
    item.title = name;
    return item;
  }

  /* True when the drawing named by the key is in place. */
  takeDrawing(data) {
    const { drawings } = TreeView;
    if (data.svg) {
      drawings.delete(data.svg_key);
      drawings.set(data.svg_key, data.svg);
      if (drawings.size > 6) drawings.delete(drawings.keys().next().value);
    }
    if (this.svgKey === data.svg_key) return true;
    const text = drawings.get(data.svg_key);
    if (!text) {
      this.ask(data.svg_key);
      return false;
    }
    const svg = harmlessDrawing(text);
    if (!svg) {
      this.stage.replaceChildren(make("p", "fault", data.strings.unreadable));
      return false;
    }
    this.remember();
    this.svgKey = data.svg_key;
    this.nodesStamp = null;
    this.place(svg);
    return true;
  }

  place(svg) {
    const cameraGroup = draw("g", { class: "camera" }, ...svg.childNodes);
    svg.replaceChildren(cameraGroup);
    svg.setAttribute("role", "none");
    this.svg = svg;
    this.cameraGroup = cameraGroup;
    this.nodes = new Map();
    this.folded = new Set();
    this.active = null;
    this.selected = null;
    this.offset = this.graphOffset();
    for (const group of svg.querySelectorAll("g.node:not(.missing)")) this.adopt(group);
    this.edges = new Map();
    for (const group of svg.querySelectorAll("g.edge:not(.missing)")) this.edges.set(Number(group.id.slice(1)), group);
    const stubs = this.takeRoutes(svg);
    // Graphviz draws edges last; behind the cards they leave the fold marks free.
    svg.querySelector("g.node")?.before(...svg.querySelectorAll("g.edge"));
    this.bounds = this.boundsOf([...this.nodes.values(), ...stubs]);
    this.drawMap();
    this.stage.replaceChildren(svg, this.map);
    this.framed = false;
  }

  /* Graphviz moves its whole picture by one translate(x y). */
  graphOffset() {
    const found = /translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(this.svg.querySelector("g.graph")?.getAttribute("transform") ?? "");
    return found ? { x: Number(found[1]), y: Number(found[2]) } : { x: 0, y: 0 };
  }

  adopt(group) {
    const shapes = [...group.querySelectorAll("polygon, path")];
    const card = shapes[0];
    if (!card) return;
    card.classList.add("card");
    const raw = boxOf(card);
    const box = { x0: raw.x0 + this.offset.x, x1: raw.x1 + this.offset.x, y0: raw.y0 + this.offset.y, y1: raw.y1 + this.offset.y };
    shapes.slice(1).forEach((shape) => this.paintSegment(shape));
    for (const text of group.querySelectorAll("text")) this.settleText(text, (raw.x0 + raw.x1) / 2);
    const title = draw("title", {});
    group.prepend(title);
    group.setAttribute("role", "treeitem");
    this.nodes.set(Number(group.id.slice(1)), { id: Number(group.id.slice(1)), group, card, raw, box, title, children: [] });
  }

  /* Where rows without a value go: parts of the picture that belong to the node with the test. Returns the stubs. */
  takeRoutes(svg) {
    this.routes = new Map();
    const stubs = [];
    for (const group of svg.querySelectorAll("g.missing")) {
      const id = Number(group.id.slice(1)), shape = group.querySelector("polygon, path");
      this.routes.set(id, [...(this.routes.get(id) ?? []), group]);
      group.setAttribute("aria-hidden", "true");
      group.prepend(draw("title", {}));
      if (!group.classList.contains("node") || !shape) continue;
      const { x0, x1, y0, y1 } = boxOf(shape), { x, y } = this.offset;
      shape.classList.add("stub");
      for (const text of group.querySelectorAll("text")) this.settleText(text, (x0 + x1) / 2);
      stubs.push({ box: { x0: x0 + x, x1: x1 + x, y0: y0 + y, y1: y1 + y } });
    }
    return stubs;
  }

  paintSegment(shape) {
    const index = this.data.colors.findIndex((color) => color.toLowerCase() === shape.getAttribute("fill"));
    shape.classList.add("segment");
    if (index < 0) shape.classList.add("rest");
  }

  /* Graphviz places each line by its left end, measured with its own font. Lines that stood centred are
     held by their middle instead, so that they stay centred in whatever font the reader has. */
  settleText(text, middle) {
    text.removeAttribute("fill");
    if (!text.textContent.trim()) text.remove();
    else if (Number(text.getAttribute("font-size")) < 9.5) text.classList.add("role");
    else {
      text.setAttribute("x", middle);
      text.setAttribute("text-anchor", "middle");
      text.classList.add(text.getAttribute("font-weight") === "bold" ? "test" : "fact");
    }
  }

  takeNodes(data) {
    const stamp = JSON.stringify(data.nodes);
    if (stamp === this.nodesStamp) return;
    this.nodesStamp = stamp;
    for (const node of this.nodes.values()) node.children = [];
    for (const row of data.nodes) {
      const node = this.nodes.get(row.id);
      if (!node) continue;
      Object.assign(node, { ghost: false, cut: "", stub: null, raised: undefined, place: undefined, differs: "", missing: "", tint: undefined, parent: null }, row);
      this.nodes.get(row.parent)?.children.push(node);
    }
    this.first = data.nodes.find((row) => this.nodes.has(row.id) && !this.nodes.has(row.parent))?.id ?? null;
    const root = this.nodes.get(this.first);
    this.sideways = Boolean(root?.children.length) && root.children[0].box.y0 < root.box.y1 && root.children[0].box.x0 >= root.box.x1;
    for (const node of this.nodes.values()) this.dress(node);
  }

  /* Everything about one node that pruning can change, and that never moves anything. */
  dress(node) {
    const { group } = node;
    node.title.textContent = node.label ?? "";
    group.setAttribute("aria-label", node.label ?? "");
    group.setAttribute("aria-level", node.level ?? 1);
    const siblings = this.nodes.get(node.parent)?.children ?? [node];
    group.setAttribute("aria-posinset", siblings.indexOf(node) + 1);
    group.setAttribute("aria-setsize", siblings.length);
    group.classList.toggle("cut", Boolean(node.cut));
    group.classList.toggle("raised", node.raised !== undefined);
    this.edges.get(node.id)?.classList.toggle("ghost", Boolean(node.ghost));
    for (const route of this.routes.get(node.id) ?? []) {
      route.classList.toggle("ghost", node.children.every((child) => child.ghost));
      route.querySelector("title").textContent = node.missing ?? "";
    }
    for (const element of [group, node.block]) {
      if (node.tint === undefined) element.style.removeProperty("--tint");
      else element.style.setProperty("--tint", `var(--class-${node.tint % this.data.colors.length})`);
      element.classList.toggle("ghost", Boolean(node.ghost));
    }
    const decided = node.cut || node.raised !== undefined;
    if (node.children.length && !decided) node.toggle ??= this.foldMark(node);
    else this.drop(node, "toggle");
    this.drop(node, "cutMark");
    if (decided) node.cutMark = this.verdictMark(node);
    this.drop(node, "rise");
    this.drop(node, "risen");
    if (node.place !== undefined) {
      node.rise = this.riseLine(node);
      node.risen = this.risenMark(node);
    }
    this.drop(node, "hatching");
    this.drop(node, "unequal");
    group.classList.toggle("differs", Boolean(node.differs));
    if (node.differs) this.hatch(node);
  }

  drop(node, name) {
    node[name]?.remove();
    delete node[name];
  }

  /* Where branches leave: the middle of the lower (or right) side. */
  exit(node) {
    const { raw } = node;
    return this.sideways ? [raw.x1, (raw.y0 + raw.y1) / 2] : [(raw.x0 + raw.x1) / 2, raw.y1];
  }

  foldMark(node) {
    const [x, y] = this.exit(node);
    const mark = draw("g", { class: "toggle", transform: `translate(${x} ${y})` },
      draw("circle", { class: "reach", r: 11 }), draw("circle", { r: 6.5 }), draw("path", { d: "M-3 0h6" }), draw("path", { class: "more", d: "M0 -3v6" }),
      draw("text", { class: "hidden-count", x: 10, y: 4 }));
    node.group.append(mark);
    return mark;
  }

  /* A label on the border of a cut node: what it predicts now that it is a leaf; of a raised one: the node that
     takes its place. Below it the method and its number. */
  verdictMark(node) {
    const raised = node.raised !== undefined;
    const [x, y] = this.exit(node), words = raised ? `node ${node.raised} here` : [...(node.predicted ?? "")].slice(0, 18).join("");
    const wide = 30 + 6.6 * words.length;
    const name = draw("text", { x: 9, y: 4, "text-anchor": "middle" });
    name.textContent = words;
    const title = draw("title", {});
    title.textContent = raised ? node.label : node.cut;
    const blades = draw("g", { class: "blades", transform: `translate(${14 - wide / 2} 0)` }, ...(raised ? [draw("path", { d: "M0 6V-5M-4 -1L0 -5L4 -1" })] : [
      draw("circle", { cx: -4, cy: -3, r: 2 }), draw("circle", { cx: -4, cy: 3, r: 2 }), draw("path", { d: "M-2.4 -1.9L5.5 3.8M-2.4 1.9L5.5 -3.8" })]));
    const mark = draw("g", { class: "cut-mark", transform: `translate(${x + (this.sideways ? wide / 2 - 6 : 0)} ${y + (this.sideways ? 0 : 3)})` },
      title, draw("rect", { x: -wide / 2, y: -7.5, width: wide, height: 15, rx: 7.5 }), blades, name);
    (node.stub || []).forEach((line, i) => {
      const why = draw("text", { class: "why", y: 19 + 12 * i, "text-anchor": "middle" });
      why.textContent = line;
      mark.append(why);
    });
    node.group.append(mark);
    return mark;
  }

  /* Above the branch that took a place: that it has risen. */
  risenMark({ raw, group, place }) {
    const mark = draw("g", { class: "cut-mark" });
    const text = draw("text", { class: "why", x: (raw.x0 + raw.x1) / 2, y: raw.y0 - 4, "text-anchor": "middle" });
    text.textContent = `↑ to node ${place}`;
    mark.append(text);
    group.append(mark);
    return mark;
  }

  /* From where the place hangs to the branch that took it: stands for the ghosts between them while they are hidden. */
  riseLine(node) {
    const place = this.nodes.get(node.place), above = this.nodes.get(place?.parent);
    if (!above) return undefined;
    const [x, y] = this.exit(above), { raw } = node;
    const [tx, ty] = this.sideways ? [raw.x0, (raw.y0 + raw.y1) / 2] : [(raw.x0 + raw.x1) / 2, raw.y0];
    const line = draw("path", { class: "rise", d: `M${x} ${y}L${tx} ${ty}` });
    node.group.before(line);
    return line;
  }

  /* Slanted lines over the card, below its text, and a sign on its corner: its two bars differ beyond chance.
     Lines and no pattern: a pattern is found by an id that two diagrams of a page would share, and other colours
     forced by the reader's system do not reach into it. */
  hatch(node) {
    const { x0, x1, y0, y1 } = node.raw, step = 10, inset = 2;
    const [left, right, top, bottom] = [x0 + inset, x1 - inset, y0 + inset, y1 - inset];
    const lines = [];
    for (let sum = left + top + step; sum < right + bottom; sum += step) {
      const from = Math.max(left, sum - bottom), to = Math.min(right, sum - top);
      lines.push(`M${from.toFixed(1)} ${(sum - from).toFixed(1)}L${to.toFixed(1)} ${(sum - to).toFixed(1)}`);
    }
    node.hatching = draw("path", { class: "hatching", d: lines.join("") });
    node.card.after(node.hatching);
    const sign = draw("text", { "text-anchor": "middle", y: 4.5 }), title = draw("title", {});
    sign.textContent = "≠";
    title.textContent = node.differs;
    node.unequal = draw("g", { class: "unequal", transform: `translate(${x1 - 5} ${y0 + 3})` }, title, draw("circle", { r: 7.5 }), sign);
    node.group.append(node.unequal);
  }

  /* The newest change wins: what Python says counts only once it has seen our last event. */
  takeSelection(data) {
    if (data.session !== this.session) {
      this.session = data.session;
      this.sequence = data.seen;
    }
    if (data.seen < this.sequence) return;
    this.folded = new Set((data.folded ?? []).filter((id) => this.nodes.has(id)));
    if (!this.nodes.has(data.selected)) {
      this.selected = null;
      return;
    }
    const moved = data.selected !== this.selected;
    this.selected = data.selected;
    if (moved || this.active === null) {
      this.active = data.selected;
      this.pendingReveal = true;
    }
  }

  /* ------------------------------------------------------------ what is shown */

  showState() {
    this.showVisibility();
    this.showSelection();
    const ghosts = [...this.nodes.values()].some((node) => node.ghost);
    this.buttons.ghosts.hidden = !ghosts;
    this.buttons.ghosts.setAttribute("aria-pressed", String(this.showGhosts));
    this.frame();
  }

  showVisibility() {
    const hidden = this.hidden = new Set(), inFold = new Set();
    for (const row of this.data.nodes) {
      const node = this.nodes.get(row.id);
      if (node && (this.folded.has(node.parent) || inFold.has(node.parent))) inFold.add(node.id);
      // A branch that was raised stands below ghosts: what hides them does not hide it.
      if (node && ((node.ghost && !this.showGhosts) || inFold.has(node.id))) hidden.add(node.id);
    }
    for (const node of this.nodes.values()) {
      const gone = hidden.has(node.id);
      node.group.classList.toggle("gone", gone);
      node.block.classList.toggle("gone", gone);
      this.edges.get(node.id)?.classList.toggle("gone", gone || (hidden.has(node.parent) && this.nodes.has(node.parent)));
      node.rise?.classList.toggle("gone", gone || !hidden.has(node.parent));
      if (!node.toggle) continue;
      const folded = this.folded.has(node.id);
      node.group.classList.toggle("folded", folded);
      node.toggle.querySelector("text").textContent = folded ? `${this.countBelow(node)}` : "";
    }
    for (const node of this.nodes.values()) {
      const open = node.children.some((child) => !hidden.has(child.id));
      for (const route of this.routes.get(node.id) ?? []) route.classList.toggle("gone", !open);
      if (node.children.length && !(node.cut && !open)) node.group.setAttribute("aria-expanded", String(open));
      else node.group.removeAttribute("aria-expanded");
    }
    if (this.active !== null && hidden.has(this.active)) this.active = this.visibleAncestor(this.active);
  }

  countBelow(node) {
    return node.children.reduce((sum, child) => sum + 1 + this.countBelow(child), 0);
  }

  visibleAncestor(id) {
    let node = this.nodes.get(id);
    while (node && this.hidden.has(node.id)) node = this.nodes.get(node.parent);
    return node?.id ?? this.first;
  }

  showSelection() {
    const path = new Set();
    for (let node = this.nodes.get(this.selected); node; node = this.nodes.get(node.parent)) path.add(node.id);
    for (const node of this.nodes.values()) {
      const on = path.has(node.id);
      node.group.classList.toggle("path", on);
      node.group.classList.toggle("selected", node.id === this.selected);
      node.block.classList.toggle("selected", node.id === this.selected);
      node.group.classList.toggle("active", node.id === this.active);
      node.group.setAttribute("aria-selected", String(node.id === this.selected));
      this.edges.get(node.id)?.classList.toggle("path", on);
    }
    if (this.active !== null) this.stage.setAttribute("aria-activedescendant", `n${this.active}`);
    this.showCutButton();
  }

  showCutButton() {
    const node = this.nodes.get(this.selected), { cut } = this.buttons;
    const action = this.actionFor(node);
    cut.hidden = !this.data.actions?.length;
    cut.disabled = !action;
    cut.textContent = action === "restore" || ((node?.cut || node?.raised !== undefined) && !action) ? this.data.strings.restore : this.data.strings.cut;
  }

  actionFor(node) {
    if (!node) return null;
    const action = node.cut || node.raised !== undefined ? "restore" : node.children.length && !node.ghost ? "cut" : null;
    return this.data.actions?.includes(action) ? action : null;
  }

  /* ------------------------------------------------------------ what the reader does */

  /* Events are numbered, so that both sides can tell news from echoes. */
  report(kind) {
    this.sequence += 1;
    this.tell({ seq: this.sequence, kind, selected: this.selected, folded: [...this.folded], have: this.svgKey });
  }

  select(id) {
    if (!this.nodes.has(id) || this.hidden.has(id)) return;
    this.active = id;
    const moved = this.selected !== id;
    this.selected = id;
    this.showSelection();
    if (moved) this.report("select");
  }

  fold(id) {
    const node = this.nodes.get(id);
    if (!node?.toggle) return;
    if (!this.folded.delete(id)) this.folded.add(id);
    this.showVisibility();
    this.showSelection();
    this.report("fold");
  }

  cutOrRestore() {
    const node = this.nodes.get(this.selected), action = this.actionFor(node);
    if (action) this.act({ type: action, node: node.id });
  }

  toggleGhosts() {
    this.showGhosts = !this.showGhosts;
    this.showState();
    this.remember();
  }

  walk(id) {
    if (id === undefined || id === null || !this.nodes.has(id)) return;
    this.active = id;
    this.showSelection();
    this.reveal(id);
  }

  /* ------------------------------------------------------------ keyboard */

  onKey(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const steps = this.sideways
      ? { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "previous", ArrowDown: "next" }
      : { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "previous", ArrowRight: "next" };
    const deeds = {
      Enter: () => this.select(this.active), " ": () => this.select(this.active),
      Home: () => this.walk(this.first), End: () => this.walk(this.deepestLeaf()),
      "+": () => this.zoomAll(1.25), "=": () => this.zoomAll(1.25), "-": () => this.zoomAll(1 / 1.25), 0: () => this.fitAll(),
      f: () => this.fold(this.active), x: () => this.cutOrRestore(), Delete: () => this.cutOrRestore(),
    };
    const deed = steps[event.key] ? () => this.walk(this.neighbour(steps[event.key])) : deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    // Streamlit listens on the page for single letters of its own.
    event.stopPropagation();
    deed();
  }

  shown(nodes) {
    return nodes.filter((node) => !this.hidden.has(node.id));
  }

  neighbour(step) {
    const node = this.nodes.get(this.active);
    if (!node) return this.first;
    if (step === "parent") return node.parent;
    if (step === "child") return this.shown(node.children)[0]?.id;
    const level = this.shown([...this.nodes.values()]).filter((other) => other.level === node.level);
    const along = this.sideways ? "y0" : "x0";
    level.sort((a, b) => a.box[along] - b.box[along]);
    return level[level.indexOf(node) + (step === "next" ? 1 : -1)]?.id;
  }

  deepestLeaf() {
    let best = null;
    for (const row of this.data.nodes) {
      const node = this.nodes.get(row.id);
      if (node && !this.hidden.has(node.id) && (!best || node.level > best.level)) best = node;
    }
    return best?.id;
  }

  /* ------------------------------------------------------------ pointer and wheel */

  listen() {
    const { stage } = this;
    stage.addEventListener("keydown", (event) => this.onKey(event));
    stage.addEventListener("pointerdown", (event) => this.onDown(event));
    stage.addEventListener("pointermove", (event) => this.onMove(event));
    stage.addEventListener("pointerup", (event) => this.onUp(event));
    stage.addEventListener("pointercancel", () => this.endDrag());
    stage.addEventListener("dblclick", (event) => this.onDouble(event));
    for (const name of ["pointerdown", "pointermove"]) this.map.addEventListener(name, (event) => this.onMap(event));
    this.map.addEventListener("dblclick", (event) => event.stopPropagation());
    stage.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, target: event.target, moved: false };
  }

  onMove(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAG) return;
    if (!drag.moved) {
      drag.moved = true;
      this.stage.setPointerCapture(event.pointerId);
      this.stage.classList.add("dragging");
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.look(this.camera.x + dx, this.camera.y + dy, this.camera.k);
  }

  onUp(event) {
    const { drag } = this;
    this.endDrag();
    if (!drag || drag.id !== event.pointerId || drag.moved) return;
    const group = drag.target.closest?.("g.node");
    if (!group) return;
    const id = Number(group.id.slice(1));
    if (drag.target.closest(".toggle")) this.fold(id);
    else this.select(id);
  }

  endDrag() {
    this.drag = null;
    this.stage.classList.remove("dragging");
  }

  onDouble(event) {
    if (!event.target.closest(".toggle")) this.fitAll();
  }

  onWheel(event) {
    const focused = this.root.getRootNode().activeElement === this.stage;
    if (!event.ctrlKey && !focused) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const frame = this.stage.getBoundingClientRect();
    this.zoomAll(Math.exp(clamp(-event.deltaY * lines, -120, 120) / 400), event.clientX - frame.left, event.clientY - frame.top);
  }

  /* ------------------------------------------------------------ camera */

  boundsOf(nodes) {
    if (!nodes.length) return { x0: 0, y0: 0, x1: 1, y1: 1 };
    const all = (name, pick) => pick(...nodes.map((node) => node.box[name]));
    return { x0: all("x0", Math.min), y0: all("y0", Math.min), x1: all("x1", Math.max), y1: all("y1", Math.max) };
  }

  look(x, y, k) {
    this.camera = { x, y, k };
    this.byHand = true;
    this.applyCamera();
  }

  applyCamera() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      const { x, y, k } = this.camera;
      this.cameraGroup?.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${k.toFixed(4)})`);
      this.stage.classList.toggle("far", k < FAR);
      this.showMap();
      this.remember();
    });
  }

  zoomBy(factor, px = this.stage.clientWidth / 2, py = this.stage.clientHeight / 2) {
    const { x, y, k } = this.camera, next = clamp(k * factor, MIN_SCALE, MAX_SCALE);
    this.look(px - ((px - x) * next) / k, py - ((py - y) * next) / k, next);
  }

  /* Views of one group, such as two trees side by side, are looked at with the same change of scale. */
  companions() {
    const others = [...TreeView.views].filter((view) => view !== this && view.svg && view.data.group === this.data.group);
    return this.data.group ? others : [];
  }

  zoomAll(factor, px, py) {
    const before = this.camera.k;
    this.zoomBy(factor, px, py);
    for (const view of this.companions()) view.zoomBy(this.camera.k / before);
  }

  fitAll() {
    for (const view of [this, ...this.companions()]) view.fit();
  }

  fitScale() {
    const { x0, x1, y0, y1 } = this.bounds;
    const room = Math.min((this.stage.clientWidth - 2 * MARGIN) / (x1 - x0), (this.stage.clientHeight - 2 * MARGIN) / (y1 - y0));
    return clamp(room, MIN_SCALE, 1.5);
  }

  fit() {
    const k = this.fitScale(), { x0, x1, y0, y1 } = this.bounds;
    this.look((this.stage.clientWidth - k * (x0 + x1)) / 2, (this.stage.clientHeight - k * (y0 + y1)) / 2, k);
    this.byHand = false;
  }

  /* ------------------------------------------------------------ the whole tree in a corner */

  /* One small block per node; stretched to its frame, because trees are far wider than high. */
  drawMap() {
    const { x0, x1, y0, y1 } = this.bounds;
    this.map.setAttribute("viewBox", `${x0} ${y0} ${x1 - x0} ${y1 - y0}`);
    this.mapFrame = draw("rect", { class: "frame" });
    this.map.replaceChildren(...[...this.nodes.values()].map((node) => this.mapBlock(node)), this.mapFrame);
  }

  mapBlock(node) {
    const { x0, x1, y0, y1 } = node.box;
    node.block = draw("rect", { class: "block", x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
    return node.block;
  }

  showMap() {
    const { x, y, k } = this.camera, { x0, x1, y0, y1 } = this.bounds;
    const left = -x / k, top = -y / k, wide = this.stage.clientWidth / k, high = this.stage.clientHeight / k;
    const whole = left <= x0 + 1 && top <= y0 + 1 && left + wide >= x1 - 1 && top + high >= y1 - 1;
    this.map.classList.toggle("unneeded", whole);
    const corner = { x: Math.max(left, x0), y: Math.max(top, y0) };
    const size = { width: Math.min(left + wide, x1) - corner.x, height: Math.min(top + high, y1) - corner.y };
    for (const [name, value] of Object.entries({ ...corner, ...size })) this.mapFrame?.setAttribute(name, Math.max(value, 0));
  }

  /* Middle of the view to where the map was pressed. */
  onMap(event) {
    event.stopPropagation();
    if (!(event.buttons & 1)) return;
    const frame = this.map.getBoundingClientRect(), { x0, x1, y0, y1 } = this.bounds, { k } = this.camera;
    const px = x0 + ((event.clientX - frame.left) / frame.width) * (x1 - x0);
    const py = y0 + ((event.clientY - frame.top) / frame.height) * (y1 - y0);
    this.look(this.stage.clientWidth / 2 - k * px, this.stage.clientHeight / 2 - k * py, k);
  }

  /* First look at a drawing: where it was left, else all of it, else (too small to read) its root. */
  frame() {
    if (!this.stage.clientWidth || !this.svg) return;
    if (!this.framed) {
      this.framed = true;
      const left = looks.get(this.key);
      if (left?.svgKey === this.svgKey) Object.assign(this, { camera: left.camera, byHand: left.byHand });
      else this.firstLook();
      this.applyCamera();
    }
    if (this.pendingReveal) this.reveal(this.selected);
    this.pendingReveal = false;
  }

  firstLook() {
    this.fit();
    const root = this.nodes.get(this.first);
    if (this.camera.k >= FAR || !root) return;
    const k = NEAR_START, { x0, x1, y0, y1 } = root.box;
    const [px, py] = this.sideways ? [MARGIN - k * x0, this.stage.clientHeight / 2 - (k * (y0 + y1)) / 2]
      : [this.stage.clientWidth / 2 - (k * (x0 + x1)) / 2, MARGIN - k * y0];
    this.look(px, py, k);
  }

  /* Moves the picture only as far as needed to have the node on it. */
  reveal(id) {
    const node = this.nodes.get(id);
    if (!node || !this.stage.clientWidth) return;
    const { x, y, k } = this.camera;
    const shift = (low, high, size) => (low < MARGIN ? MARGIN - low : high > size - MARGIN ? size - MARGIN - high : 0);
    const dx = shift(x + k * node.box.x0, x + k * node.box.x1, this.stage.clientWidth);
    const dy = shift(y + k * node.box.y0, y + k * node.box.y1, this.stage.clientHeight);
    if (dx || dy) this.look(x + dx, y + dy, k);
  }

  remember() {
    if (this.svgKey) looks.set(this.key, { svgKey: this.svgKey, camera: this.camera, byHand: this.byHand, showGhosts: this.showGhosts });
  }

  /* A diagram nobody has moved keeps filling its frame; a hidden tab gets its first look when it shows. */
  watchSize() {
    this.sizes = new ResizeObserver(() => {
      if (this.framed && !this.byHand) this.fit();
      else this.frame();
    });
    this.sizes.observe(this.stage);
  }
}
