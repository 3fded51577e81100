/* Present: the tree alone in large letters, one split after the other, or the steps of a worked example. */

const LARGEST = 2.4, SCALED = 1150, SWIPE = 60, MOST_CONDITIONS = 3; // SCALED : pixels of a scene that is as wide as most projectors are
const stage = document.getElementById("stage");
const shown = { steps: [], at: 0, which: EXAMPLE ? "example" : "growth" };

// ---- steps: of the growth of the tree that is shown, or of the example
function growing() {
  const children = WHOLE.map((node, at) => (isCut(at) || isGhost(at) ? [] : node.children || []));
  const tree = new Cards(SAID, children, cards.answers, LOOKED_FOR), order = splitOrder(children);
  return [null, ...order].map((node, k) => ({ tree, order, made: k, node: node ?? 0, caption: () => splitCaption(k, order) }));
}

// nodes have their numbers in the order in which they were made: what was split first has the first children
function splitOrder(children) {
  const inner = children.flatMap((below, at) => (below.length ? [at] : []));
  return inner.sort((a, b) => children[a][0] - children[b][0]);
}

function splitCaption(k, order) {
  if (!k) return ["Before the first split", element("p", `The root holds all ${rowsOf(SAID[0])}: ${answerText(0)}.`)];
  const at = order[k - 1], said = SAID[at], path = pathTo(at), few = path.slice(-MOST_CONDITIONS);
  const where = [...(few.length < path.length ? ["…"] : []), ...few].join(" and ") || "the root";
  const list = element("ul");
  list.append(...WHOLE[at].children.map((child) => element("li", `${SAID[child].condition}: ${rowsOf(SAID[child])}, ${answerText(child)}`)));
  return [
    `Split ${k} of ${order.length}: ${said.asks}`,
    element("p", `Node ${at} (${where}), ${rowsOf(said)}, is split on ${said.asks}. Gain ${said.gain}.`), list,
  ];
}

function walking() {
  const trees = EXAMPLE.trees.map(({ said, children, answers, interest }) => new Cards(said, children, answers, interest));
  return EXAMPLE.steps.map((step) => {
    const tree = trees[step.tree];
    return { tree, order: splitOrder(tree.children), made: step.made, node: step.node, caption: () => [step.title, ...stepText(step)] };
  });
}

// what a step of the example says, and its figures: as printed, and as they are computed here
function stepText(step) {
  const parts = [element("p", step.text)];
  if (step.place) parts.push(Object.assign(element("p", step.place), { className: "place" }));
  if (step.figures.length) {
    const table = element("table"), head = element("tr");
    head.append(...["quantity", "printed", "exact"].map((name) => element("th", name)));
    table.append(head, ...step.figures.map((figure) => {
      const row = element("tr");
      row.append(...figure.map((cell) => element("td", cell)));
      return row;
    }));
    table.className = "figures";
    parts.push(table);
  }
  return [...parts, ...step.remarks.map((remark) => Object.assign(element("p", remark), { className: "remark" }))];
}

function listSteps() {
  if (!EXAMPLE) return;
  find("pane-steps").append(element("h2", EXAMPLE.label), ...EXAMPLE.steps.map((step, i) => {
    const section = element("section"), head = element("h3"), button = element("button", `${i + 1}: ${step.title}`);
    button.title = "Present this step";
    button.addEventListener("click", () => present(i, "example"));
    head.append(button);
    section.append(head, ...stepText(step));
    return section;
  }));
  find("tab-steps").hidden = find("which").hidden = false;
  find("which").addEventListener("change", (event) => show(0, event.target.value));
  tab("steps");
}

const answerText = (at) => `${TREE.classes ? `predicts ${SAID[at].brief ?? SAID[at].predicted}` : meanText(SAID[at], NOUN)}${cards.rate(at) ? ` (${cards.rate(at)})` : ""}`;

const meanText = ({ predicted, brief = predicted }, noun) => (brief.startsWith(noun.split(" ")[0]) ? brief : `${noun} ${brief}`); // a hazard says what it is

// ---- the picture: as much of the tree so far as can be read from afar, the node of the step always in it
function picture(step, room) {
  const { children, said } = step.tree, made = new Set(step.order.slice(0, step.made)), letters = step.tree.letters;
  const path = [step.node], least = Math.min(Reader.PRESENT, Math.max(Reader.NEAR, room[0] / SCALED));
  while (step.tree.parent[path[0]] >= 0) path.unshift(step.tree.parent[path[0]]);
  const others = [...made].sort((a, b) => said[b].weight - said[a].weight || a - b), lines = said.some(({ line }) => line) ? 1 : 0;
  const drawn = (many, root) => {
    const opened = new Set([...path, ...others.slice(0, many)].filter((at) => made.has(at))), ids = [root];
    for (const at of ids) if (opened.has(at)) ids.push(...children[at]);
    const parentOf = (at) => (at === root ? null : step.tree.parent[at]), inOrder = ids.sort((a, b) => a - b);
    return { ...Reader.wholeLayout({ parentOf }, inOrder, { room, lines, bars: 1, letters, curve: step.tree.curve, before: shown.before, least, largest: LARGEST }), root, above: path.indexOf(root), made };
  };
  let best = drawn(others.length, 0), few = 0, many = others.length;
  while (best.scale < least && few < many) {
    const middle = Math.floor((few + many) / 2), next = drawn(middle, 0);
    if (next.scale < least) many = middle;
    else few = middle + 1;
  }
  if (best.scale < least) best = drawn(Math.max(0, few - 1), 0);
  for (let top = 1; best.scale < least && top < path.length; top += 1) best = drawn(0, path[top]); // too deep: its nearest ancestors
  return best;
}

