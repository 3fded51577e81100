"""All admissible splits of one feature at a node, with what they are worth."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from treecore.criteria.split_scores import MDL_GAIN_RATIO
from treecore.growing import judging
from treecore.growing.absolute_errors import cut_errors, group_errors
from treecore.growing.node_values import NodeRows, Values
from treecore.growing.parts import THRESHOLD_RULES
from treecore.kernels.scores import SUM_TOLERANCE

_BLOCK = 1 << 14
"""Splits that are judged at once: the numbers on the way stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Splits:
    """Splits of one feature, in the order of the grower's scan.

    low : int64 (n,), of an ordered feature: position of the last value on the low side, which is branch 0.
    missing : int64 (n,), branch of missing values where they are values of their own, else -1.
    first : bool (n, v), of a nominal one: the values in branch 0; None with a branch for every value.
    branches : float64 (n, n_branches, S), n_rows : int64 (n, n_branches), of the values that are sent.
    gain, score : float64 (n,); score before costs. n_cuts : admissible cuts of an ordered feature, else 0.
    In memory the splits come last: many are judged at once, of few branches and classes.
    """

    low: np.ndarray
    missing: np.ndarray
    first: np.ndarray | None
    branches: np.ndarray
    n_rows: np.ndarray
    gain: np.ndarray
    score: np.ndarray
    n_cuts: int = 0

    def take(self, chosen: np.ndarray) -> "Splits":
        """Only these splits (positions or mask)."""
        if chosen.dtype == bool:
            if chosen.all():
                return self
            chosen = np.flatnonzero(chosen)
        names = ("low", "missing", "branches", "n_rows", "gain", "score")
        first = None if self.first is None else self.first[chosen]
        return replace(self, first=first, **{name: getattr(self, name).T.take(chosen, -1).T for name in names})


def splits_of(here: NodeRows, values: Values) -> Splits:
    """The admissible splits of a feature by the rules that the tree was grown with."""
    if values.ordered:
        found = _cuts(here, values)
    elif values.in_bins or here.growth.nominal == "multiway":
        found = _split(values, None, np.ascontiguousarray(values.stats)[None], values.rows[None])
    else:
        first, stats = _groupings(here, values), np.ascontiguousarray(values.stats)
        n_rows = _both(values.rows.sum(), first.astype(np.int64) @ values.rows)
        found = _split(values, first, _both(stats.sum(axis=0), first.astype(np.float64) @ stats), n_rows)
    kept = _admissible(here, values, found)
    if not values.ordered:
        return _worthy(here, values, found.take(kept))
    found = found.take(kept & _far_apart(here, values, found.low))
    return _worthy(here, values, replace(found, n_cuts=len(found.low)))


def _both(whole: np.ndarray, below: np.ndarray) -> np.ndarray:
    """(n, 2, ...): what is in branch 0, (n, ...), and what is left of the whole, (...)."""
    return np.stack([below.T, (whole - below).T], axis=-2).T


def _split(values: Values, first, branches: np.ndarray, n_rows: np.ndarray) -> Splits:
    none = np.full(len(branches), -1)
    if values.has_missing and first is not None:
        none = np.where(first[:, -1], 0, 1)
    zero = np.zeros(len(branches))
    return Splits(np.full(len(branches), -1), none, first, branches, n_rows, zero, zero)


def _cuts(here: NodeRows, values: Values) -> Splits:
    """Every cut of an order; missing values that are values of their own stand above it, below it, then apart."""
    n = max(len(values.codes) - values.has_missing - 1, 0)
    low, missing = np.arange(n), np.full(n, -1)
    below, rows_below = np.cumsum(values.stats, axis=0), np.cumsum(values.rows)
    sums, rows = below[:n], rows_below[:n]
    if values.has_missing:
        low, missing = np.concatenate([low, low, [n]]), np.repeat([1, 0, 1], [n, n, 1])
        down = missing == 0
        sums = below.T.take(low, -1).T + down[:, None] * values.stats[-1]
        rows = rows_below[low] + down * values.rows[-1]
    zero, none = np.zeros(len(low)), np.empty((len(low), 0), bool)
    return Splits(low, missing, none, _both(below[-1], sums), _both(rows_below[-1], rows), zero, zero)


