"""Nodes of the fast kernels: how children are made, whether the root is worth a search, and numbers by level."""

import math
from typing import NamedTuple

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import GAIN_RATIO
from treecore.engine.jit import ask_for, inner, jit
from treecore.kernels.buckets.histogram import SLOTS, slot_of
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.kernels.constraints import split_allowed
from treecore.kernels.general.level_groups import information
from treecore.kernels.random_features import key_of_child
from treecore.kernels.ranks import ABSENT, number_of_key
from treecore.kernels.records.record_block import N_NODES
from treecore.kernels.state import OWN_VALUE, STAY, SURROGATES
from treecore.kernels.sums import mean_target


@inner
def weight_of(stats, n_classes):
    """Weight of the rows that these are the statistics of."""
    if n_classes == 0:
        return stats[0]
    total = 0.0
    for k in range(stats.shape[0]):
        total += stats[k]
    return total


@inner
def least_rows(rules):
    """Rows that each side of a cut needs."""
    return max(rules.min_rows_leaf, np.int64(math.ceil(rules.min_weight_leaf)), 1)


@inner
def is_second_first(rules, left, n_left, right, n_right, by_levels):
    """Is the smaller mean target asked for first, as always between groups of levels, and is it on the right?

    left, right : of known rows. n_left, n_right : their weights.
    """
    if rules.order_by_mean == 0 and not by_levels:
        return 0
    return int(mean_target(left, n_left, rules.n_classes) > mean_target(right, n_right, rules.n_classes))


@inner
def center_at(nodes, i):
    """What the sums of node i are taken around; 0 for classes."""
    return nodes.center[i] if nodes.center.shape[0] > 0 else 0.0


@inner
def set_center(nodes, i, center):
    """Note what the sums of node i are taken around."""
    if nodes.center.shape[0] > 0:
        nodes.center[i] = center


@inner
def new_child(nodes, parent, i, n):
    """Make node i a leaf of n rows below its parent, which knows its children and which of them comes first."""
    node = nodes.of[i]
    node.parent, node.depth, node.feature, node.first_child = parent, nodes.of[parent].depth + 1, -1, -1
    node.n_rows, node.swapped = n, 0
    above = nodes.of[parent]
    node.key = key_of_child(above.key, (i - above.first_child) ^ above.swapped)


@inner
def make_child(rows, nodes, parent, i, n, known, center):
    """Make node i a leaf of n rows with these statistics, around this center, below its parent; returns whether it may
    be split."""
    node, stats, rules = nodes.of[i], nodes.stats[i], rows.rules[0]
    for s in range(stats.shape[0]):
        stats[s] = known[s]
    new_child(nodes, parent, i, n)
    set_center(nodes, i, center)
    weight = weight_of(stats, rules.n_classes)
    node.impurity = impurity_by_code(rows.judge, stats, weight)
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, weight, n, node.depth)


@inner
def note_gap(nodes, i, n_rows, weight, branch):
    """Rows of node i lack the value that its split asks for."""
    gap = nodes.gaps[i]
    gap.rows, gap.weight, gap.branch = n_rows, weight, branch


# Before growing: do the features have few values, and is the root worth a search?

SAMPLED = 100
"""Rows that show whether features have few values."""


@jit
def plant_root(rows, nodes, weight):
    """Make node 0 a leaf of all rows, which weigh so much and have the statistics that are there already; returns
    whether purity and the limits allow a search at it."""
    node, stats, n, rules = nodes.of[0], nodes.stats[0], rows.keys.shape[0], rows.rules[0]
    node.parent, node.first_child, node.feature, node.depth = -1, -1, -1, 0
    node.n_rows, node.swapped, node.key = n, 0, rules.root_key
    node.impurity = impurity_by_code(rows.judge, stats, weight)
    nodes.counts[N_NODES] = 1
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, weight, n, 0)


@jit
def have_few_values(keys, behind):
    """Has each column at most half as many values as rows, in a sample of SAMPLED rows at most? None lacks a value.

    keys : uint32 (n, d). behind : uint32 (d,), a key above all of each column's.
    """
    seen = np.empty(SLOTS, np.uint32)
    step = keys.shape[0] // SAMPLED + 1
    n_sampled = (keys.shape[0] + step - 1) // step
    for f in range(keys.shape[1]):
        n_seen, seen[:] = 0, behind[f]
        for i in range(0, keys.shape[0], step):
            key = keys[i, f]
            slot = slot_of(key, seen, behind[f])
            n_seen += np.int64(seen[slot] != key)
            seen[slot] = key
        if n_seen > n_sampled // 2:
            return False
    return True


# Nodes of two branches each, numbered anew: their order level by level, and a tree's columns in such an order.

AHEAD = 16
"""So many nodes before one is looked at, memory is asked for it: level by level they lie far apart."""


class NodeColumns(NamedTuple):
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
