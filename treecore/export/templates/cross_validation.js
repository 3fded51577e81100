/* Which size of a tree predicts new rows best, as treecore.cross_validation and treecore.pruning.validation find it, and
   by which of its ways treecore.first_recipe grows and prunes the tree of a new table. */

const CrossValidation = (() => {
  const FOLDS = 10, FOLDED = 200_000, READABLE = 30, ROWS_OF_LEAF = 5, SHARE = 0.01, MOST_IN_LEAF = 50, ROUNDING = 1e-12;

  // The Mersenne twister of Matsumoto and Nishimura (1998), and the shuffle that NumPy's RandomState draws with it.
  function permutation(n, seed) {
    const state = new Uint32Array(624);
    state[0] = seed;
    for (let i = 1; i < 624; i += 1) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    let at = 624;
    const next = () => {
      if (at === 624) {
        for (let i = 0; i < 624; i += 1) {
          const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
          state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
        }
        at = 0;
      }
      let y = state[at];
      at += 1;
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    };
    const found = Int32Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i -= 1) {
      const mask = 2 ** (32 - Math.clz32(i)) - 1;
      let j = (next() & mask) >>> 0;
      while (j > i) j = (next() & mask) >>> 0;
      [found[i], found[j]] = [found[j], found[i]];
    }
    return found;
  }

  // the fold of every row: classes, and neighbours in rank, are spread over the folds
  function folds(table, many, seed = 0) {
    const { n } = table, { labels, numbers } = table.target, key = new Int32Array(n), drawn = permutation(n, seed);
    const numbered = Array.from({ length: n }, (_, i) => i);
    if (table.rows) numbered.sort((a, b) => table.rows[a] - table.rows[b]);
    numbered.forEach((row, i) => (key[row] = drawn[i]));
    let strata = labels;
    if (!labels) {
      strata = new Int32Array(n);
      Array.from(numbered).sort((a, b) => numbers[a] - numbers[b] || key[a] - key[b]).forEach((row, rank) => (strata[row] = Math.floor(rank / many)));
    }
    const found = new Int32Array(n);
    numbered.sort((a, b) => strata[a] - strata[b] || key[a] - key[b]).forEach((row, i) => (found[row] = i % many));
    return found;
  }

  // (node, row) -> its loss there: minus the logarithm of the class's share, or the squared distance
  function lossOf(tree, { labels, numbers }) {
    const shares = labels && Grower.smoothedShares(tree);
    return labels ? (t, row) => -Math.log(shares(t)[labels[row]]) : (t, row) => (numbers[row] - tree.value[t]) ** 2;
  }

  // sums of the loss and of its square over the rows of a table, of every subtree of the sequence
  function losses(tree, links, table) {
    const steps = links.alpha.length, first = new Float64Array(steps + 1), second = new Float64Array(steps + 1), loss = lossOf(tree, table.target);
    const nodes = Answers.endOfEach(tree, table), add = (row, end, share) => {
      for (let t = end; t >= 0; t = tree.parent[t]) {
        const from = t === end ? 0 : links.step[t], to = links.until[t];
        if (from >= to) continue;
        const lost = loss(t, row);
        first[from] += share * lost;
        first[to] -= share * lost;
        second[from] += share * lost * lost;
        second[to] -= share * lost * lost;
      }
    };
    for (let row = 0; row < table.n; row += 1) {
      if (nodes) add(row, nodes[row], 1);
      else for (const [end, share] of Answers.endsOf(tree, table, row)) add(row, end, share);
    }
    for (let k = 1; k < steps; k += 1) [first[k], second[k]] = [first[k] + first[k - 1], second[k] + second[k - 1]];
    return { first: first.subarray(0, steps), second: second.subarray(0, steps) };
  }

  // alphas that stand for the steps of a sequence: below 0 the tree as it is grown
  function geometricMeans({ alpha }) {
    const found = alpha.map((a, k) => (a > 0 ? Math.sqrt(a) * Math.sqrt(alpha[k + 1] ?? Infinity) : 0));
    found[alpha.length - 1] = Infinity;
    if (alpha.length > 1 && alpha[1] === 0) found[0] = -Infinity;
    return found;
  }

  const stepAt = ({ alpha }, asked) => (asked < 0 ? 0 : alpha.findLastIndex((a) => a * (1 - 1e-12) <= asked));

  // { mean, error } of every step, by folds whose trees were not grown on the rows that judge them
  function crossValidated(tree, links, table, settings, { many = FOLDS, seed = 0 } = {}, progress = () => {}) {
    if (table.n < Math.max(many, 2)) return null;
    const fold = folds(table, many, seed), at = geometricMeans(links), first = new Float64Array(at.length), second = new Float64Array(at.length);
    const numbered = Int32Array.from(fold, (_, row) => row), rows = (has) => Grower.restrict(table, numbered.filter((row) => has(fold[row])));
    for (let k = 0; k < many; k += 1) {
      progress(k, many);
      const rest = rows((f) => f !== k), grown = Grower.growTree(rest, settings), own = Grower.weakestLinks(grown, links.by);
      const lost = losses(grown, own, rows((f) => f === k));
      at.forEach((alpha, step) => {
        const place = stepAt(own, alpha);
        first[step] += lost.first[place];
        second[step] += lost.second[place];
      });
    }
    const mean = first.map((sum) => sum / table.n);
    return { mean, error: second.map((sum, k) => Math.sqrt(Math.max(sum - first[k] ** 2 / table.n, 0)) / table.n) };
  }

  // the same by rows that were held back; null where there are none
  function judged(tree, links, held) {
    if (!held.n) return null;
    const { first, second } = losses(tree, links, held), mean = first.map((sum) => sum / held.n);
    return { mean, error: second.map((sum, k) => Math.sqrt(Math.max(sum / held.n - mean[k] ** 2, 0) / held.n)) };
  }

  // the smallest subtree that is at most so many standard errors worse than the best one
  function best({ mean, error }, errors) {
    const least = mean.indexOf(Math.min(...mean)), slack = ROUNDING * Math.abs(mean[least]) + (ROUNDING / 10) * Math.max(...mean.slice(0, least + 1).map(Math.abs));
    const last = mean.findLastIndex((value) => value <= mean[least] + slack), within = errors > 0 ? errors * error[last] : 0;
    return mean.findLastIndex((value) => value <= mean[last] + within + slack);
  }

  // ---- the tree of a table: grown, and the step of its nested sequence at which it opens

  // rule : null for the tree as it is grown; { risk, alpha } or { risk, choose, errors, many, seed }
  function sized(train, held, settings, rule, progress = () => {}) {
    const tree = Grower.growTree(train, settings, progress), links = Grower.weakestLinks(tree, rule?.risk ?? "impurity");
    if (!rule || tree.n_nodes === 1) return { tree, links, at: 0 };
    if (rule.alpha !== undefined) return { tree, links, at: stepAt(links, rule.alpha) };
    const told = (k, many) => progress(`Choosing a size: fold ${k + 1} of ${many}`);
    const judgement = rule.choose === "validation" ? judged(tree, links, held) : crossValidated(tree, links, train, settings, rule, told);
    if (!judgement) throw new Error(rule.choose === "validation" ? "The size is to be chosen on validation rows: hold some back." : `${rule.many ?? FOLDS} folds cannot be made of ${train.n} rows: choose another pruning.`);
    const at = best(judgement, rule.errors);
    return { tree, links, at, loss: judgement.mean[at], judgement };
  }

  // Grows and prunes by the way that loses least; treecore also tries trees by tests (ctree), which this page does not grow.
  function first(train, held, settings, progress) {
    const isSmall = train.n * train.features.length <= FOLDED, some = Math.trunc(Math.min(MOST_IN_LEAF, train.n * SHARE));
    const limits = some > 1 ? { min_rows_leaf: some } : {}, many = held.n ? FOLDS : Math.min(FOLDS, train.n);
    const rule = (errors, risk = "impurity") => (isSmall ? { risk, choose: "cross-validation", errors, many, seed: 0 } : held.n ? { risk, choose: "validation", errors } : null);
    if (!isSmall) return { ...sized(train, held, { ...settings, ...limits }, rule(1), progress), limits, rule: rule(1) };
    const ways = [{ risk: "impurity", way: {} }, ...(train.target.classes ? [{ risk: "log_loss", way: { criterion: "entropy" } }] : [])];
    const tried = ways.map(({ risk, way }) => ({ ...sized(train, held, { ...settings, ...limits, ...way }, many > 1 ? rule(0, risk) : null, progress), risk, way }));
    const found = tried.reduce((least, one) => (one.loss < least.loss ? one : least));
    const whole = { ...found, limits, at: 0, rule: null };
    if (!found.judgement) return whole;
    const { leaves } = found.links, one = best(found.judgement, 1), smaller = leaves[found.at] > Math.min(READABLE, train.n / ROWS_OF_LEAF) && leaves[one] > 1;
    const chosen = { ...found, limits, at: smaller ? one : found.at, rule: rule(smaller ? 1 : 0, found.risk) };
    return !held.n && leaves[chosen.at] === 1 ? whole : chosen; // the root alone says nothing of rows that all train
  }

  return { folds, crossValidated, best, sized, first };
})();