// the canvas that the page has, in the room of the scene
const scene = {
  host: find("grown"), stamp: 0, sequence: 0, window: null,

  begin() {
    const root = element("div");
    root.className = "bench";
    this.host.attachShadow({ mode: "open" }).append(element("style", STYLES), root);
    this.pane = new Reader.TreePane(root);
    this.pane.tell = (event) => this.hear(event);
    this.pane.act = this.pane.present = () => {};
    this.host.addEventListener("keydown", (event) => presents(event) && event.stopPropagation(), { capture: true });
  },

  hear({ seq, kind, node, window }) {
    this.sequence = seq;
    if (kind === "room") this.window = window;
    if (kind === "select") goToNode(node);
    else this.draw();
  },

  draw() {
    const step = shown.steps[shown.at], { tree } = step, box = find("scene").getBoundingClientRect();
    const legend = this.pane.legend.element.offsetHeight, drawn = picture(step, [box.width, box.height - legend]), ids = new Set(drawn.ids);
    const childrenOf = (at) => (drawn.made.has(at) ? tree.children[at] : []);
    const nodes = drawn.ids.map((at) => ({ ...tree.row(at, drawn.at.get(at), ids, childrenOf, tree.lines(at, !childrenOf(at).length, "look")), ...(at === drawn.root ? { parent: null, branch: "", levels: [], came: null } : {}) }));
    const told = `The tree after ${step.made} of ${step.order.length} splits`;
    this.stamp += 1;
    Object.assign(shown, { before: drawn.orientation, size: `${box.width} ${box.height}` });
    this.pane.update({
      ...ALWAYS, stamp: this.stamp, tree: `${shown.which} ${shown.steps.findIndex((other) => other.tree === tree)}`, cut: `${this.stamp}`, nodes, orientation: drawn.orientation,
      turned: drawn.orientation, stacked: drawn.stacked, size: drawn.size, width: drawn.width, height: drawn.height, apart: drawn.gap, largest: LARGEST, interest: tree.interest,
      numbers: tree.numbers, words: { ...WORDS, tree: told }, key: "stage", seen: this.sequence, pixels: null, selected: step.node, window: this.window, room: drawn.size,
      presenting: true, staged: true, made: step.made, splits: step.order.length, tag: drawn.above ? `${drawn.above} ${drawn.above === 1 ? "level" : "levels"} above` : "",
    });
  },

  enter() {
    if (!this.pane) this.begin();
    this.pane.enter();
  },

  leave() {
    this.pane.leave();
  },
};

// ---- walking
function go(to) {
  shown.at = Math.min(Math.max(to, 0), shown.steps.length - 1);
  const last = shown.steps.length - 1, [title, ...text] = shown.steps[shown.at].caption(), begin = shown.which === "example" ? 1 : 0;
  find("stagetitle").textContent = title;
  find("stagetext").replaceChildren(...text);
  find("caption").scrollTop = 0;
  find("stageat").textContent = `${shown.at + begin} of ${last + begin}`;
  for (const id of ["first", "back"]) find(id).disabled = shown.at === 0;
  for (const id of ["forwards", "last"]) find(id).disabled = shown.at === last;
  if (!stage.contains(document.activeElement) || document.activeElement.disabled) stage.focus();
  scene.draw();
}

// to the split of a node, or to the one that made a leaf
function goToNode(at) {
  const { tree } = shown.steps[shown.at], parted = tree.children[at].length ? at : tree.children.findIndex((below) => below.includes(at));
  const to = shown.steps.findIndex((step) => step.made > 0 && step.node === parted && step.tree === tree);
  if (to >= 0) go(to);
}

function present(at = 0, which = shown.which) {
  if (stage.open) return;
  stage.showModal();
  scene.enter();
  show(at, which);
}

// which : "example" or "growth"
function show(at, which) {
  Object.assign(shown, { which, steps: which === "example" ? walking() : growing() });
  stage.classList.toggle("example", which === "example");
  find("which").value = which;
  go(at);
}

// true where the key is one of the presentation's, or the page below must not hear it
function presents(event) {
  if (event.altKey && event.code === "KeyP") {
    event.preventDefault();
    if (stage.open) stage.close();
    else present();
    return true;
  }
  if (!stage.open) return false;
  const to = { PageUp: shown.at - 1, PageDown: shown.at + 1, ArrowLeft: shown.at - 1, ArrowRight: shown.at + 1, Home: 0, End: shown.steps.length - 1 }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return true;
  event.preventDefault();
  go(to);
  return true;
}

function presenting() {
  listSteps();
  const moves = { first: () => 0, back: () => shown.at - 1, forwards: () => shown.at + 1, last: () => shown.steps.length - 1 };
  for (const [id, to] of Object.entries(moves)) find(id).addEventListener("click", () => go(to()));
  find("end").addEventListener("click", () => stage.close());
  stage.addEventListener("close", () => {
    scene.leave();
    if (document.activeElement === document.body || stage.contains(document.activeElement)) canvas.focus(); // begun by a key
  });
  let from = null;
  find("scene").addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  find("scene").addEventListener("touchend", (event) => {
    const to = event.changedTouches[0], along = from ? to.clientX - from.clientX : 0;
    if (Math.abs(along) > SWIPE && Math.abs(along) > Math.abs(to.clientY - from.clientY)) go(shown.at - Math.sign(along));
    from = null;
  });
  new ResizeObserver(() => { // a caption of more lines was there before the picture was drawn
    const { width, height } = find("scene").getBoundingClientRect();
    if (stage.open && shown.size !== `${width} ${height}`) scene.draw();
  }).observe(find("scene"));
}
