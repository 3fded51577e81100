"""A split in codes, and the rows of a growing node as its branches have them."""

from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA, by_code, needs_rows
from treecore.criteria.poisson import UNIT
from treecore.criteria.row_losses import loss_of
from treecore.growing.search import split_worth
from treecore.kernels.effect_search import treated_share
from treecore.kernels.state import OPEN, GrowState, Problem
from treecore.kernels.sums import impurity_of
from treecore.target.counts import log_terms
from treecore.target.numbers import mean_of
from treecore.target.rounding import OF_GAINS, settled

# A split that was found for a node, before the node is given it.


def _none() -> np.ndarray:
    return np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class CodedSplit(Brief):
    """A split in the kernels' terms.

    feature : its index. score : what the search maximised.
    cuts : int64, of an ordered feature: the last code of every branch but the last one, ascending.
    branch_of_level : int64 (n_codes,), of a nominal feature: the branch of every level, -1 for a level without rows.
    missing_branch : where rows without a value go; None leaves that to the missing-value strategy.
    """

    feature: int
    score: float
    cuts: np.ndarray = field(default_factory=_none)
    branch_of_level: np.ndarray = field(default_factory=_none)
    missing_branch: int | None = None

    @property
    def n_branches(self) -> int:
        return len(self.cuts) + 1 if len(self.cuts) else int(self.branch_of_level.max()) + 1


def rows_at(growing: GrowState, node: int) -> tuple[np.ndarray, np.ndarray]:
    """(int64 (n,) training rows at a node, ascending; float64 (n,) the share of each that is there)."""
    record = growing.nodes[node]
    here = slice(int(record["start"]), int(record["stop"]))
    rows = growing.order[0, here]
    if not len(growing.share):
        return np.sort(rows).astype(np.int64), np.ones(len(rows))
    by_row = np.argsort(rows)
    return rows[by_row].astype(np.int64), growing.share[here][by_row]


FEWER = 4
"""Codes for each row up to which to count them all is sooner done than to sort the rows'."""


def present_codes(codes: np.ndarray, n_codes: int) -> tuple[np.ndarray, np.ndarray]:
    """np.unique(codes, return_inverse=True). codes : int32 (n,), from 0 to n_codes, which stands for missing."""
    if n_codes > FEWER * len(codes):
        return np.unique(codes, return_inverse=True)
    is_there = np.zeros(n_codes + 1, bool)
    is_there[codes] = True
    return np.flatnonzero(is_there).astype(codes.dtype), (np.cumsum(is_there) - 1)[codes]


