"""Every split that was possible at a node, with its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief, text_table
from treecore.criteria.split_scores import GAIN_RATIO, MDL_GAIN_RATIO, TWOING
from treecore.data.column import Column
from treecore.data.gaps import NO_GAPS, Gap, Gaps
from treecore.data.table import Table
from treecore.figures import brief, exact
from treecore.growing.inspect.admissible_splits import AdmissibleSplits, splits_of, worth
from treecore.growing.inspect.node_values import (
    FeatureValues,
    NodeRows,
    counting_in_average,
    features_not_sampled,
    node_rows,
    values_of,
)
from treecore.growing.search import split_worth
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import SELECTORS, THRESHOLD_RULES
from treecore.growing.settings.problem import training_rows
from treecore.growing.settings.thresholds import thresholds
from treecore.kernels.codes import CUTS, LEVELS
from treecore.kernels.state import AVERAGE_GAIN
from treecore.tree.oblique import as_asked
from treecore.tree.threshold_gaps import gaps_between
from treecore.tree.tree import Tree

MISSING = "missing"
"""Stands among levels where a missing value is a value of its own."""


@dataclass(frozen=True, repr=False)
class Candidate(Brief):
    """One split of one feature at a node.

    threshold : of an ordered feature, else None. branches : level names per branch of a nominal one, or a bin each of
        a numeric one that branches by bins, else ().
    stats : float64 (n_branches, S), n_rows : rows of positive weight per branch; both over known values.
    gain : impurity decrease (times the share of known values). score : what it competes by; the gain itself unless
    the tree was grown by another score. missing : the branch of missing values, where the split decides that.
    n_cuts : admissible cuts of its (ordered) feature. eligible : False where the selector passes over its feature
    because its gain is below the average, or as it is not drawn. drawn : is its feature drawn at this node, where the
    settings ask for that? chosen : the tree has this split. best : of its feature, as the grower
    compares the splits of one feature (by gain, where ratios compare features only). gap : of the threshold on a
    number, between which of the table's values it lies.
    """

    feature: str
    threshold: float | None
    branches: tuple[tuple[str, ...], ...]
    gain: float
    stats: np.ndarray
    n_rows: tuple[int, ...]
    chosen: bool = False
    score: float = 0.0
    missing: int | None = None
    n_cuts: int = 0
    eligible: bool = True
    best: bool = False
    drawn: bool = True
    gap: Gap | None = None

    @property
    def printed(self) -> str:
        """The threshold on a number in print."""
        assert self.threshold is not None
        return exact(self.threshold if self.gap is None else self.gap.printed(self.threshold))

    @property
    def condition(self) -> str:
        """The split in words: "age < 30", or the levels of every branch."""
        if self.threshold is not None:
            return f"{self.feature} < {self.printed}"
        return f"{self.feature}: " + " | ".join(", ".join(branch) for branch in self.branches)

    @property
    def groups(self) -> frozenset:
        """The branches without their order."""
        return frozenset(frozenset(b) for b in self.branches)


@dataclass(frozen=True, eq=False, repr=False)
class Candidates(Brief):
    """All candidates of a node, best first; equal scores in feature order, then in scan order. Those that the selector
    passes over come last.

    impurity, weight : of the node on the rows given, as altered by priors and costs.
    score : name of what they compete by. average_gain : of the features' best splits, where the selector asks for it.
    heuristic : features with too many levels for all their groupings to be listed.
    """

    node: int
    criterion: str
    impurity: float
    weight: float
    ranked: tuple[Candidate, ...]
    heuristic: tuple[str, ...] = ()
    score: str = "decrease"
    average_gain: float | None = None

    def __str__(self) -> str:
        """The candidates, best first."""
        rows = (
            (i, c.condition, brief(c.gain), *((brief(c.score),) if other else ()), " | ".join(map(str, c.n_rows)))
            for i, c in enumerate(self.ranked, 1)
            for other in [self.score != "decrease"]
        )
        scored = () if self.score == "decrease" else (self.score.replace("_", " "),)
        head = ("", "split", "gain", *scored, "rows")
        title = f"Node {self.node}: {len(self.ranked):,} splits were possible, {self.criterion} {brief(self.impurity)}"
        return f"{title}\n\n{text_table(head, rows, len(self.ranked))}"

    def per_feature(self) -> tuple[Candidate, ...]:
        """The best candidate of every feature, best feature first."""
        return tuple(c for c in self.ranked if c.best)

    def of(self, feature: str) -> tuple[Candidate, ...]:
        """One feature's candidates, best first."""
        return tuple(c for c in self.ranked if c.feature == feature)


