"""What a model's nodes count: the rows of a table, or what the model itself carries."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.imported import with_numbers
from treecore.pruning.recount import impurities_of
from treecore.tree.node_statistics import add_up_statistics, node_statistics, true_numbers
from treecore.tree.predict import route
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix


def counted(tree: Tree, table: Table | None, impurity: np.ndarray | None = None) -> Tree:
    """The tree with the statistics of the table's rows; of a table without the target, or without any, those that the
    model carries. Answers are the model's.

    impurity : float64 (n_nodes,), of a numeric target as the model carries it.
    """
    if table is None or table.target is None:
        return _carried(tree, impurity)
    rows = table.without_missing_target()
    if not tree.classes:
        known = true_numbers(tree, rows)
        tree = replace(tree, center=np.full(tree.n_nodes, np.average(known, weights=_weights(rows))))
    return _with_statistics(tree, node_statistics(tree, rows), rows)


def counted_outputs(tree: Tree, table: Table | None) -> Tree:
    """The tree of one summand with the statistics of what it adds itself, over the table's rows, or over the weight
    that the model carries: an inner node answers with the mean of what is below it."""
    ends = np.where(tree.is_leaf, tree.outputs[:, 0], np.nan)
    if table is not None:
        rows = with_numbers(table, tree.predict(table), tree.schema.target)
        center = float(np.average(rows.target_column.values(), weights=_weights(rows)))
        tree = replace(tree, center=np.full(tree.n_nodes, center))
        tree = _with_statistics(tree, node_statistics(tree, rows), rows)
    elif tree.cover is not None:
        mass = tree.cover * tree.is_leaf
        stats = np.stack([mass, mass * 0, mass * 0], axis=1)
        tree = replace(tree, center=np.nan_to_num(ends))
        tree = _judged(replace(tree, stats=add_up_statistics(tree, stats)))
    some = (tree.weight > 0) & ~tree.is_leaf
    tree = replace(tree, outputs=np.where(some, np.nan, np.where(tree.is_leaf, tree.outputs[:, 0], np.nan))[:, None])
    return replace(tree, answer=np.where(some | tree.is_leaf, np.arange(tree.n_nodes), -1))


def _carried(tree: Tree, impurity: np.ndarray | None) -> Tree:
    if tree.cover is None or np.isnan(tree.outputs).any():
        return tree
    if tree.classes:
        return _judged(replace(tree, stats=tree.outputs * tree.cover[:, None]))
    squares = np.zeros(tree.n_nodes) if impurity is None else impurity * tree.cover
    stats = np.stack([tree.cover, np.zeros(tree.n_nodes), squares], axis=1)
    return _judged(replace(tree, center=tree.outputs[:, 0], stats=stats))


def _weights(rows: Table) -> np.ndarray | None:
    return rows.case_weights if rows.case_weights.any() else None


def _with_statistics(tree: Tree, stats: np.ndarray, rows: Table) -> Tree:
    ends = route(tree, rows)
    n_rows = np.bincount(ends.node, minlength=tree.n_nodes)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(n_rows, tree.parent[nodes], n_rows[nodes])
    missing_rows, missing_weight = _missing(tree, rows, ends)
    return _judged(replace(tree, stats=stats, n_rows=n_rows, missing_rows=missing_rows, missing_weight=missing_weight))


def _missing(tree: Tree, rows: Table, ends) -> tuple[np.ndarray, np.ndarray]:
    """(int64, float64), each (n_nodes,): rows, and their weight, that reach a node without the value it asks for."""
    count, weight = np.zeros(tree.n_nodes, np.int64), np.zeros(tree.n_nodes)
    asked = np.unique(tree.splits.feature[~tree.is_leaf])
    lacks = np.isnan(value_matrix(tree.schema, asked, rows))
    slot = np.full(len(tree.schema.features) + 1, -1)
    slot[asked] = np.arange(len(asked))
    some = np.flatnonzero(lacks.any(axis=0)[ends.row])
    row, node = ends.row[some], ends.node[some]
    while len(node):  # one level up at a time
        inner = ~tree.is_leaf[node]
        without = np.zeros(len(node), bool)
        without[inner] = lacks[slot[tree.splits.feature[node[inner]]], row[inner]]
        count += np.bincount(node[without], minlength=tree.n_nodes)
        weight += np.bincount(node[without], rows.case_weights[row[without]], tree.n_nodes)
        above = tree.parent[node]
        row, node = row[above >= 0], above[above >= 0]
    return count, weight


def _judged(tree: Tree) -> Tree:
    """The tree with the impurities and gains that follow from its statistics."""
    impurity = np.where(tree.weight > 0, impurities_of(tree, tree.stats), 0.0)
    gain = np.full(tree.n_nodes, np.nan)
    children = np.arange(1, tree.n_nodes)
    below = np.zeros(tree.n_nodes)
    np.add.at(below, tree.parent[children], (impurity * tree.weight)[children])
    inner = ~tree.is_leaf
    gain[inner] = (
        impurity[inner] - np.divide(below, tree.weight, out=np.zeros(tree.n_nodes), where=tree.weight > 0)[inner]
    )
    return replace(tree, impurity=impurity, gain=gain, score=gain)
