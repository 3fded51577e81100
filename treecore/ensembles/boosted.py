"""Gradient boosting and AdaBoost: trees that each correct the errors of those before them."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress
from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.ensembles.ensemble import Additive, Ensemble, softmax, summed_below
from treecore.ensembles.forest import trainable_rows
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree

# Gradient boosting of classes: trees of numbers, grown on what is left of the classes' probabilities.

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


NEVER_WRONG = 1e-10
"""The share of errors that a tree without any counts as, so that its vote is finite."""


def adaboost(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 50,
    progress: Callable[[FoldProgress], None] | None = None,
) -> Ensemble:
    """Each tree gives more weight to the rows that the one before got wrong; votes count by how few errors it made.

    A tree of weighted error e counts ln((1 - e) / e) + ln(K - 1), by which the weights of its errors grow, too. It ends
    with a tree that is never wrong, or no better than chance. Sources: Freund and Schapire (1997); Zhu et al. (2009),
    Multi-class AdaBoost (SAMME).
    """
    whole = trainable_rows(table, n_trees)
    if not whole.classes:
        raise TreecoreError("AdaBoost here is for classes, the target has numbers", remedy="Choose another kind")
    k, weights = len(whole.classes), whole.case_weights / whole.case_weights.mean()
    trees: list[Tree] = []
    votes: list[float] = []
    for i in range(n_trees):
        tree = grow_tree(whole.with_weights(weights), growth, any_target=True)
        wrong = predicted_labels(tree, whole) != whole.target_column.codes
        error = max(float(np.average(wrong, weights=weights)), NEVER_WRONG)
        vote = math.log((1 - error) / error) + math.log(k - 1)
        if vote <= 0 and trees:
            break
        trees.append(tree)
        votes.append(max(vote, NEVER_WRONG))
        if error == NEVER_WRONG or vote <= 0:
            break
        weights = weights * np.exp(vote * wrong)
        weights = weights / weights.mean()
        _report(progress, i + 1, n_trees)
    return Ensemble(whole, tuple(trees), np.array(votes), by_shares=False)


def gradient_boosting(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    rate: float = 0.1,
    progress: Callable[[FoldProgress], None] | None = None,
) -> Ensemble:
    """Each tree is grown on what is left of the target; `rate` of what it says is added.

    For squared error of numbers, and for the likelihood of classes (see boosted_classes). Source: Friedman (2001),
    Greedy function approximation: a gradient boosting machine.
    """
    whole = trainable_rows(table, n_trees)
    if not 0 < rate <= 1:
        raise TreecoreError(f"{rate!r} is no rate", where="rate", remedy="Give more than 0, at most 1")
    if whole.classes:
        return boost_classes(whole, growth, n_trees, rate, progress)
    target = whole.target_column.values()
    start = float(np.average(target, weights=whole.case_weights))
    left, trees = target - start, []
    for i in range(n_trees):
        column = numeric_column(whole.target, left)
        rows = replace(whole, columns=tuple(column if c.name == whole.target else c for c in whole.columns))
        trees.append(grow_tree(rows, growth, any_target=True))
        left = left - rate * trees[-1].predict(whole)
        _report(progress, i + 1, n_trees)
    return Ensemble(whole, tuple(trees), np.full(n_trees, rate), adds=True, start=start)


def _report(progress: Callable | None, done: int, n: int) -> None:
    if progress is not None:
        progress(FoldProgress(0, n - done, n))
