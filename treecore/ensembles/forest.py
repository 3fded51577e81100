"""Random forests: trees of bootstrap samples that draw features at every node, or of all rows that draw thresholds,
too."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.ensembles.drawn import bagging, check_trees, with_seed
from treecore.ensembles.ensemble import Ensemble
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree

SHARE_OF_NUMBERS = 1 / 3
"""Of the features, drawn for a numeric target; for classes it is their square root."""


def random_forest(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Trees of bootstrap samples; at each node of each tree some features are drawn, and the best split is of these.

    How many features growth.max_features says; where it says all, the square root of their number for classes and a
    third for numbers. The rest as in bagging. Source: Breiman (2001), Random forests.
    """
    return bagging(table, drawing(growth, table.task), n_trees, 1.0, seed, progress, n_jobs)


def extra_trees(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Trees of all rows; at each node one threshold of each feature is drawn, and the best split is of these.

    For classes some features are drawn as well, as in random_forest. Levels of words are grouped by a full search.
    Source: Geurts, Ernst and Wehenkel (2006), Extremely randomized trees.
    """
    whole = table.without_missing_target()
    whole.check_trainable()
    check_trees(n_trees)
    rng = np.random.RandomState(seed)
    growth = replace(drawing(growth, whole.task) if whole.task == "classification" else growth, cuts="random")
    own = [with_seed(growth, rng) for _ in range(n_trees)]

    def one(i: int, look: Callable) -> tuple[Tree, int]:
        look()
        return grow_tree(whole, own[i], look, any_target=True), 0

    return Ensemble(whole, tuple(in_threads(n_trees, one, progress, n_jobs)), np.ones(n_trees))


def drawing(growth: GrowSettings, task: str) -> GrowSettings:
    """The settings with features drawn at every node: as many as they say, or as many as is usual for this task."""
    if growth.max_features != "all":
        return growth
    if task == "classification":
        return replace(growth, max_features="sqrt")
    return replace(growth, max_features="share", share_features=SHARE_OF_NUMBERS)
