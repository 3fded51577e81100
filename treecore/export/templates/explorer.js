/* What people see of the explorer without a server: a file, its columns, the settings, and the tree in a frame. */

const find = (id) => document.getElementById(id);
const LIMITS = ["max_depth", "max_leaves", "min_rows_split", "min_rows_leaf"];
const HELD = 0.2, LEAST_HELD = 30; // the share of validation and of test rows, and the fewest that judge
const KINDS = ["numeric", "ordinal", "nominal", "boolean"];
// bytes : of the file. columns : as they were read. use : names of the features. kinds : what somebody changed.
// isNew : is its first tree to be chosen as the app chooses one? why : by which way it was grown then, and why.
const state = { name: "", bytes: null, columns: [], use: new Set(), kinds: {}, extra: {}, recipe: null, page: "", isNew: false, why: "" };

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(fault = "") {
  find("fault").textContent = fault;
  find("fault").hidden = fault === "";
}

// ---- the worker; a page from the disk may start one of its own text, else the page itself does the work

class Work {
  constructor() {
    this.asked = new Map();
    this.next = 1;
    this.start();
  }

  start() {
    const text = `${find("library").textContent}\nonmessage = ({ data }) => ExplorerWorker.handle(data, postMessage);`;
    try {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      this.worker = new Worker(address);
      this.worker.onmessage = ({ data }) => this.answer(data);
      this.worker.onerror = () => this.beside();
    } catch {
      this.beside();
    }
  }

  // without a worker: here, after the page is drawn
  beside() {
    const lost = [...this.asked.values()];
    this.worker = { postMessage: (data) => setTimeout(() => ExplorerWorker.handle(data, (said) => this.answer(said)), 30), terminate() {} };
    for (const { message } of lost) this.worker.postMessage(message);
  }

  ask(task, asked, progress = () => {}) {
    const id = this.next, message = { id, task, ...asked };
    this.next += 1;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject, progress, message });
      this.worker.postMessage(message);
    });
  }

  answer({ id, made, fault, nodes }) {
    const asked = this.asked.get(id);
    if (!asked) return;
    if (nodes !== undefined) { asked.progress(nodes); return; }
    this.asked.delete(id);
    if (fault !== undefined) asked.reject(new Error(fault));
    else asked.resolve(made);
  }

  // ends what is being done; the file is read again
  stop() {
    this.worker.terminate();
    for (const { reject } of this.asked.values()) reject(new Error(""));
    this.asked.clear();
    this.start();
    if (state.bytes) this.ask("read", { bytes: state.bytes }).catch(() => {});
  }
}

const work = new Work();

// ---- opening a file, a sample, a recipe

async function open(files) {
  say();
  const recipe = files.find((file) => /\.json$/i.test(file.name)), table = files.find((file) => file !== recipe);
  try {
    const steps = recipe ? recipeOf(await recipe.text()) : null;
    if (table) await load(table.name, new Uint8Array(await table.arrayBuffer()), {}, "", steps);
    else if (steps && steps.sample) take(SAMPLES.find(({ name }) => name === steps.sample), steps);
    else if (steps && state.bytes) await load(state.name, state.bytes, {}, "", steps);
    else if (steps) {
      state.recipe = steps;
      find("status").textContent = "The recipe is ready. Now choose the table that it is for.";
    }
  } catch (fault) {
    say(fault.message);
  }
}

const take = (sample, steps = null) => load(sample.file, new TextEncoder().encode(sample.text), sample.kinds, sample.target, steps, sample.preset);

// preset : by which a textbook grows the sample, on all rows; "" of other tables
async function load(name, bytes, kinds, target, steps, preset = "") {
  find("status").textContent = `Reading ${name} …`;
  try {
    const read = await work.ask("read", { bytes }), followed = steps ?? state.recipe;
    if (followed) check(followed, read);
    Object.assign(state, { name, bytes, columns: read.columns, n: read.n, kinds: followed ? followed.kinds : kinds, recipe: null, extra: followed ? followed.extra : {} });
    state.use = new Set(followed?.features ?? read.columns.filter(({ use, name: column }) => use === "feature" || column in state.kinds).map(({ name: column }) => column));
    Object.assign(state, { isNew: !followed && !preset, begun: null, why: "" });
    fill(read, followed, followed?.target || target || read.target, preset);
    find("status").textContent = "";
    grow(); // its worker begins while the page draws what was read
    listColumns();
    document.body.classList.add("loaded");
    find("work").hidden = false;
  } catch (fault) {
    find("status").textContent = "";
    say(fault.message);
    if (state.bytes) work.ask("read", { bytes: state.bytes }).catch(() => {}); // what was open stays open
  }
}

