"""The values that a split parts, as a small picture of a node: rows by value and class, or answers by value, and where
it cuts."""

from collections.abc import Callable

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.figures import number
from treecore.kernels.codes import CUTS, LEVELS
from treecore.study.survival_curves import has_curves, small_curves
from treecore.tree.oblique import as_asked
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree
from treecore.tree.values import level_places

BINS, MOST_LEVELS, MOST_CLASSES, MOST_POINTS = 22, 16, 12, 72
MOST_ROWS = 50_000
"""Of a node with more, so many show its values as well."""
FENCE = 3.0
"""Interquartile ranges beyond which values stand at the end of the picture: they would leave no room to others."""


def into(rows: list[dict], tree: Tree, train: Table, ends: Callable[[], np.ndarray]) -> None:
    """Into every row of a node that is split: its picture, of the training rows. ends : node of each of them. Of
    survival times, into every row its curve."""
    inner = [row for row in rows if not row["leaf"] and not tree.is_leaf[row["id"]]]
    drawn = has_curves(tree)
    if not (inner or drawn) or not train.n_rows:
        return
    below = _RowsBelow(tree, ends())
    if drawn:
        _curves(rows, tree, train, below)
    table = as_asked(tree.schema, train)
    numbers = None if tree.classes or tree.schema.counts is not None else train.target_column.values()
    for row in inner:
        result = _picture(tree, row["id"], table, below.of(row["id"]), numbers)
        if result is not None:
            row["histogram"] = result


