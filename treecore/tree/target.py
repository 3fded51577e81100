"""The target of a table's rows, in the coding of a tree."""

import numpy as np

from treecore.data.column import Column
from treecore.data.level_index import places_among
from treecore.data.table import Table
from treecore.data.table_like import counts_of
from treecore.errors import TreecoreError
from treecore.tree.tree import Tree


def true_labels(tree: Tree, table: Table) -> np.ndarray:
    """int64 (n_rows,): index of each row's class in `tree.classes`; -1 where it is missing or unknown to the tree.

    TreecoreError for a table that has the target as numbers, or not at all.
    """
    return labels_among(tree.classes, _target(tree, table))


def labels_among(classes: tuple[str, ...], target: Column) -> np.ndarray:
    """int64 (n_rows,): index of each row's class in `classes`; -1 where it is missing or none of them."""
    return np.maximum(np.append(places_among(classes, target.levels), -1), -1)[target.codes]


def true_numbers(tree: Tree, table: Table) -> np.ndarray:
    """float64 (n_rows,): each row's target; NaN where it is missing.

    TreecoreError for a table that has the target as classes, or not at all.
    """
    return _target(tree, table).values()


def true_target(tree: Tree, table: Table) -> np.ndarray:
    """The target of each row as the tree's kind of target takes it: true_labels, true_numbers or true_counts."""
    if tree.schema.counts is not None:
        return true_counts(tree, table)
    return true_labels(tree, table) if tree.classes else true_numbers(tree, table)


def true_counts(tree: Tree, table: Table) -> np.ndarray:
    """float64 (n_rows, 2): each row's events and exposure; NaN where one is missing.

    TreecoreError for a table that lacks one of the columns, and for numbers that are no counts or no exposure.
    """
    return counts_of(table, tree.schema.target, tree.schema.counts)


def refuse_counts(tree: Tree, what: str) -> None:
    """TreecoreError for a tree of counts. what : that has no meaning for it yet, "a check of later rows"."""
    if tree.schema.counts is not None:
        raise TreecoreError(
            f"The tree predicts {tree.schema.counts.held}, and {what} is for targets of classes and of numbers",
            where=f"Target {tree.schema.target!r}",
            remedy=f"Grow another tree, which predicts {tree.schema.counts.instead}",
        )


def has_target(tree: Tree, table: Table) -> np.ndarray:
    """bool (n_rows,): which rows have a target that the tree can be judged by."""
    return tree.target_kind.is_known(true_target(tree, table))


def _target(tree: Tree, table: Table) -> Column:
    target = table.column(tree.schema.target)
    if (target.kind == "numeric") == bool(tree.classes):
        wanted = "classes" if tree.classes else "numbers"
        raise TreecoreError(
            f"The tree predicts {wanted}, this table has the target as {target.kind}",
            where=f"Column {target.name!r}",
            remedy="Judge the tree on the kind of target it was grown with, or grow it again",
        )
    return target
