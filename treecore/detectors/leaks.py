"""Features that answer nearly everything alone: often made from the answer, or known only after it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.data.table_like import cached_with_table
from treecore.detectors.finding import Finding
from treecore.errors import TreecoreError
from treecore.figures import percent
from treecore.fit import grow
from treecore.tree.tree import Tree

LEAST_ROWS, MOST_ROWS, MOST_COLUMNS = 40, 4000, 80
RIGHT = 0.98
"""Share of unseen rows that a leaking feature answers rightly, or of the variance that it explains, alone."""
LEFT = 0.1
"""Of the errors that the commonest answer makes at most this part may be left."""
MOST_LEAVES = 12


@cached_with_table
def leaks(table: Table) -> list[Finding]:
    """Features with which alone a small tree, grown on every other row, answers the rows between."""
    parts = halves(table)
    result = []
    for name in table.features[:MOST_COLUMNS] if parts else ():
        _, share = answered(*parts, (name,))
        if share is not None:
            result.append(Finding("leak", name, share, f"Alone it predicts {percent(share)} of unseen rows. "
                                 "Is it known before the target?"))  # fmt: skip
    return result


@cached_with_table
def halves(table: Table) -> tuple[Table, Table] | None:
    """Rows to be shown and rows to be asked for, of a table that has enough; drawn, as tables are often sorted.

    Without weights: answers are counted in rows.
    """
    if table.target is None or table.n_rows < LEAST_ROWS:
        return None
    rows = np.linspace(0, table.n_rows - 1, min(table.n_rows, MOST_ROWS)).astype(int)
    rows = np.random.default_rng(0).permutation(rows)
    # a leak gives an outcome away, not the effect of a treatment on it
    table = replace(table, weights=None, counts=None if table.task == "effects" else table.counts)
    return table.take(np.sort(rows[::2])), table.take(np.sort(rows[1::2]))


def answered(shown: Table, unseen: Table, names: tuple[str, ...]) -> tuple[Tree | None, float | None]:
    """A small tree of these features, and how much of the unseen rows it answers where that is nearly all."""
    try:
        tree = grow(_only(shown, names), "cart", max_leaves=MOST_LEAVES, missing="majority", max_exhaustive=4)
        answers = tree.predict(unseen)
    except TreecoreError:
        return None, None
    return tree, share_right(answers, shown, unseen) if tree.n_leaves > 1 else None


def _only(table: Table, names: tuple[str, ...]) -> Table:
    """The table with these features and no column besides: of a thousand, each would be looked at for each feature."""
    return replace(table, columns=tuple(map(table.column, (*names, table.target_column.name))), features=names)


def share_right(told: np.ndarray, shown: Table, unseen: Table) -> float | None:
    """How much of the unseen rows is answered rightly, where that is nearly all; else None."""
    right, first = _right(told, unseen), _right(np.full(unseen.n_rows, _commonest(shown), object), unseen)
    return right if right >= RIGHT and 1 - right <= LEFT * (1 - first) else None


def _right(told: np.ndarray, table: Table) -> float:
    """Share of rows answered rightly, or of the variance that is explained."""
    if table.task == "classification":
        return float((told == table.target_column.labels()).mean())
    y = table.target_column.values()
    spread = float(((y - y.mean()) ** 2).sum())
    return 1 - float(((y - told.astype(float)) ** 2).sum()) / spread if spread else 0.0


def _commonest(table: Table):
    if table.task == "classification":
        return table.classes[int(np.argmax(table.target_column.present()))]
    return float(table.target_column.values().mean())


# Two or three features that answer nearly everything together, though none of them does alone.

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
    result = [*_in_a_tree(parts, left), *_in_cells(parts, left), *_summed(parts, left)]
    result = [f for f in result if len(f[1]) < len(left)]
    if not result:
        return []
    share, names, how = min(result, key=lambda f: (len(f[1]), -f[0]))
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
        codes = ([part.column(name).codes for name in pair] for part in parts)
        cells, others = (one * (MOST_LEVELS + 1) + other for one, other in codes)
        size = ((MOST_LEVELS + 1) ** 2, len(shown.classes))
        counts = np.bincount(cells * size[1] + shown.target_column.codes, minlength=size[0] * size[1]).reshape(size)
        answers = np.asarray(shown.classes, object)[counts.argmax(axis=1)]
        share = share_right(answers[others], *parts)
        if share:
            yield share, pair, "a cell for each two values"


def _summed(parts: tuple[Table, Table], names: tuple[str, ...]) -> Iterator[tuple[float, tuple, str]]:
    """Pairs of numbers whose sum or difference, asked for by thresholds, answers."""
    numbers = [n for n in names if parts[0].column(n).kind == "numeric"]
    for a, b in combinations(_weightiest(parts[0], numbers), 2):
        for sign, how in ((1, "as their sum"), (-1, "as their difference")):
            values = [part.column(a).values() + sign * part.column(b).values() for part in parts]
            share = _answered_by(values, parts)
            if share:
                yield share, (a, b), how


def _answered_by(values: list[np.ndarray], parts: tuple[Table, Table]) -> float | None:
    """How much these numbers answer: a class by thresholds, a number along a line."""
    if parts[0].task == "classification":
        return answered(*(_with(part, v) for part, v in zip(parts, values, strict=True)), ("sum",))[1]
    known = ~np.isnan(values[0])
    if len(np.unique(values[0][known])) < 2:
        return None
    slope, start = np.polyfit(values[0][known], parts[0].target_column.values()[known], 1)
    answers = np.where(np.isnan(values[1]), np.nanmean(values[0]), values[1]) * slope + start
    return share_right(answers, *parts)


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
