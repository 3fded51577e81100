"""Exercises from any table of classes: gains of attributes, the tree, and rows to classify; variants by a seed."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.counted import rows_below
from treecore.exercises.pruning import alpha_task, prune_task
from treecore.exercises.sheet import Blank, Grid, Sheet, Task
from treecore.fit import grow
from treecore.rules.from_tree import leaves_in_order
from treecore.tree.tree import Tree

MOST_FEATURES, MOST_LEVELS, MOST_ROWS, MOST_CLASSIFIED = 5, 6, 30, 5
ROUNDED = 0.002
"""How far an impurity or a gain may be from the exact one: who rounds to three digits on the way is right."""


KINDS = {
    "gains": "Compute the gain of each attribute", "tree": "Draw the tree", "rows": "Classify these rows",
    "prune": "Prune with these validation rows", "alphas": "Fill in the α sequence",
}  # fmt: skip
"""What can be asked; the last two are about a tree that is given."""
ON_ROWS = ("gains", "tree", "rows")


def sheet(
    table: Table, variant: int = 0, measure: str = "entropy", kinds: tuple[str, ...] = ON_ROWS, where: str = ""
) -> Sheet:
    """The sheet of a table's nominal features. measure : "entropy" (ID3's gain, in bits) or "gini".

    variant : 0 for the table's own rows; any other number draws as many rows again with this seed, so that columns
    and levels stay and the counts differ. kinds : of ON_ROWS. where : which rows these are, for the title.
    TreecoreError for a table that has no classes or no feature of words.
    """
    rows = _variant(_fitting(table), variant)
    tasks: list[Task] = []
    if "gains" in kinds:
        tasks += [_impurity(rows, measure), *_gains(rows, measure)]
    tasks += _tree(rows, measure, kinds)
    if "gains" not in kinds and tasks:
        tasks[0] = replace(tasks[0], given=(_data(rows), *tasks[0].given))
    return Sheet(titled(table, where), variant, tuple(tasks))


def titled(table: Table, where: str = "") -> str:
    """The title of a sheet."""
    return f"Decision trees: {table.target}" + (f" ({where})" if where else "")


@dataclass(frozen=True, eq=False, repr=False)
class Grown(Brief):
    """A tree with the rows that it was grown on, and those that may prune it."""

    tree: Tree
    train: Table
    validation: Table | None = None


def full_sheet(
    kinds: tuple[str, ...], rows: Table, grown: Grown, variant: int = 0, measure: str = "entropy", where: str = ""
) -> Sheet:
    """A sheet of any kinds, in their own order. rows : of the table, or of one node. where : which rows these are.

    TreecoreError where one of the kinds cannot be asked.
    """
    on_rows = tuple(kind for kind in kinds if kind in ON_ROWS)
    tasks = list(sheet(rows, variant, measure, on_rows).tasks) if on_rows else []
    if "prune" in kinds:
        tasks.append(prune_task(grown.tree, grown.train, grown.validation, variant))
    if "alphas" in kinds:
        tasks.append(alpha_task(grown.tree, grown.train, variant))
    return Sheet(titled(grown.train, where), variant, tuple(tasks))


def _fitting(table: Table) -> Table:
    """The table with the features that can be counted by hand."""
    if table.target is None or table.task != "classification":
        raise TreecoreError("Exercises count classes", where="Target", remedy="Choose a target of few values")
    names = [
        c.name for c in table.feature_columns
        if c.kind in ("nominal", "boolean", "ordinal") and 2 <= len(_levels(c)) <= MOST_LEVELS
    ]  # fmt: skip
    if not names:
        remedy = "Make a column nominal on Data, or put numbers in bins"
        raise TreecoreError("No feature has two to six levels", where="Features", remedy=remedy)
    kept = table.with_features(tuple(names[:MOST_FEATURES]))
    known = np.logical_and.reduce([~c.missing for c in kept.feature_columns])
    return _by_level(kept.take(np.flatnonzero(known)))


def _by_level(table: Table) -> Table:
    """With a branch for each level of an order, too: so the gains are counted, and so is the tree then grown."""
    columns = (
        replace(c, kind="nominal", cuts=None) if c.name in table.features and c.kind == "ordinal" else c
        for c in table.columns
    )
    return replace(table, columns=tuple(columns))


def _variant(table: Table, variant: int) -> Table:
    """At most 30 of the rows, or as many drawn with replacement until every class is there."""
    n, rng = min(table.n_rows, MOST_ROWS), np.random.default_rng(variant)
    if variant == 0:
        return table.take(np.linspace(0, table.n_rows - 1, n).astype(int))
    for _ in range(50):
        rows = table.take(np.sort(rng.choice(table.n_rows, n)))
        if (rows.target_column.present() > 0).sum() > 1:
            return rows
    raise TreecoreError("The rows are of one class", where="Target", remedy="Choose another target")


def _levels(column: Column) -> list[str]:
    """The levels that occur, in their order."""
    return [level for level, n in zip(column.levels or (), column.present(), strict=False) if n]


def _counts(table: Table, here: np.ndarray | None = None) -> list[int]:
    """Rows of every class."""
    codes = table.target_column.codes if here is None else table.target_column.codes[here]
    return np.bincount(codes, minlength=len(table.classes))[: len(table.classes)].tolist()


def impurity(counts: list[int], measure: str) -> float:
    """Entropy in bits, or the Gini index, of these counts."""
    shares = [Fraction(c, sum(counts)) for c in counts if c]
    if measure == "gini":
        return float(1 - sum(p * p for p in shares))
    return -sum(float(p) * math.log2(p) for p in shares) or 0.0


def _written(counts: list[int], measure: str) -> str:
    """The arithmetic of an impurity in one line."""
    n, there = sum(counts), [c for c in counts if c]
    if measure == "gini":
        return "1 − " + " − ".join(f"({c}/{n})²" for c in there) + f" = {impurity(counts, measure):.4f}"
    return " ".join(f"− {c}/{n} · log₂ {c}/{n}" for c in there) + f" = {impurity(counts, measure):.4f}"


def _data(table: Table) -> Grid:
    """The rows themselves, numbered."""
    mark = "#"
    while mark in (*table.features, table.target):
        mark += "#"
    columns = (*table.features, str(table.target))
    cells = zip(*(table.column(c).labels().tolist() for c in columns), strict=True)
    return Grid((mark, *columns), tuple((str(i), *row) for i, row in enumerate(cells, 1)))


def _impurity(table: Table, measure: str) -> Task:
    name = "Gini index" if measure == "gini" else "entropy"
    key = f"{_named(table, _counts(table))}: {_written(_counts(table), measure)}"
    text = f"Compute the {name} of {table.target} over all {table.n_rows} rows."
    asked = Blank(f"{name} of {table.target}", impurity(_counts(table), measure), ROUNDED)
    return Task(text, (_data(table),), None, 3, (key,), blanks=(asked,))


def _named(table: Table, counts: list[int]) -> str:
    return ", ".join(f"{c} {label}" for c, label in zip(counts, table.classes, strict=True))


def _gains(table: Table, measure: str) -> list[Task]:
    """A question for every feature, and which one is best."""
    tasks, gains = [], {}
    for name in table.features:
        task, gains[name] = _gain(table, name, measure)
        tasks.append(task)
    best = max(gains.values())
    first = [name for name, gain in gains.items() if gain >= best - 1e-10]
    told = ", ".join(f"{name} {gain:.4f}" for name, gain in sorted(gains.items(), key=lambda pair: -pair[1]))
    right = tuple(i for i, name in enumerate(gains) if name in first)
    asked = Blank("asked first", options=tuple(gains), right=right)
    key = (f"{' or '.join(first)}: {told}.",)
    tasks.append(Task("Which attribute is asked first?", lines=2, key=key, blanks=(asked,)))
    return tasks


def _gain(table: Table, name: str, measure: str) -> tuple[Task, float]:
    labels, n = table.column(name).labels(), table.n_rows
    whole = impurity(_counts(table), measure)
    parts = {level: _counts(table, labels == level) for level in _levels(table.column(name))}
    left = sum(sum(c) / n * impurity(c, measure) for c in parts.values())
    gain = 0.0 if abs(whole - left) < 1e-12 else whole - left
    key = [f"{name} = {level}: {_named(table, c)}: {_written(c, measure)}" for level, c in parts.items()]
    terms = " − ".join(f"{sum(c)}/{n} · {impurity(c, measure):.4f}" for c in parts.values())
    key.append(f"gain({name}) = {whole:.4f} − {terms} = {gain:.4f}")
    blank = Grid(
        (name, *table.classes, "impurity"), tuple((level, *[""] * (len(table.classes) + 1)) for level in parts)
    )
    blanks = []
    for i, (level, counts) in enumerate(parts.items()):
        for k, (label, n_rows) in enumerate(zip(table.classes, counts, strict=True), 1):
            blanks.append(Blank(f"{name} = {level}: rows of {label}", n_rows, place=(i, k)))
        mixed = Blank(f"{name} = {level}: impurity", impurity(counts, measure), ROUNDED, place=(i, len(counts) + 1))
        blanks.append(mixed)
    blanks.append(Blank(f"gain({name})", gain, ROUNDED))
    return Task(f"Compute the gain of {name}.", (), blank, 3, tuple(key), blanks=tuple(blanks)), gain


def _tree(table: Table, measure: str, kinds: tuple[str, ...]) -> list[Task]:
    """Draw it, and answer rows by it."""
    tree = grow(table, "id3", criterion=measure)
    leaves = [tree.node(t) for t in range(tree.n_nodes) if tree.is_leaf[t]]
    key = (*_choices(tree, table, measure), *(f"IF {leaf.rule} THEN {leaf.predicted}" for leaf in leaves))
    draw = Task(
        "Draw the tree that asks for the attribute of the largest gain, until no gain is left.", lines=12, key=key,
        drawn=(_drawing(tree),), blanks=tuple(_node_blanks(tree, table, measure)),
    )  # fmt: skip
    text = "by your tree" if "tree" in kinds else "by the tree of these rows that asks for the largest gain first"
    return [task for kind, task in (("tree", draw), ("rows", _classify(table, tree, text))) if kind in kinds]


def _drawing(tree: Tree) -> Grid:
    """The tree from the left to the right: a row for each leaf, what is above several of them before the first."""
    rows, before = [], []
    for leaf in leaves_in_order(tree):
        path = tree.path(leaf)
        steps = [(above, tree.node(above).feature, tree.node(below).branch) for above, below in pairwise(path)]
        # a branch is drawn once, before the first of the leaves behind it, and so is what the node above it asks
        new = [i for i, below in enumerate(path[1:]) if i >= len(before) or before[i] != below]
        first = new[0] if new else len(steps)
        cells = []
        for i, (_, asks, branch) in enumerate(steps):
            opens = i > first or (i == first and branch == tree.node(int(tree.first_child[path[i]])).branch)
            cells += [asks if opens else "", branch.removeprefix("= ") if i >= first else ""]
        rows.append((*cells, *[""] * (2 * (tree.depth - len(steps))), _answered(tree, leaf)))
        before = path[1:]
    heads = [f"{level}. {head}" for level in range(1, tree.depth + 1) for head in ("asks", "branch")]
    return Grid((*heads, "answer"), tuple(rows))


def _answered(tree: Tree, leaf: int) -> str:
    counts = (f"{n:g} {label}" for n, label in zip(tree.stats[leaf], tree.classes, strict=True) if n)
    return f"{tree.node(leaf).predicted} ({', '.join(counts) or 'no row'})"


def _choices(tree: Tree, table: Table, measure: str) -> list[str]:
    """At every inner node, the gain of every attribute that is left, with its arithmetic."""
    told, ends = [], tree.apply(table)
    for t in np.flatnonzero(~tree.is_leaf):
        rows, node = rows_below(tree, int(t), table, ends), tree.node(int(t))
        asked = {tree.node(int(above)).feature for above in tree.path(int(t))[:-1]}
        where = node.rule if t else "All rows"
        gains = {name: _gain(rows, name, measure) for name in table.features if name not in asked}
        told += [f"{where}: {task.key[-1]}" for task, _ in gains.values()]
        told.append(f"{where}: asks {node.feature}{_as_good(gains, node.feature)}.")
    return told


def _node_blanks(tree: Tree, table: Table, measure: str) -> list[Blank]:
    """Of every node that has rows, in the order of the drawing: the attribute it asks for, or its answer."""
    options = (*(f"asks {name}" for name in table.features), *(f"answers {label}" for label in table.classes))
    blanks, ends = [], tree.apply(table)
    for t in sorted(range(tree.n_nodes), key=tree.path):
        rows, node = rows_below(tree, t, table, ends), tree.node(t)
        if not rows.n_rows:
            continue
        if node.is_leaf:
            right = {f"answers {label}" for label in _commonest(rows)}
        else:
            gains = {name: _gain(rows, name, measure) for name in table.features}
            right = {f"asks {name}" for name in _best(gains)}
        places = tuple(i for i, option in enumerate(options) if option in right)
        blanks.append(Blank(node.rule if t else "All rows", options=options, right=places))
    return blanks


def _commonest(rows: Table) -> list[str]:
    counts = _counts(rows)
    return [label for label, n in zip(rows.classes, counts, strict=True) if n == max(counts)]


def _best(gains: dict[str, tuple[Task, float]]) -> list[str]:
    """The attributes of the largest gain."""
    best = max(gain for _, gain in gains.values())
    return [name for name, (_, gain) in gains.items() if gain >= best - 1e-10]


def _as_good(gains: dict[str, tuple[Task, float]], asked: str) -> str:
    """What is to be said of attributes whose gain is as large; '' where there are none."""
    others = [name for name in _best(gains) if name != asked]
    return f"; {' and '.join(others)} gain{'s' * (len(others) == 1)} as much and may be asked instead" if others else ""


def _classify(table: Table, tree: Tree, how: str) -> Task:
    picked = np.linspace(0, table.n_rows - 1, min(MOST_CLASSIFIED, table.n_rows)).astype(int)
    rows = table.take(picked)
    cells = list(zip(*(rows.column(c).labels().tolist() for c in table.features), strict=True))
    blank = Grid((*table.features, "answer"), tuple((*row, "") for row in cells))
    leaves = tree.apply(rows)
    key = [f"{', '.join(row)} → {tree.node(int(t)).predicted} ({tree.node(int(t)).rule})"
           for row, t in zip(cells, leaves, strict=True)]  # fmt: skip
    answers = [_commonest(rows_below(tree, int(t), table)) for t in leaves]
    blanks = tuple(
        Blank(
            ", ".join(row), options=table.classes, place=(i, len(row)),
            right=tuple(k for k, label in enumerate(table.classes) if label in answers[i]),
        ) for i, row in enumerate(cells)
    )  # fmt: skip
    return Task(f"Classify these rows {how}.", (), blank, 1, tuple(key), blanks=blanks)
