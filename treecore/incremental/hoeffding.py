"""A tree that splits a leaf once enough rows have come by, and never looks back."""

import math
from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.thresholds import thresholds
from treecore.incremental.grafting import problem_of_rows, tree_of_nodes
from treecore.incremental.node import LEAF, Node, Split, larger_branch, smaller_mean_first
from treecore.incremental.rows import Rows
from treecore.incremental.search import Search
from treecore.incremental.step import Step
from treecore.kernels.node_impurity import impurity_of
from treecore.kernels.state import SUBSET
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Bound:
    """When a leaf is split. grace : rows between two looks at a leaf. delta : probability, at each look, that the best
    feature of all rows to come is another one. tie : gains that differ by less are as good as each other.
    TreecoreError for what is not possible."""

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05

    def __post_init__(self):
        limits = {
            "grace": (self.grace >= 1, "Give a whole number of at least 1"),
            "delta": (0 < self.delta < 1, "Give a number between 0 and 1"),
            "tie": (self.tie >= 0, "Give 0 or more"),
        }
        for name, (holds, remedy) in limits.items():
            if not holds:
                raise TreecoreError(f"{getattr(self, name)!r} is not possible", where=name, remedy=remedy)

    def decides(self, best: float, second: float, n: int, spread: float) -> bool:
        """Is a leaf split after n rows? best, second : gains of the best features, or 0 for no split at all."""
        epsilon = hoeffding_bound(spread, self.delta, n)
        return best > 0.0 and (best - second > epsilon or epsilon < self.tie)


def hoeffding_bound(spread: float, delta: float, n: int) -> float:
    """How far the mean of n numbers is from that of all to come, at most: epsilon = R sqrt(ln(1 / delta) / 2n).

    It is farther with a probability of delta at most. spread : R, between the least and the largest possible number.
    Source: Hoeffding (1963); for trees Domingos and Hulten (2000), Mining high-speed data streams.
    """
    return spread * math.sqrt(math.log(1.0 / delta) / (2.0 * n))


class _Leaf(Node):
    """observed : int64 (m,), the rows that came since it was a leaf. n_looked : of them, at the last look."""

    __slots__ = ("n_looked", "observed")

    def __init__(self, rows: np.ndarray, stats: np.ndarray, depth: int):
        super().__init__(rows, stats, depth)
        self.observed, self.n_looked = rows[:0], 0


