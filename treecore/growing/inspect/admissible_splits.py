"""All admissible splits of one feature at a node, with what they are worth."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from treecore.brief import Brief
from treecore.criteria.split_scores import DECREASE, MDL_GAIN_RATIO
from treecore.growing.inspect.node_values import (
    FeatureValues,
    Groupings,
    NodeRows,
    cut_errors,
    cut_tests,
    each_alone,
    group_errors,
    group_tests,
    has,
    random_threshold_at,
    sums,
    up_to_each,
)
from treecore.growing.search import split_worth
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.kernels.constraints import ROUNDING
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.target.rounding import OF_GAINS, settled
from treecore.tree.tree import Tree


def in_order(here: NodeRows, values: FeatureValues, found) -> np.ndarray:
    """bool (n,): splits (enumerate_splits.Splits) of a feature after which the answers stay in order."""
    if not here.growth.monotonic or not len(found):
        return np.ones(len(found), bool)
    stats = found.branches(slice(None))
    with np.errstate(divide="ignore", invalid="ignore"):
        answers = _answers(here.tree, stats) + here.tree.center[here.node]
    signs = dict(here.growth.monotonic)
    lowest, highest = bounds_of(here.tree, here.node, signs)
    center = abs(here.tree.center[here.node])  # and the slack that the kernels allow: constraints.slack_of
    lowest, highest = lowest - ROUNDING * (abs(lowest) + center), highest + ROUNDING * (abs(highest) + center)
    fits = (np.isnan(answers) | ((answers >= lowest) & (answers <= highest))).all(axis=1)
    sign = signs.get(values.column.name, 0) * (-1 if here.tree.classes else 1)
    return fits & ((answers[:, 0] - answers[:, 1]) * sign <= 0.0) if sign else fits


def bounds_of(tree: Tree, node: int, signs: dict[str, int]) -> tuple[float, float]:
    """The lowest and the highest answer that branches of the node may give."""
    lowest, highest = -np.inf, np.inf
    for above, below in pairwise(tree.path(node)):
        if tree.node(above).feature in signs:
            beside = next(child for child in tree.children(above) if child != below)
            mine, other = (_answer_at(tree, child) for child in (below, beside))
            lowest, highest = (lowest, mine / 2 + other / 2) if mine <= other else (mine / 2 + other / 2, highest)
    return lowest, highest


def _answer_at(tree: Tree, node: int) -> float:
    return float(_answers(tree, tree.stats[node] * tree.class_factor) + tree.center[node])


def _answers(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """The share of the first class, or the mean around the center: the last axis of the statistics is used up."""
    return stats[..., 0] / stats.sum(axis=-1) if tree.classes else stats[..., 1] / stats[..., 0]


# All admissible splits of one feature at a node, with what they are worth.

_BLOCK = 1 << 14
"""AdmissibleSplits that are judged at once: the numbers on the way stay in the processor's cache."""


@dataclass(frozen=True, eq=False, repr=False)
class AdmissibleSplits(Brief):
    """Admissible splits of one feature, in the order of the grower's scan. Two branches give only the first: there may
    be as many splits as rows.

    low : int (n,), of an ordered feature: position of the last value on the low side, which is branch 0.
    missing : int8 (n,), branch of missing values where they are values of their own, else -1.
    first : bool (n, v) or Groupings, of a nominal one: the values in branch 0; None with a branch for every value.
    below : float64 (n, S), rows_below : int (n,), statistics and number of the rows that are sent to branch 0.
    stats : float64 (1, S), rows : int64 (1,), of all rows that are sent; (v, S) and (v,) of each value where there is
        a branch for every value, which is one split.
    gain, score : float64 (n,); score before costs. n_cuts : admissible cuts of an ordered feature, else 0.
    In memory the splits come last: many are judged at once, of few branches and classes.
    """

    low: np.ndarray
    missing: np.ndarray
    first: np.ndarray | Groupings | None
    below: np.ndarray
    rows_below: np.ndarray
    stats: np.ndarray
    rows: np.ndarray
    gain: np.ndarray
    score: np.ndarray
    n_cuts: int = 0

    def __len__(self) -> int:
        return len(self.low)

    def branches(self, chosen) -> np.ndarray:
        """float64 (k, n_branches, S): the statistics of the branches of these splits (slice or positions)."""
        return self._both(self.stats, self.below, chosen)

    def n_rows(self, chosen) -> np.ndarray:
        """int (k, n_branches): the rows of their branches."""
        return self._both(self.rows, self.rows_below, chosen)

    def _both(self, whole: np.ndarray, below: np.ndarray, chosen) -> np.ndarray:
        if len(whole) > 1:
            return np.ascontiguousarray(whole)[None][: len(self)][chosen]
        first = below.T[..., chosen]
        return np.stack([first, (whole - first.T).T], axis=-2).T

    def take(self, chosen: np.ndarray) -> "AdmissibleSplits":
        """Only these splits (positions or mask)."""
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        names = ("low", "missing", "below", "rows_below", "gain", "score")
        first = None if self.first is None else self.first[chosen]
        n = len(chosen)
        if n and (np.diff(chosen) == 1).all():  # in a row, as all but the outermost cuts: no copies
            part = slice(chosen[0], chosen[0] + n)
            return replace(self, first=first, **{name: getattr(self, name)[part] for name in names})
        return replace(self, first=first, **{name: getattr(self, name).T.take(chosen, -1).T for name in names})