@dataclass(frozen=True, eq=False, repr=False)
class Branches(Brief):
    """The rows whose branch a split names: those with a known value, and the others if it gives them a branch.

    rows, branch : int64 (n,). share : float64 (n,), of each row at the node. n_branches : some may be without rows.
    """

    rows: np.ndarray
    branch: np.ndarray
    share: np.ndarray
    n_branches: int

    def with_others(self, growing: GrowState, node: int) -> "Branches":
        """The same with the node's other rows, those that the split does not name, as one more branch."""
        rows, share = rows_at(growing, node)
        branch = np.full(len(rows), self.n_branches)
        branch[np.searchsorted(rows, self.rows)] = self.branch
        return Branches(rows, branch, share, self.n_branches + 1)

    def cases(self, problem: Problem) -> np.ndarray:
        """float64 (n,): case weight of each row at the node, without what priors and costs do."""
        return problem.rows["case"][self.rows] * self.share

    def statistics(self, problem: Problem, weight: np.ndarray) -> np.ndarray:
        """float64 (n_branches, S): class weights or (w, wy, wyy) of each branch, of counts those of CountTarget in
        exposures and in units of the largest rate. weight : float64 (n,), of the rows."""
        n_classes, k = int(problem.rules["n_classes"][0]), self.n_branches
        if n_classes:
            cell = self.branch * n_classes + problem.rows["label"][self.rows]
            return np.bincount(cell, weight, k * n_classes).reshape(k, n_classes)
        if problem.judge.code == CRITERIA["poisson"].code:
            rates = problem.targets[self.rows] / UNIT
            parts = (weight, weight, weight * rates, weight * log_terms(rates, np.ones(len(rates))))
            return np.stack([np.bincount(self.branch, s, k) for s in parts], axis=1)
        if by_code(problem.judge.code).task == "effects":
            return self._of_arms(problem, weight)
        y = around_mean(problem, self.rows, weight)
        sums = (weight, weight * y, weight * y * y)
        return np.stack([np.bincount(self.branch, s, k) for s in sums], axis=1)

    def _of_arms(self, problem: Problem, weight: np.ndarray) -> np.ndarray:
        """Those of EffectTarget, from transformed outcomes."""
        arm, share = problem.rows["label"][self.rows], treated_share(problem.rows)
        y = problem.targets[self.rows] * np.where(arm == 1, share, share - 1.0)
        treated, control = weight * arm, weight * (1 - arm)
        sums = (weight, treated, control * y, treated * y, control * y * y, treated * y * y)
        return np.stack([np.bincount(self.branch, s, self.n_branches) for s in sums], axis=1)

    def weight(self, problem: Problem) -> np.ndarray:
        """float64 (n,): weight of each row at the node, as splits are judged by it."""
        return problem.rows["weight"][self.rows] * self.share

    def impurities(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """(weights, impurities), float64 (1 + n_branches,): of all these rows together, then of each branch."""
        stats = self.statistics(problem, self.weight(problem))
        stats = np.vstack([stats.sum(axis=0), stats])
        weights = stats.sum(axis=1) if problem.rules["n_classes"][0] else stats[:, 0].copy()
        if needs_rows(problem.judge):
            return weights, self._errors(problem) / np.where(weights > 0, weights, 1.0)
        return weights, np.array([impurity_of(problem.judge, s, w) for s, w in zip(stats, weights, strict=True)])

    def _errors(self, problem: Problem) -> np.ndarray:
        """float64 (1 + n_branches,): sums of losses that need the rows, of each around its own answer."""
        y, weight = problem.rows["response"][self.rows], self.weight(problem)
        parts = [np.ones(len(y), bool), *(self.branch == b for b in range(self.n_branches))]
        loss = loss_of(problem.judge.loss)
        return np.array([loss.best_and_total(y[part], weight[part])[1] for part in parts])


def branches_at(problem: Problem, growing: GrowState, node: int) -> Branches:
    """What the split found for a node does to its rows; a level that it does not name follows branch 0."""
    record = growing.nodes[node]
    f, n_branches, begin = int(record["feature"]), int(record["n_children"]), int(record["level_start"])
    rows, share = rows_at(growing, node)
    codes, n_codes = problem.codes[f, rows], int(problem.features["n_codes"][f])
    known = codes < n_codes
    branch = np.zeros(len(rows), np.int64)
    if begin < 0:
        branch[known] = codes[known] > record["low"]
    elif record["n_cuts"] > 0:
        branch[known] = np.searchsorted(growing.level_branch[begin : begin + int(record["n_cuts"])], codes[known])
    else:
        table = growing.level_branch[begin : begin + n_codes]
        # a table of groups may name branches that the node does not have: of levels without rows
        branch[known] = np.where((table < 0) | (table >= n_branches), 0, table)[codes[known]]
    named = int(record["missing_branch"])
    if named == OPEN:
        return Branches(rows[known], branch[known], share[known], n_branches)
    branch[~known] = named
    return Branches(rows, branch, share, n_branches)


def around_mean(problem: Problem, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """float64 (n,): the targets of these training rows less their mean. weight : float64 (n,), of each."""
    y = problem.targets[rows]
    return y - mean_of(y, weight) if weight.sum() > 0 else y


def gain_of(problem: Problem, growing: GrowState, node: int) -> float:
    """Impurity decrease of the split found for a node, over the rows it names, times their share of the weight."""
    branches, total = branches_at(problem, growing, node), float(growing.nodes["weight"][node])
    if needs_rows(problem.judge):
        weights, impurities = branches.impurities(problem)
        gain = float(weights[0] * impurities[0] - weights[1:] @ impurities[1:]) / total
        return float(settled(gain, impurities[0], OF_GAINS))
    stats = branches.statistics(problem, branches.weight(problem))[None]
    return (
        float(split_worth.decreases(problem.judge, stats)[0] * split_worth.weights(problem.judge, stats).sum()) / total
    )