def candidates(tree: Tree, node: int, table: Table, limit: int = 20) -> Candidates:
    """Search one node again, on the rows of `table` that pass through it, and keep every candidate.

    table : normally the training rows. limit : most candidates kept per feature (the best ones).
    Limits on rows per leaf apply as they did when the tree was grown.
    """
    table = training_rows(as_asked(tree.schema, table), GrowSettings.from_dict(dict(tree.growth)))
    here = node_rows(tree, tree.node(node).id, table)
    impurity = impurity_of_rows(here)
    result, heuristic, merits = [], [], {}
    for f, name in enumerate(s.name for s in tree.schema.features):
        kept = _of_feature(here, table.column(name), impurity, limit)
        result += [(-c.score, f, i, c) for i, c in kept.candidates]
        if kept.candidates:
            merits[name] = kept.merit
        if kept.heuristic:
            heuristic.append(name)
    undrawn = features_not_sampled(tree, here.node, here.growth, tuple(merits))
    averaged = counting_in_average(here, table) - undrawn
    average = _average(here, [merit for name, merit in merits.items() if name in averaged])
    ranked = _in_order(result, here.growth.tolerance * _scale(here, result, impurity))
    listed = [_passed_over(here, c, merits[c.feature], average, undrawn) for c in ranked]
    in_order = tuple(sorted(listed, key=lambda c: not c.eligible))
    return Candidates(
        here.node, tree.criterion, impurity, here.total, in_order, tuple(heuristic), here.growth.score, average
    )


class _BestOfFeature(NamedTuple):
    """What is kept of one feature: its best candidates with their places in the scan, what the best one counts in an
    average over features, and whether its groupings are too many to be tried."""

    candidates: list[tuple[int, Candidate]]
    merit: float = 0.0
    heuristic: bool = False


LIMITS = {
    "max_depth": None, "max_leaves": None, "min_rows_split": 2, "min_rows_leaf": 1, "min_weight_split": 0.0,
    "min_weight_leaf": 0.0, "min_share_split": 0.0, "min_share_leaf": 0.0, "min_impurity": 0.0, "min_gain": 0.0,
    "min_weighted_gain": 0.0,
}  # fmt: skip
"""Settings that stop growth -> the value that stops nothing."""


def beyond_limits(tree: Tree, node: int, table: Table) -> Candidates:
    """The candidates of a node if nothing had limited the tree's growth; see candidates."""
    return candidates(replace(tree, growth=dict(tree.growth) | LIMITS), node, table)


def _of_feature(here: NodeRows, column: Column, impurity: float, limit: int) -> _BestOfFeature:
    """The candidates of one feature. What is worked out for all its splits goes before the next feature's."""
    values = values_of(here, column)
    if len(values.codes) < 2 or not values.weight.any():
        return _BestOfFeature([])
    splits = splits_of(here, values)
    scores = worth(here, splits.score, dict(here.growth.costs).get(column.name, 1.0))
    chosen = best_of_feature(here, scores, splits, impurity, limit)
    told = candidates_at(here, values, splits, chosen, scores)
    if not told:
        return _BestOfFeature([], heuristic=is_heuristic(here, values))
    told[0] = replace(told[0], best=True)
    merit = float(_in_average(here, splits)[chosen[0]])
    return _BestOfFeature(list(zip(chosen.tolist(), told, strict=True)), merit, is_heuristic(here, values))


def impurity_of_rows(here: NodeRows) -> float:
    """Impurity of the node's rows, as altered by priors and costs."""
    if here.row_loss is not None:
        return float(here.tree.impurity[here.node])
    return float(split_worth.impurities(here.judge, here.stats))


def is_heuristic(here: NodeRows, values: FeatureValues) -> bool:
    """Are there too many levels for all groupings to be tried?"""
    nominal = not values.ordered and not values.in_bins and here.growth.nominal == "subset"
    return nominal and here.tries_groupings and len(values.codes) > here.growth.max_exhaustive


def best_of_feature(
    here: NodeRows, scores: np.ndarray, splits: AdmissibleSplits, impurity: float, limit: int
) -> np.ndarray:
    """Positions of the best splits of one feature: by gain, where ratios compare features only."""
    one_level = splits.first is not None and not splits.n_cuts and here.growth.nominal == "one_level"
    features_only = here.whole_gain or (here.score.code in (GAIN_RATIO, MDL_GAIN_RATIO) and not one_level)
    by = splits.gain if features_only else scores
    order = _largest(by, limit + 20)
    order = order[np.isfinite(by[order]) & np.isfinite(scores[order])]
    if len(order):  # equal but for rounding: the first in the scan wins
        equal = by[order] >= by[order[0]] - here.growth.tolerance * max(impurity, abs(by[order[0]]))
        order = np.concatenate([np.sort(order[equal]), order[~equal]])
    return order[:limit]


