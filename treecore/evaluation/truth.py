"""What the rows of a table really are, and what a tree says of them, in one coding."""

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.predict import route
from treecore.tree.tree import Tree


def true_labels(tree: Tree, table: Table) -> np.ndarray:
    """int64 (n_rows,): index of each row's class in `tree.classes`; -1 where it is missing or unknown to the tree."""
    target = _target(tree, table)
    index = {name: k for k, name in enumerate(tree.classes)}
    known = np.array([index.get(level, -1) for level in target.levels] + [-1], np.int64)
    return known[target.codes]


def true_numbers(tree: Tree, table: Table) -> np.ndarray:
    """float64 (n_rows,): each row's target; NaN where it is missing."""
    return _target(tree, table).values()


def predicted_labels(tree: Tree, rows) -> np.ndarray:
    """int64 (n_rows,): index of the class that `tree.predict` answers; -1 for "no answer"."""
    routes = route(tree, rows)
    if not len(routes.row) or len(routes.row) == routes.row[-1] + 1:
        return np.asarray(tree.value[routes.node], np.int64)
    index = {name: k for k, name in enumerate(tree.classes)} | {None: -1}
    return np.array([index[name] for name in tree.predict(rows)], np.int64)


def case_weights(table: Table) -> np.ndarray:
    """float64 (n_rows,): the case weights, 1 each where the table has none."""
    return np.ones(table.n_rows) if table.weights is None else table.weights


def class_shares(table: Table) -> np.ndarray:
    """float64 (n_classes,): each class's share of the table's weight, in the order of its classes; NaN without rows."""
    target = table.target_column
    weight = np.bincount(target.codes, case_weights(table), target.n_distinct + 1)[: len(table.classes)]
    return weight / weight.sum() if weight.sum() > 0 else np.full(len(weight), np.nan)


def _target(tree: Tree, table: Table):
    target = table.column(tree.schema.target)
    if (target.kind == "numeric") == bool(tree.classes):
        wanted = "classes" if tree.classes else "numbers"
        raise TreecoreError(
            f"The tree predicts {wanted}, this table has the target as {target.kind}",
            where=f"Column {target.name!r}",
            remedy="Judge the tree on the kind of target it was grown with, or grow it again",
        )
    return target
