/* What a grown tree answers for the rows of a table that has its encoding. */

const Answers = (() => {
  const THRESHOLD = 1, STAYS = -1, SHARED = -2, MISSED = -3;

  // the branch of a code by a cut at a threshold, or by the branches of levels
  function branchOf(tree, feature, code, kind, threshold, lowBranch, levelBranch) {
    if (code === gapOf(feature)) return MISSED;
    if (kind !== THRESHOLD) return levelBranch[code];
    const value = feature.values ? feature.values[code] : code, isLow = tree.closed ? value <= threshold : value < threshold;
    return isLow ? lowBranch : 1 - lowBranch;
  }

  // the node in which every row ends; null where the parts of one end in several
  function endOfEach(tree, table) {
    const found = new Int32Array(table.n), { first_child: first, n_children: many, low_branch: low } = tree;
    const codes = Array.from(tree.feature, (f) => (f < 0 ? null : table.features[f].codes)), gaps = Int32Array.from(tree.feature, (f) => (f < 0 ? 0 : gapOf(table.features[f])));
    const below = Int32Array.from(tree.kind, (_, t) => codesBelow(tree, table, t));
    for (let row = 0; row < table.n; row += 1) {
      let t = 0;
      while (many[t]) {
        const code = codes[t][row];
        const branch = below[t] < 0 || code === gaps[t] ? routed(tree, table, t, row) : code < below[t] ? low[t] : 1 - low[t];
        if (branch === STAYS) break;
        if (branch === SHARED) return null;
        t = first[t] + branch;
      }
      found[row] = t;
    }
    return found;
  }

  const gapOf = ({ values, levels }) => (values ?? levels).length;

  // how many codes lie below the threshold of a node; -1 where it has none
  function codesBelow(tree, table, t) {
    if (tree.kind[t] !== THRESHOLD || !tree.n_children[t]) return -1;
    const { values, levels } = table.features[tree.feature[t]], threshold = tree.threshold[t];
    const isLow = (code) => (tree.closed ? (values ? values[code] : code) <= threshold : (values ? values[code] : code) < threshold);
    let low = 0, high = (values ?? levels).length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isLow(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // [node, share] wherever a row ends
  function endsOf(tree, table, row) {
    let at = 0; // as far as the row goes whole
    for (let branch = 0; tree.n_children[at] && (branch = routed(tree, table, at, row)) >= 0; ) at = tree.first_child[at] + branch;
    const waiting = [[at, 1]], ends = [];
    while (waiting.length) {
      const [t, share] = waiting.pop();
      const branch = tree.n_children[t] ? routed(tree, table, t, row) : STAYS;
      if (branch === STAYS) ends.push([t, share]);
      else if (branch !== SHARED) waiting.push([tree.first_child[t] + branch, share]);
      else {
        const children = Array.from({ length: tree.n_children[t] }, (_, b) => tree.first_child[t] + b);
        const all = children.reduce((sum, child) => sum + tree.weight[child], 0);
        for (const child of children) if (tree.weight[child] > 0) waiting.push([child, (share * tree.weight[child]) / all]);
      }
    }
    return ends;
  }

  function routed(tree, table, t, row) {
    const first = table.features[tree.feature[t]];
    const branch = branchOf(tree, first, first.codes[row], tree.kind[t], tree.threshold[t], tree.low_branch[t], tree.level_branch[t]);
    if (branch >= 0) return branch;
    for (const { feature: f, kind, threshold, low_branch, level_branch } of tree.surrogates[t]) {
      const feature = table.features[f], to = branchOf(tree, feature, feature.codes[row], kind, threshold, low_branch, level_branch);
      if (to >= 0) return to;
    }
    return branch === MISSED ? tree.missing_branch[t] : tree.unseen_branch[t];
  }

  function answerOf(tree, table, row) {
    const ends = endsOf(tree, table, row), { classes } = tree.target;
    if (ends.length === 1) return tree.value[ends[0][0]];
    if (!classes) return ends.reduce((sum, [t, share]) => sum + share * tree.value[t], 0);
    const shares = sharesOf(tree, ends);
    return shares.indexOf(Math.max(...shares));
  }

  function sharesOf(tree, ends) {
    const shares = new Float64Array(tree.target.classes.length);
    for (const [t, share] of ends) {
      const stats = tree.stats[tree.weight[t] > 0 ? t : tree.parent[t]], all = stats.reduce((sum, part) => sum + part, 0);
      stats.forEach((part, k) => (shares[k] += (share * part) / all));
    }
    return shares;
  }

  return { endOfEach, endsOf, sharesOf, answerOf };
})();