def _largest(by: np.ndarray, n: int) -> np.ndarray:
    """Positions of the n largest numbers, largest first, equal ones in their order."""
    if len(by) <= n:
        return np.argsort(-by, kind="stable")
    falling = -by
    among = np.flatnonzero(~(falling > np.partition(falling, n - 1)[n - 1]))
    return among[np.argsort(falling[among], kind="stable")[:n]]


def _scale(here: NodeRows, found: list, impurity: float) -> float:
    if here.growth.score == "decrease":
        return impurity
    return max((abs(entry[0]) for entry in found), default=0.0)


def _average(here: NodeRows, best: list[float]) -> float | None:
    """Mean gain of the best splits of the features that count; infinite if there are none."""
    if SELECTORS[here.growth.selector].code != AVERAGE_GAIN:
        return None
    return float(np.mean(best)) if best else np.inf


def _in_average(here: NodeRows, splits: AdmissibleSplits) -> np.ndarray:
    """What is averaged over features: gains, or the score where it is neither a gain nor made of one."""
    return splits.score if here.score.code >= TWOING else splits.gain


def _passed_over(
    here: NodeRows, candidate: Candidate, gain: float, average: float | None, undrawn: frozenset[str]
) -> Candidate:
    enough = average is None or gain >= average - SELECTORS[here.growth.selector].slack
    drawn = candidate.feature not in undrawn
    return candidate if enough and drawn else replace(candidate, eligible=False, drawn=drawn)


def _in_order(found: list, tolerance: float) -> list[Candidate]:
    """By falling score; scores within the tolerance of the first of a run are equal: feature, then scan order."""
    found.sort(key=lambda entry: entry[0])
    runs, start = [], 0
    for i in range(1, len(found) + 1):
        if i == len(found) or found[i][0] > found[start][0] + tolerance:
            runs += sorted(found[start:i], key=lambda entry: entry[1:3])
            start = i
    return [entry[3] for entry in runs]


def candidates_at(
    here: NodeRows, values: FeatureValues, splits: AdmissibleSplits, chosen: np.ndarray, scores: np.ndarray
) -> list[Candidate]:
    """The splits at these positions as people read them: statistics as the rows are counted, the tree's own flagged.

    scores : float64, of all splits of the feature.
    """
    name, result, splits, every = values.column.name, [], splits.take(chosen), slice(None)
    altered, gains, scores = np.ascontiguousarray(splits.branches(every)), splits.gain.tolist(), scores[chosen].tolist()
    counted, levels = _as_counted(here.tree, altered), None if values.ordered else _level_names(values)
    placed: list[float] = cut_thresholds(here, values, splits.low).tolist() if values.ordered else []
    gaps = cut_gaps(here, values, placed) if values.ordered else NO_GAPS
    missing = [None if branch < 0 else branch for branch in splits.missing.tolist()]
    may_be_made = here.tree.node(here.node).feature == name
    for i, n_rows in enumerate(splits.n_rows(every).tolist()):
        stats, to = counted[i], missing[i]
        groups: tuple[tuple[str, ...], ...] = ()
        if levels and splits.first is None:
            groups, to = tuple((level,) for level in levels), len(levels) - 1 if values.has_missing else None
        elif levels and splits.first is not None:
            groups = _groups(levels, splits.first[i])
            if here.growth.nominal == "subset" and _in_wrong_order(here, values, splits.first[i]):
                # as the tree orders them
                groups, stats, n_rows, to = groups[::-1], stats[::-1], n_rows[::-1], None if to is None else 1 - to
        numbers = {"score": scores[i], "missing": to, "n_cuts": splits.n_cuts}
        threshold = placed[i] if values.ordered else None
        gap = None if threshold is None else gaps.around(threshold, is_closed(here))
        candidate = Candidate(name, threshold, groups, gains[i], stats, tuple(n_rows), gap=gap, **numbers)
        if may_be_made and _is_made(here.tree, here.node, candidate):
            candidate = _as_made(here.tree, here.node, candidate)
        result.append(candidate)
    return result