def splits_of(here: NodeRows, values: FeatureValues) -> AdmissibleSplits:
    """The admissible splits of a feature by the rules that the tree was grown with."""
    if values.ordered:
        result = _cuts(values)
        kept = _admissible(here, values, result) & _far_apart(here, values, result.low)
        result = result.take(kept)
        result = result.take(in_order(here, values, result))
        return _worthy(here, values, replace(result, n_cuts=len(result)))
    if values.in_bins or here.growth.nominal == "multiway":
        result = _new_splits(None, values.stats[:1], values.rows[:1], values.stats, values.rows)
    else:
        result = _groups(here, values)
    result = result.take(_admissible(here, values, result))
    return _worthy(here, values, result.take(in_order(here, values, result)))


def _new_splits(first, below, rows_below, stats, rows, low=None, missing=None) -> AdmissibleSplits:
    none, zero = np.full(len(rows_below), -1), np.zeros(len(rows_below))
    low, missing = none if low is None else low, none.astype(np.int8) if missing is None else missing
    return AdmissibleSplits(low, missing, first, below, rows_below, stats, rows, zero, zero)


def _groups(here: NodeRows, values: FeatureValues) -> AdmissibleSplits:
    """The groupings of levels into two."""
    first, stats = _groupings(here, values), np.ascontiguousarray(values.stats)
    below, rows_below = sums(first, stats), sums(first, values.rows)
    missing = np.where(has(first, -1), 0, 1).astype(np.int8) if values.has_missing else None
    return _new_splits(first, below, rows_below, stats.sum(axis=0)[None], values.rows.sum()[None], missing=missing)


def _cuts(values: FeatureValues) -> AdmissibleSplits:
    """Every cut of an order; missing values that are values of their own stand above it, below it, then apart."""
    n = max(len(values.codes) - values.has_missing - 1, 0)
    low, missing = np.arange(n, dtype=np.int32), np.full(n, -1, np.int8)
    below, rows_below = np.cumsum(values.stats, axis=0), np.cumsum(values.rows)
    sums, rows = below[:n], rows_below[:n]
    if values.has_missing:
        low, missing = np.concatenate([low, low, [n]]), np.repeat(np.array([1, 0, 1], np.int8), [n, n, 1])
        down = missing == 0
        sums = below.T.take(low, -1).T + down[:, None] * values.stats[-1]
        rows = rows_below[low] + down * values.rows[-1]
    return _new_splits(None, sums, rows, below[-1:], rows_below[-1:], low, missing)


def _groupings(here: NodeRows, values: FeatureValues) -> np.ndarray | Groupings:
    """The groupings into two that the grower tries; see kernels.general.level_groups.scan_subsets."""
    n, n_classes = len(values.codes), len(here.tree.classes)
    if here.growth.nominal == "one_level":
        return each_alone(n)
    if here.tries_groupings and n <= here.growth.max_exhaustive:
        return (np.arange(1, 1 << (n - 1))[:, None] >> np.arange(n) & 1).astype(bool)
    weight = np.maximum(values.weight, 1e-300)
    if here.row_loss is not None:
        at = [values.code_of_row == v for v in range(n)]
        keys = [np.array([here.row_loss.best(here.target[v], here.weight[v]) for v in at])]
    elif n_classes > 2:
        keys = list((values.stats / weight[:, None]).T)
    elif here.tree.schema.counts is not None:
        keys = [-here.tree.target_kind.mean_of(values.stats)]  # as kernels.poisson_search puts them in order
    else:
        keys = [values.stats[:, 0 if n_classes else 1] / weight]
    return up_to_each(np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1))


def _admissible(here: NodeRows, values: FeatureValues, found: AdmissibleSplits) -> np.ndarray:
    """bool (n,): splits of which (at least) two branches hold what a branch needs."""
    least = here.least_weight(float(values.weight.sum()), values.ordered)

    def of(part: slice) -> np.ndarray:
        weight = split_worth.weights(here.judge, found.branches(part))
        enough = (found.n_rows(part) >= here.growth.min_rows_leaf) & (weight >= least) & (weight > 0)
        enough &= here.tree.target_kind.may_be_leaf(found.branches(part))
        return enough.all(axis=1) if enough.shape[1] == 2 else enough.sum(axis=1) >= 2

    return _in_blocks(of, np.empty(len(found), bool))