class _RowsBelow:
    """The rows that end below each node: those of a branch are neighbours once rows are sorted by where they end."""

    def __init__(self, tree: Tree, ends: np.ndarray):
        first, size = _preorder(tree)
        place = first[ends]
        self.order = np.argsort(place, kind="stable")
        self.place, self.first, self.size = place[self.order], first, size

    def of(self, node: int) -> np.ndarray:
        """int (n,): at most MOST_ROWS of them, evenly."""
        ends = self.first[node], self.first[node] + self.size[node]
        low, high = np.searchsorted(self.place, ends)
        return self.order[low : high : max(1, -(-(high - low) // MOST_ROWS))]


def _curves(rows: list[dict], tree: Tree, train: Table, below: "_RowsBelow") -> None:
    """The share without an event after each step of time, in thousandths: of the node's rows, and of all rows."""
    found = small_curves(tree, train, below.of, {0, *(row["id"] for row in rows)})
    for row in rows:
        row["curve"] = {"here": found.shares.get(row["id"], []), "whole": found.shares.get(0, [])}


def _preorder(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """int (n_nodes,): the place of each node where branches are walked one after the other, and the nodes of its
    branch, itself among them."""
    first, size = np.zeros(tree.n_nodes, int), np.ones(tree.n_nodes, int)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(size, tree.parent[nodes], size[nodes])
    for nodes in tree.levels[1:]:
        nodes = np.sort(nodes)
        before = np.cumsum(size[nodes]) - size[nodes]
        parents = tree.parent[nodes]
        eldest = np.searchsorted(nodes, tree.first_child[parents])
        first[nodes] = first[parents] + 1 + before - before[eldest]
    return first, size


class _Answers:
    """Numbers of the target in a node on its own scale: 0 at the bottom of the picture, 1 at its top."""

    def __init__(self, values: np.ndarray):
        self.values = values
        low, high = np.percentile(values, (1, 99)).tolist()
        self.low, self.span = low, (high - low) or 1.0

    def scaled(self, values: np.ndarray) -> np.ndarray:
        return np.clip((values - self.low) / self.span, 0.0, 1.0)

    def mean(self, part: np.ndarray) -> float:
        """Of some rows (bool mask)."""
        return round(float(self.scaled(self.values[part].mean())), 3) if part.any() else 0.0

    def points(self, share: np.ndarray) -> list[int]:
        """Place on the axis (share, 0 to 1) and answer of some rows, one after the other, in thousandths."""
        some = np.arange(len(share))
        if len(some) > MOST_POINTS:
            some = np.random.default_rng(len(some)).choice(len(some), MOST_POINTS, replace=False)
        both = np.column_stack([share[some], self.scaled(self.values[some])])
        return np.round(1000 * both).astype(int).ravel().tolist()


def _picture(tree: Tree, node: int, table: Table, rows: np.ndarray, numbers: np.ndarray | None) -> dict | None:
    column = table.column(tree.schema.features[tree.splits.feature[node]].name)
    rows = rows[column.codes[rows] != column.n_distinct]
    if numbers is not None:
        rows = rows[~np.isnan(numbers[rows])]
    if not len(rows):
        return None
    groups, answers = _classes(tree, table, rows), None if numbers is None else _Answers(numbers[rows])
    if column.kind != "numeric":
        return _of_levels(tree, node, column, column.codes[rows].astype(int), groups, answers)
    values, cuts = column.numbers_of(column.codes[rows]), _thresholds(tree, node)
    sides = np.searchsorted(cuts, values, "left" if tree.splits.closed[node] else "right")
    return _of_numbers(cuts, values, sides, groups, answers)


def _classes(tree: Tree, table: Table, rows: np.ndarray) -> np.ndarray:
    """int (n,): the class of each row, -1 for those of classes that have no colour of their own; 0 for numbers."""
    if not tree.classes:
        return np.zeros(len(rows), int)
    column = table.target_column
    known = {name: k for k, name in enumerate(tree.classes)}
    places = np.array([known.get(name, len(known)) for name in column.level_names] + [len(known)])
    codes = places[column.codes[rows].astype(int)]
    many = np.bincount(codes, minlength=len(tree.classes))
    if np.count_nonzero(many) > MOST_CLASSES:
        codes = np.where(np.isin(codes, np.argsort(-many, kind="stable")[:MOST_CLASSES]), codes, -1)
    return np.where(codes < len(tree.classes), codes, -1)


def _thresholds(tree: Tree, node: int) -> np.ndarray:
    splits = tree.splits
    if splits.kind[node] == CUTS:
        cuts = splits.cuts[splits.cut_start[node] : splits.cut_start[node + 1]]
    else:
        cuts = splits.threshold[node : node + 1]
    return cuts[np.isfinite(cuts)]


# ---------------------------------------------------------------- numbers


def _of_numbers(
    cuts: np.ndarray, values: np.ndarray, sides: np.ndarray, groups: np.ndarray, answers: _Answers | None
) -> dict | None:  # fmt: skip
    """sides : int (n,), how many of the cuts each value is above."""
    least, most = float(values.min()), float(values.max())
    if least == most or not len(cuts) or not np.isfinite(most - least):
        return None
    low, high, n_bins = _scale(values, cuts)
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    at = np.clip((cuts - low) / (high - low), 0.0, 1.0)
    place = np.minimum((share * n_bins).astype(int), n_bins - 1)
    result = {
        "series": _series(place, groups, n_bins), "thresholds": np.round(at, 4).tolist(),
        "low": ("≤ " if low > least else "") + number(max(low, least)),
        "high": ("≥ " if high < most else "") + number(min(high, most)),
    }  # fmt: skip
    if answers is None:
        return result
    ends = np.concatenate([[0.0], at, [1.0]])
    means = [
        [round(float(ends[side]), 3), round(float(ends[side + 1]), 3), answers.mean(sides == side)]
        for side in np.unique(sides).tolist()
    ]
    return result | {"points": answers.points(share), "means": means}


def _scale(values: np.ndarray, cuts: np.ndarray) -> tuple[float, float, int]:
    """Both ends of the axis, and how many bars stand on it: one per value where these are few and evenly spaced."""
    distinct = np.unique(values)
    steps = np.diff(distinct)
    step, span = float(steps.min()), float(distinct[-1] - distinct[0])
    if span <= (BINS - 0.5) * step and np.allclose(np.round(steps / step), steps / step):
        return float(distinct[0]) - step / 2, float(distinct[-1]) + step / 2, round(span / step) + 1
    first, third = np.percentile(values, (25, 75))
    fence = FENCE * float(third - first)
    low, high = float(distinct[0]), float(distinct[-1])
    if fence > 0:
        low, high = max(low, float(first) - fence), min(high, float(third) + fence)
    margin = 0.06 * (high - low)
    return min(low, float(cuts.min()) - margin), max(high, float(cuts.max()) + margin), BINS


# ---------------------------------------------------------------- levels


def _of_levels(
    tree: Tree, node: int, column: Column, codes: np.ndarray, groups: np.ndarray, answers: _Answers | None
) -> dict | None:  # fmt: skip
    """A bar per level, branch by branch; of many levels the commonest, and one bar for the others of a branch."""
    branch = _branches(tree, node, column)
    many = np.bincount(codes, minlength=column.n_distinct)
    there = np.flatnonzero(many)
    if len(there) < 2:
        return None
    kept = np.sort(there[np.argsort(-many[there], kind="stable")[:MOST_LEVELS]])
    rest = np.setdiff1d(there, kept)
    bars = [(int(branch[k]), 0, int(k), [int(k)]) for k in kept]
    bars += [(int(b), 1, 0, rest[branch[rest] == b].tolist()) for b in np.unique(branch[rest])]
    bars.sort()
    place = np.zeros(column.n_distinct, int)
    for i, (*_, levels) in enumerate(bars):
        place[levels] = i
    names = [shorten(column.level_names[ks[0]], 24) if not is_rest else f"{len(ks)} more" for _, is_rest, _, ks in bars]
    result = {"levels": names, "branches": [bar[0] for bar in bars], "series": _series(place[codes], groups, len(bars))}
    if answers is None:
        return result
    n, jitter = len(bars), np.random.default_rng(node).uniform(0.2, 0.8, len(codes))
    means = [[round(i / n, 3), round((i + 1) / n, 3), answers.mean(place[codes] == i)] for i in range(n)]
    return result | {"points": answers.points((place[codes] + jitter) / n), "means": means}


def _branches(tree: Tree, node: int, column: Column) -> np.ndarray:
    """int (n_distinct,): the branch of every level of the table; -1 of one that the node has not seen."""
    splits = tree.splits
    places = level_places(tree.schema.features[splits.feature[node]], column)
    if splits.kind[node] == LEVELS:
        known = splits.levels(node)
        there = (places >= 0) & (places < len(known))
        return np.where(there, known[np.where(there, places, 0)], -1).astype(int)
    return np.where(places < 0, -1, np.searchsorted(_thresholds(tree, node), places))


# ---------------------------------------------------------------- what both have


def _series(place: np.ndarray, groups: np.ndarray, n: int) -> list[list]:
    """(class, rows of every bar) of the classes that have any."""
    return [[k, np.bincount(place[groups == k], minlength=n).tolist()] for k in np.unique(groups).tolist()]