function check({ target, features, kinds, check: checkRule }, { columns, target: usual }) {
  const names = columns.map(({ name }) => name), lost = [target, ...(features ?? []), ...Object.keys(kinds)].find((name) => name && !names.includes(name));
  if (lost) throw new Error(`The recipe asks for the column “${lost}”, which the file does not have. Choose the file that it is for.`);
  const predicted = target || usual;
  checkRule((kinds[predicted]?.kind ?? columns.find(({ name }) => name === predicted)?.targetKind) !== "numeric");
}

function fill(read, followed, target, preset) {
  find("filename").textContent = state.name;
  const passed = read.notes.concat(followed ? followed.notes : []);
  find("notes").textContent = [`${read.n.toLocaleString("en")} rows, ${read.columns.length} columns.`, ...passed].join(" ");
  find("target").replaceChildren(...read.columns.filter(({ isOdd }) => !isOdd).map(({ name }) => element("option", name, { value: name })));
  find("target").value = target;
  find("preset").value = followed?.preset ?? (preset || PRESETS[0].name);
  for (const name of LIMITS) find(name).value = followed?.settings[name] ?? "";
  const dealt = followed?.split ?? (preset || read.n * HELD < LEAST_HELD ? {} : { validation: HELD, test: HELD }); // folds of all rows judge better than few
  for (const name of ["validation", "test"]) find(name).value = dealt[name] ? String(Math.round(1e8 * dealt[name]) / 1e6) : "";
  find("seed").value = dealt.seed || "";
  prune(followed?.rule ?? null);
}

// ---- columns: whether they are used, and as what

function listColumns() {
  const target = find("target").value, left = state.columns.filter(({ name }) => !state.use.has(name) && name !== target);
  find("readsummary").textContent = `Columns: ${state.columns.length - left.length - 1} used${left.length ? `, ${left.length} left out` : ""}`;
  find("columns").tBodies[0].replaceChildren(...state.columns.map((column) => rowOf(column, column.name === target)));
}

function rowOf(column, isTarget) {
  const { name, reason, missing, isOdd } = column, row = element("tr"), use = element("input", undefined, { type: "checkbox", "aria-label": `Use ${name}` });
  Object.assign(use, { checked: state.use.has(name) && !isTarget, disabled: isOdd || isTarget });
  use.addEventListener("change", () => { state.use[use.checked ? "add" : "delete"](name); listColumns(); grow(); });
  const first = element("td"), second = element("td", name), third = element("td");
  first.append(use);
  second.append(element("small", `${isTarget ? "Target. " : ""}${reason}${missing ? ` ${missing.toLocaleString("en")} missing.` : ""}`));
  if (!isOdd) third.append(kindOf(column, isTarget));
  const levels = state.kinds[name]?.kind === "ordinal" && state.kinds[name].levels;
  if (levels) third.append(levelsOf(name, levels));
  row.append(first, second, third);
  return row;
}

function kindOf({ name, kind, targetKind }, isTarget) {
  const usual = isTarget ? targetKind : kind, select = element("select", undefined, { "aria-label": `Kind of ${name}` });
  select.append(...KINDS.map((known) => element("option", known, { value: known })));
  select.value = state.kinds[name]?.kind ?? usual;
  select.addEventListener("change", async () => {
    say();
    try {
      if (select.value === usual) delete state.kinds[name];
      else if (select.value === "ordinal") state.kinds[name] = { kind: "ordinal", levels: await work.ask("levels", { name, kind: "ordinal" }) };
      else {
        if (select.value !== "numeric") await work.ask("levels", { name, kind: select.value });
        state.kinds[name] = { kind: select.value };
      }
      if (!isTarget) state.use.add(name);
      listColumns();
      grow();
    } catch (fault) {
      select.value = state.kinds[name]?.kind ?? usual;
      say(fault.message);
    }
  });
  return select;
}

// the levels from lowest to highest; each can go up
function levelsOf(name, levels) {
  const list = element("ol", undefined, { "aria-label": `Levels of ${name}, the lowest first` });
  list.append(...levels.map((level, i) => {
    const item = element("li", `${level} `), button = element("button", "↑", { type: "button", "aria-label": `Move ${level} before ${levels[i - 1] ?? ""}` });
    button.addEventListener("click", () => {
      const moved = [...levels];
      [moved[i - 1], moved[i]] = [moved[i], moved[i - 1]];
      state.kinds[name] = { kind: "ordinal", levels: moved };
      listColumns();
      grow();
    });
    if (i) item.append(button);
    return item;
  }));
  return list;
}

