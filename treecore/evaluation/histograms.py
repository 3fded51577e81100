"""One column counted: bins of numbers or levels, split by class."""

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.table import Table

ABOUT = 24
"""Bins a histogram of numbers has, roughly."""
MOST_LEVELS = 24
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
    shown = np.sort(np.argsort(-total, kind="stable")[:MOST_LEVELS])
    rare = column.n_distinct - len(shown)
    left_out = int(total.sum() - total[shown].sum())
    levels = tuple(column.levels[i] for i in shown)
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
