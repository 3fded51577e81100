"""Trees that each mend what those before them get wrong."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress
from treecore.data.column import numeric_column
from treecore.data.table import Table
from treecore.ensembles.boosted_classes import boost_classes
from treecore.ensembles.drawn import check_trees
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.predict import predicted_labels

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
    whole = _ready(table, n_trees)
    if not whole.classes:
        raise TreecoreError("AdaBoost here is for classes, the target has numbers", remedy="Choose another kind")
    k, weights = len(whole.classes), whole.case_weights / whole.case_weights.mean()
    trees, votes = [], []
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
        _told(progress, i + 1, n_trees)
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
    whole = _ready(table, n_trees)
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
        _told(progress, i + 1, n_trees)
    return Ensemble(whole, tuple(trees), np.full(n_trees, rate), adds=True, start=start)


def _ready(table: Table, n_trees: int) -> Table:
    """The rows with a target."""
    whole = table.without_missing_target()
    whole.check_trainable()
    check_trees(n_trees)
    return whole


def _told(progress: Callable | None, done: int, n: int) -> None:
    if progress is not None:
        progress(FoldProgress(0, n - done, n))
