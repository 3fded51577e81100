"""Cuts of ordered features: the twin of kernels.general.ordered_cuts, and of scan_both_ways in search_nodes."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CriterionArgs
from treecore.criteria.impurity import impurities
from treecore.growing.numpy.arithmetic import SQUARED_ERROR, decreases
from treecore.growing.numpy.blocks import Block, Rows, last_counted
from treecore.kernels.state import OPEN, OWN_VALUE, Problem


@dataclass(frozen=True, eq=False, repr=False)
class Cuts(Brief):
    """Every cut of the ordered features at the nodes of a block, in the order in which they are tried.

    features : int64 (f,). values : float64 (f, q, cuts), -inf where there is none. n_left : weight on its left, or
    float64 (cuts,) where it is the same everywhere. They stand for the cuts after each entry, with missing values
    above them; where these are a value of their own, then for the same with missing values below, and for the known
    values against the missing ones.
    share, known : float64 (f, q), of the rows that count, and their weight. parent : their impurity.
    """

    block: Block
    features: np.ndarray
    values: np.ndarray
    n_left: np.ndarray
    share: np.ndarray
    known: np.ndarray
    parent: np.ndarray

    def n_left_of(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """float64: the weight on the left of a cut of the f-th feature, one per node."""
        return self.n_left[f, nodes, cut] if self.n_left.ndim > 1 else self.n_left[cut]

    def places(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(code below, code above, branch of missing values) of a cut of the f-th feature, one per node."""
        block, features = self.block, self.features[f]
        n_known = block.known[features, nodes].sum(axis=1)
        n_cuts = block.codes.shape[2] - 1
        against_missing = cut == 2 * n_cuts
        at = np.where(against_missing, n_known - 1, cut % n_cuts)
        own = block.problem.rules["missing"][0] == OWN_VALUE
        named = own & _have_missing(block)[features, nodes]
        missing_branch = np.where(named, np.where((cut >= n_cuts) & ~against_missing, 0, 1), OPEN)
        low, high = block.codes[features, nodes, at], block.codes[features, nodes, at + 1]
        if not block.all_weigh:
            before = last_counted(block.codes[features, nodes], block.counted[features, nodes])
            low = before[np.arange(len(at)), at + 1]
        return low, high, missing_branch


def _have_missing(block: Block) -> np.ndarray:
    """bool (d, q): do rows of a weight above 0 lack the value?"""
    lacking = block.inside & ~block.known
    return (lacking if block.all_weigh else lacking & block.given.positive[block.rows]).any(axis=2)


def all_cuts(block: Block, features: np.ndarray) -> Cuts:
    """Every cut of these features."""
    problem, nodes, every = block.problem, block.nodes, len(features) == len(block.rows)
    rows, known = (block.rows, block.known) if every else (block.rows[features], block.known[features])
    gaps = known.sum(axis=2) < block.size
    sums = _Sums.of(block.given, rows, known if gaps.any() else None)
    shape, own = rows.shape[:2], problem.rules["missing"][0] == OWN_VALUE
    whole = (np.broadcast_to(nodes[name], shape) for name in ("weight", "n_rows", "impurity"))
    together = _Together(*whole, [np.broadcast_to(part, shape) for part in block.stats])
    apart = gaps & _have_missing(block)[features] if own and gaps.any() else np.zeros_like(gaps)
    if (gaps & ~apart).any():
        together = together.but_for(gaps & ~apart, problem.judge, sums)
    possible = _between_values(block, features, known)
    values, sizes = [_values(problem, together, possible, sums)], [sums.n[..., :-1]]
    if apart.any():
        more = _with_missing_below(problem, together, possible, apart, sums)
        values, sizes = [*values, *more[0]], [*sizes, *more[1]]
    if len(values) > 1:
        values, sizes = [np.concatenate(values, axis=2)], [np.concatenate(sizes, axis=2)]
    share = together.weight / nodes["weight"]
    return Cuts(block, features, values[0], sizes[0], share, together.weight, together.impurity)


@dataclass(frozen=True, eq=False, repr=False)
class _Sums(Brief):
    """Sums over the entries up to each one: float64 (f, q, m), or (m,) where they are the same at all nodes.

    n, n_rows : weight, rows of positive weight. stats : by statistic, those that are asked for.
    added : the weights and, by statistic, what is summed up; None where no row lacks a value.
    """

    n: np.ndarray
    n_rows: np.ndarray
    stats: dict[int, np.ndarray]
    added: tuple[np.ndarray, dict[int, np.ndarray]] | None

    @staticmethod
    def of(given: Rows, rows: np.ndarray, known: np.ndarray | None) -> "_Sums":
        """known : entries that count; None where all do. What stands behind the entries of a node must not matter."""
        by_mean = given.problem.judge.code == SQUARED_ERROR
        asked = (1,) if by_mean and known is None else range(len(given.parts))
        if known is not None:
            w = np.where(known, given.weight[rows], 0.0)
            added = {s: np.where(known, given.parts[s][rows], 0.0) for s in asked}
            stats = {s: np.cumsum(part, axis=2) for s, part in added.items()}
            n_rows = np.cumsum(np.where(known, given.tally[rows], 0), axis=2)
            return _Sums(np.cumsum(w, axis=2), n_rows, stats, (w, added))
        if not given.unit:
            stats = {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked}
            return _Sums(np.cumsum(given.weight[rows], axis=2), np.cumsum(given.tally[rows], axis=2), stats, None)
        n = np.arange(1.0, rows.shape[2] + 1.0)
        if not given.problem.rules["n_classes"][0]:
            return _Sums(n, n, {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked}, None)
        stats = {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked[:-1]}
        stats[len(stats)] = n - sum(stats.values())  # whole numbers: exact
        return _Sums(n, n, stats, None)