def _far_apart(here: NodeRows, values: FeatureValues, low: np.ndarray) -> np.ndarray:
    """bool (n,): cuts between values that differ enough and, where asked, between different classes or the one that was
    drawn."""
    n = len(values.codes) - values.has_missing
    apart = np.ones(n, bool)  # as is the highest value and a missing one
    apart[:-1] = np.diff(values.numbers[:n]) > THRESHOLD_RULES[here.growth.threshold].min_gap
    if here.growth.cuts == "boundaries":
        apart[:-1] &= _of_several_classes(here, values)[: n - 1]
    if here.growth.cuts == "random":
        drawn = random_threshold_at(here.tree, here.node, here.growth, values.column.name, values.numbers[:n])
        apart[:-1] &= (values.numbers[: n - 1] <= drawn) & (drawn < values.numbers[1:n])
    return apart[low]


def _of_several_classes(here: NodeRows, values: FeatureValues) -> np.ndarray:
    """bool (v - 1,): do the rows of two neighbouring values belong to more than one class?"""
    classes = np.zeros((len(values.codes) + 1, len(here.tree.classes)), bool)
    counts = here.weight > 0
    classes[values.code_of_row[counts], here.labels[counts]] = True
    return (classes[:-2] | classes[1:-1]).sum(axis=1) > 1


def _worthy(here: NodeRows, values: FeatureValues, found: AdmissibleSplits) -> AdmissibleSplits:
    """The splits with gain and score."""
    if not len(found):
        return found
    known, score = float(values.weight.sum()), here.score.code
    if here.row_loss is not None:
        if values.ordered:
            gain = cut_errors(here, values, found.low, found.missing)
        else:
            gain = group_errors(here, values, found.first)
        gain = settled(gain * known / here.total, here.tree.impurity[here.node], OF_GAINS)
        return replace(found, gain=gain, score=gain)
    gain = _in_blocks(lambda part: split_worth.decreases(here.judge, found.branches(part)), np.empty(len(found)))
    gain *= known / here.total
    if here.score.by_times:
        tests = cut_tests(here, values, found.low) if values.ordered else group_tests(here, values, found.first)
        return replace(found, gain=gain, score=tests)
    if score == MDL_GAIN_RATIO:
        gain[gain * known < SUM_TOLERANCE] = 0.0  # as Weka compares
        if values.ordered:
            found, gain = _paid(here, values, found, gain)
    if score == DECREASE and not here.whole_gain:
        return replace(found, gain=gain, score=gain)
    unknown = here.stats - values.stats.sum(axis=0)

    def scored(part: slice) -> np.ndarray:
        branches, compared = found.branches(part), gain[part]
        if here.whole_gain:
            compared = split_worth.decreases(here.judge, split_worth.with_shared(here.judge, branches, unknown))
        return split_worth.scores(score, here.judge, branches, compared, here.total)

    return replace(found, gain=gain, score=_in_blocks(scored, np.empty(len(found))))


def _in_blocks(judged: Callable[[slice], np.ndarray], out: np.ndarray) -> np.ndarray:
    """`out`, (n,), filled with what `judged` says of each part of the splits."""
    for begin in range(0, len(out), _BLOCK):
        part = slice(begin, min(begin + _BLOCK, len(out)))
        out[part] = judged(part)
    return out


def _paid(
    here: NodeRows, values: FeatureValues, found: AdmissibleSplits, gain: np.ndarray
) -> tuple[AdmissibleSplits, np.ndarray]:
    """Gains less the price of naming one of the cuts; what is left must be above 0."""
    gain = gain - np.log2(found.n_cuts) / here.total
    # parts of rows count as whole ones here
    n_known = int(values.rows[: len(values.codes) - values.has_missing].sum())
    least = here.least_weight(float(values.weight.sum()), ordered=True)
    kept = (gain >= SUM_TOLERANCE) & (n_known >= 2 * least + SUM_TOLERANCE)
    return found.take(kept), gain[kept]


def worth(here: NodeRows, score: np.ndarray, cost: float) -> np.ndarray:
    """What scores count when features compete, by what it costs to ask; see kernels.general.scores.worth."""
    return cost_of_asking(here.growth, score, cost)


def cost_of_asking(growth: GrowSettings, score: np.ndarray, cost: float) -> np.ndarray:
    """The same by settings."""
    if cost == 1.0 and growth.cost_form == "divide":
        return score
    if growth.cost_form == "divide":
        return score / cost
    if growth.cost_form == "square":
        return score * np.abs(score) / cost
    return (2.0**score - 1.0) / (cost + 1.0) ** growth.cost_power