// ---- growing

const chosen = () => PRESETS.find(({ name }) => name === find("preset").value);

// of a number's field: undefined where it is empty; a sentence where it holds no such number
function numberIn(id) {
  const field = find(id), named = field.labels[0].firstChild.textContent.trim();
  if (!field.validity.valid) throw new Error(`“${named}”: ${field.validationMessage || "This is no such number."} Correct it, or leave it empty.`);
  return field.value === "" ? undefined : Number(field.value);
}

function limits() {
  return Object.fromEntries(LIMITS.map((name) => [name, numberIn(name)]).filter(([, value]) => value !== undefined));
}

function splitOf() {
  const validation = (numberIn("validation") ?? 0) / 100, test = (numberIn("test") ?? 0) / 100;
  const train = Math.round(1e12 * (1 - validation - test)) / 1e12;
  if (train <= 0) throw new Error("No row is left to train on: hold fewer rows back.");
  return { train, validation, test, stratify: state.extra.stratify ?? true, seed: numberIn("seed") ?? 0 };
}

function isOfClasses() {
  const target = find("target").value;
  return (state.kinds[target]?.kind ?? state.columns.find(({ name }) => name === target).targetKind) !== "numeric";
}

function refuseNumbers() {
  const target = find("target").value;
  if (chosen().classes && !isOfClasses()) throw new Error(`${chosen().label} is for classes, and “${target}” holds numbers. Choose CART, or make the column nominal.`);
}

// ---- the size: the nested subtree of least loss, or the smallest that is within one standard error of it

// rule : of CrossValidation.sized; another one than the two that are offered is an entry of its own
function prune(rule) {
  const field = find("prune"), usual = ["", "0", "1"].find((value) => JSON.stringify(ruleOf(value, rule)) === JSON.stringify(rule));
  state.rule = rule;
  field.querySelector("[value=own]")?.remove();
  if (usual === undefined) field.append(element("option", rule.alpha === undefined ? "as the recipe says" : `α = ${Figures.number(rule.alpha)}`, { value: "own" }));
  field.value = usual ?? "own";
}

function ruleOf(value, like) {
  if (value === "own") return state.rule;
  if (value === "") return null;
  const { risk = "impurity", choose = "cross-validation", many = 10, seed = 0 } = like ?? {};
  return { risk, choose, errors: Number(value), ...(choose === "validation" ? {} : { many, seed }) };
}

const features = () => state.columns.map(({ name }) => name).filter((name) => state.use.has(name) && name !== find("target").value);
let latest = 0;

async function grow() {
  if (!state.bytes) return;
  const at = (latest += 1);
  say();
  find("presetnote").textContent = `${chosen().note.split(/(?<=\.) /)[0]} ${state.why}`;
  try {
    refuseNumbers();
    const settings = { ...chosen().settings, ...state.extra.settings, ...limits() };
    find("status").textContent = "";
    find("progress").hidden = false;
    find("nodes").textContent = "Growing …";
    const asked = { target: find("target").value, kinds: state.kinds, features: features(), split: splitOf(), settings, rule: ruleOf(find("prune").value, state.rule), isNew: state.isNew, name: state.name.replace(/\.[^.]*$/, "") };
    const made = await work.ask("grow", asked, (nodes) => { if (at === latest) find("nodes").textContent = typeof nodes === "string" ? nodes : `Growing: ${nodes.toLocaleString("en")} nodes`; });
    if (at !== latest) return;
    if (made.chosen) begin(made.chosen);
    show(made);
  } catch (fault) {
    if (at === latest) say(fault.message);
  }
  if (at === latest) find("progress").hidden = true;
}

// what was chosen for a new table: the limits, the impurity, the size
function begin({ limits: found, rule, way }) {
  Object.assign(state, { isNew: false, begun: { limits: found, way } });
  for (const [name, value] of Object.entries(found)) find(name).value = value;
  if (way.criterion) {
    state.extra = { ...state.extra, settings: { ...state.extra.settings, ...way } };
    state.why = `Grown with the ${way.criterion} as impurity: it predicted new rows better in cross-validation than the Gini index.`;
    find("presetnote").textContent += ` ${state.why}`;
  }
  prune(rule);
}

// another target: what was chosen for the one before is chosen anew
function retarget() {
  if (state.begun) {
    const { limits: found, way } = state.begun, settings = Object.fromEntries(Object.entries(state.extra.settings ?? {}).filter(([name]) => !(name in way)));
    for (const name of Object.keys(found)) find(name).value = "";
    Object.assign(state, { isNew: true, begun: null, why: "", extra: { ...state.extra, settings } });
    prune(null);
  }
  listColumns();
  grow();
}

