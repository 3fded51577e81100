// Growing CART, ID3 and C4.5 trees in a browser: the same trees as treecore grows, split for split.
//
// table : { n, features: [{ name, kind, codes, values, levels }], target: { classes, labels, numbers } }; codes are the
//   ranks of a feature's distinct values, or the numbers of its levels, and their count where a value is missing.
// settings : names and values of treecore's GrowSettings; what is not known here is refused in a sentence.
// The rule for ties is treecore's: the first feature, then the first cut, whose score is the best but for `tolerance`
// times the node's impurity. Sums differ in their last digits between engines; that rule makes them pick the same split.
const Grower = (() => {
  const LEAF = 0, THRESHOLD = 1, LEVELS = 2, STAYS = -1, SHARED = -2;
  const ROUNDING = 1e-12, SAME = 1e-10, LEAST_SCALE = 1e-3, LEAST_ROWS = 2, LEAST_ADJUSTED = 1e-10, OF_GAINS = 1e-12;
  const USUAL = {
    criterion: "", score: "decrease", selector: "best", nominal: "subset", threshold: "midpoint", missing: "majority",
    max_depth: null, max_leaves: null, min_rows_split: 2, min_rows_leaf: 1, min_weight_split: 0, min_weight_leaf: 0,
    min_share_split: 0, min_share_leaf: 0, min_impurity: 0, min_gain: 0, min_weighted_gain: 0, zero_gain: "stop",
    max_surrogates: 5, max_exhaustive: 10, tolerance: 1e-10,
  };
  const CHOICES = {
    criterion: ["", "gini", "entropy", "misclassification", "squared_error"], score: ["decrease", "gain_ratio"],
    selector: ["best", "average_gain"], nominal: ["subset", "multiway"], threshold: ["midpoint", "data_value"],
    missing: ["majority", "surrogates", "fractional"], zero_gain: ["stop", "split"],
  };

  // ---- the measures: statistics are weights of classes, or weight, sum and sum of squares around a node's mean

  const plogp = (part, total) => (part > 0 ? -(part / total) * Math.log2(part / total) : 0);

  const IMPURITY = {
    gini(stats, total) {
      let found = 0;
      for (const part of stats) found += part * (total - part);
      return found / (total * total);
    },
    entropy(stats, total) {
      let found = 0;
      for (const part of stats) found += plogp(part, total);
      return Math.max(found, 0);
    },
    misclassification: (stats, total) => 1 - Math.max(...stats) / total,
    squared_error: (stats, total) => Math.max(stats[2] / total - (stats[1] / total) ** 2, 0),
  };

  function impurityOf(criterion, stats, total) {
    return total > 0 ? IMPURITY[criterion](stats, total) : 0;
  }

  // what the impurity of known rows falls by when they are parted in two
  function decrease(criterion, parent, left, nLeft, right, nRight) {
    if (criterion === "squared_error") {
      const total = nLeft + nRight, gap = left[1] * nRight - right[1] * nLeft;
      return (gap * gap) / (nLeft * nRight * total * total);
    }
    const of = IMPURITY[criterion];
    return parent - (nLeft * of(left, nLeft) + nRight * of(right, nRight)) / (nLeft + nRight);
  }

  // ---- settings

  function checked(settings, table) {
    const made = { ...USUAL };
    for (const [name, value] of Object.entries(settings)) {
      if (!(name in USUAL)) throw new Error(`The setting “${name}” is not known on this page: open the table in the app.`);
      if (CHOICES[name] && !CHOICES[name].includes(value)) {
        throw new Error(`“${value}” as ${name.replace("_", " ")} is not known on this page: open the table in the app.`);
      }
      made[name] = value;
    }
    made.criterion ||= table.target.classes ? "gini" : "squared_error";
    if ((made.criterion === "squared_error") === Boolean(table.target.classes)) {
      throw new Error(`The criterion “${made.criterion}” is not for this target: choose another one.`);
    }
    return made;
  }

  // ---- growing

  class Growing {
    constructor(table, settings) {
      this.table = table;
      this.settings = checked(settings, table);
      this.classes = table.target.classes ? table.target.classes.length : 0;
      this.nStats = this.classes || 3;
      this.hasGaps = table.features.some((feature) => feature.codes.includes(sizeOf(feature)));
      this.missing = this.hasGaps ? this.settings.missing : "majority";
      // an entry is a row, or the part of one that goes down a branch: its codes, target, and how much of the row it is
      // in as few bytes as hold them, as every node reads them in another order
      this.codes = table.features.map((feature) => (sizeOf(feature) < 1 << 16 ? Uint16Array.from(feature.codes) : feature.codes));
      this.labels = table.target.labels && (this.classes < 1 << 8 ? Uint8Array.from(table.target.labels) : table.target.labels);
      this.numbers = table.target.numbers;
      this.share = this.missing === "fractional" ? new Float64Array(table.n).fill(1) : null;
      this.nEntries = table.n;
      this.room = table.n;
      this.side = new Int32Array(table.n);
      this.times = this.settings.criterion === "entropy" && !this.share ? timesLog(table.n) : null;
      this.nodes = [];
      const { min_share_split, min_weight_split, min_share_leaf, min_weight_leaf, missing } = this.settings;
      const slack = missing === "fractional" ? 1e-9 : 0; // sums of shares carry rounding
      this.leastSplit = Math.max(Math.max(min_share_split * table.n, min_weight_split) - slack, 0);
      this.leastLeaf = Math.max(Math.max(min_share_leaf * table.n, min_weight_leaf) - slack, 0);
    }

    grow(progress) {
      const entries = Int32Array.from({ length: this.table.n }, (_, i) => i);
      const orders = this.table.features.map((feature) => sortedByCode(entries, feature.codes, sizeOf(feature)));
      this.add(-1, 0, orders, entries);
      const { max_leaves } = this.settings;
      if (max_leaves === null) this.levelByLevel(progress);
      else this.bestFirst(max_leaves, progress);
      return this.asTree();
    }

    levelByLevel(progress) {
      for (let first = 0; first < this.nodes.length; ) {
        const stop = this.nodes.length;
        for (let id = first; id < stop; id += 1) {
          const node = this.nodes[id];
          if (node.split) this.divide(node);
          if (progress && id % 64 === 0) progress(this.nodes.length);
        }
        first = stop;
      }
    }

    // the largest weight times gain first, then the older node
    bestFirst(maxLeaves, progress) {
      const waiting = new Heap();
      let left = maxLeaves - 1;
      const push = (node) => node.split && waiting.push(-(node.weight * node.split.gain), node.id);
      push(this.nodes[0]);
      while (waiting.size) {
        const node = this.nodes[waiting.pop()[1]];
        if (node.split.nChildren - 1 > left) {
          node.split = null;
          node.orders = null;
          continue;
        }
        left -= node.split.nChildren - 1;
        const first = this.nodes.length;
        this.divide(node);
        for (let id = first; id < this.nodes.length; id += 1) push(this.nodes[id]);
        if (progress) progress(this.nodes.length);
      }
    }

    // a node with these entries, searched for its split
    add(parent, depth, orders, entries) {
      const node = { id: this.nodes.length, parent, depth, orders, nRows: entries.length, split: null };
      Object.assign(node, this.summed(entries));
      node.impurity = impurityOf(this.settings.criterion, node.stats, node.weight);
      this.nodes.push(node);
      if (this.maySplit(node)) node.split = this.search(node);
      if (!node.split) node.orders = null;
      return node;
    }

    // weight, statistics, and the mean that sums of squares are taken around
    summed(entries) {
      const stats = new Float64Array(this.nStats), { labels, numbers, share } = this, n = entries.length;
      let weight = 0;
      if (this.classes) {
        for (let i = 0; i < n; i += 1) {
          const w = share ? share[entries[i]] : 1;
          stats[labels[entries[i]]] += w;
          weight += w;
        }
        return { weight, stats, center: 0 };
      }
      let sum = 0, low = Infinity, high = -Infinity;
      for (let i = 0; i < n; i += 1) {
        const w = share ? share[entries[i]] : 1, y = numbers[entries[i]];
        weight += w;
        sum += w * y;
        if (y < low) low = y;
        if (y > high) high = y;
      }
      const center = weight > 0 ? Math.min(Math.max(sum / weight, low), high) : 0;
      for (let i = 0; i < n; i += 1) {
        const w = share ? share[entries[i]] : 1, y = numbers[entries[i]] - center;
        stats[1] += w * y;
        stats[2] += w * y * y;
      }
      stats[0] = weight;
      return { weight, stats, center };
    }

    maySplit(node) {
      const { min_impurity, max_depth, min_rows_split, min_rows_leaf } = this.settings;
      return (
        node.impurity > 0 && node.impurity >= min_impurity && (max_depth === null || node.depth < max_depth) &&
        node.nRows >= min_rows_split && node.nRows >= 2 * min_rows_leaf && node.weight >= this.leastSplit
      );
    }

    // ---- the best split of a node

    search(node) {
      const ratio = this.settings.score === "gain_ratio", { tolerance } = this.settings;
      const tried = this.table.features.map((feature, f) => this.bestOf(node, f, ratio));
      let open = tried.map((best) => best.score > -Infinity);
      if (this.settings.selector === "average_gain") {
        const counted = tried.filter((best) => best.gain > -Infinity);
        const average = counted.reduce((sum, best) => sum + best.gain, 0) / counted.length;
        open = tried.map((best, f) => open[f] && counted.length > 0 && best.gain >= average - 1e-10);
      }
      const most = Math.max(...tried.map((best, f) => (open[f] ? best.score : -Infinity)));
      if (most === -Infinity || Number.isNaN(most)) return null;
      const bar = most - tolerance * (ratio ? Math.max(Math.abs(most), LEAST_SCALE * node.impurity) : node.impurity);
      const f = tried.findIndex((best, i) => open[i] && best.score >= bar), best = tried[f];
      if (!this.isEnough(node, best.gain)) return null;
      const reach = ratio ? best.value - tolerance * node.impurity : Math.min(best.value, bar / best.share);
      return this.first(node, f, best, reach, ratio);
    }

    isEnough(node, gain) {
      const { tolerance, min_gain, zero_gain, min_weighted_gain } = this.settings, rounding = tolerance * node.impurity;
      if (gain < min_gain - rounding || (zero_gain === "stop" && gain <= rounding)) return false;
      const weighted = (gain * node.weight) / this.nodes[0].weight + 2.3e-16;
      return weighted >= min_weighted_gain || min_weighted_gain <= 0;
    }

    // value : what the feature's splits compete by; gain and score : what features do
    bestOf(node, f, ratio) {
      const known = this.knownOf(node, f), best = { ...known, value: -Infinity, gain: -Infinity, score: -Infinity };
      if (!(known.weight > 0)) return best;
      const ordered = isOrdered(this.table.features[f]);
      if (!ordered) best.levels = this.levelsOf(node, f, known);
      best.value = ordered ? this.scan(node, f, known, Infinity).value : this.scanGroups(best, known, f, Infinity).value;
      if (best.value === -Infinity) return best;
      best.gain = best.value * best.share;
      best.score = best.gain;
      if (ratio) {
        const bar = best.value - this.settings.tolerance * known.impurity;
        const found = ordered ? this.scan(node, f, known, bar) : this.scanGroups(best, known, f, best.value);
        best.score = this.ratioOf(node, best, found);
      }
      return best;
    }

    ratioOf(node, best, found) {
      const total = node.weight;
      let information = plogp(total - best.weight, total);
      if (found.multiway) for (const level of best.levels) information += plogp(level.n, total);
      else information += plogp(found.nLeft, total) + plogp(best.weight - found.nLeft, total);
      return information > 0 ? (found.value * best.share) / information : -Infinity;
    }

    // the rows with a value: how many come first in the feature's order, what they weigh and are
    knownOf(node, f) {
      const order = node.orders[f], codes = this.codes[f], gap = sizeOf(this.table.features[f]);
      let stop = order.length;
      while (stop > 0 && codes[order[stop - 1]] === gap) stop -= 1;
      if (stop === order.length) {
        return { stop, rows: stop, weight: node.weight, stats: node.stats, impurity: node.impurity, share: 1 };
      }
      const stats = new Float64Array(this.nStats);
      let weight = 0;
      for (let i = 0; i < stop; i += 1) weight += this.addTo(stats, order[i], node.center);
      const impurity = impurityOf(this.settings.criterion, stats, weight);
      return { stop, rows: stop, weight, stats, impurity, share: weight / node.weight };
    }

    addTo(stats, entry, center) {
      const w = this.share ? this.share[entry] : 1;
      if (this.classes) stats[this.labels[entry]] += w;
      else {
        const y = this.numbers[entry] - center;
        stats[0] += w;
        stats[1] += w * y;
        stats[2] += w * y * y;
      }
      return w;
    }

    // the cuts of an ordered feature: the best value, or the first cut whose value reaches the bar
    scan(node, f, known, bar) {
      const order = node.orders[f], codes = this.codes[f];
      if (codes[order[0]] === codes[order[known.stop - 1]]) return { value: -Infinity };
      if (this.share) return this.scanParts(node, f, known, bar);
      if (this.settings.criterion === "squared_error") return this.scanNumbers(node, f, known, bar);
      return this.scanClasses(node, f, known, bar);
    }

    // of parts of rows
    scanParts(node, f, known, bar) {
      const order = node.orders[f], codes = this.codes[f], { criterion } = this.settings;
      const left = new Float64Array(this.nStats), right = new Float64Array(this.nStats), enough = this.enoughFor(known);
      let nLeft = 0, best = -Infinity;
      for (let i = 0; i + 1 < known.stop; i += 1) {
        nLeft += this.addTo(left, order[i], node.center);
        if (codes[order[i]] === codes[order[i + 1]] || !enough(i + 1, nLeft)) continue;
        for (let s = 0; s < left.length; s += 1) right[s] = known.stats[s] - left[s];
        const value = decrease(criterion, known.impurity, left, nLeft, right, known.weight - nLeft);
        if (value >= bar) return { value, at: i, nLeft };
        if (value > best) best = value;
      }
      return { value: best };
    }

    // of whole rows with numbers: the squared distance of two means
    scanNumbers(node, f, known, bar) {
      const order = node.orders[f], codes = this.codes[f], { numbers } = this, { center } = node, { stop, stats } = known;
      const fewest = Math.max(this.settings.min_rows_leaf, this.leastLeaf);
      let sum = 0, best = -Infinity, code = codes[order[0]];
      for (let i = 0; i + 1 < stop; i += 1) {
        sum += numbers[order[i]] - center;
        const next = codes[order[i + 1]], n = i + 1, m = stop - n;
        if (next === code) continue;
        code = next;
        if (n < fewest || m < fewest) continue;
        const gap = sum * m - (stats[1] - sum) * n, value = (gap * gap) / (n * m * stop * stop);
        if (value >= bar) return { value, at: i, nLeft: n };
        if (value > best) best = value;
      }
      return { value: best };
    }

    // of whole rows with classes: what the cut gains that leaves least of the impurity, by sums over the classes that one
    // row changes in one term: of squares for the Gini index, of n log n for the entropy
    scanClasses(node, f, known, bar) {
      const order = node.orders[f], codes = this.codes[f], { labels, times } = this, { stop, impurity } = known;
      const { criterion } = this.settings, fewest = Math.max(this.settings.min_rows_leaf, this.leastLeaf);
      const left = new Int32Array(this.nStats), right = Int32Array.from(known.stats), gini = criterion === "gini";
      let inLeft = 0, inRight = 0, least = Infinity, code = codes[order[0]];
      if (gini) for (const part of right) inRight += part * part;
      else if (times) for (const part of right) inRight += times[part];
      for (let i = 0; i + 1 < stop; i += 1) {
        const k = labels[order[i]], l = left[k]++, r = right[k]--;
        if (gini) {
          inLeft += 2 * l + 1;
          inRight -= 2 * r - 1;
        } else if (times) {
          inLeft += times[l + 1] - times[l];
          inRight += times[r - 1] - times[r];
        }
        const next = codes[order[i + 1]];
        if (next === code) continue;
        code = next;
        const n = i + 1, m = stop - n;
        if (n < fewest || m < fewest) continue;
        let rest;
        if (gini) rest = ((n * n - inLeft) * m + (m * m - inRight) * n) / (n * m);
        else if (times) rest = times[n] - inLeft + times[m] - inRight;
        else rest = n - Math.max(...left) + m - Math.max(...right);
        if (rest >= least) continue;
        least = rest;
        if (impurity - rest / stop >= bar) return { value: impurity - rest / stop, at: i, nLeft: n };
      }
      return { value: impurity - least / stop };
    }

    // are both sides large enough, where this many rows of this weight are on the left?
    enoughFor(known) {
      const fewest = this.settings.min_rows_leaf, least = this.leastLeaf;
      return (rows, weight) =>
        rows >= fewest && known.rows - rows >= fewest && (least <= 0 || (weight >= least && known.weight - weight >= least));
    }

    // the levels at a node, in their order: [{ id, n, rows, stats }]
    levelsOf(node, f, known) {
      const order = node.orders[f], codes = this.codes[f], found = [];
      let last = null;
      for (let i = 0; i < known.stop; i += 1) {
        const id = codes[order[i]];
        if (!last || last.id !== id) found.push((last = { id, n: 0, rows: 0, stats: new Float64Array(this.nStats) }));
        last.n += this.addTo(last.stats, order[i], node.center);
        last.rows += 1;
      }
      return found;
    }

    // groupings of levels: the best value, or the first whose value reaches the bar
    scanGroups({ levels }, known, f, bar) {
      if (this.settings.nominal === "multiway") return this.branchPerLevel(levels, known);
      const many = this.classes > 2;
      if (many && levels.length <= this.settings.max_exhaustive) return this.allSubsets(levels, known, bar);
      let best = { value: -Infinity };
      for (let k = 0; k < (many ? this.classes : 1); k += 1) {
        const found = this.sortedLevels(levels, known, k, bar);
        if (found.value >= bar) return found;
        if (found.value > best.value) best = found;
      }
      return best;
    }

    branchPerLevel(levels, known) {
      const { criterion, min_rows_leaf } = this.settings;
      const large = levels.filter((level) => level.rows >= min_rows_leaf && level.n >= this.leastLeaf && level.n > 0);
      if (large.length < 2) return { value: -Infinity };
      const rest = levels.reduce((sum, level) => sum + level.n * impurityOf(criterion, level.stats, level.n), 0);
      return { value: known.impurity - rest / known.weight, multiway: true };
    }

    // all partings of the levels into two, the last level always on the right
    allSubsets(levels, known, bar) {
      let best = { value: -Infinity };
      for (let subset = 1; subset < 2 ** (levels.length - 1); subset += 1) {
        const found = this.parted(levels.filter((_, j) => (subset >> j) & 1), known);
        if (found.value > best.value) best = found;
        if (found.value >= bar) return found;
      }
      return best;
    }

    // cuts of the levels in the order of their mean, or of their share of class k
    sortedLevels(levels, known, k, bar) {
      const key = (level) => (this.classes ? level.stats[k] / Math.max(level.n, 1e-300) : level.stats[1] / level.n);
      const turn = levels.map((level, i) => [key(level), i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let best = { value: -Infinity };
      for (let n = 1; n < levels.length; n += 1) {
        const found = this.parted(turn.slice(0, n).map(([, i]) => levels[i]), known);
        if (found.value > best.value) best = found;
        if (found.value >= bar) return found;
      }
      return best;
    }

    // these levels parted from the others
    parted(group, known) {
      const left = new Float64Array(this.nStats);
      let nLeft = 0, rows = 0;
      for (const level of group) {
        level.stats.forEach((part, s) => (left[s] += part));
        nLeft += level.n;
        rows += level.rows;
      }
      if (!this.enoughFor(known)(rows, nLeft)) return { value: -Infinity };
      const right = known.stats.map((part, s) => part - left[s]);
      const value = decrease(this.settings.criterion, known.impurity, left, nLeft, right, known.weight - nLeft);
      return { value, nLeft, group: new Set(group.map((level) => level.id)) };
    }

    // the first split of the winning feature that is as good as the best
    first(node, f, best, reach, ratio) {
      const feature = this.table.features[f], ordered = isOrdered(feature);
      const found = ordered ? this.scan(node, f, best, reach) : this.scanGroups(best, best, f, reach);
      const gain = found.value * best.share, split = { feature: f, gain, score: gain, stop: best.stop, nChildren: 2 };
      if (ratio) split.score = this.ratioOf(node, best, found);
      if (ordered) {
        const [low, high] = [found.at, found.at + 1].map((i) => this.codes[f][node.orders[f][i]]);
        return { ...split, kind: THRESHOLD, low, high, lowBranch: 0 };
      }
      if (found.multiway) {
        const branch = Int32Array.from(feature.levels, (_, v) => v);
        return { ...split, kind: LEVELS, branch, nChildren: feature.levels.length };
      }
      const branch = new Int32Array(feature.levels.length).fill(STAYS);
      for (const level of best.levels) branch[level.id] = found.group.has(level.id) ? 0 : 1;
      if (this.isReversed(best.levels, branch)) branch.forEach((b, v) => (branch[v] = b < 0 ? b : 1 - b));
      return { ...split, kind: LEVELS, branch };
    }

    // does the second group of levels have the smaller mean? That one comes first
    isReversed(levels, branch) {
      const sums = [0, 0], weights = [0, 0];
      for (const level of levels) {
        const b = branch[level.id];
        weights[b] += level.n;
        sums[b] += this.classes ? level.stats.reduce((sum, part, k) => sum + k * part, 0) : level.stats[1];
      }
      return sums[0] / weights[0] > sums[1] / weights[1];
    }

    // ---- sending rows down

    branchOf(split, code) {
      return split.kind === THRESHOLD ? Number(code > split.low) : split.branch[code];
    }

    divide(node) {
      const { split } = node, order = node.orders[split.feature], codes = this.codes[split.feature];
      const sizes = new Float64Array(split.nChildren), known = order.subarray(0, split.stop), gaps = order.subarray(split.stop);
      for (const e of known) {
        const b = this.branchOf(split, codes[e]);
        this.side[e] = b;
        sizes[b] += this.share ? this.share[e] : 1;
      }
      for (const e of gaps) this.side[e] = STAYS;
      const most = this.settings.missing === "surrogates" ? this.settings.max_surrogates : 0;
      split.surrogates = most > 0 && split.nChildren === 2 ? this.surrogates(node, sizes, most) : [];
      split.missingRows = gaps.length;
      split.missingWeight = gaps.reduce((sum, e) => sum + (this.share ? this.share[e] : 1), 0);
      split.missingBranch = this.settings.missing === "fractional" ? SHARED : sizes.indexOf(Math.max(...sizes));
      const parts = this.missing === "fractional" && gaps.length ? this.parts(gaps, sizes) : null;
      if (!parts) for (const e of gaps) this.side[e] = this.sent(split, e);
      this.children(node, parts);
    }

    // where a row without the value goes: as its first surrogate that knows says, or to the larger branch
    sent(split, entry) {
      for (const backup of split.surrogates) {
        const code = this.codes[backup.feature][entry];
        if (code === sizeOf(this.table.features[backup.feature])) continue;
        const b = backup.kind === THRESHOLD ? (code <= backup.low ? backup.lowBranch : 1 - backup.lowBranch) : backup.branch[code];
        if (b >= 0) {
          backup.rows += 1;
          return b;
        }
      }
      return split.missingBranch;
    }

    // a part of each row without the value for every branch: Map entry -> [entry of the part or -1, …]
    parts(gaps, sizes) {
      const total = sizes.reduce((sum, size) => sum + size, 0), made = new Map();
      this.makeRoom(this.nEntries + gaps.length * sizes.length);
      for (const e of gaps) {
        made.set(e, Array.from(sizes, (size) => {
          const part = size / total;
          if (!(part > 0)) return -1;
          const entry = this.nEntries++;
          for (const codes of this.codes) codes[entry] = codes[e];
          if (this.classes) this.labels[entry] = this.labels[e];
          else this.numbers[entry] = this.numbers[e];
          this.share[entry] = this.share[e] * part;
          return entry;
        }));
      }
      return made;
    }

    makeRoom(needed) {
      if (needed <= this.room) return;
      this.room = 2 * needed;
      this.codes = this.codes.map((codes) => longer(codes, this.room));
      for (const name of ["labels", "numbers", "share", "side"]) if (this[name]) this[name] = longer(this[name], this.room);
    }

    children(node, parts) {
      const { split } = node, n = split.nChildren, counts = new Int32Array(n), order = node.orders[split.feature];
      for (const e of order) {
        if (this.side[e] >= 0) counts[this.side[e]] += 1;
        else parts.get(e).forEach((part, b) => (counts[b] += part >= 0));
      }
      split.firstChild = this.nodes.length;
      const orders = node.orders.map((one) => this.sortedApart(one, counts, parts));
      node.orders = null;
      for (let b = 0; b < n; b += 1) {
        const own = orders.map((one) => one[b]);
        this.add(node.id, node.depth + 1, own, own[split.feature]);
      }
    }

    // the entries of each child, in the order of the feature
    sortedApart(order, counts, parts) {
      const found = Array.from(counts, (count) => new Int32Array(count)), at = new Int32Array(counts.length);
      for (const e of order) {
        const b = this.side[e];
        if (b >= 0) found[b][at[b]++] = e;
        else parts.get(e).forEach((part, child) => { if (part >= 0) found[child][at[child]++] = part; });
      }
      return found;
    }

    // ---- surrogate splits: tests of other features that send rows as the split does

    surrogates(node, sizes, most) {
      const whole = sizes[0] + sizes[1], larger = Math.max(sizes[0], sizes[1]), found = [];
      this.table.features.forEach((feature, f) => {
        if (f === node.split.feature) return;
        const test = isOrdered(feature) ? this.similarCut(node, f) : this.similarGroups(node, f);
        if (!test) return;
        const adjusted = (test.agree - larger) / (whole - larger);
        if (whole > larger && adjusted > LEAST_ADJUSTED) found.push({ ...test, feature: f, agree: test.agree / whole, adjusted, rows: 0 });
      });
      return found.sort((a, b) => b.agree - a.agree || a.feature - b.feature).slice(0, most);
    }

    similarCut(node, f) {
      const order = node.orders[f], codes = this.codes[f], gap = sizeOf(this.table.features[f]), { side } = this;
      let left = 0, right = 0, stop = 0;
      for (; stop < order.length && codes[order[stop]] < gap; stop += 1) {
        if (side[order[stop]] === 0) left += 1;
        else if (side[order[stop]] === 1) right += 1;
      }
      let lowLeft = 0, lowRight = 0, best = null, upright = -1, reverse = -1, atUpright = 0, atReverse = 0;
      for (let i = 0; i + 1 < stop; i += 1) {
        if (side[order[i]] === 0) lowLeft += 1;
        else if (side[order[i]] === 1) lowRight += 1;
        const n = lowLeft + lowRight;
        if (codes[order[i]] === codes[order[i + 1]] || n < LEAST_ROWS || left + right - n < LEAST_ROWS) continue;
        const same = lowLeft + right - lowRight, other = lowRight + left - lowLeft;
        if (same > upright) { upright = same; atUpright = i; }
        if (other > reverse) { reverse = other; atReverse = i; }
      }
      const turned = reverse > upright || (reverse === upright && atReverse < atUpright), agree = turned ? reverse : upright;
      if (agree > Math.max(left, right)) {
        const at = turned ? atReverse : atUpright;
        const [low, high] = [at, at + 1].map((i) => codes[order[i]]);
        best = { kind: THRESHOLD, low, high, lowBranch: Number(turned), agree };
      }
      return best;
    }

    similarGroups(node, f) {
      const feature = this.table.features[f], n = feature.levels.length, left = new Int32Array(n), right = new Int32Array(n);
      for (const e of node.orders[f]) {
        const code = this.codes[f][e];
        if (code === n || this.side[e] < 0) continue;
        (this.side[e] === 0 ? left : right)[code] += 1;
      }
      const total = [left, right].map((side) => side.reduce((sum, count) => sum + count, 0));
      const branch = new Int32Array(n).fill(STAYS), rows = [0, 0];
      let agree = 0;
      for (let v = 0; v < n; v += 1) {
        if (left[v] + right[v] === 0) continue;
        branch[v] = left[v] > right[v] || (left[v] === right[v] && total[0] > total[1]) ? 0 : 1;
        rows[branch[v]] += left[v] + right[v];
        agree += branch[v] === 0 ? left[v] : right[v];
      }
      return Math.min(...rows) >= LEAST_ROWS ? { kind: LEVELS, branch, agree } : null;
    }

    // ---- the tree as columns

    thresholdOf(f, low, high) {
      const feature = this.table.features[f];
      if (feature.kind === "ordinal") return Math.floor((low + high) / 2) + 0.5;
      const [a, b] = [feature.values[low], feature.values[high]];
      if (this.settings.threshold === "midpoint") {
        const middle = Number.isFinite((a + b) / 2) ? (a + b) / 2 : a / 2 + b / 2;
        return middle <= a ? b : middle;
      }
      const middle = a / 2 + b / 2 >= b ? a : a / 2 + b / 2;
      return this.presentUpTo(f, middle);
    }

    // the largest value of the training rows that is not above a number
    presentUpTo(f, number) {
      this.present ??= new Map();
      if (!this.present.has(f)) {
        const { codes, values } = this.table.features[f], seen = new Uint8Array(values.length + 1);
        for (const code of codes) seen[code] = 1;
        this.present.set(f, values.filter((_, v) => seen[v]));
      }
      const values = this.present.get(f);
      let low = 0, high = values.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] <= number) low = middle + 1;
        else high = middle;
      }
      return values[low - 1];
    }

    asTree() {
      const { nodes } = this, n = nodes.length, integers = (of, type = Int32Array) => type.from(nodes, of);
      const on = (of, leaf) => (node) => (node.split ? of(node.split, node) : leaf);
      const settled = (value, node) => (Math.abs(value) <= OF_GAINS * Math.abs(node.impurity) ? 0 : value);
      const threshold = ({ kind, feature, low, high }) => (kind === THRESHOLD ? this.thresholdOf(feature, low, high) : NaN);
      const value = [];
      for (const node of nodes) value.push(node.weight > 0 ? this.answer(node) : value[node.parent]);
      const values = ({ kind, feature }, code) => {
        if (kind !== THRESHOLD) return NaN;
        return this.table.features[feature].values ? this.table.features[feature].values[code] : code;
      };
      return {
        n_nodes: n, parent: integers((node) => node.parent), first_child: integers(on((split) => split.firstChild, -1)),
        n_children: integers(on((split) => split.nChildren, 0)), depth: integers((node) => node.depth),
        kind: integers(on((split) => split.kind, LEAF), Int8Array), feature: integers(on((split) => split.feature, -1)),
        threshold: integers(on(threshold, NaN), Float64Array), low_branch: integers(on((split) => split.lowBranch ?? 0, 0)),
        closed: this.settings.threshold === "data_value", level_branch: nodes.map(on((split) => split.branch ?? null, null)),
        missing_branch: integers(on((split) => split.missingBranch, STAYS)),
        unseen_branch: integers(on((split) => split.missingBranch, STAYS)),
        stats: nodes.map((node) => (this.classes ? node.stats : Float64Array.of(node.weight, node.center, node.stats[2]))),
        n_rows: integers((node) => node.nRows), weight: integers((node) => node.weight, Float64Array),
        impurity: integers((node) => node.impurity, Float64Array),
        gain: integers(on((split, node) => settled(split.gain, node), NaN), Float64Array),
        score: integers(on((split, node) => settled(split.score, node), NaN), Float64Array),
        missing_rows: integers(on((split) => split.missingRows, 0)),
        missing_weight: integers(on((split) => split.missingWeight, 0), Float64Array), value: Float64Array.from(value),
        gap_low: integers(on((split) => values(split, split.low), NaN), Float64Array),
        gap_high: integers(on((split) => values(split, split.high), NaN), Float64Array),
        surrogates: nodes.map(on((split) => split.surrogates.map((backup) => ({
          feature: backup.feature, kind: backup.kind, threshold: threshold(backup), low_branch: backup.lowBranch ?? 0,
          level_branch: backup.branch ?? null, agree: backup.agree, adjusted: backup.adjusted, rows: backup.rows,
          gap_low: values(backup, backup.low), gap_high: values(backup, backup.high),
        })), [])),
        criterion: this.settings.criterion, settings: this.settings,
        features: this.table.features.map(({ name, kind, levels }) => ({ name, kind, levels })), target: this.table.target,
      };
    }

    // the most frequent class, the first of equals; or the mean
    answer({ stats, weight, center }) {
      if (!this.classes) return center;
      const costs = Array.from(stats, (part) => weight - part), least = Math.min(...costs);
      const slack = 1e-12 * costs.reduce((sum, cost) => sum + Math.abs(cost), 0);
      return costs.findIndex((cost) => cost <= least + slack);
    }
  }

  const isOrdered = (feature) => feature.kind === "numeric" || feature.kind === "ordinal";
  const sizeOf = (feature) => (feature.values ?? feature.levels).length;

  function longer(array, length) {
    const made = new array.constructor(length);
    made.set(array);
    return made;
  }

  // n log2 n of whole numbers
  function timesLog(most) {
    const found = new Float64Array(most + 1);
    for (let n = 2; n <= most; n += 1) found[n] = n * Math.log2(n);
    return found;
  }

  // counting sort: entries of the same code stay in their order, those without a value come last
  function sortedByCode(entries, codes, n) {
    const begin = new Int32Array(n + 2), found = new Int32Array(entries.length);
    for (const e of entries) begin[codes[e] + 1] += 1;
    for (let v = 0; v <= n; v += 1) begin[v + 1] += begin[v];
    for (const e of entries) found[begin[codes[e]]++] = e;
    return found;
  }

  // pairs (key, number), the smallest first
  class Heap {
    constructor() { this.pairs = []; }

    get size() { return this.pairs.length; }

    push(key, number) {
      const { pairs } = this;
      let at = pairs.push([key, number]) - 1;
      while (at > 0 && Heap.before(pairs[at], pairs[(at - 1) >> 1])) {
        const up = (at - 1) >> 1;
        [pairs[at], pairs[up]] = [pairs[up], pairs[at]];
        at = up;
      }
    }

    pop() {
      const { pairs } = this, top = pairs[0], last = pairs.pop();
      if (pairs.length) {
        pairs[0] = last;
        for (let at = 0; ; ) {
          let next = 2 * at + 1;
          if (next >= pairs.length) break;
          if (next + 1 < pairs.length && Heap.before(pairs[next + 1], pairs[next])) next += 1;
          if (!Heap.before(pairs[next], pairs[at])) break;
          [pairs[at], pairs[next]] = [pairs[next], pairs[at]];
          at = next;
        }
      }
      return top;
    }

    static before([a, i], [b, j]) { return a < b || (a === b && i < j); }
  }

  // node -> class shares that are never 0, for the logarithmic loss: the m-estimate of Cestnik (1990), with as many rows as
  // there are classes that have the shares of the root
  function smoothedShares(tree) {
    const m = tree.target.classes.length, sum = (parts) => parts.reduce((all, part) => all + part, 0), known = new Map();
    const root = Array.from(tree.stats[0], (part) => part + 1), all = sum(root);
    return (t) => {
      if (!known.has(t)) {
        const parts = Array.from(tree.stats[tree.weight[t] > 0 ? t : tree.parent[t]], (part, k) => part + (m * root[k]) / all), whole = sum(parts);
        known.set(t, parts.map((part) => part / whole));
      }
      return known.get(t);
    };
  }

  // ---- cost-complexity pruning: the nested subtrees, weakest link first (Breiman et al. 1984)
  // step : at which a node becomes a leaf; until : from which on it is gone; both the number of steps for never.
  // leaves, risk, alpha : of every step; the risk is the error rate, or the mean squared error, of the training rows.
  // by : "error"; of classes also "impurity", which falls where the answers stay the same, too, or "log_loss"
  function weakestLinks(tree, by = "error") {
    const n = tree.n_nodes, total = tree.weight[0], leaves = new Int32Array(n), below = new Float64Array(n);
    const ofClasses = tree.target.classes ? by : "error", shares = ofClasses === "log_loss" ? smoothedShares(tree) : null;
    const wrong = (t) => (shares ? tree.stats[t].reduce((sum, part, k) => sum - part * Math.log(shares(t)[k]), 0) : ofClasses === "impurity" ? tree.weight[t] * tree.impurity[t] : tree.target.classes ? tree.weight[t] - tree.stats[t][tree.value[t]] : tree.stats[t][2]);
    const risk = Float64Array.from({ length: n }, (_, t) => wrong(t) / total), step = new Int32Array(n).fill(-1);
    for (let t = n - 1; t >= 0; t -= 1) {
      if (!tree.n_children[t]) [leaves[t], below[t]] = [1, risk[t]];
      if (t > 0) {
        leaves[tree.parent[t]] += leaves[t];
        below[tree.parent[t]] += below[t];
      }
    }
    const link = (t) => (risk[t] - below[t]) / (leaves[t] - 1), queue = new Heap();
    for (let t = 0; t < n; t += 1) if (tree.n_children[t]) queue.push(link(t), t);
    const alphas = [0], sizes = [leaves[0]], risks = [below[0]];
    let alpha = 0, weakest = 0, now = 0;
    const isGone = (t) => {
      let up = tree.parent[t];
      while (up >= 0 && step[up] < 0) up = tree.parent[up];
      return up >= 0;
    };
    while (leaves[0] > 1) {
      const [g, t] = queue.pop();
      if (step[t] >= 0 || leaves[t] <= 1 || g !== link(t) || isGone(t)) continue;
      if (now === 0 || g > alpha + ROUNDING * Math.max(risk[t], weakest) + SAME * Math.abs(g)) {
        alpha = g > ROUNDING * risk[t] ? g : 0;
        weakest = risk[t];
        now += 1;
        alphas.push(alpha);
        sizes.push(leaves[0]);
        risks.push(below[0]);
      }
      step[t] = now;
      const gone = leaves[t] - 1, more = risk[t] - below[t];
      for (let up = t; up >= 0; up = tree.parent[up]) {
        leaves[up] -= gone;
        below[up] += more;
        if (up !== t && leaves[up] > 1) queue.push(link(up), up);
      }
      [sizes[now], risks[now]] = [leaves[0], below[0]];
    }
    const until = new Int32Array(n);
    for (let t = 0; t < n; t += 1) { // parents come before their children
      if (step[t] < 0) step[t] = tree.n_children[t] ? step[tree.parent[t]] : alphas.length;
      until[t] = t ? step[tree.parent[t]] : alphas.length;
    }
    return { step, until, alpha: alphas, leaves: sizes, risk: risks, by: ofClasses };
  }

  // ---- roles: which rows train, validate and test, as treecore.Roles draws them from a seed

  const TRAIN = 0, VALIDATION = 1, TEST = 2;

  // [low, high] halves of the finaliser of splitmix64, of every row's number in its source and the seed
  function keysOf({ n, rows }, seed) {
    const start = (BigInt(seed) * 0xd1342543de82ef95n + 0x632be59bd9b4e019n) & ((1n << 64n) - 1n);
    const [firstLow, firstHigh] = [Number(start & 0xffffffffn), Number(start >> 32n)], lows = new Uint32Array(n), highs = new Uint32Array(n);
    let low, high;
    const times = (byHigh, byLow) => { // the last 64 bits of a product, from halves of halves
      const [a, b, c, d] = [low & 0xffff, low >>> 16, byLow & 0xffff, byLow >>> 16], middle = a * d + b * c + Math.floor((a * c) / 65536);
      high = (b * d + Math.floor(middle / 65536) + (Math.imul(high, byLow) >>> 0) + (Math.imul(low, byHigh) >>> 0)) % 2 ** 32;
      low = Math.imul(low, byLow) >>> 0;
    };
    const mix = (shift) => {
      low = (low ^ ((low >>> shift) | (high << (32 - shift)))) >>> 0;
      high = (high ^ (high >>> shift)) >>> 0;
    };
    for (let i = 0; i < n; i += 1) {
      [low, high] = [rows ? rows[i] : i, 0];
      times(0x9e3779b9, 0x7f4a7c15);
      low += firstLow;
      high = (high + firstHigh + (low >= 2 ** 32)) % 2 ** 32;
      low %= 2 ** 32;
      mix(30);
      times(0xbf58476d, 0x1ce4e5b9);
      mix(27);
      times(0x94d049bb, 0x133111eb);
      mix(31);
      [lows[i], highs[i]] = [low, high];
    }
    return [lows, highs];
  }

  // 0 train, 1 validation, 2 test of every row. rows : its number in the source, where the table has lost some
  function rolesOf(table, { train = 0.6, validation = 0.2, test = 0.2, stratify = true, seed = 0 }) {
    if (Math.abs(train + validation + test - 1) > 1e-6) throw new Error("The shares of training, validation and test rows do not sum to 1.");
    const keys = keysOf(table, seed), strata = stratify ? strataOf(table, keys) : new Int32Array(table.n);
    const order = Sorting.inOrder(Int32Array.from({ length: table.n }, (_, i) => i), [...keys, strata]);
    const places = new Int8Array(table.n), dealt = new Int8Array(table.n);
    let left = 1;
    for (const [role, share] of [[TEST, test], [VALIDATION, validation]]) {
      const rest = [];
      places.forEach((taken, i) => { if (taken === TRAIN) rest.push(i); });
      if (left > 0) evenly(rest.length, Math.min(share / left, 1)).forEach((i) => (places[rest[i]] = role));
      left -= share;
    }
    order.forEach((row, i) => (dealt[row] = places[i]));
    if (stratify && table.target.classes) giveTrainEveryClass(dealt, strata, order);
    return dealt;
  }

  // the classes; or ten bins of about as many numbers, fewer of few rows
  function strataOf(table, keys) {
    const { classes, labels, numbers } = table.target, n = table.n;
    if (classes) return labels;
    const bins = Math.max(1, Math.min(10, Math.floor(n / 5))), found = new Int32Array(n);
    const order = Sorting.inOrder(Int32Array.from({ length: n }, (_, i) => i), [...keys, ...Sorting.halvesOf(numbers)]);
    order.forEach((row, rank) => (found[row] = Math.floor((rank * bins) / Math.max(n, 1))));
    return found;
  }

  // places among 0..n-1 at even distances
  function evenly(n, fraction) {
    const step = (i) => Math.floor(i * fraction + 0.5 + 1e-9), found = [];
    for (let i = 0; i < n; i += 1) if (step(i + 1) > step(i)) found.push(i);
    return found;
  }

  // swaps rows so that a class without a training row gets one
  function giveTrainEveryClass(dealt, strata, order) {
    const n = strata.reduce((most, k) => Math.max(most, k), -1) + 1, all = new Int32Array(n), train = new Int32Array(n);
    strata.forEach((k, i) => { all[k] += 1; train[k] += dealt[i] === TRAIN; });
    for (let k = 0; k < n; k += 1) {
      if (!all[k] || train[k]) continue;
      const giver = train.indexOf(train.reduce((most, count) => Math.max(most, count), 0));
      if (train[giver] < 2) return;
      const gets = order.find((row) => strata[row] === k), gives = order.find((row) => strata[row] === giver && dealt[row] === TRAIN);
      [dealt[gives], dealt[gets]] = [dealt[gets], TRAIN];
      train[giver] -= 1;
      train[k] += 1;
    }
  }

  // some rows of a table, in this order; codes and levels stay as they are
  function restrict(table, rows) {
    const pick = (array) => {
      if (!array) return array;
      const found = new array.constructor(rows.length);
      for (let i = 0; i < rows.length; i += 1) found[i] = array[rows[i]];
      return found;
    };
    const { classes, labels, numbers, name } = table.target;
    return {
      ...table, n: rows.length, rows: table.rows ? pick(table.rows) : Int32Array.from(rows),
      features: table.features.map((feature) => ({ ...feature, codes: pick(feature.codes) })),
      target: { name, classes, labels: pick(labels), numbers: pick(numbers) },
    };
  }

  const growTree = (table, settings = {}, progress = null) => new Growing(table, settings).grow(progress);
  return { growTree, weakestLinks, smoothedShares, rolesOf, restrict };
})();
