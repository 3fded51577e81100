/* Present: the tree alone in large letters, one split after the other, or the steps of a worked example. */

const BIG = { wide: 216, high: 60, title: 24, soft: 50, bar: 38, thick: 10, letter: 8.5 };
const APART = 318, BELOW = 78, INDENT = 30, STACKED = 92, LARGEST = 2.6, SWIPE = 60, MOST_CONDITIONS = 3;
const stage = document.getElementById("stage");
const shown = { steps: [], at: 0, places: new Map(), which: EXAMPLE ? "example" : "growth" };

// ---- steps: of the growth of the tree that is shown, or of the example
function growing() {
  const children = WHOLE.map((node, at) => (isCut(at) || isGhost(at) ? [] : node.children || []));
  const tree = { said: SAID, children, noun: NOUN }, order = splitOrder(children);
  return [null, ...order].map((node, k) => ({ tree, order, made: k, node: node ?? 0, caption: () => splitCaption(k, order) }));
}

// nodes have their numbers in the order in which they were made: what was split first has the first children
function splitOrder(children) {
  const inner = children.flatMap((below, at) => (below.length ? [at] : []));
  return inner.sort((a, b) => children[a][0] - children[b][0]);
}

function splitCaption(k, order) {
  if (!k) return ["Before the first split", element("p", `The root holds all ${rowsOf(SAID[0])}: ${answerText(SAID[0])}.`)];
  const at = order[k - 1], said = SAID[at], path = pathTo(at), few = path.slice(-MOST_CONDITIONS);
  const where = [...(few.length < path.length ? ["…"] : []), ...few].join(" and ") || "the root";
  const list = element("ul");
  list.append(...WHOLE[at].children.map((child) => element("li", `${SAID[child].condition}: ${rowsOf(SAID[child])}, ${answerText(SAID[child])}`)));
  return [
    `Split ${k} of ${order.length}: ${said.asks}`,
    element("p", `Node ${at} (${where}), ${rowsOf(said)}, is split on ${said.asks}. Gain ${said.gain}.`), list,
  ];
}

