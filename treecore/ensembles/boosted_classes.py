"""Gradient boosting of classes: trees of numbers, grown on what is left of the classes' probabilities."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress
from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.ensembles.additive import Additive, softmax, summed_below
from treecore.ensembles.ensemble import Ensemble
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree

LEAST = 1e-150
"""A smaller sum of curvatures is none: all rows there are sure, and nothing is added."""
SETTINGS_OF_CLASSES = {
    "criterion": "", "score": "decrease", "priors": None, "loss": None, "profit": None, "cuts": "all", "test": "none",
    "patience": 0,
}  # fmt: skip
"""Settings that mean classes, or rows that judge, and what the trees of numbers have instead."""


def boost_classes(
    whole: Table,
    growth: GrowSettings,
    n_trees: int,
    rate: float,
    progress: Callable[[FoldProgress], None] | None,
) -> Additive:
    """Each tree is grown on the class's 0 or 1 less its probability so far, and adds one Newton step in every leaf.

    Two classes take one tree after the other, more of them a tree per class in turn; n_trees counts all. Sources:
    Friedman (2001), algorithms 5 and 6; probabilities are those of the softmax of the scores.
    """
    k, settings = len(whole.classes), replace(growth, **SETTINGS_OF_CLASSES)
    weights, told = whole.case_weights, np.eye(k)[whole.target_column.codes]
    shares = weights @ told / weights.sum()
    with np.errstate(divide="ignore"):
        starts = np.maximum(np.log(shares), np.log(np.finfo(float).eps))
    scores, trees, steps = np.tile(starts, (whole.n_rows, 1)), [], []
    for i in range(n_trees):
        of, begin = _turn(i, k)
        if i == begin:  # the trees of one round see the same probabilities
            left = told - softmax(scores)
        tree, step = _grown(whole, settings, left[:, of], rate, 1.0 if k == 2 else (k - 1) / k)
        trees.append(tree)
        steps.append(step * (np.arange(k) == of))
        scores = scores + steps[-1][tree.apply(whole)]
        if progress is not None:
            progress(FoldProgress(0, n_trees - i - 1, n_trees))
    return Additive(whole, tuple(trees), np.full(n_trees, rate), steps=tuple(steps), starts=starts)


def _grown(whole: Table, growth: GrowSettings, left: np.ndarray, rate: float, factor: float) -> tuple[Tree, np.ndarray]:
    """(the tree of what is left, float64 (n_nodes, 1): what its nodes add)."""
    rows = _with_target(whole, left)
    tree, weights = grow_tree(rows, growth, any_target=True), whole.case_weights
    numbers = np.stack([weights * left, weights * np.abs(left) * (1 - np.abs(left))], axis=1)
    slope, curvature = summed_below(tree, tree.apply(rows), numbers).T
    step = np.divide(slope, curvature, out=np.zeros(len(slope)), where=curvature > LEAST)
    return tree, rate * factor * step[:, None]


def _turn(i: int, k: int) -> tuple[int, int]:
    """(the class whose score the i-th tree adds to, the first tree of its round)."""
    return (1, i) if k == 2 else (i % k, i - i % k)


def adds_to(many: Ensemble, i: int) -> str:
    """The class whose score the i-th tree adds to; "" where trees do not take turns among classes."""
    if len(many.classes) < 2 or many.trees[i].classes:
        return ""
    return many.classes[_turn(i, len(many.classes))[0]]


def _with_target(rows: Table, numbers: np.ndarray) -> Table:
    column = numeric_column(rows.target, numbers)
    return replace(rows, columns=tuple(column if c.name == rows.target else c for c in rows.columns))


def grown_on(many: Ensemble, i: int) -> Table:
    """The rows of the i-th tree with the target that it was grown on; as they are where it is a tree of classes."""
    if not many.classes or many.trees[i].classes:
        return many.table
    of, begin = _turn(i, len(many.classes))
    scores = np.tile(many.starts, (many.table.n_rows, 1))
    for tree, step in zip(many.trees[:begin], many.steps, strict=False):
        scores = scores + step[tree.apply(many.table)]
    told = np.eye(len(many.classes))[many.table.target_column.codes]
    return _with_target(many.table, (told - softmax(scores))[:, of])
