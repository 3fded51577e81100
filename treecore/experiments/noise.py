"""The tree that a recipe grows where a part of the training rows is wrong."""

import numpy as np

from treecore.data.table import Table
from treecore.experiments.curves import all_disturbed
from treecore.experiments.moved import grown_from, prepared
from treecore.recipe import Recipe
from treecore.tree.tree import Tree


def grown_in_noise(
    recipe: Recipe, feature: str | tuple[str, ...], part: float, train: Table, validation: Table | None = None,
    pruning: Table | None = None, seed: int = 0,
) -> tuple[Tree, Table]:  # fmt: skip
    """(The recipe's pruned tree, the rows that it was grown on): the rows of the other roles stay as they are.

    feature, part : as of curves.all_disturbed. train, validation, pruning : before the recipe prepares them.
    """
    wrong = all_disturbed(train, feature, part, np.random.RandomState(seed))
    roles = prepared(recipe, wrong, validation, pruning)
    return grown_from(recipe, roles), roles["train"]
