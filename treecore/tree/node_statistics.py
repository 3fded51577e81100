"""Statistics of any rows in every node of a tree, and the target that they count in the tree's coding."""

import numpy as np

from treecore.data.column import Column
from treecore.data.level_index import places_among
from treecore.data.table import Table
from treecore.data.table_like import counts_of
from treecore.errors import TreecoreError
from treecore.tree.columns import TreeColumns
from treecore.tree.predict import RoutedRows, route
from treecore.tree.values import value_matrix


def around_parent(tree: TreeColumns, stats: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """float64 (m, S): statistics (m, S) of these nodes, none the root, as their parents count them."""
    return tree.target_kind.moved(stats, tree.center[nodes] - tree.center[tree.parent[nodes]])


def add_up_statistics(tree: TreeColumns, ends: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, S): of all rows that pass through or end in each node.

    ends : float64 (n_nodes, S), of the rows whose route ends there.
    """
    total = np.array(ends)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(total, tree.parent[nodes], around_parent(tree, total[nodes], nodes))
    return total


def children_statistics(tree: TreeColumns, node: int) -> np.ndarray:
    """float64 (branches, S): of the training rows of a node's children, around the node's own center."""
    children = np.array(tree.children(node))
    return around_parent(tree, tree.stats[children], children)


# The target of a table's rows, in the coding of a tree.


def true_labels(tree: TreeColumns, table: Table) -> np.ndarray:
    """int64 (n_rows,): index of each row's class in `tree.classes`; -1 where it is missing or unknown to the tree.

    TreecoreError for a table that has the target as numbers, or not at all.
    """
    return labels_among(tree.classes, _target(tree, table))


def labels_among(classes: tuple[str, ...], target: Column) -> np.ndarray:
    """int64 (n_rows,): index of each row's class in `classes`; -1 where it is missing or none of them."""
    return np.maximum(np.append(places_among(classes, target.level_names), -1), -1)[target.codes]


def true_numbers(tree: TreeColumns, table: Table) -> np.ndarray:
    """float64 (n_rows,): each row's target; NaN where it is missing.

    TreecoreError for a table that has the target as classes, or not at all.
    """
    return _target(tree, table).values()


def true_target(tree: TreeColumns, table: Table) -> np.ndarray:
    """The target of each row as the tree's kind of target takes it: true_labels, true_numbers or true_counts."""
    if tree.schema.counts is not None:
        return true_counts(tree, table)
    return true_labels(tree, table) if tree.classes else true_numbers(tree, table)


def true_counts(tree: TreeColumns, table: Table) -> np.ndarray:
    """float64 (n_rows, 2): each row's events and exposure; NaN where one is missing.

    TreecoreError for a table that lacks one of the columns, and for numbers that are no counts or no exposure.
    """
    assert tree.schema.counts is not None
    return counts_of(table, tree.schema.target, tree.schema.counts)


def refuse_counts(tree: TreeColumns, what: str) -> None:
    """TreecoreError for a tree of counts. what : that has no meaning for it yet, "the comparison of groups"."""
    if tree.schema.counts is not None:
        raise TreecoreError(
            f"The tree predicts {tree.schema.counts.held}, and {what} is for targets of classes and of numbers",
            where=f"Target {tree.schema.target!r}",
            remedy=f"Grow another tree, which predicts {tree.schema.counts.instead}",
        )


def has_target(tree: TreeColumns, table: Table) -> np.ndarray:
    """bool (n_rows,): which rows have a target that the tree can be judged by."""
    return tree.target_kind.is_known(true_target(tree, table))


def _target(tree: TreeColumns, table: Table) -> Column:
    target = table.column(tree.schema.target)
    if (target.kind == "numeric") == bool(tree.classes):
        wanted = "classes" if tree.classes else "numbers"
        raise TreecoreError(
            f"The tree predicts {wanted}, this table has the target as {target.kind}",
            where=f"Column {target.name!r}",
            remedy="Judge the tree on the kind of target it was grown with, or grow it again",
        )
    return target


# Statistics of any rows in every node of a tree: what the twin bars and the pruners read.


def end_statistics(tree: TreeColumns, table, routes: RoutedRows | None = None) -> np.ndarray:
    """float64 (n_nodes, S): statistics of the rows whose route ends in each node; see Tree.stats.

    table : a Table with the tree's target, or one whose rows stay where they are and that counts them itself. Rows
    whose class the tree does not know, and rows without a target, are left out. routes : of these rows, when they are
    known already.
    """
    if hasattr(table, "end_statistics"):
        return table.end_statistics(tree)
    routes = routes or route(tree, table)
    weight = routes.share * routes.of_rows(table.case_weights)
    truth = routes.of_rows(true_target(tree, table))
    truth = truth - tree.center[routes.node] if tree.target_kind.around_center else truth
    return tree.target_kind.row_sums(routes.node, tree.n_nodes, weight, truth)


def node_statistics(tree: TreeColumns, table) -> np.ndarray:
    """float64 (n_nodes, S): statistics of the table's rows that pass through or end in each node."""
    return add_up_statistics(tree, end_statistics(tree, table))


def missing_weights(tree: TreeColumns, table) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that come down to a node from its parent without a value of what the
    parent asks for; 0 at the root.

    table : a Table of the training rows, or any other rows with the tree's features.
    """
    result = np.zeros(tree.n_nodes)
    asked = np.unique(tree.splits.feature[~tree.is_leaf])
    lacks = np.isnan(value_matrix(tree.schema, asked, table))
    slot = np.full(len(tree.schema.features), -1)
    slot[asked] = np.arange(len(asked))
    routes = route(tree, table)
    some = np.flatnonzero(lacks.any(axis=0)[routes.row])
    row, node = routes.row[some], routes.node[some]
    weight = routes.share[some] * table.case_weights[row]
    while len(node):  # one level up at a time
        above = tree.parent[node]
        below = above >= 0
        row, node, above, weight = row[below], node[below], above[below], weight[below]
        without = lacks[slot[tree.splits.feature[above]], row]
        result += np.bincount(node[without], weight[without], tree.n_nodes)
        node = above
    return result
