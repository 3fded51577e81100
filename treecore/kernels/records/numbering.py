"""Nodes of two branches each, numbered anew: their order level by level, and a tree's columns in such an order."""

from typing import NamedTuple

import numpy as np

from treecore.criteria.split_scores import GAIN_RATIO
from treecore.engine.jit import ask_for, inner, jit
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.kernels.encode.keys import ABSENT, number_of_key
from treecore.kernels.general.levels import information
from treecore.kernels.state import OWN_VALUE, STAY, SURROGATES

AHEAD = 16
"""So many nodes before one is looked at, memory is asked for it: level by level they lie far apart."""


class Columns(NamedTuple):
    """The columns of tree.Tree and tree.Splits, with their types, of m nodes.

    number : int32 (n,), what each node is called in the tree. at : int64 (m,), the nodes that are cut in an order and
    have no threshold yet; bounds : uint32 (2, m), the keys below and above these cuts; n_cuts : int64 (1,), how many
    there are. missing_rows, missing_weight : zeros before they are filled. score : may be the same array as gain, where
    they do not differ.
    """

    number: np.ndarray
    parent: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    node_depth: np.ndarray
    stats: np.ndarray
    n_rows: np.ndarray
    impurity: np.ndarray
    gain: np.ndarray
    score: np.ndarray
    missing_rows: np.ndarray
    missing_weight: np.ndarray
    answer: np.ndarray
    kind: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    low_branch: np.ndarray
    level_start: np.ndarray
    missing_branch: np.ndarray
    at: np.ndarray
    bounds: np.ndarray
    n_cuts: np.ndarray


@jit
def binary_levels(nodes, order):
    """order = node ids by depth, and within a depth in the order of their parents and branches, int32 (n_nodes,).

    nodes : PLAIN records, whose inner ones have two children.
    """
    order[0], last = 0, 1
    for i in range(order.shape[0]):
        if i + AHEAD < last:
            ask_for(nodes, order[i + AHEAD])
        child = nodes[order[i]].first_child
        if child >= 0:
            swapped = nodes[order[i]].swapped
            order[last], order[last + 1] = child + swapped, child + 1 - swapped
            last += 2


@inner
def size_of(nodes, stats, rules, node):
    """By what branches are compared: rows, or weight."""
    if rules.majority_rows:
        return float(nodes[node].n_rows)
    weight = 0.0
    for s in range(stats.shape[1] if rules.n_classes > 0 else 1):
        weight += stats[node, s]
    return weight


@inner
def missing_branch_of(nodes, gaps, stats, rules, i):
    """Where rows without a value go at node i: as those in training did, else to the larger branch."""
    node = nodes[i]
    if rules.missing == STAY or (rules.missing == SURROGATES and rules.surrogate_majority == 0):
        return STAYS
    if gaps.shape[0] > 0 and gaps[i].rows > 0:
        return gaps[i].branch ^ node.swapped if gaps[i].branch >= 0 else STAYS
    left = size_of(nodes, stats, rules, node.first_child + node.swapped)
    right = size_of(nodes, stats, rules, node.first_child + 1 - node.swapped)
    if left == right:  # the first one, the last one, or none
        return rules.majority_ties if rules.majority_ties < 2 else STAYS
    return int(right > left)


@inner
def settled_gain(gain, impurity, rounding):
    """What tree.rounding.settled makes of a gain."""
    return 0.0 if abs(gain) <= rounding * abs(impurity) else gain


@inner
def list_leaf(columns, i):
    columns.first_child[i], columns.n_children[i] = -1, 0
    columns.gain[i] = columns.score[i] = np.nan
    columns.kind[i], columns.low_branch[i], columns.missing_branch[i] = LEAF, 0, STAYS
    columns.threshold[i] = np.nan