@dataclass(frozen=True, eq=False, repr=False)
class _Together(Brief):
    """The rows to part, of each feature at each node: float64 (f, q), stats one such array per statistic."""

    weight: np.ndarray
    n_rows: np.ndarray
    impurity: np.ndarray
    stats: list[np.ndarray]

    def but_for(self, gaps: np.ndarray, judge: CriterionArgs, sums: _Sums) -> "_Together":
        """Where there are gaps, the rows with a value only."""
        stats, weight = [part[..., -1] for part in sums.stats.values()], sums.n[..., -1]
        return _Together(
            np.where(gaps, weight, self.weight), np.where(gaps, sums.n_rows[..., -1], self.n_rows),
            np.where(gaps, impurities(judge, stats, weight), self.impurity),
            [np.where(gaps, known, whole) for known, whole in zip(stats, self.stats, strict=True)],
        )  # fmt: skip


def _between_values(block: Block, features: np.ndarray, known: np.ndarray) -> np.ndarray:
    """bool (f, q, m - 1): do the entry and the next one have different known values, further apart than min_gap?

    Entries of weight 0 are passed over.
    """
    problem = block.problem
    codes = block.codes if features.size == len(block.rows) else block.codes[features]
    before, after = codes[..., :-1], known[..., 1:]
    if not block.all_weigh:
        counted = block.counted[features]
        before, after = last_counted(codes, counted)[..., 1:], counted[..., 1:]
    possible = after & (codes[..., 1:] != before) & (before >= 0)
    gap = problem.rules["min_gap"][0]
    if gap > 0.0:
        begin, last = (problem.features[name][features][:, None, None] for name in ("value_start", "n_codes"))
        above, below = (
            problem.values[np.minimum(begin + np.clip(c, 0, last - 1), len(problem.values) - 1)]
            for c in (codes[..., 1:], before)
        )
        possible &= above > below + gap
    return possible


def _values(problem: Problem, together: _Together, possible: np.ndarray, sums: _Sums) -> np.ndarray:
    """float64 (f, q, m - 1): the impurity decrease of each cut, -inf where it is none."""
    rules, n_left, rows_left = problem.rules[0], sums.n[..., :-1], sums.n_rows[..., :-1]
    n_right = together.weight[..., None] - n_left
    least, fewest = rules["min_weight_leaf"], rules["min_rows_leaf"]
    if fewest > 1 or sums.n.ndim > 1:  # else the entries before and behind a cut are rows that count
        possible = possible & (rows_left >= fewest) & (together.n_rows[..., None] - rows_left >= fewest)
    if least > 0.0:
        possible = possible & (n_left >= least) & (n_right >= least)
    low = {s: part[..., :-1] for s, part in sums.stats.items()}
    high = {s: together.stats[s][..., None] - part for s, part in low.items()}
    if 0 in low:  # all of them
        low, high = list(low.values()), list(high.values())
    values = decreases(problem.judge, together.impurity[..., None], low, n_left, high, n_right)
    values[~possible] = -np.inf
    return values


def _with_missing_below(problem: Problem, together: _Together, possible: np.ndarray, gaps: np.ndarray, sums: _Sums):
    """(values, sizes) of the cuts with missing values on the low side, and of the known values against the missing."""
    rules, (w, added) = problem.rules[0], sums.added
    known, weight, n_rows = [part[..., -1] for part in sums.stats.values()], sums.n[..., -1], sums.n_rows[..., -1]
    missing = [whole - part for whole, part in zip(together.stats, known, strict=True)]
    n_missing, rows_missing = together.weight - weight, together.n_rows - n_rows
    below = _Sums(
        _from(n_missing, w), sums.n_rows + rows_missing[..., None],
        {s: _from(missing[s], part) for s, part in added.items()}, None,
    )  # fmt: skip
    values = _values(problem, together, possible & gaps[..., None], below)
    apart = decreases(problem.judge, together.impurity, known, weight, missing, n_missing)
    enough = np.minimum(n_rows, rows_missing) >= rules["min_rows_leaf"]
    enough &= (np.minimum(weight, n_missing) >= rules["min_weight_leaf"]) & gaps
    return [values, np.where(enough, apart, -np.inf)[..., None]], [below.n[..., :-1], weight[..., None]]


def _from(first: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Sums of `added` along the last axis that start with `first`."""
    added = added.copy()
    added[..., 0] += first
    return np.cumsum(added, axis=-1)
