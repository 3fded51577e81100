"""The values that a split parts, for the card beside the pointer: rows by value and class, and where it cuts."""

from collections.abc import Callable

import numpy as np

from treecore.data.table import Table
from treecore.figures import number
from treecore.tree.oblique import as_asked
from treecore.tree.tree import Tree

BINS = 22
MOST_WORK = 20_000_000
"""Rows times nodes from which on no histograms are made: they would be waited for."""


def into(rows: list[dict], tree: Tree, train: Table, ends: Callable[[], np.ndarray]) -> None:
    """Into every row of a node that cuts a number: its histogram, of the training rows. ends : node of each of them."""
    inner = [row for row in rows if not tree.is_leaf[row["id"]] and _is_number(tree, row["id"])]
    if train.n_rows * len(inner) > MOST_WORK:
        return
    for row in inner:
        found = _of_node(tree, row["id"], train, ends())
        if found is not None:
            row["histogram"] = found


def _is_number(tree: Tree, node: int) -> bool:
    feature = tree.schema.features[tree.splits.feature[node]]
    return feature.numeric and bool(np.isfinite(tree.splits.threshold[node]))


def _of_node(tree: Tree, node: int, train: Table, ends: np.ndarray) -> dict | None:
    below = np.zeros(tree.n_nodes, bool)
    below[tree.descendants(node)] = True
    below[node] = True
    column = as_asked(tree.schema, train).column(tree.schema.features[tree.splits.feature[node]].name)
    known = below[ends] & ~column.missing
    values = column.values()[known]
    if not len(values) or values.min() == values.max():
        return None
    low, high = float(values.min()), float(values.max())
    place = np.minimum(((values - low) / (high - low) * BINS).astype(int), BINS - 1)
    n = max(len(tree.classes), 1)
    group = train.target_column.codes[known] if tree.classes else np.zeros(len(values), int)
    counted = np.bincount(place * n + np.clip(group, 0, n - 1), minlength=BINS * n).reshape(BINS, n)
    cut = (float(tree.splits.threshold[node]) - low) / (high - low)
    return {
        "bins": counted.tolist(), "thresholds": [round(min(max(cut, 0.0), 1.0), 4)],
        "low": number(low), "high": number(high),
    }  # fmt: skip
