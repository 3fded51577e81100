"""What all fast kernels do with the nodes they make."""

import math

import numpy as np

from treecore.criteria.impurity import impurity
from treecore.engine.jit import inner
from treecore.kernels.drawn import key_of_child
from treecore.kernels.limits import split_allowed
from treecore.kernels.rows import mean_target


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
    node.impurity = impurity(rows.judge, stats, weight)
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, weight, n, node.depth)


@inner
def note_gap(nodes, i, n_rows, weight, branch):
    """Rows of node i lack the value that its split asks for."""
    gap = nodes.gaps[i]
    gap.rows, gap.weight, gap.branch = n_rows, weight, branch
