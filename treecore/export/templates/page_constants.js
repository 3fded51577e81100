/* What the reader's page knows of a tree, its constants, as treecore.export.page writes them; tree : of Grower.growTree, with
   the values of its numeric features, links : of Grower.weakestLinks. RULES has the names of measures. */

const PageConstants = (() => {
  const LEAF = 0, THRESHOLD = 1, LEVELS = 2, STAYS = -1, SHARED = -2;
  const MOST_SIZED = 2_000, MOST_DIGITS = 9, LEAST_WEIGHT = 1e-9, LARGEST_EXACT = 2 ** 53;
  const { count, percent, brief, grouped, number, exact, label } = Figures;
  const points = (text) => [...text];

  // ---- texts that can be seen, and where they differ from others

  const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/u, SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

  function visible(text) {
    if (/^[\x20-\x7e]*$/.test(text)) return text;
    const all = points(text), isAscii = (sign) => sign.codePointAt(0) < 128;
    return all.map((sign, i) => {
      if (SPACE.test(sign)) return " ";
      const joins = "\u200c\u200d".includes(sign) && i > 0 && i < all.length - 1 && !isAscii(all[i - 1]) && !isAscii(all[i + 1]);
      return HIDDEN.test(sign) && !joins ? `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]` : sign;
    }).join("");
  }

  const clean = (text) => visible(text).split(" ").filter(Boolean).join(" ");

  // Map: text -> where it begins to differ from others of its kind that begin as it does
  function apart(...kinds) {
    const found = new Map();
    for (const names of kinds) for (const [name, places] of apartOf(names)) found.set(name, places);
    return found;
  }

  function apartOf(names) {
    const byPoint = (a, b) => {
      const i = a.findIndex((sign, k) => sign !== b[k]);
      return i < 0 ? a.length - b.length : i >= b.length ? 1 : a[i].codePointAt(0) - b[i].codePointAt(0);
    };
    const ordered = [...new Set(names.map(bounded))].map(points).sort(byPoint), found = new Map();
    const common = ordered.slice(1).map((name, i) => {
      const k = name.findIndex((sign, at) => sign !== ordered[i][at]);
      return k < 0 ? Math.min(name.length, ordered[i].length) : Math.min(k, ordered[i].length);
    });
    ordered.forEach((name, i) => {
      const places = new Set([...falling(common.slice(Math.max(i - 40, 0), i).reverse()), ...falling(common.slice(i, i + 40))]);
      const kept = [...places].filter((place) => place >= 6 && place < name.length).sort((a, b) => a - b);
      if (kept.length) found.set(name.join(""), kept);
    });
    return found;
  }

  function falling(common) {
    const found = new Set();
    let least = 20_000;
    for (const letters of common) {
      least = Math.min(least, letters);
      if (least < 6) break;
      found.add(least);
    }
    return found;
  }

  function bounded(text) {
    const all = points(text);
    return clean(all.length <= 20_000 ? text : [...all.slice(0, 10_000), ...all.slice(-10_000)].join(""));
  }

  // ---- thresholds in print: the shortest decimal of the gap between two values of the table

  class Gap {
    constructor(low, high, closed) { Object.assign(this, { low, high, closed }); }

    holds(x) { return this.closed ? this.low <= x && x < this.high : this.low < x && x <= this.high; }

    get inside() {
      const ends = [this.low, this.high].filter(Number.isFinite), middle = ends.reduce((sum, end) => sum + end / ends.length, 0);
      return this.holds(middle) ? middle : this.closed ? this.low : this.high;
    }

    // of so many significant digits, or more, the nearest in the gap
    decimal(wanted) {
      const near = this.holds(wanted) ? wanted : this.inside;
      for (let n = 1; n <= 17; n += 1) {
        const among = decimalsBeside(near, n).filter((d) => (this.low < d && d < this.high) || d === near);
        if (among.length) return among.reduce((best, d) => (Math.abs(d - near) < Math.abs(best - near) ? d : best));
      }
      return near;
    }

    printed(wanted) {
      const threshold = this.holds(wanted) ? wanted : this.inside;
      if (hasFewDigits(threshold)) return threshold;
      const low = Math.min(threshold * 0.95 + this.low * 0.05, threshold), high = Math.max(threshold * 0.95 + this.high * 0.05, threshold);
      const found = low < high ? new Gap(low, high, this.closed).decimal(threshold) : threshold;
      return this.holds(found) && this.isShort(found) ? found : this.decimal(threshold);
    }

    isShort(x) {
      const ends = [this.low, this.high].filter(Number.isFinite).map(lastPlace);
      return hasFewDigits(x) && (!ends.length || lastPlace(x) >= Math.min(...ends) - 1);
    }
  }

  const hasFewDigits = (x) => Number(Figures.general(x, 6)) === x;

  // the power of ten of the last digit that is not 0
  function lastPlace(x) {
    if (x === 0) return 0;
    const [mantissa, power] = Math.abs(x).toExponential().split("e");
    return Number(power) - (mantissa.length > 1 ? mantissa.length - 2 : 0);
  }

  // the decimals of so many significant digits below and above a number; for one digit also 0
  function decimalsBeside(x, n) {
    if (x === 0) return [0];
    const [mantissa, power] = Math.abs(x).toExponential(100).split("e"), all = mantissa.replace(".", "");
    const unit = Number(power) - n + 1, less = BigInt(all.slice(0, n)), isExact = /^0*$/.test(all.slice(n)), sign = x < 0 ? "-" : "";
    const found = [less, isExact ? less : less + 1n].map((digits) => Number(`${sign}${digits}e${unit}`));
    if (x < 0) found.reverse();
    return n === 1 ? [0, ...found] : found;
  }

  // threshold -> its number in print, for one feature; two cuts with an empty bin between them stay two
  class Thresholds {
    constructor(tests, feature, values) {
      this.values = values;
      this.gaps = new Map();
      this.beside = new Map(); // thresholds by their gap
      for (const test of tests) {
        if (test.feature !== feature || test.kind !== THRESHOLD || !Number.isFinite(test.threshold) || this.gaps.has(test.threshold)) continue;
        const gap = this.gapOf(test), ends = `${gap.low} ${gap.high}`;
        this.gaps.set(test.threshold, gap);
        this.beside.set(ends, [...(this.beside.get(ends) ?? []), test.threshold]);
      }
    }

    gapOf({ threshold, closed, low, high }) {
      if (!this.values) return new Gap(low, high, closed);
      const { values } = this;
      let n = 0;
      for (let end = values.length; n < end; ) {
        const middle = (n + end) >> 1;
        if (values[middle] < threshold || (closed && values[middle] === threshold)) n = middle + 1;
        else end = middle;
      }
      return new Gap(n ? values[n - 1] : -Infinity, n < values.length ? values[n] : Infinity, closed);
    }

    printed(threshold) {
      const gap = this.gaps.get(threshold), found = gap.printed(threshold);
      const isTaken = this.beside.get(`${gap.low} ${gap.high}`).some((other) => other !== threshold && gap.printed(other) === found);
      return exact(isTaken ? threshold : found);
    }
  }

  // ---- what else than its own text a level is known by

  const asSeen = (text) => {
    const strip = (said) => said.replace(new RegExp(`^(?:${SPACE.source})+|(?:${SPACE.source})+$`, "g"), "");
    const stripped = strip(text);
    return /^[\0-\x7f]*$/.test(stripped) ? stripped : strip(stripped.replace(new RegExp(RULES.unseen, "gu"), "").normalize("NFC"));
  };

  function numberOf(text) {
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
      if (/^[+-]?0\d+$/.test(text)) return null;
      const found = Number(text) + 0;
      return Math.abs(found) <= LARGEST_EXACT || text.includes(".") ? found : null;
    }
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/.test(text)) return null;
    const found = Number(text) + 0;
    return Number.isFinite(found) && label(found) === text ? found : null;
  }

  function momentOf(text) {
    const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d*)?)?(?:Z|[+-]00(?::?00)?)?)?$/.exec(text);
    if (!found) return null;
    const at = `${found[2] ?? "00:00"}:${found[3] ?? "00"}`;
    return at === "00:00:00" ? found[1] : `${found[1]} ${at}`;
  }

  // pairs of a value and a place, of the values that one level alone has
  function sole(pairs) {
    const found = new Map();
    for (const [value, place] of pairs) found.set(value, !found.has(value) || found.get(value) === place ? place : null);
    return new Map([...found].filter(([, place]) => place !== null));
  }

  function truthWords(no, yes) {
    const group = RULES.truths.find(([noes, yeses]) => noes.some((word, i) => word === no.toLowerCase() && yeses[i] === yes.toLowerCase()));
    return group && [[...new Set([...group[0], "false", "f"])], [...new Set([...group[1], "true", "t"])]];
  }

  function pairOf(labels, numbers) {
    if (labels.length !== 2) return null;
    if (numbers.includes(0) && numbers.includes(1)) return [numbers.indexOf(0), numbers.indexOf(1)];
    return [[0, 1], [1, 0]].find(([no, yes]) => truthWords(labels[no], labels[yes])) ?? null;
  }

  function spelled(labels) {
    const numbers = labels.map(numberOf), pair = pairOf(labels, numbers), places = labels.map((_, place) => place);
    const seen = sole(places.map((place) => [asSeen(labels[place]), place]));
    const index = {
      texts: new Map(places.filter((place) => asSeen(labels[place]) !== labels[place] && !labels.includes(asSeen(labels[place])) && seen.get(asSeen(labels[place])) === place).map((place) => [asSeen(labels[place]), place])),
      words: sole(places.filter((place) => RULES.literals.includes(labels[place].toLowerCase())).map((place) => [labels[place].toLowerCase(), place])),
      numbers: sole(places.filter((place) => numbers[place] !== null).map((place) => [numbers[place], place])),
      moments: sole(places.filter((place) => momentOf(labels[place])).map((place) => [momentOf(labels[place]), place])),
    };
    if (pair) {
      index.numbers = new Map(pair.map((place, truth) => [truth, place]));
      const words = truthWords(labels[pair[0]], labels[pair[1]]) ?? truthWords("0", "1");
      index.words = new Map(words.flatMap((alike, truth) => alike.map((word) => [word, pair[truth]])));
    }
    const made = {};
    for (const [key, known] of Object.entries(index)) if (known.size) made[key] = [...known].map(([said, place]) => [said, labels[place]]);
    return pair || (labels.length && !numbers.includes(null)) ? { ...made, by_value: true } : made;
  }

  // ---- the tree that answers

  function featureOf({ name, kind, levels }) {
    const made = { name, kind: { numeric: "number", ordinal: "ordered", nominal: "level" }[kind] ?? null, levels: levels ?? [] };
    return { ...made, ...spelled(made.levels) };
  }

  // one test in the plainest terms: limits between numbers, or levels with their branches
  function question(tree, test) {
    const feature = tree.features[test.feature], made = { feature: test.feature };
    if (test.kind === THRESHOLD && feature.kind === "numeric") {
      return { ...made, limits: [[test.threshold, test.closed]], to: [test.low_branch, 1 - test.low_branch] };
    }
    const isLow = (level) => (test.closed ? level <= test.threshold : level < test.threshold);
    const branch = (level) => (test.kind === LEVELS ? test.level_branch[level] : isLow(level) ? test.low_branch : 1 - test.low_branch);
    return { ...made, levels: feature.levels.map((name, level) => [name, branch(level)]).filter(([, to]) => to >= 0) };
  }

  class Nodes {
    constructor(tree) {
      this.tree = tree;
      this.classes = tree.target.classes;
      this.tests = Array.from({ length: tree.n_nodes }, (_, t) => this.testOf(t));
      const all = [...this.tests, ...tree.surrogates.flat().map((backup) => ({ ...backup, closed: tree.closed, low: backup.gap_low, high: backup.gap_high }))];
      this.printed = tree.features.map((feature, f) => new Thresholds(all, f, feature.values));
      this.ends = this.classes ? [0, 1] : tree.value.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
      this.below = new Int32Array(tree.n_nodes);
      for (let t = tree.n_nodes - 1; t > 0; t -= 1) this.below[tree.parent[t]] += this.below[t] + 1;
    }

    testOf(t) {
      const { tree } = this;
      return { feature: tree.feature[t], kind: tree.kind[t], threshold: tree.threshold[t], low_branch: tree.low_branch[t], level_branch: tree.level_branch[t], closed: tree.closed, low: tree.gap_low[t], high: tree.gap_high[t] };
    }

    isLeaf(t) { return this.tree.n_children[t] === 0; }

    children(t) { return Array.from({ length: this.tree.n_children[t] }, (_, branch) => this.tree.first_child[t] + branch); }

    // each branch's share of the weight of all of them
    shares(t) {
      const { tree } = this, weights = this.children(t).map((child) => tree.weight[child]);
      const all = Math.max(weights.reduce((sum, weight) => sum + weight, 0), 1e-300);
      return weights.map((weight) => weight / all);
    }

    // class shares of the training rows; of an empty leaf those of its parent
    classShares(t) {
      const { stats: own, weight, parent } = this.tree, stats = Array.from(own[weight[t] > 0 ? t : parent[t]]), all = Math.max(stats.reduce((sum, part) => sum + part, 0), 1e-300);
      return stats.map((part) => part / all);
    }

    answering(t) {
      const { tree, classes } = this, made = {};
      if (!this.isLeaf(t)) {
        made.ask = [question(tree, this.tests[t]), ...tree.surrogates[t].map((backup) => question(tree, { ...backup, closed: tree.closed }))];
        Object.assign(made, { missing: tree.missing_branch[t], unseen: tree.unseen_branch[t], children: this.children(t) });
        if (made.missing === SHARED || made.unseen === SHARED) made.shares = this.shares(t);
      }
      if (!classes) return { ...made, answer: tree.value[t] };
      return { ...made, answer: classes[tree.value[t]], class_shares: this.classShares(t) };
    }

    // ---- what is said of a node

    // of every answer in print: Target.answer_digits
    get digits() {
      const { tree } = this, mean = Math.abs(tree.value[0]), spread = Math.sqrt(tree.impurity[0]), power = (value) => Math.floor(Math.log10(value));
      if (this.classes || !(spread > 0 && mean > 0)) return 4;
      return Math.min(Math.max(4, 2 + power(mean) - power(spread)), MOST_DIGITS);
    }

    predicted(t) {
      const { tree, classes } = this;
      return classes ? classes[tree.value[t]] : inUnit(brief(tree.value[t], this.digits), unitIn(tree.target.name));
    }

    // { branch, condition, levels } : the condition on the parent's feature that leads here
    way(t) {
      const { tree } = this, up = tree.parent[t];
      if (up < 0) return { branch: "", condition: "", levels: [] };
      const test = this.tests[up], feature = tree.features[test.feature], at = t - tree.first_child[up];
      if (test.kind === LEVELS) {
        const levels = feature.levels.filter((_, level) => test.level_branch[level] === at);
        const branch = !levels.length ? "∈ {}" : levels.length === 1 ? `= ${levels[0]}` : `∈ {${levels.join(", ")}}`;
        return { branch, condition: `${feature.name} ${branch}`, levels };
      }
      const isLow = at === test.low_branch;
      let branch;
      if (feature.kind === "numeric") {
        const printed = this.printed[test.feature].printed(test.threshold);
        branch = isLow ? `${tree.closed ? "≤" : "<"} ${printed}` : `${tree.closed ? ">" : "≥"} ${printed}`;
      } else {
        const low = Math.floor(test.threshold);
        branch = isLow ? `≤ ${feature.levels[low]}` : `≥ ${feature.levels[low + 1]}`;
      }
      return { branch, condition: `${feature.name} ${branch}`, levels: [] };
    }

    said(t) {
      const { tree, classes } = this, leaf = this.isLeaf(t), weight = tree.weight[t], rows = count(weight, ","), predicted = this.predicted(t);
      const way = this.way(t), feature = leaf ? "" : tree.features[tree.feature[t]].name;
      const figures = [["rows", rows], [RULES.criteria[tree.criterion], brief(tree.impurity[t])]];
      if (tree.criterion === "squared_error") figures.splice(1, 0, ["standard deviation", `± ${inUnit(brief(Math.sqrt(tree.impurity[t])), unitIn(tree.target.name))}`]);
      if (!leaf) figures.push(["gain", brief(tree.gain[t])]);
      (classes ?? []).forEach((name, k) => {
        const part = tree.stats[t][k];
        figures.push([visible(name), `${count(part, ",")} (${weight > 0 ? percent(part / weight) : "–"})`]);
      });
      const does = leaf ? `leaf, ${predicted}` : `asks for ${feature}; here ${predicted}`;
      const split = leaf ? {} : { asks: visible(feature), gain: brief(tree.gain[t]) };
      return {
        ...split, condition: visible(way.condition),
        spoken: visible(`Node ${t}: ${way.condition || "all rows"}; ${does}; ${rows} rows`), predicted: visible(predicted), rows, weight, below: this.below[t], figures,
      };
    }

    // its mean and one standard deviation to either side, on the scale of the tree's answers; null of classes
    spread(t) {
      const { tree, classes } = this, [low, high] = this.ends;
      if (classes || !(high > low) || !(tree.weight[t] > 0)) return null;
      const mean = tree.value[t], deviation = Math.sqrt(tree.impurity[t]);
      return [mean - deviation, mean, mean + deviation].map((value) => Number(Figures.fixed(Math.min(Math.max((value - low) / (high - low), 0), 1), 4)));
    }

    // ---- where rows without a value went

    missingMarks() {
      const { tree } = this, came = new Map(), rest = new Map();
      for (let t = 0; t < tree.n_nodes; t += 1) {
        const rows = tree.missing_rows[t], weight = tree.missing_weight[t];
        if (this.isLeaf(t) || !rows) continue;
        const below = this.children(t).reduce((sum, child) => sum + tree.weight[child], 0);
        const isLost = Math.abs(below - tree.weight[t]) > 1e-9 * Math.max(below, tree.weight[t]);
        const to = tree.missing_branch[t] !== SHARED && isLost ? STAYS : tree.missing_branch[t];
        const bySurrogates = tree.surrogates[t].reduce((sum, backup) => sum + backup.rows, 0), told = missingCount(rows, weight);
        const part = (some) => (count(some) === count(weight) ? told : `${count(some)} missing`);
        const parts = to === SHARED ? this.shares(t).map((share, branch) => [branch, share * weight]).filter(([, some]) => some > 0) : to < 0 || bySurrogates ? [] : [[to, weight]];
        for (const [branch, some] of parts) came.set(tree.first_child[t] + branch, part(some));
        const left = weight - parts.reduce((sum, [, some]) => sum + some, 0);
        if (bySurrogates && !parts.length) rest.set(t, `${told}, by surrogates`);
        else if (left > LEAST_WEIGHT * weight) rest.set(t, `${part(left)} stay here`);
      }
      return { came, rest };
    }
  }

  function missingCount(rows, weight) {
    const told = count(rows), together = count(weight);
    return `${told} missing${together !== told && together !== "0" ? `, weight ${together}` : ""}`;
  }

  // ---- units that stand in the target's name

  const UNIT = new RegExp(`^(?:${RULES.unit})$`, "u");
  const unitIn = (name) => (points(name).length <= 200 ? UNIT.exec(name.trim())?.slice(1).find(Boolean) ?? "" : "");

  function inUnit(text, unit) {
    if (!unit || !/\d/.test(text)) return text;
    if (!RULES.money_before.includes(unit)) return `${text}\u00a0${unit}`;
    return text.startsWith("-") ? `-${unit}${text.slice(1)}` : `${unit}${text}`;
  }

  // ---- shares and colours

  // the class of interest: the rarer of two, of equals the last; null of more
  function interestOf(tree) {
    const { classes } = tree.target;
    if (!classes || classes.length !== 2) return null;
    const k = tree.stats[0][0] < tree.stats[0][1] ? 0 : 1, total = tree.weight[0];
    return { k, base: total > 0 ? tree.stats[0][k] / total : 0 };
  }

  function tintOf(nodes, t, interest) {
    const shares = nodes.classShares(t), answer = nodes.tree.value[t];
    const { hue, depth, diverging } = tint(shares, answer, interest);
    return {
      counted: shares, tint: [hue, Number(Figures.fixed(depth * (diverging || nodes.isLeaf(t) ? 1 : 0.5), 3))],
    };
  }

  function tint(shares, answer, interest) {
    if (!interest) {
      const even = 1 / Math.max(shares.length, 2);
      return { hue: answer, depth: Math.max(0, (Math.max(...shares) - even) / (1 - even)), diverging: false };
    }
    const share = shares[interest.k], lift = interest.base > 0 ? share / interest.base : share > 0 ? Infinity : 1;
    const octaves = lift === Infinity ? 2 : lift > 0 ? Math.max(-2, Math.min(2, Math.log2(lift))) : -2;
    return { hue: octaves >= 0 ? interest.k : shares.length === 2 ? 1 - interest.k : -1, depth: Math.abs(octaves) / 2, diverging: true };
  }

  function sizesOf(tree, links, at) {
    const leaves = tree.n_children.reduce((sum, n) => sum + (n === 0), 0);
    if (tree.n_nodes === 1 || (leaves > MOST_SIZED && at === 0)) return null; // without them none opens pruned
    const isNumber = !tree.target.classes, name = isNumber ? "RMSE" : links.by === "log_loss" ? "log loss" : RULES.criteria[tree.criterion];
    const risk = Array.from(links.risk, (value) => (isNumber ? Math.sqrt(Math.max(value, 0)) : value));
    return {
      leaves: [...links.leaves], risk: risk.map((value) => Number(Figures.general(value, 6))), name, told: risk.map((value) => (isNumber ? visible(inUnit(brief(value), unitIn(tree.target.name))) : brief(value))),
      step: [...links.step], until: [...links.until], at,
    };
  }

  // { title, constants } of the page. at : the step of its sizes at which it opens
  function of(tree, links, name, at = 0) {
    const nodes = new Nodes(tree), { classes } = tree.target, all = Array.from({ length: tree.n_nodes }, (_, t) => t);
    const places = apart(all.map((t) => (nodes.isLeaf(t) ? "" : tree.features[tree.feature[t]].name)), classes ?? [], all.flatMap((t) => nodes.way(t).levels));
    const interest = interestOf(tree), { came, rest } = nodes.missingMarks(), n = links.leaves[at];
    const said = all.map((t) => {
      const tinted = classes ? tintOf(nodes, t, interest) : {}, told = nodes.said(t), spread = nodes.spread(t);
      return { ...told, ...(spread ? { spread } : {}), came: came.get(t) ?? null, alone: false, rest: rest.get(t) ?? null, ...tinted };
    });
    const answering = all.map((t) => nodes.answering(t)), asked = new Set(answering.flatMap(({ ask }) => (ask ?? []).map(({ feature }) => feature)));
    const features = tree.features.map((feature, f) => (asked.has(f) ? featureOf(feature) : { name: "", kind: "number", levels: [] }));
    const constants = {
      TREE: { target: tree.target.name, classes: classes?.length ? classes : null, costs: null, features, nodes: answering },
      SAID: said, DIFFER: [...places], NOUN: classes ? "rate" : "mean", SCALE: { units: 1, name: tree.target.name, digits: nodes.digits, signed: null, unit: visible(inUnit("1", unitIn(tree.target.name))).split("1") }, NAMES: (classes ?? []).map(visible), LOOKED_FOR: interest ? interest.k : -1, WEIGHTED: "", SIZES: sizesOf(tree, links, at),
    };
    return { title: visible(`${tree.target.name} of ${name}: a decision tree of ${n} ${n === 1 ? "leaf" : "leaves"}`), constants };
  }

  return { of, visible };
})();
