/* A tree that is drawn by hand on the canvas: a node is picked, then what it asks or answers; its branches appear below. */

class Sketch {
  constructor(t) {
    const section = document.querySelector(`#q${t}`), task = data.tasks[t];
    Object.assign(this, { t, task, own: new Map(), strays: new Map(), ids: new Map(), nodes: [], picked: 0, closed: new Set() });
    Object.assign(this, { host: section.querySelector(".canvas"), choice: section.querySelector(".choice"), pool: section.querySelector(".pool"), window: null, sequence: 0, stamp: 0, before: "" });
    task.paths.forEach((path, i) => this.own.set(JSON.stringify(path), fields[task.first + i]));
    for (const field of this.own.values()) field.addEventListener("change", () => this.chosen());
    const root = element("div", "bench");
    this.host.attachShadow({ mode: "open" }).append(element("style", "", STYLES), root);
    this.room = [this.host.clientWidth, this.host.clientHeight - 50].map((length) => Math.max(200, length));
    this.pane = new Canvas.Reader.TreePane(root);
    this.pane.tell = (event) => this.hear(event);
    this.pane.act = () => {};
    this.draw();
    this.pane.enter();
    new ResizeObserver(() => this.show()).observe(this.host);
  }

  hear({ seq, kind, node, ...event }) {
    this.sequence = seq;
    if (kind === "select") this.picked = node;
    else if (kind === "open") this.closed.delete(node);
    else if (kind === "close") this.closed.add(node);
    else if (kind === "room") Object.assign(this, { room: event.room, window: event.window });
    this.show();
  }

  /* Something was chosen for the picked node: on to the next one that waits for an answer, below it before all others. */
  chosen() {
    this.grow();
    const at = this.nodes.findIndex(({ id }) => id === this.picked), waits = ({ field }) => field && field.value === "";
    const next = this.nodes.slice(at + 1).find(waits) ?? this.nodes.find(waits);
    const goesOn = next && !waits(this.nodes[at]);
    if (goesOn) this.picked = next.id;
    this.closed.clear();
    this.show();
    this.pane.views.reveal(this.picked);
    if (goesOn) this.choice.querySelector("select").focus({ preventScroll: true });
  }

  /* ---------------------------------------------------------------- the nodes, as they were answered until now */

  draw() {
    this.grow();
    this.show();
  }

  grow() {
    const { draws } = this.task, nodes = [], add = (path, parent, branch) => {
      const rows = this.task.rows.filter((row) => path.every(([asked, way]) => row[asked] === way)).length;
      const node = { id: this.idOf(path), path, parent, branch, rows, field: rows ? this.fieldOf(path) : null, children: [] };
      nodes.push(node);
      const asks = this.asked(node);
      if (asks >= 0) node.children = draws[asks].map((text, i) => add([...path, [asks, i]], node.id, text));
      return node.id;
    };
    add([], null, "");
    Object.assign(this, { nodes, byId: new Map(nodes.map((node) => [node.id, node])) });
  }

  /* The attribute that a node asks for; -1 of one that answers, waits, or asks what was asked above it. */
  asked({ field, path }) {
    const at = field && field.value !== "" ? Number(field.value) : -1;
    return at < this.task.draws.length && !path.some(([above]) => above === at) ? at : -1;
  }

  idOf(path) {
    const key = JSON.stringify(path);
    if (!this.ids.has(key)) this.ids.set(key, this.ids.size);
    return this.ids.get(key);
  }

  /* A node that the right tree does not have gets a field like the others, so that nothing tells them apart. */
  fieldOf(path) {
    const key = JSON.stringify(path), known = this.own.get(key) ?? this.strays.get(key);
    if (known) return known;
    const copy = fields[this.task.first].parentElement.cloneNode(true), field = copy.firstElementChild;
    delete field.dataset.field;
    delete copy.dataset.mark;
    field.removeAttribute("aria-invalid");
    field.value = "";
    field.setAttribute("aria-label", this.where(path));
    field.addEventListener("change", () => this.chosen());
    this.pool.append(copy);
    this.strays.set(key, field);
    return field;
  }

  where(path) {
    return path.map(([asked, way]) => `${this.option(asked)} = ${this.task.draws[asked][way]}`).join(" AND ") || "All rows";
  }