def _groupings(here: NodeRows, values: Values) -> np.ndarray:
    """bool (n, v): the groupings into two that the grower tries; see kernels.levels.scan_subsets."""
    n, n_classes = len(values.codes), len(here.tree.classes)
    if here.growth.nominal == "one_level":
        return np.eye(n, dtype=bool)
    if (n_classes > 2 or here.absolute) and n <= here.growth.max_exhaustive:
        return (np.arange(1, 1 << (n - 1))[:, None] >> np.arange(n) & 1).astype(bool)
    weight = np.maximum(values.weight, 1e-300)
    if here.absolute:
        keys = [np.array([np.median(here.target[values.code_of_row == v]) for v in range(n)])]
    elif n_classes > 2:
        keys = list((values.stats / weight[:, None]).T)
    else:
        keys = [values.stats[:, 0 if n_classes else 1] / weight]
    place = np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1)
    return (place[:, None, :] <= np.arange(n - 1)[:, None]).reshape(-1, n)


def _admissible(here: NodeRows, values: Values, found: Splits) -> np.ndarray:
    """bool (n,): splits of which (at least) two branches hold what a branch needs."""
    weight = judging.weights(here.judge, found.branches)
    least = here.least_weight(float(values.weight.sum()), values.ordered)
    enough = (found.n_rows >= here.growth.min_rows_leaf) & (weight >= least) & (weight > 0)
    return enough.all(axis=1) if enough.shape[1] == 2 else enough.sum(axis=1) >= 2


def _far_apart(here: NodeRows, values: Values, low: np.ndarray) -> np.ndarray:
    """bool (n,): cuts between values that differ enough and, where asked, between different classes."""
    n = len(values.codes) - values.has_missing
    apart = np.ones(n, bool)  # as is the highest value and a missing one
    apart[:-1] = np.diff(values.numbers[:n]) > THRESHOLD_RULES[here.growth.threshold].min_gap
    if here.growth.cuts == "boundaries":
        apart[:-1] &= _of_several_classes(here, values)[: n - 1]
    return apart[low]


def _of_several_classes(here: NodeRows, values: Values) -> np.ndarray:
    """bool (v - 1,): do the rows of two neighbouring values belong to more than one class?"""
    classes = np.zeros((len(values.codes) + 1, len(here.tree.classes)), bool)
    classes[values.code_of_row, here.labels] = True
    return (classes[:-2] | classes[1:-1]).sum(axis=1) > 1


def _worthy(here: NodeRows, values: Values, found: Splits) -> Splits:
    """The splits with gain and score."""
    if not len(found.low):
        return found
    known, score = float(values.weight.sum()), here.score.code
    if here.absolute:
        if values.ordered:
            gain = cut_errors(here, values, found.low, found.missing)
        else:
            gain = group_errors(here, values, found.first)
        return replace(found, gain=gain * known / here.total, score=gain * known / here.total)
    gain = _in_blocks(partial(judging.decreases, here.judge), found.branches) * (known / here.total)
    if score == MDL_GAIN_RATIO:
        gain[gain * known < SUM_TOLERANCE] = 0.0  # as Weka compares
        if values.ordered:
            found, gain = _paid(here, values, found, gain)
    compared = gain
    if here.whole_gain:
        unknown = here.stats - values.stats.sum(axis=0)
        shared = judging.with_shared(here.judge, found.branches, unknown)
        compared = _in_blocks(partial(judging.decreases, here.judge), shared)
    scored = lambda branches, gains: judging.scores(score, here.judge, branches, gains, here.total)  # noqa: E731
    return replace(found, gain=gain, score=_in_blocks(scored, found.branches, compared))


def _in_blocks(judged: Callable, *splits: np.ndarray) -> np.ndarray:
    """float64 (n,): what each split is worth. judged : from arrays (k, ...) of k splits to theirs, (k,)."""
    n = len(splits[0])
    parts = (slice(begin, begin + _BLOCK) for begin in range(0, n, _BLOCK))
    return np.concatenate([np.empty(0), *(judged(*(array[part] for array in splits)) for part in parts)])


def _paid(here: NodeRows, values: Values, found: Splits, gain: np.ndarray) -> tuple[Splits, np.ndarray]:
    """Gains less the price of naming one of the cuts; what is left must be above 0."""
    gain = gain - np.log2(found.n_cuts) / here.total
    # parts of rows count as whole ones here
    n_known = np.count_nonzero(values.code_of_row < len(values.codes) - values.has_missing)
    least = here.least_weight(float(values.weight.sum()), ordered=True)
    kept = (gain >= SUM_TOLERANCE) & (n_known >= 2 * least + SUM_TOLERANCE)
    return found.take(kept), gain[kept]


def worth(here: NodeRows, score: np.ndarray, cost: float) -> np.ndarray:
    """What scores count when features compete, by what it costs to ask; see kernels.scores.worth."""
    if here.growth.cost_form == "divide":
        return score / cost
    if here.growth.cost_form == "square":
        return score * np.abs(score) / cost
    return (2.0**score - 1.0) / (cost + 1.0) ** here.growth.cost_power
