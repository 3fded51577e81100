"""A random forest: trees of bootstrap samples that draw features at every node."""

from collections.abc import Callable
from dataclasses import replace

from treecore.cross_validation import FoldProgress
from treecore.data.table import Table
from treecore.ensembles.drawn import bagging
from treecore.ensembles.ensemble import Ensemble
from treecore.growing.settings.grow_settings import GrowSettings

SHARE_OF_NUMBERS = 1 / 3
"""Of the features, drawn for a numeric target; for classes it is their square root."""


def random_forest(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
) -> Ensemble:
    """Trees of bootstrap samples; at each node of each tree some features are drawn, and the best split is of these.

    How many features growth.max_features says; where it says all, the square root of their number for classes and a
    third for numbers. The rest as in bagging. Source: Breiman (2001), Random forests.
    """
    return bagging(table, drawing(growth, table.task), n_trees, 1.0, seed, progress)


def drawing(growth: GrowSettings, task: str) -> GrowSettings:
    """The settings with features drawn at every node: as many as they say, or as many as is usual for this task."""
    if growth.max_features != "all":
        return growth
    if task == "classification":
        return replace(growth, max_features="sqrt")
    return replace(growth, max_features="share", share_features=SHARE_OF_NUMBERS)
