"""Additive statistics: class weights, or (w, wy, wyy)."""

from treecore.engine.jit import inner
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
