"""Columns counted: one in bins or levels, two together, and the target of a node's rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.discretize import binned_column, cut_points
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.node_statistics import refuse_counts, true_numbers
from treecore.tree.tree import Tree

ABOUT = 24
"""Bins a histogram of numbers has, roughly."""
MOST_BARS = 24
"""Levels shown; the rarer ones are added up."""


@dataclass(frozen=True, eq=False, repr=False)
class ColumnCounts(Brief):
    """Rows of a table by the value of one column, and by class where the target has classes.

    edges : float64 (k + 1,) for a numeric column, else None. levels : the k levels for other kinds, else ().
    counts : int64 (n_groups, k), rows (not weighted). groups : class names; () when there is one unnamed group.
    n_missing : rows without a value. n_rare, rare_levels : rows and levels left out as too many levels to show.
    n_unknown : rows with a value but without a target, left out when counted by class.
    """

    name: str
    kind: str
    edges: np.ndarray | None
    levels: tuple[str, ...]
    counts: np.ndarray
    groups: tuple[str, ...]
    n_missing: int
    n_rare: int = 0
    rare_levels: int = 0
    n_unknown: int = 0


def column_counts(table: Table, name: str, by_class: bool = True) -> ColumnCounts:
    """Count a column's values; by class when the table's target has classes and is another column."""
    column = table.column(name)
    by_class = by_class and table.target not in (None, name) and table.task == "classification"
    groups = table.classes if by_class else ()
    group = table.target_column.codes if by_class else np.zeros(table.n_rows, np.int32)
    known = ~column.missing & (group < max(len(groups), 1))
    n_unknown = int(np.count_nonzero(~column.missing & ~known))
    counted = (_numeric_counts if column.kind == "numeric" else _level_counts)(column, known, group, len(groups) or 1)
    return ColumnCounts(name, column.kind, **counted, groups=groups, n_missing=column.n_missing, n_unknown=n_unknown)


def _numeric_counts(column: Column, known: np.ndarray, group: np.ndarray, n_groups: int) -> dict:
    values, group = column.values()[known], group[known]
    edges = bins_of(values)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return {"edges": edges, "levels": (), "counts": _cross(group, place, n_groups, len(edges) - 1)}


def _level_counts(column: Column, known: np.ndarray, group: np.ndarray, n_groups: int) -> dict:
    counts = _cross(group[known], column.codes[known], n_groups, column.n_distinct)
    total = counts.sum(axis=0)
    # the most frequent ones, in the declared order: an ordinal column keeps its shape
    shown = np.sort(np.argsort(-total, kind="stable")[:MOST_BARS])
    rare = column.n_distinct - len(shown)
    left_out = int(total.sum() - total[shown].sum())
    levels = tuple(column.level_names[i] for i in shown)
    return {"edges": None, "levels": levels, "counts": counts[:, shown], "n_rare": left_out, "rare_levels": rare}


def _cross(group: np.ndarray, place: np.ndarray, n_groups: int, n_places: int) -> np.ndarray:
    """int64 (n_groups, n_places): rows per pair."""
    flat = group.astype(np.int64) * n_places + place
    return np.bincount(flat, minlength=n_groups * n_places).reshape(n_groups, n_places)


def bins_of(values: np.ndarray, about: int = ABOUT) -> np.ndarray:
    """float64 edges that cover the values: round numbers at equal steps, or one bin per whole number.

    A bin holds its left edge, the last one both. One bin for a constant, 0 to 1 without values.
    """
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low - 0.5, low + 0.5]) if abs(low) < 1e15 else np.array([low, np.nextafter(low, np.inf)])
    if high - low <= 2 * about and max(-low, high) < 1e15 and np.array_equal(values, np.rint(values)):
        return np.arange(low - 0.5, high + 1.0)
    edges = _round_edges(low, high, about)
    # a step near or below the numbers' own precision gives edges that are equal or miss the ends
    sound = len(edges) > 1 and edges[0] <= low and high <= edges[-1] and (np.diff(edges) > 0).all()
    return edges if sound else np.array([low, high])


def _round_edges(low: float, high: float, about: int) -> np.ndarray:
    step = high / about - low / about
    if step < 1e-300:
        return np.empty(0)
    step = _round_step(step)
    first, last = floor(low / step), floor(high / step) + 1
    return np.arange(first, last + 1) * step


def _round_step(step: float) -> float:
    """The next of 1, 2, 2.5, 5 times a power of ten."""
    power = 10.0 ** floor(log10(step))
    return next(m for m in (1, 2, 2.5, 5, 10) if m * power >= step * (1 - 1e-9)) * power


# Two columns counted together, for all rows or for each level of a third one: counts, shares, and what independence
# would lead one to expect.

MOST_LEVELS, BINS = 12, 4


@dataclass(frozen=True, eq=False, repr=False)
class Contingency(Brief):
    """names : of the two columns, and of the third where there is one. rows, columns : their levels. counts : float64
    (r, c), rows of each pair (not weighted). left_out : rows that miss a value of one of the columns, or hold a level
    that is too rare to be shown. within : the third column's level that the rows have; "" where there is none."""

    names: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: np.ndarray
    left_out: int
    within: str = ""

    @property
    def shares(self) -> np.ndarray:
        """float64 (r, c): of each row of the table, 0 where it is empty."""
        total = self.counts.sum(axis=1, keepdims=True)
        return np.divide(self.counts, total, out=np.zeros_like(self.counts), where=total > 0)

    @property
    def expected(self) -> np.ndarray:
        """float64 (r, c): counts if the two had nothing to do with each other."""
        n = max(self.counts.sum(), 1e-300)
        return np.outer(self.counts.sum(axis=1), self.counts.sum(axis=0)) / n


