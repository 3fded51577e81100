"""Statistics of a node's rows: how a row is added, how sums are centered anew, and the impurity that they have.

Statistics are class weights, or (w, wy, wyy) of a numeric target less the node's `center`: the center of its parent,
unless most of wyy is the distance from there. Then the center is near the node's own mean, and what is left of the
squares is exact up to rounding, however far the node is from all other rows. Where all targets are equal the center is
their value, and the sums are 0.
"""

import math

import numpy as np

from treecore.criteria import N_COMPILED, CriterionArgs
from treecore.criteria.impurity import impurities, impurity_by_code
from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.codes import SHARED
from treecore.kernels.state import MULTIWAY, ORDERED


@inner
def add_row(stats, row, n_classes):
    """Add one row to the statistics."""
    if n_classes > 0:
        stats[row.label] += row.weight
    else:
        stats[0] += row.weight
        stats[1] += row.weight * row.response
        stats[2] += row.weight * row.response * row.response


@inner
def mean_target(stats, total, n_classes):
    """Mean target of a node; the mean class index for a class target. 0 for an empty node."""
    if total <= 0.0:
        return 0.0
    if n_classes == 0:
        return stats[1] / total
    result = 0.0
    for k in range(n_classes):
        result += k * stats[k]
    return result / total


@inner
def in_wrong_order(problem, node, stats_a, weight_a, stats_b, weight_b):
    """Does the second of a node's two branches, by its known rows, have the smaller mean target and come first?

    Always for groups of levels, which have no order of their own; for thresholds when the rules say so.
    """
    rules, splitter = problem.rules[0], problem.features[node.feature].splitter
    if node.n_children != 2 or splitter >= MULTIWAY or (splitter == ORDERED and rules.order_by_mean == 0):
        return False
    return mean_target(stats_a, weight_a, rules.n_classes) > mean_target(stats_b, weight_b, rules.n_classes)


# Sums of a numeric target around a node's own mean, where those around a node above it have cancelled.
#
# A node's statistics (w, wy, wyy) are of the target less the node's `center`: the center of its parent, unless most of
# wyy is the distance from there. Then it is near the node's own mean, and what is left of the squares is exact up to
# rounding, however far the node is from all other rows. Where all targets are equal the center is their value, and the
# sums are 0.

CANCELLED = 1 / 16
"""Squares around the mean that are at most this share of those around the center have cancelled."""
MOST_TURNS = 4
"""A mean that is found by sums that cancelled is rounded itself; the next one is right."""


@inner
def has_cancelled(stats):
    """Have most of the squares of these statistics (w, wy, wyy) cancelled?"""
    return stats[0] > 0.0 and stats[2] > 0.0 and stats[2] - stats[1] * stats[1] / stats[0] <= CANCELLED * stats[2]


@inner
def nearer(center, stats, low, high):
    """A center near the mean of the targets that lie between low and high."""
    return min(max(center + stats[1] / stats[0], low), high)


@inner
def center_of(targets, weights, stats, center):
    """The center that these targets should have instead of this one; stats become the sums around it.

    targets : float64 (n,), at least one of positive weight. weights : the same, (0,) where each counts once.
    stats : float64 (3,), sums around `center` in the order of the targets.
    """
    if targets.shape[0] == 1 and has_cancelled(stats):  # most leaves of a full tree are single rows
        stats[1], stats[2] = 0.0, 0.0
        return targets[0]
    return center_of_several(targets, weights, stats, center)


@kernel
def center_of_several(targets, weights, stats, center):
    """What center_of says of any number of targets."""
    for _ in range(MOST_TURNS):
        if not has_cancelled(stats):
            break
        low, high = math.inf, -math.inf
        for i in range(targets.shape[0]):
            if weights.shape[0] == 0 or weights[i] > 0.0:
                low, high = min(low, targets[i]), max(high, targets[i])
        center = nearer(center, stats, low, high)
        wy, wyy = 0.0, 0.0
        for i in range(targets.shape[0]):
            w, y = (1.0 if weights.shape[0] == 0 else weights[i]), targets[i] - center
            wy += w * y
            wyy += w * y * y
        stats[1], stats[2] = wy, wyy
    return center