  option(at) {
    return fields[this.task.first].options[at + 1].text.replace(/^(asks|answers) /, "");
  }

  /* ---------------------------------------------------------------- what is shown */

  show() {
    if (!this.byId.has(this.picked)) this.picked = 0;
    const { byId, picked } = this, tree = { childrenOf: (id) => byId.get(id).children, parentOf: (id) => byId.get(id)?.parent ?? -1, weightOf: (id) => byId.get(id).rows, depthOf: (id) => byId.get(id).path.length };
    const letters = Math.max(...this.task.names.map((name) => name.length)), asked = { room: this.room, lines: 0, bars: 0, orientation: "", before: this.before, letters, curve: 0 };
    const opened = new Set(this.nodes.filter(({ id, children }) => children.length && !this.closed.has(id)).map(({ id }) => id)); // nothing is folded but by hand
    const found = Canvas.Reader.canvasLayout(tree, asked, opened, this.closed, picked), shown = new Set(found.ids);
    const nodes = found.ids.map((id) => this.row(byId.get(id), found.at.get(id), shown)), drawn = JSON.stringify([nodes, found.size]);
    if (drawn !== this.drawn) [this.drawn, this.stamp] = [drawn, this.stamp + 1];
    this.before = found.orientation;
    this.pane.update({
      stamp: `${this.t} ${this.stamp}`, tree: `sketch ${this.t}`, cut: `${found.ids}`, nodes, orientation: found.orientation, stacked: found.stacked, size: found.size,
      width: found.width, height: found.height, apart: found.gap, largest: Canvas.Reader.LARGEST, classes: this.classes, colors: COLORS, differ: {}, interest: null,
      numbers: null, groups: null, figures: null, whole: null, words: SKETCH_WORDS, key: `sketch ${this.t}`, session: "sheet", seen: this.sequence,
      pixels: this.host.clientHeight, selected: picked, detail: "look", turned: found.orientation, ghosts: false, cuts: false, acts: false, window: this.window,
      shape: "tree", room: this.room, presenting: false, found: null, dock: null, follows: null, group: "", tag: "", notice: null, command: null, switches: {},
      shapes: false, shows: null, ways: [], least: null, slim: true, bare: true,
    });
    this.ask(byId.get(picked));
  }

  get classes() {
    const { draws, first } = this.task;
    return [...fields[first].options].slice(draws.length + 1).map(({ text }) => text.replace(/^answers /, ""));
  }

  row({ id, path, parent, branch, rows, field, children }, [x, y], shown) {
    const value = field?.value ?? "", mark = field?.parentElement.dataset.mark ?? "", { draws } = this.task, isAnswer = value !== "" && Number(value) >= draws.length;
    const text = !field ? "no row" : value === "" ? "?" : this.option(Number(value)), title = mark ? `${mark} ${text}` : text, isOpen = children.some((child) => shown.has(child));
    const told = { "✓": ", right", "✗": ", not right yet" }[mark] ?? "", counted = `${rows} ${rows === 1 ? "row" : "rows"}`;
    const made = {
      id, parent, level: path.length + 1, x, y, leaf: !children.length, title, answer: text, short: title, n: String(rows), fewer: [], part: "", share: rows / this.task.rows.length,
      bars: [], below: isOpen ? 0 : children.length, branch, lines: [], told: [this.where(path), counted],
      label: `${this.where(path)}: ${!field ? "no row comes here" : value === "" ? "waits for an answer" : `${isAnswer ? "answers" : "asks"} ${text}`}${told}; ${counted}`,
    };
    return isAnswer ? { ...made, tint: Number(value) - draws.length, purity: 1 } : made;
  }

  /* Below the canvas: the picked node, and what can be chosen there. */
  ask({ path, rows, field }) {
    const place = element("strong", "", this.where(path)), now = this.choice.querySelector(".f");
    if (now !== (field?.parentElement ?? null)) {
      if (now) this.pool.append(now);
      this.choice.replaceChildren(element("span", "where"), ...(field ? [field.parentElement] : []));
    }
    this.choice.querySelector(".where").replaceChildren(place, field ? ` (${rows} ${rows === 1 ? "row" : "rows"})` : ": no row comes here, so that there is nothing to choose");
  }
}
