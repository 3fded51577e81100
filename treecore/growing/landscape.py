"""The split landscape of a node: what every cut of every feature would gain there, under any measure."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.criteria import CRITERIA, Criterion, criteria_for
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.candidates import (
    Candidate,
    _contributions,
    _gains,
    _marked,
    _of_feature,
    _rows_at,
    _Values,
)
from treecore.growing.parts import THRESHOLD_RULES
from treecore.growing.settings import Growth
from treecore.kernels.node_impurity import impurity_of
from treecore.tree.tree import Tree

NEAR = 0.99
"""From this share of the best gain on a cut is a near-tie."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Curve:
    """Every admissible cut of one numeric or ordinal feature, by rising threshold.

    threshold, gain : float64 (n_cuts,); ordinal thresholds lie between two level indices.
    share : float64 (n_cuts,), share of the node's rows with a known value that lie below the cut.
    n_low, n_high : int64 (n_cuts,), rows on either side. levels : of an ordinal feature, else ().
    closed : the low side is x <= threshold.
    """

    feature: str
    levels: tuple[str, ...]
    closed: bool
    threshold: np.ndarray
    gain: np.ndarray
    share: np.ndarray
    n_low: np.ndarray
    n_high: np.ndarray

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


@dataclass(frozen=True, eq=False)
class Bars:
    """The best groupings of one nominal feature, best first.

    heuristic : there are too many levels for all groupings to be tried.
    """

    feature: str
    groupings: tuple[Candidate, ...]
    heuristic: bool = False

    @property
    def gain(self) -> np.ndarray:
        return np.array([c.gain for c in self.groupings])

    @property
    def best(self) -> float:
        return float(self.gain.max(initial=-np.inf))


@dataclass(frozen=True, eq=False)
class Landscape:
    """Gain against cut, feature by feature, the feature of the highest gain first.

    measure : name of the criterion that judges. impurity : of the node's rows. n_rows : of positive weight.
    costly : features have costs; every gain is divided by its feature's.
    """

    node: int
    measure: str
    impurity: float
    n_rows: int
    parts: tuple[Curve | Bars, ...]
    costly: bool = False

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
            return Candidate(feature, float(part.threshold[cut]), (), float(part.gain[cut]), np.empty((2, 0)), rows)
        raise TreecoreError("No such split is possible at this node", where=f"Column {feature!r}")


def measures_of(tree: Tree) -> tuple[Criterion, ...]:
    """The criteria that can judge this tree's nodes."""
    return criteria_for(tree.task, len(tree.classes), tree.loss is not None)


def landscape(tree: Tree, node: int, table: Table, measure: str = "", groupings: int = 20) -> Landscape:
    """What every split of one node would gain, on the rows of `table` that pass through it.

    table : normally the training rows. measure : a criterion's name, "" for the tree's own.
    groupings : most listed per nominal feature. Limits on rows per branch apply as when the tree was grown;
    gains are over known values, times their share.
    """
    measure = measure or tree.criterion
    fitting = measures_of(tree)
    if CRITERIA[measure] not in fitting:
        remedy = "Choose one of: " + ", ".join(c.name for c in fitting)
        raise TreecoreError(f"{CRITERIA[measure].label} cannot judge this target", where="measure", remedy=remedy)
    node = tree.node(node).id
    judged = replace(tree, criterion=measure)
    growth, rows, share = Growth.from_dict(dict(tree.growth)), *_rows_at(tree, node, table)
    weight = share if table.weights is None else share * table.weights[rows]
    if tree.classes:  # as candidates does: priors and costs alter weights while splits are judged
        weight = weight * tree.class_factor[table.column(tree.schema.target).codes[rows]]
    contributions = _contributions(tree, table, rows, weight)
    total, costs, parts = float(weight.sum()), dict(growth.costs), []
    for feature in tree.schema.features:
        values = _summed(table.column(feature.name), rows, weight, contributions)
        if len(values.codes) > 1 and values.weight.any():
            parts.append(_part(judged, growth, values, total, costs.get(feature.name, 1.0), groupings))
    parts = sorted((_counted(tree, node, p) for p in parts if len(p.gain)), key=lambda p: -p.best)
    impurity = impurity_of(judged.judge, contributions.sum(axis=0), total)
    return Landscape(node, measure, impurity, int(np.count_nonzero(weight > 0)), tuple(parts), bool(costs))


def _summed(column: Column, rows: np.ndarray, weight: np.ndarray, contributions: np.ndarray) -> _Values:
    """The rows summed up per distinct known value, without sorting them."""
    codes = column.codes[rows]
    known = codes < column.n_distinct
    codes, weight, contributions = codes[known], weight[known], contributions[known]
    present = np.flatnonzero(np.bincount(codes, minlength=column.n_distinct))
    place = np.zeros(column.n_distinct + 1, np.int64)
    place[present] = np.arange(len(present))
    at, n = place[codes], len(present)
    stats = np.stack([np.bincount(at, c, n) for c in contributions.T], axis=1)
    n_rows = np.bincount(at, weight > 0, n).astype(np.int64)
    return _Values(column, present, stats, np.bincount(at, weight, n), n_rows)


def _part(tree: Tree, growth: Growth, values: _Values, total: float, cost: float, groupings: int) -> Curve | Bars:
    if values.column.kind in ("numeric", "ordinal"):
        return _curve(tree, growth, values, total, cost)
    found = [c for _, c in _of_feature(tree, growth, values, total, groupings)]
    many = len(tree.classes) > 2 and len(values.codes) > growth.max_exhaustive and growth.nominal == "subset"
    return Bars(values.column.name, tuple(replace(c, gain=c.gain / cost) for c in found), many)


def _curve(tree: Tree, growth: Growth, values: _Values, total: float, cost: float) -> Curve:
    column, rule = values.column, THRESHOLD_RULES[growth.threshold]
    known = float(values.weight.sum())
    parent = impurity_of(tree.judge, values.stats.sum(axis=0), known)
    gain = _gains(tree, growth, values, np.arange(len(values.codes)), parent) * (known / total) / cost
    numbers = column.distinct[values.codes] if column.kind == "numeric" else values.codes.astype(np.float64)
    if column.kind == "numeric" and rule.precision == "float32":
        numbers = numbers.astype(np.float32).astype(np.float64)
    low, high, n_low = numbers[:-1], numbers[1:], np.cumsum(values.rows)[:-1]
    found = Curve(
        column.name, column.levels or (), rule.closed, rule.place(low, high), gain,
        np.cumsum(values.weight)[:-1] / known, n_low, values.rows.sum() - n_low,
    )  # fmt: skip
    return found.take(np.flatnonzero(np.isfinite(gain) & (high - low > rule.min_gap)))


def _counted(tree: Tree, node: int, part: Curve | Bars) -> Curve | Bars:
    """Groupings with their statistics as the rows are counted, the tree's own marked."""
    if isinstance(part, Curve):
        return part
    return replace(part, groupings=tuple(_marked(tree, node, c) for c in part.groupings))
