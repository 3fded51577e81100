"""Trees in a notebook: the canvas of the app in a cell, and what is done on it by hand back in Python."""

from typing import TYPE_CHECKING

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import Fit
from treecore.recipe import Recipe
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from treecore.notebook.widget import TreeView


def explore(
    what: "Tree | Table | Fit",
    table: Table | None = None,
    *,
    validation: Table | None = None,
    recipe: "Recipe | str | None" = None,
    interest: str | None = None,
    height: int = 560,
) -> "TreeView":
    """A tree to be explored in a notebook: opened and searched, cut, pruned along its curve, split by a rival.

    The widget has `selected`, `tree` and `recipe`, which follow what is done by hand and may be set.
    what : a tree; a Fit; or a table, of which a tree is grown.
    table : of a tree, the rows that it was grown on. Without them it can be looked at and cut; with them its nodes tell
        their rivals and rows, and the splits of a tree that was grown here can be exchanged.
    validation : of a tree, rows that judge it.
    recipe : of a table, what its tree is made by: a preset's name or a Recipe; else what suits the table.
    interest : the class whose share the nodes tell, else the rarer of two. height : pixels of the widget.
    TreecoreError where the extra `notebook` is not installed, and for tables without a target.
    """
    try:
        from treecore.notebook.widget import TreeView
    except ImportError as fault:
        remedy = 'Install it: pip install "treecore[notebook]"'
        raise TreecoreError("This needs anywidget", where="explore", remedy=remedy) from fault
    from treecore.notebook.exploration import exploration_of

    return TreeView(exploration_of(what, table, validation, recipe), interest=interest, height=height)
