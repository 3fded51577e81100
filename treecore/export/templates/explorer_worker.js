/* What the explorer has done beside its page, in a worker: a file read, a tree grown and judged on its rows. */

const ExplorerWorker = (() => {
  const THRESHOLD = 1, STAYS = -1, SHARED = -2, MISSED = -3, MOST_NODES = 20_000, RARE = 0.25;
  let source = null;

  // ---- what a tree answers for the rows of a table that has its encoding

  function branchOf(tree, test, feature, code) {
    if (code === (feature.values ?? feature.levels).length) return MISSED;
    if (test.kind !== THRESHOLD) return test.level_branch[code];
    const value = feature.values ? feature.values[code] : code, isLow = tree.closed ? value <= test.threshold : value < test.threshold;
    return isLow ? test.low_branch : 1 - test.low_branch;
  }

  // [node, share] wherever a row ends
  function endsOf(tree, table, row) {
    const waiting = [[0, 1]], ends = [];
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
    const test = { kind: tree.kind[t], threshold: tree.threshold[t], low_branch: tree.low_branch[t], level_branch: tree.level_branch[t] };
    const first = table.features[tree.feature[t]], branch = branchOf(tree, test, first, first.codes[row]);
    if (branch >= 0) return branch;
    for (const backup of tree.surrogates[t]) {
      const feature = table.features[backup.feature], to = branchOf(tree, backup, feature, feature.codes[row]);
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

  // Of two classes the rarer one, where it is rare enough for accuracy to mislead: how well its rows are told from others,
  // and how many of them the tenth of all rows with the highest shares holds; null elsewhere. As treecore.judging.ranking.
  function rareIn(tree, table) {
    const { classes, labels } = table.target, { n } = table, [none, some] = tree.stats[0];
    if (classes.length !== 2) return null;
    const k = none < some ? 0 : 1, positives = labels.reduce((sum, label) => sum + (label === k), 0);
    if (!positives || positives >= RARE * n) return null;
    const counts = new Map();
    for (let row = 0; row < n; row += 1) {
      const share = sharesOf(tree, endsOf(tree, table, row))[k], at = counts.get(share) ?? [0, 0];
      at[labels[row] === k ? 0 : 1] += 1;
      counts.set(share, at);
    }
    let hits = 0, alarms = 0, area = 0, captured = null;
    for (const [, [mine, others]] of [...counts].sort(([a], [b]) => b - a)) {
      const before = hits + alarms, part = mine + others;
      area += (others / (n - positives)) * ((hits + mine / 2) / positives);
      if (captured === null && before + part >= n / 10) captured = (hits + (mine * (n / 10 - before)) / part) / positives;
      [hits, alarms] = [hits + mine, alarms + others];
    }
    return { name: classes[k], positives, area, captured };
  }

  // accuracy of classes, and of always answering with the tree's commonest one; RMSE and R² of numbers
  function judge(tree, table) {
    const { classes, labels, numbers } = table.target, answers = Float64Array.from({ length: table.n }, (_, row) => answerOf(tree, table, row));
    if (classes) {
      const right = (of) => labels.reduce((sum, label, row) => sum + (label === of(row)), 0) / table.n;
      return { n: table.n, accuracy: right((row) => answers[row]), baseline: right(() => tree.value[0]), rare: rareIn(tree, table) };
    }
    const mean = numbers.reduce((sum, number) => sum + number, 0) / table.n;
    const squares = (of) => numbers.reduce((sum, number, row) => sum + (number - of(row)) ** 2, 0), all = squares(() => mean);
    const lost = squares((row) => answers[row]);
    return { n: table.n, rmse: Math.sqrt(lost / table.n), r2: all > 0 ? 1 - lost / all : NaN };
  }

  // ---- what is asked

  const TASKS = {
    read({ bytes }) {
      source = CsvTable.read(bytes);
      const columns = source.columns.map((column) => ({ name: column.name, ...column.guess, targetKind: CsvTable.targetKind(column) }));
      return { n: source.n, columns, notes: source.notes, target: CsvTable.targetOf(source) };
    },

    // the levels of a column in the order they would have
    levels: ({ name, kind }) => CsvTable.encode(source.columns.find((column) => column.name === name), kind).levels,

    grow({ target, kinds, features, split, settings, name }, progress) {
      const table = CsvTable.tableOf(source, target, kinds, features), roles = Grower.rolesOf(table, split);
      const rowsOf = (role) => Int32Array.from(roles.keys()).filter((row) => roles[row] === role);
      const [train, ...held] = [0, 1, 2].map((role) => Grower.restrict(table, rowsOf(role)));
      const grown = Grower.growTree(train, settings, progress), tree = { ...grown, features: table.features };
      if (grown.n_nodes > MOST_NODES) throw new Error(`The tree has ${grown.n_nodes} nodes, too many for one page. Set a limit, such as a larger smallest leaf.`);
      const { title, constants } = PageConstants.of(tree, Grower.weakestLinks(grown, "impurity"), name);
      const literals = Object.fromEntries(Object.entries(constants).map(([key, value]) => [key, JSON.stringify(value).replaceAll("<", "\\u003c")]));
      const judged = [["training", train], ["validation", held[0]], ["test", held[1]]].filter(([, rows]) => rows.n);
      return {
        title, literals, leaves: grown.n_children.filter((n) => n === 0).length, depth: grown.depth.reduce((most, depth) => Math.max(most, depth), 0),
        n: table.n, without: source.n - table.n, judged: judged.map(([role, rows]) => ({ role, ...judge(tree, rows) })), kind: table.target.kind,
      };
    },
  };

  // answers a message with { id, made } or { id, fault }, and tells how far growing is by { id, nodes }
  function handle({ id, task, ...asked }, post) {
    let last = 0;
    const progress = (nodes) => {
      if (Date.now() - last < 100) return;
      last = Date.now();
      post({ id, nodes });
    };
    try {
      post({ id, made: TASKS[task](asked, progress) });
    } catch (fault) {
      post({ id, fault: fault.message });
    }
  }

  return { handle, judge };
})();