@inner
def midpoint_of_keys(low, high):
    """The threshold rule "midpoint" for numbers of 32 bits: 64 have room for what is half way between any two of them.
    Infinite where nothing known lies above."""
    return np.inf if high == ABSENT else (number_of_key(low) + number_of_key(high)) / 2.0


@inner
def list_split(columns, i, node, n_levels, at_midpoint, rounding):
    """All of an inner node but missing_branch. n_levels : of the feature, if levels part the rows, else 0."""
    columns.first_child[i], columns.n_children[i] = columns.number[node.first_child + node.swapped], 2
    columns.gain[i] = columns.score[i] = settled_gain(node.gain, node.impurity, rounding)
    columns.kind[i], columns.low_branch[i], columns.threshold[i] = LEVELS, 0, np.nan
    if n_levels > 0:
        return
    columns.kind[i], columns.low_branch[i] = THRESHOLD, node.swapped
    if at_midpoint:
        columns.threshold[i] = midpoint_of_keys(node.low, node.high)
    else:
        k = columns.n_cuts[0]
        columns.at[k], columns.bounds[0, k], columns.bounds[1, k] = i, node.low, node.high
        columns.n_cuts[0] = k + 1


@inner
def gain_ratio(nodes, node):
    """Of an inner node all of whose rows have a value."""
    n_first, n_second = float(nodes[node.first_child].n_rows), float(nodes[node.first_child + 1].n_rows)
    return node.gain / information(n_first, n_second, 0.0, n_first + n_second)


@inner
def list_gap(columns, i, gap, own, rounding):
    """Of rows without a value. own : is missing a value of its own?"""
    if gap.rows > 0:
        columns.missing_rows[i], columns.missing_weight[i] = gap.rows, gap.weight
    if own:
        columns.gain[i] = settled_gain(gap.gain, columns.impurity[i], rounding)


@jit
def list_columns(nodes, gaps, stats, order, n_levels, at_midpoint, rules, route, rounding, columns):
    """Fill the columns of these nodes, PLAIN (n,), with statistics float64 (n, S), in this order, int32 (m,).

    gaps : as in state.Nodes. n_levels : int64 (d,), of features that levels part, 0 for others. at_midpoint : bool
    (d,), features of 32-bit numbers whose thresholds are half way between two of them. rules : RULES (1,). route :
    STAYS or SHARED for rows without a value, if that is where all go; 0 if not. rounding : share of a node's impurity
    up to which its gain is none.
    """
    start, n_stats, all_stats = np.int64(0), stats.shape[1], stats.reshape(-1)
    for i in range(order.shape[0]):
        columns.number[order[i]] = i
    for i in range(order.shape[0]):
        ahead = order[min(i + AHEAD, order.shape[0] - 1)]
        ask_for(nodes, ahead)
        ask_for(all_stats, ahead * n_stats)
        node = nodes[order[i]]
        columns.parent[i] = columns.number[node.parent] if i > 0 else -1
        columns.node_depth[i], columns.n_rows[i], columns.impurity[i] = node.depth, node.n_rows, node.impurity
        for s in range(stats.shape[1]):
            columns.stats[i, s] = stats[order[i], s]
        columns.answer[i], columns.feature[i] = i, node.feature
        if start > 0:  # memory that is not touched costs nothing
            columns.level_start[i] = start
        if node.feature < 0:
            list_leaf(columns, i)
            continue
        list_split(columns, i, node, n_levels[node.feature], at_midpoint[node.feature], rounding)
        if rules[0].score == GAIN_RATIO:
            columns.score[i] = settled_gain(gain_ratio(nodes, node), node.impurity, rounding)
        if gaps.shape[0] > 0:
            list_gap(columns, i, gaps[order[i]], rules[0].missing == OWN_VALUE, rounding)
        columns.missing_branch[i] = missing_branch_of(nodes, gaps, stats, rules[0], order[i]) if route == 0 else route
        start += n_levels[node.feature]
    columns.level_start[order.shape[0]] = start