function show(made) {
  const parts = { title: made.title.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`), ...made.literals };
  state.page = PAGE.replace(/%(\w+)%/g, (mark, name) => parts[name] ?? mark); // at once, as names of columns may look like marks
  find("tree").srcdoc = state.page;
  for (const id of ["tree", "saving"]) find(id).hidden = false;
  const cut = made.leaves < made.whole ? `, pruned from ${made.whole.toLocaleString("en")}` : "";
  const size = `${made.leaves.toLocaleString("en")} ${made.leaves === 1 ? "leaf" : "leaves"}${cut}, depth ${made.depth}.`;
  const left = made.without ? ` ${made.without.toLocaleString("en")} rows without a target are left out.` : "";
  find("figures").textContent = `${size} ${"accuracy" in made.judged[0] && !made.judged[0].rare ? "Accuracy: " : ""}${made.judged.map(judgedText).join("; ")}.${left}`;
}

function judgedText({ role, n, accuracy, baseline, rmse, r2, rare }) {
  const rows = `on ${n.toLocaleString("en")} ${role} rows`;
  if (accuracy === undefined) return `RMSE ${Figures.number(Number(rmse.toPrecision(4)))}${Number.isNaN(r2) ? "" : `, R² ${Figures.fixed(r2, 3)}`} ${rows}`;
  if (rare) {
    const tenth = `riskiest 10 % hold ${Figures.percent(rare.captured)} of ${rare.positives.toLocaleString("en")} “${rare.name}”`;
    return `AUC ${Figures.fixed(rare.area, 2)}, ${tenth} ${rows} (accuracy ${Figures.percent(accuracy)}, baseline ${Figures.percent(baseline)})`;
  }
  return `${Figures.percent(accuracy)} ${rows} (baseline ${Figures.percent(baseline)})`;
}

// ---- what is saved

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type })), link = element("a", "", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function recipe() {
  const kinds = Object.fromEntries(Object.entries(state.kinds).map(([name, { kind, levels }]) => [name, levels ? [kind, levels] : kind]));
  const { settings = {} } = state.extra, split = splitOf();
  const steps = [
    { step: "read", file: state.name },
    { step: "data", target: find("target").value, features: features(), kinds },
    ...(split.train === 1 ? [] : [{ step: "split", ...split }]),
    { step: "grow", preset: chosen().name, settings: { ...settings, ...limits() } },
    ...pruneStep(ruleOf(find("prune").value, state.rule)),
  ];
  return JSON.stringify({ schema_version: RECIPE_VERSION, steps }, null, 2);
}

// classes are pruned along the sequence of the impurity or of the log loss, and judged by the log loss; numbers by squares
function pruneStep(rule) {
  if (!rule) return [];
  const { risk, choose, errors, many, seed, alpha } = rule, of = isOfClasses() ? { risk } : {};
  const judged = { ...(isOfClasses() ? { measure: "log_loss" } : {}), choose, standard_errors: errors };
  const parameters = alpha !== undefined ? { alpha } : choose === "validation" ? judged : { ...judged, folds: many, seed };
  return [{ step: "prune", method: "cost_complexity", parameters: { ...of, ...parameters } }];
}

// ---- a recipe that comes with the table: what it asks for, or the step that this page cannot do

function recipeOf(text) {
  let read;
  try {
    read = JSON.parse(text);
    if (!Array.isArray(read.steps)) throw new Error();
  } catch {
    throw new Error("The JSON file is no recipe. Save one in the app or on this page.");
  }
  if (!(read.schema_version >= 1 && read.schema_version <= RECIPE_VERSION)) throw new Error("The recipe is of another version than this page knows. Open it in the app.");
  const made = { target: "", features: null, kinds: {}, split: {}, preset: "cart", settings: {}, extra: {}, notes: [], sample: "", rule: null, check: () => {} };
  read.steps.forEach((step, i) => {
    const refuse = (why) => { throw new Error(`Step ${i + 1} of the recipe (${step.step}): ${why}. Open it in the app.`); };
    const isEmpty = (value) => value === undefined || value === null || value === "" || value === false || value === 0 || (typeof value === "object" && !Object.keys(value).length);
    const only = (...names) => {
      const other = Object.keys(step).find((name) => name !== "step" && !names.includes(name) && !isEmpty(step[name]));
      if (other) refuse(`this page does not know “${other}”`);
    };
    const follow = FOLLOWED[step.step] ?? (() => refuse("this page does not do such a step"));
    follow(step, made, refuse, only);
  });
  return made;
}

const FOLLOWED = {
  read(step, made, refuse, only) {
    only("file", "sample", "infinite", "refine");
    if (step.sample) made.sample = SAMPLES.find(({ name }) => name === step.file)?.name ?? "";
  },
  data(step, made, refuse, only) {
    only("fingerprint", "target", "features", "kinds", "class_names", "descriptions", "shrink", "min_rows"); // the last two say nothing of classes and numbers
    if (step.class_names && Object.keys(step.class_names).length) made.notes.push("Classes have the names that stand in the file.");
    const kinds = Object.entries(step.kinds ?? {}).map(([name, kind]) => [name, typeof kind === "string" ? { kind } : { kind: kind[0], levels: kind[1] }]);
    Object.assign(made, { target: step.target, features: step.features?.length ? step.features : null, kinds: Object.fromEntries(kinds) });
  },
  split(step, made, refuse, only) {
    only("train", "validation", "test", "stratify", "seed");
    made.split = { validation: step.validation ?? 0.2, test: step.test ?? 0.2, seed: step.seed ?? 0 };
    made.extra.stratify = step.stratify ?? true;
  },
  prepare(step, made, refuse, only) {
    only("missing", "limit");
    if ((step.missing ?? "none") !== "none") refuse("this page does not fill in missing values");
  },
  grow(step, made, refuse, only) {
    only("preset", "settings");
    if (!PRESETS.some(({ name }) => name === (step.preset ?? "cart"))) refuse(`this page grows by ${PRESETS.map(({ label }) => label).join(", ")}, not by “${step.preset}”`);
    const settings = step.settings ?? {}, isLimit = ([name]) => LIMITS.includes(name);
    made.preset = step.preset ?? "cart";
    made.settings = Object.fromEntries(Object.entries(settings).filter(isLimit));
    const others = Object.entries(settings).filter((pair) => !isLimit(pair));
    made.extra.settings = Object.fromEntries(others);
    if (others.length) made.notes.push(`Until another algorithm is chosen, the recipe sets ${others.map(([name, value]) => `${name} = ${value}`).join(", ")}.`);
  },
  prune(step, made, refuse) {
    const { method = "none", parameters = {} } = step, { alpha = null, risk = "error", choose = "validation", measure = "error", standard_errors: errors = 0, folds: many = 10, seed = 0 } = parameters;
    if (method === "none") return;
    if (method !== "cost_complexity") refuse("this page prunes by cost complexity only");
    if (!["error", "impurity", "log_loss"].includes(risk) || !["error", "log_loss"].includes(measure)) refuse("this page judges sizes by the log loss of classes and the squared error of numbers");
    const how = alpha !== null ? { alpha } : choose === "validation" ? { choose, errors } : { choose, errors, many, seed };
    made.rule = { risk, ...how };
    made.check = (isClasses) => {
      if (isClasses && (risk === "error" || (alpha === null && measure !== "log_loss"))) refuse("this page prunes classes by their impurity or log loss, and chooses sizes by the log loss");
    };
  },
};

// ---- the start

function start() {
  find("samples").append(...SAMPLES.map((sample) => {
    const button = element("button", sample.label, { type: "button" });
    button.addEventListener("click", () => { say(); take(sample); });
    return button;
  }));
  find("preset").append(...PRESETS.map(({ name, label }) => element("option", label, { value: name })));
  find("file").addEventListener("change", () => { open([...find("file").files]); find("file").value = ""; });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      find("drop").classList.toggle("over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files.length) open([...event.dataTransfer.files]);
    });
  }
  find("settings").addEventListener("submit", (event) => event.preventDefault());
  find("target").addEventListener("change", retarget);
  // what somebody sets before the first tree is there is not chosen for them, and stays for another target
  for (const id of ["preset", "prune", "min_rows_leaf"]) find(id).addEventListener("change", () => { Object.assign(state, { isNew: false, begun: null }); });
  find("preset").addEventListener("change", () => { Object.assign(state, { extra: { stratify: state.extra.stratify }, why: "" }); grow(); });
  for (const id of [...LIMITS, "validation", "test", "seed", "prune"]) find(id).addEventListener("change", grow);
  find("stop").addEventListener("click", () => {
    latest += 1;
    work.stop();
    find("progress").hidden = true;
    find("status").textContent = "Stopped. What was shown before stays; change a setting to grow again.";
  });
  find("savepage").addEventListener("click", () => save(`${state.name.replace(/\.[^.]*$/, "")}-tree.html`, state.page, "text/html"));
  find("saverecipe").addEventListener("click", () => save(`${state.name.replace(/\.[^.]*$/, "")}-recipe.json`, recipe(), "application/json"));
}

start();
