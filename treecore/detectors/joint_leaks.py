"""Two or three features that answer nearly everything together, though none of them does alone."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from treecore.data.column import Column, numeric_column
from treecore.data.table import Table
from treecore.detectors.finding import Finding
from treecore.detectors.leaks import answered, halves, leaks, share_right
from treecore.figures import percent

MOST_TOGETHER = 3
MOST_LEVELS, MOST_CELL_COLUMNS = 12, 24
"""Columns of few values are tried in pairs, a cell for each two values: a greedy tree does not find an exclusive or."""
MOST_SUMMED = 6
"""Numeric columns that are added and subtracted in pairs: those of most weight in a linear fit."""


def joint_leaks(table: Table) -> list[Finding]:
    """The fewest features, two or three of more, that answer rows not shown: in a small tree, by cells, as a sum."""
    parts = halves(table)
    if parts is None:
        return []
    told = {finding.column for finding in leaks(table)}
    left = tuple(name for name in table.features if name not in told)
    if len(left) < 3:
        return []
    found = [*_in_a_tree(parts, left), *_in_cells(parts, left), *_summed(parts, left)]
    found = [f for f in found if len(f[1]) < len(left)]
    if not found:
        return []
    share, names, how = min(found, key=lambda f: (len(f[1]), -f[0]))
    first, *others = names
    text = f"Together with {' and '.join(others)}, {how}, it predicts {percent(share)} of unseen rows. " \
           "Are they known before the target?"  # fmt: skip
    return [Finding("joint_leak", first, share, text, others=tuple(others))]


def _in_a_tree(parts: tuple[Table, Table], names: tuple[str, ...]) -> Iterator[tuple[float, tuple, str]]:
    tree, share = answered(*parts, names)
    used = tuple(n for n in names if n in {tree.node(i).feature for i in range(tree.n_nodes)}) if share else ()
    if 2 <= len(used) <= MOST_TOGETHER:
        yield share, used, "in a small tree"


def _in_cells(parts: tuple[Table, Table], names: tuple[str, ...]) -> Iterator[tuple[float, tuple, str]]:
    """Pairs of columns whose values, two together, stand beside one class."""
    shown = parts[0]
    few = [n for n in names if shown.column(n).n_distinct <= MOST_LEVELS][:MOST_CELL_COLUMNS]
    for pair in combinations(few, 2) if shown.task == "classification" else ():
        cells, others = (_cells(*(part.column(n) for n in pair)) for part in parts)
        size = ((MOST_LEVELS + 1) ** 2, len(shown.classes))
        counts = np.bincount(cells * size[1] + shown.target_column.codes, minlength=size[0] * size[1]).reshape(size)
        told = np.asarray(shown.classes, object)[counts.argmax(axis=1)]
        share = share_right(told[others], *parts)
        if share:
            yield share, pair, "a cell for each two values"


def _cells(a: Column, b: Column) -> np.ndarray:
    return a.codes * (MOST_LEVELS + 1) + b.codes


def _summed(parts: tuple[Table, Table], names: tuple[str, ...]) -> Iterator[tuple[float, tuple, str]]:
    """Pairs of numbers whose sum or difference, asked for by thresholds, answers."""
    numbers = [n for n in names if parts[0].column(n).kind == "numeric"]
    for a, b in combinations(_weightiest(parts[0], numbers), 2):
        for sign, how in ((1, "as their sum"), (-1, "as their difference")):
            values = [part.column(a).values() + sign * part.column(b).values() for part in parts]
            share = _told_by(values, parts)
            if share:
                yield share, (a, b), how


def _told_by(values: list[np.ndarray], parts: tuple[Table, Table]) -> float | None:
    """How much these numbers answer: a class by thresholds, a number along a line."""
    if parts[0].task == "classification":
        return answered(*(_with(part, v) for part, v in zip(parts, values, strict=True)), ("sum",))[1]
    known = ~np.isnan(values[0])
    if len(np.unique(values[0][known])) < 2:
        return None
    slope, start = np.polyfit(values[0][known], parts[0].target_column.values()[known], 1)
    told = np.where(np.isnan(values[1]), np.nanmean(values[0]), values[1]) * slope + start
    return share_right(told, *parts)


def _weightiest(shown: Table, names: list[str]) -> list[str]:
    """The numbers that say most of the target in a linear fit to all of them, each class against the others."""
    if len(names) <= MOST_SUMMED:
        return names
    x = np.column_stack([shown.column(n).values() for n in names])
    x = np.nan_to_num((x - np.nanmean(x, axis=0)) / np.maximum(np.nanstd(x, axis=0), 1e-300))
    y = shown.target_column.values()
    goal = y[:, None] if shown.task == "regression" else y[:, None] == np.arange(len(shown.classes))
    weight = np.abs(linear_fit(x, goal - goal.mean(axis=0))).max(axis=1)
    return [names[i] for i in np.sort(np.argsort(-weight)[:MOST_SUMMED])]


def linear_fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The smallest weights, float64 (d, k), of those by which x, float64 (n, d), comes nearest to y, float64 (n, k).

    By the smaller one of the products of x with itself, rows or columns: the decomposition of x would take a page of a
    thousand columns half a second. What is nearly the same in all columns is left out twice as soon for that.
    """
    is_wide = x.shape[0] < x.shape[1]
    size, axes = np.linalg.eigh(x @ x.T if is_wide else x.T @ x)
    axes, size = (kept[..., size > size[-1] * max(x.shape) * np.finfo(float).eps] for kept in (axes, size))
    inverse = (axes / size) @ axes.T
    return x.T @ (inverse @ y) if is_wide else inverse @ (x.T @ y)


def _with(part: Table, values: np.ndarray) -> Table:
    """The target beside one column of these numbers."""
    return Table((numeric_column("sum", values), replace(part.target_column, name="target")), "target", ("sum",))