@inner
def part_of(problem, growing, row, b, known):
    """How much of a row at the node at work is with branch b. known : see known_weight."""
    side = growing.side[row]
    if side == SHARED:
        part = growing.levels[b].key / known
        return part if part > problem.rules[0].min_share else 0.0
    return 1.0 if side == b else 0.0


@inner
def branches_of(growing, node, row):
    """(the first branch that a row may be with, one behind the last)."""
    side = growing.side[row]
    if side == SHARED:
        return 0, node.n_children
    return side, min(side + 1, node.n_children)


@inner
def known_weight(growing, node):
    """Case weight of the rows with a value, by which others are shared."""
    known = 0.0
    for b in range(node.n_children):
        known += growing.levels[b].key
    return known


@kernel
def find_centers(problem, growing, node, known):
    """Give a center near its mean to every child whose squares have cancelled, and mark it: its entry of
    growing.level_stats is 1, others are 0. Returns whether there are any."""
    marks, first, some = growing.level_stats, node.first_child, False
    for b in range(node.n_children):
        cancelled = has_cancelled(growing.stats[first + b])
        marks[b, 0], marks[b, 1], marks[b, 2] = 1.0 if cancelled else 0.0, math.inf, -math.inf
        some |= cancelled
    if not some:
        return False
    for i in range(node.start, node.stop):
        row = growing.order[node.feature, i]
        begin, end = branches_of(growing, node, row)
        for b in range(begin, end):
            if growing.rows[row].weight * part_of(problem, growing, row, b, known) > 0.0:
                marks[b, 1] = min(marks[b, 1], problem.targets[row])
                marks[b, 2] = max(marks[b, 2], problem.targets[row])
    for b in range(node.n_children):
        if marks[b, 0] > 0.0:
            stats = growing.stats[first + b]
            growing.nodes[first + b].center = nearer(growing.nodes[first + b].center, stats, marks[b, 1], marks[b, 2])
            stats[1], stats[2] = 0.0, 0.0
    return True


@kernel
def recenter_children(problem, growing, node):
    """Sum up the targets of the node's children around centers of their own, where that is needed.

    growing.side says which child has each row. The responses of rows that are whole become those around the center;
    those of shared rows are loaded with their shares.
    """
    first, shared, known = node.first_child, growing.share.shape[0] > 0, known_weight(growing, node)
    for _ in range(MOST_TURNS):
        if not find_centers(problem, growing, node, known):
            return
        for i in range(node.start, node.stop):
            row = growing.order[node.feature, i]
            begin, end = branches_of(growing, node, row)
            for b in range(begin, end):
                if growing.level_stats[b, 0] > 0.0:
                    stats, y = growing.stats[first + b], problem.targets[row] - growing.nodes[first + b].center
                    w = growing.rows[row].weight * part_of(problem, growing, row, b, known)
                    stats[1] += w * y
                    stats[2] += w * y * y
                    if not shared:
                        growing.rows[row].response = y


# The impurity of one node, for callers in Python.


@jit
def _impurity_of(judge, stats, total):
    return impurity_by_code(judge, stats, total)


def impurity_of(judge: CriterionArgs, stats: np.ndarray, total: float) -> float:
    """Impurity under a Judge, from statistics float64 (S,) and their weight."""
    if judge.code < N_COMPILED or judge.address:
        return _impurity_of(judge, stats, total)
    return float(impurities(judge, stats, np.float64(total)))


# Impurities of many nodes, for callers in Python.


@jit
def node_impurities(judge, stats, weight):
    """float64 (n,): impurity under a Judge of nodes with statistics float64 (n, S) of these weights."""
    result = np.empty(stats.shape[0])
    for i in range(stats.shape[0]):
        result[i] = impurity_by_code(judge, stats[i], weight[i])
    return result
