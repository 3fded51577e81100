"""A sample table with its tree at one node, and the numbers that lecture notes ask of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA
from treecore.data.column import level_column
from treecore.data.samples import read_sample
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import fit
from treecore.growing.inspect.candidates import Candidate, Candidates, candidates
from treecore.growing.search import split_worth
from treecore.recipe import Edit, Grow, Recipe, Take
from treecore.tree.tree import Tree

MOST_SPLITS = 100
SPLITS_OF_A_FEATURE = 50


def measured(criterion: str, *counts: float) -> float:
    """The impurity of a node with these counts of its classes, by a criterion's name."""
    return float(split_worth.impurities(CRITERIA[criterion].judge(), np.array(counts, float)))


@dataclass(frozen=True, eq=False, repr=False)
class Opened(Brief):
    """A sample table with all rows in training, the tree grown on them, and the node that is looked at.

    answering : the tree without what was cut by hand.
    """

    table: Table
    tree: Tree
    node: int
    answering: Tree

    @property
    def impurity(self) -> float:
        """Of the node."""
        return float(self.tree.impurity[self.node])

    @property
    def found(self) -> Candidates:
        """All splits that were possible at the node."""
        return candidates(self.tree, self.node, self.table, limit=SPLITS_OF_A_FEATURE)

    def split(self, feature: str, threshold: float | None = None) -> Candidate:
        """The best split of a feature at the node, or that at a threshold; TreecoreError where there is none."""
        kept = self.found.of(feature)
        if threshold is not None:
            kept = tuple(c for c in kept if np.isclose(c.threshold, threshold))
        if not kept:
            remedy = "The features that can be split on are: " + ", ".join({c.feature for c in self.found.ranked})
            raise TreecoreError(f"{feature!r} has no such split here", where="Worked example", remedy=remedy)
        return kept[0]

    def gain(self, feature: str, threshold: float | None = None) -> float:
        """The gain of that split."""
        return self.split(feature, threshold).gain

    def counts(self, feature: str, level: str) -> np.ndarray:
        """float64 (K,): the classes of the node's rows with this level of a feature."""
        split = self.split(feature)
        return split.stats[[level in branch for branch in split.branches].index(True)]

    def impurity_of(self, feature: str, level: str) -> float:
        """The impurity of the branch of this level."""
        return measured(self.tree.criterion, *self.counts(feature, level))

    def share_of(self, feature: str, level: str, label: str) -> float:
        """The share of a class among the rows with this level."""
        counts = self.counts(feature, level)
        return float(counts[self.table.classes.index(label)] / counts.sum())

    def expected(self, feature: str) -> float:
        """The impurity that is left after the split, weighted by the branches' rows."""
        return self.impurity - self.gain(feature)

    def rows_where(self, **cells: str) -> np.ndarray:
        """bool (n_rows,): the rows with these cells, column by column."""
        here = np.ones(self.table.n_rows, bool)
        for name, cell in cells.items():
            here &= self.table.column(name).labels() == cell
        return here

    def one_row(self, cells: Mapping[str, str]) -> Table:
        """A row of these cells as a table; what is not named is missing."""
        named = (self.table.column(name) for name in self.table.features)
        columns = (level_column(c.name, c.kind, np.array([cells.get(c.name)], object), c.levels) for c in named)
        return Table(tuple(columns), features=self.table.features)

    @property
    def error(self) -> float:
        """The share of training rows that the tree gets wrong."""
        return float((self.answering.predict(self.table) != self.table.target_column.labels()).mean())


@lru_cache(maxsize=64)
def opened(
    sample: str, grow: Grow, conditions: tuple[str, ...] = (), edits: tuple[Edit | Take, ...] = ()
) -> Opened:  # fmt: skip
    """The sample, grown so, at the node that these conditions lead to; TreecoreError where no such node is."""
    table = read_sample(sample)
    found = fit(table, Recipe((grow, *edits)))
    tree = found.grown
    wanted = " AND ".join(conditions)
    for node in range(min(tree.n_nodes, MOST_SPLITS)):
        if not conditions or tree.node(node).rule == wanted:
            return Opened(table, tree, node, found.tree)
    raise TreecoreError(f"No node has the condition {wanted!r}", where="Worked example", remedy="Look at the root")
