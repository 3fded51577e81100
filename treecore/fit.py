"""The front door: grow, prune, or do all that a recipe says."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings import Growth
from treecore.pruning import PRUNERS, Cuts, Reason
from treecore.recipe import Data, Edit, Grow, Prune, Recipe, Split
from treecore.tree.tree import Tree


def grow(table: Table, recipe: str | Recipe | Growth = "cart", *, progress: Callable | None = None, **settings) -> Tree:
    """Grow the full tree on the rows of a table.

    recipe : a preset's name, a Recipe or Growth settings. settings : override single settings of Growth.
    progress : called with growing.grower.Progress every fraction of a second; raising ends the fit.
    """
    if isinstance(recipe, str):
        growth = Grow(recipe).growth()
    else:
        growth = recipe.growth() if isinstance(recipe, Recipe) else recipe
    growth = Growth.from_dict(growth.to_dict() | settings)
    return grow_tree(table, growth, progress)


def prune(
    tree: Tree, method: str, *, train: Table | None = None, validation: Table | None = None, **parameters
) -> Cuts:
    """The cuts that a strategy makes; `tree` itself never changes.

    train, validation : rows the strategy may look at. parameters : see pruning.PRUNERS[method].
    """
    step = Prune(method, tuple(parameters.items()))
    pruner = PRUNERS[step.method]
    if pruner.needs_validation and validation is not None and validation.target != tree.schema.target:
        raise TreecoreError(
            f"The tree predicts {tree.schema.target!r}, the validation rows have the target {validation.target!r}",
            where="Target",
            remedy="Give the rows of the same table",
        )
    return pruner.cuts(tree, validation, **dict(step.parameters))


@dataclass(frozen=True, eq=False)
class Fit:
    """All that a recipe gives: the three roles, the grown tree, the cuts over it."""

    recipe: Recipe
    train: Table
    validation: Table
    test: Table
    grown: Tree
    cuts: Cuts

    @property
    def tree(self) -> Tree:
        """The pruned tree."""
        return self.grown.cut(self.cuts)


def fit(table: Table, recipe: Recipe | str = "cart", *, progress: Callable | None = None) -> Fit:
    """Do every step of a recipe in order. Without a split step all rows train."""
    if isinstance(recipe, str):
        recipe = Recipe((Grow(recipe),))
    data = recipe.last(Data)
    if data is not None:
        table = _checked(table, data)
    split = recipe.last(Split) or Split(train=1.0, validation=0.0, test=0.0)
    train, validation, test = table.split(split.roles())
    grown = grow_tree(train, recipe.growth(), progress)
    cuts = Cuts.none(grown)
    for step in recipe.steps:
        if isinstance(step, Prune):
            cuts = prune(grown, step.method, train=train, validation=validation, **dict(step.parameters))
        elif isinstance(step, Edit):
            cuts = edited(grown, cuts, step)
    return Fit(recipe, train, validation, test, grown, cuts)


def _checked(table: Table, data: Data) -> Table:
    if data.fingerprint and data.fingerprint != table.fingerprint:
        raise TreecoreError(
            "The recipe was written for other data",
            where="Data",
            remedy="Load the table it names, or clear its fingerprint to replay it on this one",
        )
    table = table.with_kinds(dict(data.kinds)).with_target(data.target or table.target)
    return table.with_features(data.features) if data.features else table


def edited(tree: Tree, cuts: Cuts, edit: Edit) -> Cuts:
    """The cuts after one edit by hand; TreecoreError where the tree is not what the edit expects."""
    node = _node_at(tree, edit)
    reason = Reason("by hand", f"{edit.action} by hand")
    return cuts.cut(tree, node, reason) if edit.action == "cut" else cuts.restore(node, reason)


def _node_at(tree: Tree, edit: Edit) -> int:
    node = 0
    for branch in edit.path:
        if branch not in range(int(tree.n_children[node])):
            raise _mismatch(edit, f"node {node} has no branch {branch}")
        node = int(tree.first_child[node]) + branch
    found = tree.node(node).feature or "nothing (it is a leaf)"
    if edit.expect and found != edit.expect:
        raise _mismatch(edit, f"node {node} tests {found!r} there")
    return node


def _mismatch(edit: Edit, why: str) -> TreecoreError:
    remedy = "Undo the steps after growing, or grow with the former settings"
    return TreecoreError(f"The recipe wants to {edit.text()}, but {why}", where="recipe", remedy=remedy)


def edit_of(tree: Tree, node: int, action: str) -> Edit:
    """The recipe step that cuts or restores this node."""
    ids = tree.path(node)
    path = tuple(int(b - tree.first_child[a]) for a, b in itertools.pairwise(ids))
    return Edit(action, path, tree.node(node).feature or "")


__all__ = ["Fit", "edit_of", "edited", "fit", "grow", "prune"]
