"""What a recipe makes of some rows of a table: every choice is made among these, none in sight of the others."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from treecore.cross_validation import lone_root
from treecore.data.roles import Roles
from treecore.data.table import Table
from treecore.data.table_like import lone_value
from treecore.errors import TreecoreError
from treecore.fit import described_by, grow, prune
from treecore.growing.settings import problem
from treecore.pruning import PRUNERS
from treecore.recipe import Data, Grow, Prepare, Prune, Recipe, Split
from treecore.tree.tree import Tree

TRAIN_SHARE = 0.75
"""Of a fold's other rows, where a recipe needs validation rows and does not say how many."""


def watches_validation(recipe: Recipe) -> bool:
    """Does any choice of this recipe look at validation rows?"""
    given = _parameters(recipe)
    by_rows = given.get("choose") == "validation" and given.get("alpha") is None
    return PRUNERS[(recipe.last(Prune) or Prune()).method].needs_validation or by_rows or recipe.growth().patience > 0


def draws_folds(recipe: Recipe) -> bool:
    """Does its pruning choose a size by folds of the training rows?"""
    given = _parameters(recipe)
    return given.get("choose") == "cross-validation" and given.get("alpha") is None


def _parameters(recipe: Recipe) -> dict:
    """Of its pruning, by name, those that it does not name as they are else."""
    step = recipe.last(Prune) or Prune()
    return {p.name: p.default for p in PRUNERS[step.method].parameters} | dict(step.parameters)


def without_backups(recipe: Recipe, table: Table) -> Recipe:
    """The recipe without surrogate splits where no row of the table would ask one."""
    growth = recipe.last(Grow)
    if growth is None or problem.prediction_only(growth.growth(), table) == growth.growth():
        return recipe
    bare = replace(growth, settings=tuple((dict(growth.settings) | {"max_surrogates": 0}).items()))
    return Recipe(tuple(bare if step is growth else step for step in recipe.steps))


def described(table: Table, recipe: Recipe) -> Table:
    """With the target, the features and the kinds that the recipe names."""
    data = recipe.last(Data)
    return table if data is None else described_by(table, data)


def roles_of(rest: Table, recipe: Recipe) -> tuple[Table, Table]:
    """The training and the validation rows of a fold; none validate where the recipe does not look at them."""
    if not watches_validation(recipe):
        return rest, rest.take(np.empty(0, np.int64))
    split = recipe.last(Split) or Split()
    held = split.pruning or split.validation
    share = split.train / (split.train + held) if split.column is None and held > 0 else TRAIN_SHARE
    train, validation, *_ = rest.split(Roles(share, 1 - share, 0.0, stratify=split.stratify, seed=split.seed))
    return train, validation


def varies(train: Table) -> bool:
    """Is there anything to learn from these rows?"""
    try:
        train.check_trainable()
    except TreecoreError:
        return False
    return not lone_value(train)


def of_one_class(table: Table, recipe: Recipe, train: Table) -> Tree:
    """The lone root of a fold's rows; TreecoreError where the whole table cannot be learned from either."""
    return lone_root(grow(table, recipe, max_depth=0), train)


def tree_of(recipe: Recipe, train: Table, validation: Table, look: Callable) -> Tree:
    grown = grow(train, recipe, progress=look, validation=validation)
    return pruned_by(recipe, grown, train, validation, look)


def pruned_by(recipe: Recipe, grown: Tree, train: Table | None, validation: Table | None, look: Callable) -> Tree:
    """What the recipe's pruning leaves of its tree. train, validation : None where it does not look at them.

    A sample of fewer rows than the recipe has folds is parted into as many as there are rows.
    """
    look()
    step = recipe.last(Prune) or Prune()
    given = dict(step.parameters)
    if train is not None and draws_folds(recipe):
        given["folds"] = max(2, min(_parameters(recipe)["folds"], train.n_rows))
    made = prune(grown, step.method, train=train, validation=validation, progress=look, **given)
    return grown.cut(made) if made.changes else grown


def prepared(recipe: Recipe, train: Table, validation: Table | None, pruning: Table | None) -> dict[str, Table]:
    """Role -> its rows as the recipe prepares them; roles of None are left out."""
    given = {"train": train, "validation": validation, "pruning": pruning}
    known = {role: rows for role, rows in given.items() if rows is not None}
    return dict(zip(known, (recipe.last(Prepare) or Prepare()).tables(*known.values()), strict=True))


def grown_from(recipe: Recipe, roles: dict[str, Any]) -> Tree:
    """The recipe's pruned tree of roles that are prepared; steps by hand are not repeated."""
    grown = grow(roles["train"], recipe, validation=roles.get("validation"))
    step = recipe.last(Prune) or Prune()
    made = prune(grown, step.method, **roles, **dict(step.parameters))
    return grown.cut(made) if made.changes else grown


def grown_of(recipe: Recipe, train: Table, validation: Table | None = None, pruning: Table | None = None) -> Tree:
    """The recipe's pruned tree of these roles, prepared first; steps by hand are not repeated."""
    return grown_from(recipe, prepared(recipe, train, validation, pruning))
