"""Statistics of any rows in every node of a tree: what the twin bars and the pruners read."""

import numpy as np

from treecore.tree.predict import RoutedRows, route
from treecore.tree.sums import add_up_statistics
from treecore.tree.target import true_target
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix


def end_statistics(tree: Tree, table, routes: RoutedRows | None = None) -> np.ndarray:
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


def node_statistics(tree: Tree, table) -> np.ndarray:
    """float64 (n_nodes, S): statistics of the table's rows that pass through or end in each node."""
    return add_up_statistics(tree, end_statistics(tree, table))


def missing_weights(tree: Tree, table) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that come down to a node from its parent without a value of what the
    parent asks for; 0 at the root.

    table : a Table of the training rows, or any other rows with the tree's features.
    """
    found = np.zeros(tree.n_nodes)
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
        found += np.bincount(node[without], weight[without], tree.n_nodes)
        node = above
    return found