def contingency(table: Table, first: str, second: str) -> Contingency:
    """Count two columns together; numbers in four bins of equal frequency, of many levels the twelve commonest."""
    return _counted(table, (first, second), np.zeros(table.n_rows, int), ("",))[0]


def layers(table: Table, first: str, second: str, third: str) -> tuple[Contingency, ...]:
    """The same table of two columns for each level of a third, all with the same rows and columns."""
    return _counted(table, (first, second, third), *_levels(table.column(third)))


def _counted(
    table: Table, names: tuple[str, ...], layer: np.ndarray, within: tuple[str, ...]
) -> tuple[Contingency, ...]:
    """layer : int64 (n_rows,), place in `within`, -1 for none."""
    (a, rows), (b, columns) = (_levels(table.column(name)) for name in names[:2])
    known = (a >= 0) & (b >= 0) & (layer >= 0)
    shape = (len(within), len(rows), len(columns))
    cells = np.ravel_multi_index((layer[known], a[known], b[known]), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    left_out = int((~known).sum())
    return tuple(
        Contingency(names, rows, columns, part, left_out, level) for part, level in zip(counts, within, strict=True)
    )


def _levels(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    """(int64 (n_rows,) place among the levels shown, -1 for none of them; those levels)."""
    if column.kind == "numeric":
        cuts = cut_points(column.values(), None, None, 0, "equal_frequency", BINS)
        column = binned_column(column, cuts)
    shown = np.sort(np.argsort(-column.present(), kind="stable")[:MOST_LEVELS])
    place = np.full(column.n_distinct + 1, -1)
    place[shown] = np.arange(len(shown))
    return place[column.codes], tuple(column.level_names[i] for i in shown)


# The rows of one node: its class mix in every role, its target beside everybody's.


@dataclass(frozen=True, eq=False, repr=False)
class ClassMix(Brief):
    """Class weights of a node's rows: role -> float64 (n_classes,)."""

    node: int
    classes: tuple[str, ...]
    weights: dict[str, np.ndarray]

    def total(self, role: str) -> float:
        """Weight of the role's rows in the node."""
        return float(self.weights[role].sum())

    def shares(self, role: str) -> np.ndarray:
        """float64 (n_classes,): class shares, NaN when the role has no rows here."""
        total = self.total(role)
        return self.weights[role] / total if total > 0 else np.full(len(self.classes), np.nan)


def class_mix(tree: Tree, node: int, statistics: Mapping[str, np.ndarray | None]) -> ClassMix:
    """The class mix of a node in several roles.

    statistics : role -> tree.node_statistics.node_statistics(tree, table), computed once and kept for every node.
    """
    if not tree.classes:
        raise TreecoreError("A tree that predicts numbers has no classes", remedy="Use target_histogram")
    kept = {role: stats[node] for role, stats in statistics.items() if stats is not None}
    return ClassMix(int(node), tree.classes, kept)


@dataclass(frozen=True, eq=False, repr=False)
class TargetHistogram(Brief):
    """The target of a node's rows beside that of all rows of one table.

    edges : float64 (k + 1,), rising; a bin holds its left edge, the last one both.
    everyone, here : float64 (k,), case weight per bin of all rows, and of those in the node.
    mean, mean_here : float, their weighted means, NaN without rows. prediction : what the node answers.
    """

    node: int
    target: str
    edges: np.ndarray
    everyone: np.ndarray
    here: np.ndarray
    mean: float
    mean_here: float
    prediction: float


def target_histogram(tree: Tree, node: int, table: Table, ends: np.ndarray | None = None) -> TargetHistogram:
    """Histogram of a numeric target over a table's rows and over those that pass through a node.

    ends : tree.apply(table), when it is known already.
    """
    if tree.classes:
        raise TreecoreError("A tree that predicts classes has no target histogram", remedy="Use class_mix")
    refuse_counts(tree, "a histogram of the target")
    y, weight = true_numbers(tree, table), table.case_weights
    ends = tree.apply(table) if ends is None else ends
    below = tree.descendants(node)
    below[node] = True
    known = ~np.isnan(y)
    here = known & below[ends]
    edges = bins_of(y[known])
    counts = [np.histogram(y[rows], edges, weights=weight[rows])[0] for rows in (known, here)]
    means = [_mean(y[rows], weight[rows]) for rows in (known, here)]
    return TargetHistogram(
        int(node), tree.schema.target, edges, counts[0], counts[1], means[0], means[1], float(tree.summary[node])
    )


def _mean(y: np.ndarray, weight: np.ndarray) -> float:
    return float(y @ weight / weight.sum()) if weight.sum() > 0 else float("nan")