def _as_counted(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """Statistics without what priors and costs made of them."""
    if not tree.classes:
        return stats
    return np.divide(stats, tree.class_factor, out=np.zeros_like(stats), where=tree.class_factor > 0)


def _level_names(values: FeatureValues) -> list[str]:
    column = values.column
    return [column.level_names[code] if code < column.n_distinct else MISSING for code in values.codes.tolist()]


def _groups(levels: list[str], first: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """The levels in the first branch, bool (v,), and the others."""
    return tuple(tuple(compress(levels, side)) for side in (first, ~first))


def _in_wrong_order(here: NodeRows, values: FeatureValues, first: np.ndarray) -> bool:
    """Does the second branch, by its known values, have the smaller mean target? first : bool (v,), the first one."""
    n = len(values.codes) - values.has_missing
    below, above = (values.stats[:n][side[:n]].sum(axis=0) for side in (first, ~first))
    mean_of = here.tree.target_kind.mean_of
    return bool(mean_of(below) > mean_of(above))


def cut_thresholds(here: NodeRows, values: FeatureValues, low: np.ndarray) -> np.ndarray:
    """float64 (n,): thresholds of the cuts above the values at these positions."""
    numbers, rule = np.append(values.numbers, np.nan), THRESHOLD_RULES[here.growth.threshold]
    placed = thresholds(rule, values.column.kind == "ordinal", numbers[low], numbers[low + 1])
    if not rule.on_data or values.column.kind != "numeric":
        return placed
    there = values.column.numbers[values.column.present() > 0]
    return np.where(np.isfinite(placed), there[np.maximum(np.searchsorted(there, placed, "right") - 1, 0)], placed)


def is_closed(here: NodeRows) -> bool:
    """Does a number equal to a threshold lie below it?"""
    return THRESHOLD_RULES[here.growth.threshold].closed


def cut_gaps(here: NodeRows, values: FeatureValues, thresholds: Sequence[float] | np.ndarray) -> Gaps:
    """Between which of the table's values thresholds on a feature's numbers lie."""
    feature = next((f for f in here.tree.schema.features if f.name == values.column.name), None)
    if feature is None or not feature.numeric:
        return NO_GAPS
    placed = np.array(thresholds, np.float64)
    return gaps_between(here.tree.schema, feature, values.column, placed, np.full(len(placed), is_closed(here)))


def _is_made(tree: Tree, node: int, candidate: Candidate) -> bool:
    """Is this split of the feature that the node tests the tree's own?"""
    if candidate.threshold is None:
        return _same_groups(tree, node, candidate)
    near = np.isclose(candidate.threshold, tree.splits.threshold[node], rtol=1e-12, atol=0)
    low, branch = int(tree.splits.low_branch[node]), int(tree.splits.missing_branch[node])
    return bool(near) and (candidate.missing is None or candidate.missing == (branch if low == 0 else 1 - branch))


def _same_groups(tree: Tree, node: int, candidate: Candidate) -> bool:
    """Does the node send the levels of each of the candidate's branches to one branch, and to different ones?

    A numeric feature that branches by bins has no other split.
    """
    if candidate.branches and tree.splits.kind[node] == CUTS:
        return True
    if not candidate.branches or tree.splits.kind[node] != LEVELS:
        return False
    to = _branches_made(tree, node, candidate)
    return all(len(t) == 1 and min(t) >= 0 for t in to) and len(set.union(*to)) == len(to)


def _branches_made(tree: Tree, node: int, candidate: Candidate) -> list[set[int]]:
    """The node's branches that the levels of each of the candidate's branches go to."""
    levels, branch = tree.schema.features[tree.splits.feature[node]].levels, tree.splits.levels(node)
    place = {level: int(branch[v]) for v, level in enumerate(levels)}
    place.setdefault(MISSING, int(tree.splits.missing_branch[node]))
    return [{place[level] for level in group} for group in candidate.branches]


def _as_made(tree: Tree, node: int, candidate: Candidate) -> Candidate:
    """The tree's own split, its groups in the order of the tree's branches."""
    if not candidate.branches or tree.splits.kind[node] == CUTS:
        return replace(candidate, chosen=True)
    made = [min(to) for to in _branches_made(tree, node, candidate)]
    order = sorted(range(len(made)), key=made.__getitem__)
    branches, n_rows = tuple(candidate.branches[i] for i in order), tuple(candidate.n_rows[i] for i in order)
    missing = None if candidate.missing is None else order.index(candidate.missing)
    stats = candidate.stats[order]
    return replace(candidate, branches=branches, n_rows=n_rows, stats=stats, missing=missing, chosen=True)


__all__ = ["MISSING", "Candidate", "Candidates", "beyond_limits", "candidates"]
