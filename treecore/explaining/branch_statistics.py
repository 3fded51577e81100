"""How a node's split divides its training rows: statistics of the branches over the rows that judged it."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.growing.inspect.node_values import NodeRows, node_rows
from treecore.growing.search import split_worth
from treecore.kernels.codes import CUTS, LEVELS
from treecore.target.numbers import mean_of
from treecore.target.rounding import OF_GAINS, settled
from treecore.tree.missing import own_branch
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix


@dataclass(frozen=True, eq=False, repr=False)
class BranchStatistics(Brief):
    """The training rows of an inner node, by branch.

    here : the node's rows, weights as altered by priors and costs. branch : int64 (m,), of each of them, -1 for rows
    that do not judge the split because they have no value for it.
    stats : float64 (n_branches, S), of the judging rows, as altered; counted : the same as the rows are counted.
    """

    here: NodeRows
    branch: np.ndarray
    stats: np.ndarray
    counted: np.ndarray

    @property
    def tree(self) -> Tree:
        return self.here.tree

    @property
    def node(self) -> int:
        return self.here.node

    @property
    def weights(self) -> np.ndarray:
        """float64 (n_branches,)."""
        return split_worth.weights(self.here.judge, self.stats)

    @property
    def known(self) -> float:
        """Weight of the rows that judge the split."""
        return float(self.weights.sum())

    @property
    def total(self) -> float:
        """Weight of all rows at the node."""
        return self.here.total

    @property
    def n_rows(self) -> tuple[int, ...]:
        """Rows of positive weight in every branch."""
        counts = np.bincount(self.branch[(self.branch >= 0) & (self.here.weight > 0)], minlength=len(self.stats))
        return tuple(counts.tolist())

    @property
    def is_partly_missing(self) -> bool:
        return self.known < self.total * (1 - 1e-12)

    @property
    def altered(self) -> bool:
        """Do priors or costs change what the classes weigh?"""
        return bool(len(self.tree.classes)) and not np.allclose(self.tree.class_factor, 1.0, rtol=1e-12, atol=0)

    def impurities(self) -> np.ndarray:
        """float64 (1 + n_branches,): of all judging rows, then of every branch."""
        stats = np.stack([self.of(b)[0] for b in (None, *range(len(self.stats)))])
        if self.here.row_loss is None:
            return split_worth.impurities(self.here.judge, stats)
        weights = np.maximum(stats[:, 0], 1e-300)
        return np.array([best_and_total(self, b)[1] for b in (None, *range(len(self.stats)))]) / weights

    def of(self, branch: int | None) -> tuple[np.ndarray, float]:
        """(statistics (S,) of a branch, of all judging rows for None; what those of a number are taken around)."""
        if not self.tree.target_kind.around_center:
            return (self.stats.sum(axis=0) if branch is None else self.stats[branch]), 0.0
        here = self.branch >= 0 if branch is None else self.branch == branch
        y, w = self.here.numbers[here], self.here.weight[here]
        if not w.sum() > 0:
            return np.zeros(3), 0.0
        center = mean_of(y, w)
        y = y - center
        return np.array([w.sum(), w @ y, w @ (y * y)]), center

    def gain(self) -> float:
        """The decrease of the impurity over the judging rows, times their share of the node's weight."""
        if self.tree.task == "effects":
            return float(split_worth.decreases(self.here.judge, self.stats[None])[0]) * self.known / self.total
        impurities, weights = self.impurities(), self.weights
        gain = float(impurities[0] * self.known - impurities[1:] @ weights) / self.total
        return float(settled(gain, impurities[0], OF_GAINS))


def branch_statistics(tree: Tree, node: int, train: Table) -> BranchStatistics:
    """train : the rows that the tree was grown on."""
    here = node_rows(tree, node, train)
    values = value_matrix(tree.schema, tree.splits.feature[node : node + 1].astype(np.int64), train)[0, here.rows]
    branch = branches_of(tree.splits, node, values)
    own = own_branch(tree, node)
    if own is not None:
        branch[np.isnan(values)] = own
    stats = _sums(here, branch, int(tree.n_children[node]))
    parts = BranchStatistics(here, branch, stats, stats)
    if not parts.altered:
        return parts
    as_counted = node_rows(replace(tree, priors=None, loss=None, criterion="gini"), node, train)
    return replace(parts, counted=_sums(as_counted, branch, len(stats)))


def statistics_as_leaf(tree: Tree, node: int, train: Table) -> BranchStatistics:
    """All training rows of a node as one branch."""
    here = node_rows(tree, node, train)
    branch = np.zeros(len(here.rows), np.int64)
    stats = _sums(here, branch, 1)
    return BranchStatistics(here, branch, stats, stats)


def branches_of(splits: Splits, entry: int, values: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch of every value, -1 for a missing one; what kernels.route does one by one."""
    known, branches = ~np.isnan(values), np.full(len(values), -1)
    if splits.kind[entry] == LEVELS:
        branches[known] = splits.levels(entry)[values[known].astype(np.int64)]
        return branches
    side = "left" if splits.closed[entry] else "right"
    several = splits.kind[entry] == CUTS
    begin, end = splits.cut_start[entry : entry + 2] if several else (entry, entry + 1)
    cuts = (splits.cuts if several else splits.threshold)[begin:end]
    above = np.searchsorted(cuts, values[known], side)
    branches[known] = above if several or splits.low_branch[entry] == 0 else 1 - above
    return branches


def _sums(here: NodeRows, branch: np.ndarray, n: int) -> np.ndarray:
    return here.sums(np.where(branch < 0, n, branch), n)


def best_and_total(parts: BranchStatistics, branch: int | None) -> tuple[float, float]:
    """(what answers best, sum of losses around it) of a branch's rows, or of all that judge the split."""
    chosen = parts.branch >= 0 if branch is None else parts.branch == branch
    y, weight = parts.here.target[chosen], parts.here.weight[chosen]
    if not weight.sum() > 0:
        return float("nan"), 0.0
    best, total = parts.here.row_loss.best_and_total(y, weight)
    return best + parts.tree.center[parts.node], total
