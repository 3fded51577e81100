"""Gains of every cut of one feature at one node, from statistics per value: what the grower does not keep."""

import math

import numpy as np

from treecore.criteria.impurity import impurity
from treecore.criteria.split_scores import DECREASE, cut_value
from treecore.jit import jit


@jit
def prefix_gains(judge, parent, stats, weight, rows, min_rows, min_weight):
    """Gain of sending the first j + 1 values one way and the rest the other: float64 (v - 1,).

    stats (v, S), weight (v,), rows (v,) : per value, in the order of the cuts. parent : their impurity together.
    -inf where a side has too few rows or too little weight.
    """
    n_values, n_stats = stats.shape
    gains = np.full(max(n_values - 1, 0), -math.inf)
    left, right = np.zeros(n_stats), np.zeros(n_stats)
    for v in range(n_values):
        for s in range(n_stats):
            right[s] += stats[v, s]
    n_left, rows_left, total, n_rows = 0.0, 0, weight.sum(), rows.sum()
    for cut in range(n_values - 1):
        for s in range(n_stats):
            left[s] += stats[cut, s]
            right[s] -= stats[cut, s]
        n_left += weight[cut]
        rows_left += rows[cut]
        fits = min(rows_left, n_rows - rows_left) >= min_rows and min(n_left, total - n_left) >= min_weight
        if fits:
            gains[cut] = cut_value(judge, DECREASE, parent, left, n_left, right, total - n_left, None)
    return gains


@jit
def multiway_gain(judge, parent, stats, weight):
    """Gain of one branch per value."""
    remaining = 0.0
    for v in range(stats.shape[0]):
        remaining += weight[v] * impurity(judge, stats[v], weight[v])
    return parent - remaining / weight.sum()