function walking() {
  return EXAMPLE.steps.map((step) => {
    const tree = EXAMPLE.trees[step.tree];
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

const rowsOf = (said) => `${said.rows} ${said.rows === "1" ? "row" : "rows"}`;
const answerText = (said) => `${TREE.classes ? `predicts ${said.predicted}` : meanText(said, NOUN)}${said.rate ? ` (${said.rate})` : ""}`;

// ---- the picture: as much of the tree so far as can be read from afar, the node of the step always in it
function picture(step, wide, high) {
  const { children, said } = step.tree, made = new Set(step.order.slice(0, step.made));
  const up = new Map(children.flatMap((below, at) => below.map((child) => [child, at])));
  const path = [step.node];
  while (up.has(path[0])) path.unshift(up.get(path[0]));
  const others = [...made].sort((a, b) => said[b].weight - said[a].weight || a - b), least = Math.min(0.95, Math.max(0.66, wide / 1560));
  const drawn = (many, root) => {
    const opened = new Set([...path, ...others.slice(0, many)].filter((at) => made.has(at)));
    const ways = [across, stacked].map((way) => way((at) => (opened.has(at) ? children[at] : []), root));
    for (const way of ways) way.scale = Math.min(wide / way.wide, high / way.high, LARGEST);
    return { ...(ways[0].scale < Math.max(least, 0.75 * ways[1].scale) && ways[1].scale > ways[0].scale ? ways[1] : ways[0]), root, above: path.indexOf(root), opened, made };
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

function across(childrenOf, root) {
  const places = laidOut(childrenOf, root, APART, BELOW), all = [...places.values()];
  const wide = Math.max(...all.map(({ x }) => x)) + BIG.wide + 56, high = Math.max(...all.map(({ y }) => y)) + BIG.high;
  return { places, wide: wide + 16, high: high + 28, stacks: false };
}

// each node below its parent and further in: for narrow windows
function stacked(childrenOf, root) {
  const places = new Map(), waiting = [[root, 0]];
  while (waiting.length) {
    const [at, depth] = waiting.pop();
    places.set(at, { x: depth * INDENT, y: places.size * STACKED });
    for (const child of [...childrenOf(at)].reverse()) waiting.push([child, depth + 1]);
  }
  const wide = Math.max(...[...places.values()].map(({ x }) => x)) + BIG.wide + 56;
  return { places, wide: wide + 16, high: (places.size - 1) * STACKED + BIG.high + 28, stacks: true };
}

// leaves one below the other, every node in the middle of its children
function laidOut(childrenOf, root, column, line) {
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

// of a class's colour as much as the share tells, at most as deep as text can be read on; a grey where no class has it
function ground(k, depth) {
  const hue = k < 0 ? "var(--soft)" : colors.of(k);
  return `color-mix(in srgb, ${hue} ${Math.round(21 * depth)}%, var(--card))`;
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
    drawn.push(make("rect", { x: from, y: bar, width: part, height: thick, fill: colors.fill(k) }));
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

function drawStage() {
  const step = shown.steps[shown.at], scene = find("scene").getBoundingClientRect(), svg = find("grown");
  const { children, said } = step.tree, drawn = picture(step, scene.width, scene.height), { places } = drawn;
  const wide = Math.max(drawn.wide, scene.width / LARGEST), high = Math.max(drawn.high, scene.height / LARGEST);
  const before = shown.tree === step.tree ? shown.places : new Map(), edges = [], nodes = [];
  for (const [at, here] of places) {
    for (const child of drawn.opened.has(at) ? children[at] : []) edges.push(...branchTo(said[child], here, places.get(child), drawn.stacks, said[0].weight));
    const isSplit = drawn.made.has(at), below = drawn.opened.has(at) ? 0 : nodesBelow(at, children, drawn.made);
    const node = make("g", { class: `node${at === step.node ? " picked" : ""}`, transform: `translate(${here.x},${here.y})`, "data-id": at });
    node.append(make("title", {}, said[at].spoken), ...face(said[at], isSplit || !children[at].length ? said[at].title : said[at].leaf, BIG));
    if (isSplit && !said[at].counted) node.append(make("text", { x: 9, y: BIG.soft - (said[at].spread ? 9 : 0), class: "soft" }, meanText(said[at], step.tree.noun)));
    if (below) node.append(make("text", { x: BIG.wide + 8, y: BIG.high / 2 + 5, class: "soft" }, `+${below}`));
    if (at === drawn.root && drawn.above) node.append(make("text", { x: 2, y: -7, class: "soft" }, `${drawn.above} ${drawn.above === 1 ? "level" : "levels"} above`));
    node.addEventListener("click", () => goToNode(at));
    nodes.push(node);
  }
  svg.setAttribute("viewBox", `${(drawn.wide - wide) / 2 - 8} ${(drawn.high - high) / 2 - 20} ${wide} ${high}`);
  svg.replaceChildren(...edges, ...nodes);
  for (const node of nodes) fitTitle(node, BIG.wide);
  [...places].forEach(([at, here], i) => glide(nodes[i], before.get(at), here));
  svg.setAttribute("aria-label", `The tree after ${step.made} of ${step.order.length} splits`);
  Object.assign(shown, { places, tree: step.tree, size: `${scene.width} ${scene.height}` });
}

function nodesBelow(at, children, made) {
  return made.has(at) ? children[at].reduce((sum, child) => sum + 1 + nodesBelow(child, children, made), 0) : 0;
}

function branchTo(said, from, to, stacks, all) {
  const wide = 1 + 9 * Math.sqrt(said.weight / all || 0), y = to.y + BIG.high / 2, start = [from.x + BIG.wide, from.y + BIG.high / 2];
  const middle = (start[0] + to.x) / 2, texts = [said.alone ? "" : said.branch, said.came].filter(Boolean);
  const line = stacks ? `M${from.x + 14} ${from.y + BIG.high}V${y}H${to.x}` : `M${start} C${middle},${start[1]} ${middle},${y} ${to.x},${y}`;
  const words = stacks
    ? [make("text", { x: to.x + 2, y: to.y - 7, class: "soft" }, texts.join("; "))]
    : texts.map((text, i) => make("text", { x: to.x - 7, y: y + (i ? 20 + wide / 2 : -8), class: "soft", "text-anchor": "end" }, text));
  return [make("path", { d: line, class: said.alone ? "route" : "edge", "stroke-width": wide }), ...words];
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function glide(node, from, to) {
  if (isStill() || !stage.open || !shown.places.size) return;
  const place = ({ x, y }) => `translate(${x}px, ${y}px)`;
  if (!from) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 450, easing: "ease-out" });
  else if (from.x !== to.x || from.y !== to.y) node.animate([{ transform: place(from) }, { transform: place(to) }], { duration: 450, easing: "ease-out" });
}

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
  drawStage();
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
  show(at, which);
}

// which : "example" or "growth"
function show(at, which) {
  Object.assign(shown, { which, steps: which === "example" ? walking() : growing(), places: new Map() });
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
    find("grown").replaceChildren();
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
    if (stage.open && shown.size !== `${width} ${height}`) drawStage();
  }).observe(find("scene"));
}
