"""The split landscape of a node: what every cut of every feature would gain there, under any measure."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA, criteria_for
from treecore.data.gaps import NO_GAPS, Gaps
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.inspect.admissible_splits import AdmissibleSplits, splits_of, worth
from treecore.growing.inspect.candidates import (
    Candidate,
    best_of_feature,
    candidates_at,
    cut_gaps,
    cut_thresholds,
    impurity_of_rows,
    is_closed,
    is_heuristic,
)
from treecore.growing.inspect.node_values import FeatureValues, NodeRows, node_rows, values_of
from treecore.growing.settings.parts import SPLIT_SCORES
from treecore.tree.oblique import as_asked
from treecore.tree.tree import Tree

NEAR = 0.99
"""From this share of the best gain on a cut is a near-tie."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Brief):
    """Every admissible cut of one numeric or ordinal feature, by rising threshold.

    threshold, gain : float64 (n_cuts,); ordinal thresholds lie between two level indices.
    share : float64 (n_cuts,), share of the node's rows with a known value that lie below the cut.
    n_low, n_high : int64 (n_cuts,), rows on either side. levels : of an ordinal feature, else ().
    closed : the low side is x <= threshold. gaps : of the thresholds on a number.
    """

    feature: str
    levels: tuple[str, ...]
    closed: bool
    threshold: np.ndarray
    gain: np.ndarray
    share: np.ndarray
    n_low: np.ndarray
    n_high: np.ndarray
    gaps: Gaps = NO_GAPS

    def printed(self, threshold: float) -> str:
        """One of its thresholds on a number in print."""
        return self.gaps.printed(threshold, self.closed)

    @property
    def best(self) -> float:
        return float(self.gain.max(initial=-np.inf))

    def take(self, cuts: np.ndarray) -> "Curve":
        """Only these cuts, by position."""
        arrays = ("threshold", "gain", "share", "n_low", "n_high")
        return replace(self, **{name: getattr(self, name)[cuts] for name in arrays})

    def thinned(self, most: int) -> "Curve":
        """At most about `most` cuts: of equally many neighbours the lowest and the highest gain, and both ends."""
        n = len(self.gain)
        if n <= most:
            return self
        part = np.arange(n) * (most // 2) // n
        by_gain = np.lexsort((self.gain, part))
        ends = np.flatnonzero(np.diff(part[by_gain], prepend=-1, append=part[-1] + 1))
        kept = np.concatenate([by_gain[ends[:-1]], by_gain[ends[1:] - 1], [0, n - 1]])
        return self.take(np.unique(kept))


@dataclass(frozen=True, eq=False, repr=False)
class Bars(Brief):
    """The best groupings of one nominal feature, best first; `gain` is what they are measured by.

    heuristic : there are too many levels for all groupings to be tried.
    """

    feature: str
    groupings: tuple[Candidate, ...]
    heuristic: bool = False

    @property
    def gain(self) -> np.ndarray:
        return np.array([c.score for c in self.groupings])

    @property
    def best(self) -> float:
        return float(self.gain.max(initial=-np.inf))


@dataclass(frozen=True, eq=False, repr=False)
class Landscape(Brief):
    """Gain against cut, feature by feature, the feature of the highest gain first.

    measure : name of the criterion whose gain it is, or of another score. what : that in words; unit : of it.
    impurity : of the node's rows. n_rows : those of positive weight.
    costly : features have costs; every gain is divided by its feature's.
    """

    node: int
    measure: str
    impurity: float
    n_rows: int
    parts: tuple[Curve | Bars, ...]
    costly: bool = False
    what: str = ""
    unit: str = ""

    @property
    def best(self) -> float:
        """The highest gain; -inf where no split is possible."""
        return max((part.best for part in self.parts), default=-np.inf)

    def winner(self) -> str | None:
        """The feature of the highest gain (of equals the first in the table), None where no split gains anything."""
        return self.parts[0].feature if self.best > 0 else None

    def near(self, part: Curve | Bars) -> np.ndarray:
        """bool (n_cuts,): the cuts of this part that win or come within 1 % of the best gain."""
        return part.gain >= NEAR * self.best if self.best > 0 else np.zeros(len(part.gain), bool)

    def won(self, part: Curve | Bars) -> np.ndarray:
        """bool (n_cuts,): the cuts that have the best gain, but for rounding."""
        return part.gain >= self.best * (1 - _ROUNDING) if self.best > 0 else np.zeros(len(part.gain), bool)

    def thinned(self, most: int) -> "Landscape":
        """The same with at most about this many cuts in every curve; the best and the worst of them stay."""
        parts = (p.thinned(most) if isinstance(p, Curve) else p for p in self.parts)
        return replace(self, parts=tuple(parts))

    def candidate(self, feature: str, threshold: float | None = None, place: int = 0) -> Candidate:
        """The cut of a feature nearest to a threshold, or a nominal feature's grouping at this place.

        Class weights are not counted out for a threshold: its `stats` are empty.
        """
        part = next((p for p in self.parts if p.feature == feature), None)
        if isinstance(part, Bars) and place in range(len(part.groupings)):
            return part.groupings[place]
        if isinstance(part, Curve) and threshold is not None and len(part.gain):
            cut = int(np.abs(part.threshold - threshold).argmin())
            rows = int(part.n_low[cut]), int(part.n_high[cut])
            at = float(part.threshold[cut])
            gap, gain = part.gaps.around(at, part.closed), float(part.gain[cut])
            return Candidate(feature, at, (), gain, np.empty((2, 0)), rows, gap=gap)
        raise TreecoreError("No such split is possible at this node", where=f"Column {feature!r}")


def measures_of(tree: Tree) -> dict[str, str]:
    """What this tree's splits can be measured by, name to label: the gain by every fitting criterion, other scores.

    A criterion with a parameter is there for its own trees, which know it."""
    fitting = criteria_for(tree.task, len(tree.classes), tree.loss is not None)
    result = {c.name: c.label for c in fitting if not c.parameter or c.name == tree.criterion}
    multiway = tree.growth.get("nominal") == "multiway"
    scores = [s for s in SPLIT_SCORES.values() if tree.task in s.tasks and not (s.binary and multiway)]
    return result | {s.name: s.label for s in scores if s.name != "decrease"}


def own_measure(tree: Tree) -> str:
    """The measure by which the tree was grown."""
    score = tree.growth.get("score", "decrease")
    return tree.criterion if score == "decrease" else score


def landscape(tree: Tree, node: int, table: Table, measure: str = "", groupings: int = 20) -> Landscape:
    """What every split of one node would gain, on the rows of `table` that pass through it.

    table : normally the training rows. measure : a name of measures_of(tree), "" for the tree's own.
    groupings : most listed per nominal feature. Limits on rows per branch apply as when the tree was grown;
    gains are over known values, times their share.
    """
    measure = measure or own_measure(tree)
    if measure not in measures_of(tree):
        remedy = "Choose one of: " + ", ".join(measures_of(tree))
        raise TreecoreError(f"{_label(measure)} cannot judge this target", where="measure", remedy=remedy)
    table = as_asked(tree.schema, table)
    here = node_rows(tree, tree.node(node).id, table, measure if measure in CRITERIA else "")
    score = "decrease" if measure in CRITERIA else measure
    here = replace(here, growth=replace(here.growth, score=score))
    costs, parts = dict(here.growth.costs), []
    for feature in tree.schema.features:
        values = values_of(here, table.column(feature.name))
        if len(values.codes) > 1 and values.weight.any():
            parts.append(_part(here, values, costs.get(feature.name, 1.0), groupings))
    parts = sorted((p for p in parts if len(p.gain)), key=lambda p: -p.best)
    n_rows = int(np.count_nonzero(here.weight > 0))
    named = _what(measure), _unit(measure)
    return Landscape(here.node, measure, impurity_of_rows(here), n_rows, tuple(parts), bool(costs), *named)


def _label(measure: str) -> str:
    return CRITERIA[measure].label if measure in CRITERIA else SPLIT_SCORES[measure].label


def _what(measure: str) -> str:
    return f"gain in {CRITERIA[measure].label}" if measure in CRITERIA else SPLIT_SCORES[measure].label


def _unit(measure: str) -> str:
    return CRITERIA[measure].unit if measure in CRITERIA else ""


def _part(here: NodeRows, values: FeatureValues, cost: float, groupings: int) -> Curve | Bars:
    splits = splits_of(here, values)
    scores = worth(here, splits.score, cost)
    if values.ordered:
        return _curve(here, values, splits, scores)
    kept = best_of_feature(here, scores, splits, impurity_of_rows(here), groupings)
    result = candidates_at(here, values, splits, kept, scores)
    return Bars(values.column.name, tuple(result), is_heuristic(here, values))


def _curve(here: NodeRows, values: FeatureValues, splits: AdmissibleSplits, scores: np.ndarray) -> Curve:
    """The cuts between known values; of a cut with the missing values on either side the better one."""
    n = len(values.codes) - values.has_missing
    inside = np.flatnonzero((splits.low < n - 1) & np.isfinite(scores))
    best = inside[np.lexsort((-scores[inside], splits.low[inside]))]
    best = best[np.unique(splits.low[best], return_index=True)[1]]
    low = splits.low[best]
    placed = cut_thresholds(here, values, low)
    known = float(values.weight[:n].sum())
    n_low, n_high = splits.n_rows(best).T
    return Curve(
        values.column.name, values.column.levels or (), is_closed(here), placed, scores[best],
        np.cumsum(values.weight)[low] / known, n_low, n_high, cut_gaps(here, values, placed),
    )  # fmt: skip