class HoeffdingTree:
    """A leaf is split by its best feature when that leads the second best by more than Hoeffding's bound.

    Gains are those of the rows that came since the leaf began; a split stays as it is. The nodes of `tree` count all
    rows so far, also those that came before their split, so that it can be laid over the exact one. Neither depends on
    how the rows come in batches.

    table : the first rows, with a target of classes. growth : criterion, nominal, max_depth and min_rows_leaf are
    taken from it; rows without a value follow the larger branch. Source: Domingos and Hulten (2000), Mining
    high-speed data streams (VFDT).
    """

    def __init__(self, table: Table, growth: GrowSettings, bound: Bound | None = None):
        self._rows, self._bound, self._n_classes = Rows(table), bound or Bound(), len(table.classes)
        kept = {name: getattr(growth, name) for name in ("criterion", "nominal", "max_depth", "min_rows_leaf")}
        self._growth = GrowSettings(**kept)
        self._look_up()
        nothing = np.zeros(0, np.int64)
        self._root = _Leaf(nothing, np.zeros(self._n_classes), 0)
        self._tree: Tree | None = None
        self._fed(np.arange(self._rows.n))

    @property
    def n_rows(self) -> int:
        """Seen so far."""
        return self._rows.n

    @property
    def tree(self) -> Tree:
        """The tree so far, made when it is asked for."""
        if self._tree is None:
            for node in self._root.below():
                gain = self._gain(node)
                node.split = node.split._replace(gain=gain, score=gain)
            self._tree = tree_of_nodes(self._root, self._rows, self._growth)
        return self._tree

    def add(self, table: Table) -> Step:
        """Learn these rows too. TreecoreError for rows that do not fit, see Rows.append; then nothing has changed."""
        first, codes = self._rows.n, self._rows.codes
        moved = self._rows.append(table)
        new = np.arange(first, self._rows.n)
        if not len(new):
            return Step(first, 0)
        self._tree = None
        if moved or codes is not self._rows.codes:
            self._look_up()
        for node in self._root.below() if moved else ():
            node.split = node.split.moved(moved)
        self._problem.rows["label"][new] = self._rows.labels[new]
        return self._fed(new)

    def _look_up(self) -> None:
        self._problem = problem = problem_of_rows(self._rows, self._growth)
        self._search = Search(problem)
        self._spread = impurity_of(problem.judge, np.ones(self._n_classes), float(self._n_classes))

    def _fed(self, new: np.ndarray) -> Step:
        n_updated = n_split = 0
        waiting = [(self._root, new)]
        while waiting:
            node, rows = waiting.pop()
            n_updated += 1
            self._count(node, rows)
            if node.split.feature == LEAF:
                rows = self._observed(node, rows)
                if node.split.feature == LEAF:
                    continue
                n_split += 1
            waiting += [(c, part) for c, part in zip(node.children, self._parted(node, rows), strict=True) if len(part)]
        return Step(self._rows.n, len(new), updated=n_updated, regrown=n_split)

    def _count(self, node: Node, rows: np.ndarray) -> None:
        node.rows = np.append(node.rows, rows)
        node.stats += np.bincount(self._rows.labels[rows], minlength=self._n_classes)

    def _observed(self, leaf: _Leaf, rows: np.ndarray) -> np.ndarray:
        """Let a leaf see these rows, one after the other; those that are left once it is split."""
        while len(rows):
            due = self._bound.grace - (len(leaf.observed) - leaf.n_looked)
            leaf.observed, rows = np.append(leaf.observed, rows[:due]), rows[due:]
            if len(leaf.observed) - leaf.n_looked < self._bound.grace:
                break
            leaf.n_looked = len(leaf.observed)
            if self._is_split(leaf, rows):
                break
        return rows

    def _is_split(self, leaf: _Leaf, later: np.ndarray) -> bool:
        """Split the leaf if the bound says so; its branches get the rows that came so far, none of them to observe."""
        split, gains = self._search.gains(leaf.observed, self._stats(leaf.observed))
        if split.feature == LEAF:
            return False
        second = np.delete(gains, split.feature).max(initial=0.0)
        if not self._bound.decides(split.gain, second, len(leaf.observed), self._spread):
            return False
        self._branch_out(leaf, split, leaf.rows[: len(leaf.rows) - len(later)])
        return True

    def _branch_out(self, leaf: _Leaf, split: Split, former: np.ndarray) -> None:
        """Give the leaf this split of the rows that it observed. former : all rows so far."""
        codes = self._rows.codes[split.feature, leaf.observed]
        known = codes < self._rows.n_codes(split.feature)
        if self._problem.features["splitter"][split.feature] == SUBSET:
            split = smaller_mean_first(split, codes[known], self._rows.labels[leaf.observed[known]])
        leaf.split = split._replace(missing=larger_branch(split, codes[known]))
        for part in self._parted(leaf, former):
            leaf.children.append(_Leaf(part, self._stats(part), leaf.depth + 1))

    def _parted(self, node: Node, members: np.ndarray) -> list[np.ndarray]:
        """These of its rows, by branch, in their order."""
        codes, split = self._rows.codes[node.split.feature, members], node.split
        branch = np.full(len(members), split.missing)
        known = codes < self._rows.n_codes(split.feature)
        branch[known] = self._branches(split, codes[known])
        branch[branch < 0] = split.missing  # a level that the leaf had not seen
        return [members[branch == b] for b in range(split.n_branches)]

    def _branches(self, split: Split, codes: np.ndarray) -> np.ndarray:
        """The branch of rows with these codes, known ones; numbers that came later may lie on either side of a cut."""
        if split.levels is not None:
            return split.levels[codes]
        feature = self._problem.features[split.feature]
        values = self._problem.values[feature["value_start"] :][: feature["n_codes"]]
        ends = (values[[code]] for code in (split.low, split.high))
        threshold = thresholds(THRESHOLD_RULES[self._growth.threshold], bool(feature["ordinal"]), *ends)
        return (values[codes] >= threshold).astype(np.int64)

    def _stats(self, rows: np.ndarray) -> np.ndarray:
        return np.bincount(self._rows.labels[rows], minlength=self._n_classes).astype(np.float64)

    def _gain(self, node: Node) -> float:
        """Decrease of the impurity over all rows so far."""
        parts = [node.stats, *(child.stats for child in node.children)]
        if len(parts) == 1:
            return 0.0
        weights = np.array([part.sum() for part in parts])
        impurity = np.array([impurity_of(self._problem.judge, p, w) for p, w in zip(parts, weights, strict=True)])
        return float(impurity[0] - impurity[1:] @ weights[1:] / weights[0])
