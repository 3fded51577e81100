"""A small tree with counted rows, as an exercise needs it: whole numbers and fractions, nothing else."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.exercises.sheet import Grid
from treecore.pruning.sequence import sequence
from treecore.tree.tree import Tree, split_order

MOST_LEAVES, FEWEST_LEAVES, MOST_LISTED = 8, 4, 12
NOISE = 0.25
"""Share of the rows made up for an exercise that get another answer, so that pruning has something to do."""


@dataclass(frozen=True, eq=False, repr=False)
class CountedTree(Brief):
    """The tree of an exercise. children, tests, train, answers : one entry per node, parents before children.

    children : places of the branches, () of a leaf. tests : what leads to the node, the feature asked at the parent
    among it; "" of the root. asks : feature of an inner node, "" of a leaf. train : rows of every class. answers : the
    place of the commonest class, the first of equals; without rows that of the node above.
    """

    classes: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    tests: tuple[str, ...]
    asks: tuple[str, ...]
    train: tuple[tuple[int, ...], ...]

    @property
    def answers(self) -> tuple[int, ...]:
        found = [max(range(len(n)), key=n.__getitem__) for n in self.train]
        for t, below in enumerate(self.children):
            for c in below:
                found[c] = found[c] if any(self.train[c]) else found[t]
        return tuple(found)

    @property
    def inner(self) -> tuple[int, ...]:
        return tuple(t for t, below in enumerate(self.children) if below)

    def drawn(self) -> Grid:
        """A line per node, branches below their node."""
        rows, waiting = [], [(0, 0)]
        while waiting:
            t, depth = waiting.pop(0)
            counts = tuple(str(n) for n in self.train[t])
            ask = self.asks[t] or f"answer {self.classes[self.answers[t]]}"
            rows.append((f"t{t}", "· " * depth + (self.tests[t] or "all rows"), ask, *counts))
            waiting = [(c, depth + 1) for c in self.children[t]] + waiting
        return Grid(("node", "rows with", "asks", *self.classes), tuple(rows))

    def wrong(self, counts) -> list[int]:
        """Errors of every node as a leaf. counts : rows of every class per node."""
        return [sum(n) - n[answer] for n, answer in zip(counts, self.answers, strict=True)]


def rows_below(tree: Tree, node: int, table: Table, ends: np.ndarray | None = None) -> Table:
    """The rows of a table that end in a node or below it. ends : where each of them ends, if that is known."""
    inside = tree.descendants(node)
    inside[node] = True
    return table.take(np.flatnonzero(inside[tree.apply(table) if ends is None else ends]))


def small(tree: Tree) -> Tree:
    """The tree, or the largest one of its nested sequence with few enough leaves for a sheet; where that is hardly a
    tree, as it was after its first splits."""
    if not tree.classes:
        raise TreecoreError("Exercises count classes", where="Target", remedy="Choose a target of few values")
    if tree.n_nodes == 1:
        raise TreecoreError("The tree is a lone root", where="Tree", remedy="Loosen the stopping limits")
    if tree.n_leaves <= MOST_LEAVES:
        return tree
    steps = sequence(tree)
    fitting = steps.with_leaves(MOST_LEAVES)
    if steps.n_leaves[fitting] >= FEWEST_LEAVES:
        return tree.cut(steps.cuts(fitting))
    leaves = 1 + np.cumsum(tree.n_children[split_order(tree)] - 1)
    return tree.after(max(int(np.sum(leaves <= MOST_LEAVES)), 1))


def counted(tree: Tree, train: Table, variant: int = 0) -> CountedTree:
    """The small tree with the training rows in it; a variant draws as many rows again.

    Rows that do not end in a leaf, as they have a level that was not there, are left out.
    """
    rng = np.random.default_rng(variant)
    ends = tree.apply(train)
    known = np.flatnonzero(tree.is_leaf[ends])
    counts = own = node_counts(tree, ends[known], train.target_column.codes[known])
    for _ in range(50 if variant else 0):
        rows = rng.choice(known, len(known))
        counts = node_counts(tree, ends[rows], train.target_column.codes[rows])
        if all(any(n) for n, before in zip(counts, own, strict=True) if any(before)):
            break
    shown = [tree.node(t) for t in range(tree.n_nodes)]
    return CountedTree(
        tree.classes, tuple(tuple(map(int, tree.children(t))) for t in range(tree.n_nodes)),
        tuple(view.condition if t else "" for t, view in enumerate(shown)),
        tuple("" if view.is_leaf else view.feature or "" for view in shown), counts,
    )  # fmt: skip


def node_counts(tree: Tree, ends: np.ndarray, labels: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Rows of every class in every node. ends : the leaf of each row; labels : its class."""
    n = np.zeros((tree.n_nodes, len(tree.classes)), np.int64)
    np.add.at(n, (ends, labels), 1)
    return tuple(tuple(row) for row in np.rint(tree.add_up(n.astype(float))).astype(int).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class Listed(Brief):
    """Rows to prune by. cells : what the tree asks of each row, and its class; counts : of every class per node."""

    grid: Grid
    counts: tuple[tuple[int, ...], ...]
    made_up: bool


def listed(tree: Tree, train: Table, validation: Table | None, variant: int = 0) -> Listed:
    """At most twelve validation rows that have all values asked for; where no row validates, rows drawn from those
    that train, some with another answer."""
    rng = np.random.default_rng(1000 + variant)
    made_up = validation is None or not validation.n_rows
    table = train if made_up else validation
    assert table is not None
    ends, labels = tree.apply(table), table.target_column.codes
    names = list(dict.fromkeys(tree.node(t).feature for t in range(tree.n_nodes) if not tree.is_leaf[t]))
    whole = np.logical_and.reduce([~table.column(name).missing for name in names])
    known = np.flatnonzero(tree.is_leaf[ends] & (labels < len(tree.classes)) & whole)
    picked = np.sort(rng.choice(known, min(MOST_LISTED, len(known)), replace=False))
    codes = labels[picked].astype(np.int64)
    if made_up:
        other = (codes + rng.integers(1, max(len(tree.classes), 2), len(codes))) % len(tree.classes)
        codes = np.where(rng.random(len(codes)) < NOISE, other, codes)
    rows = table.take(picked)
    cells = [[str(v) for v in rows.column(name).labels().tolist()] for name in names]
    told = tuple((str(i + 1), *(column[i] for column in cells), tree.classes[codes[i]]) for i in range(len(picked)))
    grid = Grid(("row", *names, str(table.target)), told)
    return Listed(grid, node_counts(tree, ends[picked], codes), made_up)
