/* What the explorer has done beside its page, in a worker: a file read, a tree grown and judged on its rows. */

const ExplorerWorker = (() => {
  const MOST_NODES = 20_000, RARE = 0.25;
  const { endOfEach, endsOf, sharesOf, answerOf } = Answers;
  let source = null;

  // Of two classes the rarer one, where it is rare enough for accuracy to mislead: how well its rows are told from others,
  // and how many of them the tenth of all rows with the highest shares holds; null elsewhere. As treecore.judging.ranking.
  function rareIn(tree, table, nodes) {
    const { classes, labels } = table.target, { n } = table, [none, some] = tree.stats[0];
    if (classes.length !== 2) return null;
    const k = none < some ? 0 : 1, positives = labels.reduce((sum, label) => sum + (label === k), 0);
    if (!positives || positives >= RARE * n) return null;
    const counts = new Map(), ofNode = nodes && Array.from(tree.weight, (_, t) => sharesOf(tree, [[t, 1]])[k]);
    for (let row = 0; row < n; row += 1) {
      const share = nodes ? ofNode[nodes[row]] : sharesOf(tree, endsOf(tree, table, row))[k], at = counts.get(share) ?? [0, 0];
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
    const { classes, labels, numbers } = table.target, nodes = endOfEach(tree, table);
    const answers = new Float64Array(table.n).map((_, row) => (nodes ? tree.value[nodes[row]] : answerOf(tree, table, row)));
    if (classes) {
      const right = (of) => labels.reduce((sum, label, row) => sum + (label === of(row)), 0) / table.n;
      return { n: table.n, accuracy: right((row) => answers[row]), baseline: right(() => tree.value[0]), rare: rareIn(tree, table, nodes) };
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

    // isNew : is the table grown and pruned as a new one is? rule : how its size is chosen, see CrossValidation.sized
    grow({ target, kinds, features, split, settings, rule, isNew, name }, progress) {
      const table = CsvTable.tableOf(source, target, kinds, features), roles = Grower.rolesOf(table, split);
      const numbered = Int32Array.from({ length: table.n }, (_, row) => row);
      const [train, ...held] = [0, 1, 2].map((role) => Grower.restrict(table, numbered.filter((row) => roles[row] === role)));
      const found = isNew ? CrossValidation.first(train, held[0], settings, progress) : CrossValidation.sized(train, held[0], settings, rule, progress);
      const { links, at } = found, tree = { ...found.tree, features: table.features };
      if (tree.n_nodes > MOST_NODES) throw new Error(`The tree has ${tree.n_nodes} nodes, too many for one page. Set a limit, such as a larger smallest leaf.`);
      const { title, constants } = PageConstants.of(tree, links, name, at);
      const literals = Object.fromEntries(Object.entries(constants).map(([key, value]) => [key, JSON.stringify(value).replaceAll("<", "\\u003c")]));
      const pruned = { ...tree, n_children: tree.n_children.map((n, t) => (links.step[t] <= at ? 0 : n)) }, stands = (t) => links.until[t] > at;
      const judged = [["training", train], ["validation", held[0]], ["test", held[1]]].filter(([, rows]) => rows.n);
      const chosen = isNew ? { limits: found.limits, rule: found.rule, way: found.way ?? {} } : null;
      return {
        title, literals, leaves: links.leaves[at], whole: links.leaves[0], depth: tree.depth.reduce((most, depth, t) => (stands(t) ? Math.max(most, depth) : most), 0), chosen,
        n: table.n, without: source.n - table.n, judged: judged.map(([role, rows]) => ({ role, ...judge(pruned, rows) })), kind: table.target.kind,
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
