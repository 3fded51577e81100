"""All groupings of a few levels into two by absolute error; terms as in absolute_levels."""

import math

import numpy as np

from treecore.engine.jit import allocating, inner, kernel
from treecore.kernels.median.targets import error_around

STRIDE = 64
"""Targets between two marks: the sums of each level are kept at marks, what is between them is found by walking."""


@kernel
def scan_absolute_groups(rules, targets, levels, n_levels, weight, n_rows, error, bar):
    """The best decrease of all 2^(v-1) - 1 partitions of v levels into two, the last level always on the right.

    The grouping is left in levels.side. O(m + 2^v v log m) for m rows.
    """
    marks = sums_at_marks(targets, n_levels)
    best, everything = -math.inf, (1 << n_levels) - 1
    for subset in range(1, 1 << (n_levels - 1)):
        n_left, rows_left = 0.0, 0
        for v in range(n_levels - 1):
            if subset >> v & 1:
                n_left += levels[v].weight
                rows_left += levels[v].n_rows
        if min(rows_left, n_rows - rows_left) < rules.min_rows_leaf:
            continue
        if min(n_left, weight - n_left) < rules.min_weight_leaf:
            continue
        remaining = 0.0
        for side in range(2):
            remaining += error_of_group(targets, marks, everything - subset if side == 1 else subset)
        if error - remaining > best * weight:
            best = (error - remaining) / weight
            for v in range(n_levels):
                levels[v].side = 1 - (subset >> v & 1)
            if best >= bar:
                break
    return best


@allocating
def sums_at_marks(targets, n_levels):
    """float64 (marks, v, 2): w and w y of each level before every STRIDE-th target; last, of all targets."""
    n = targets.shape[0]
    n_marks = (n + STRIDE - 1) // STRIDE + 1
    marks = np.zeros((n_marks, n_levels, 2))
    for mark in range(1, n_marks):
        for v in range(n_levels):
            marks[mark, v, 0], marks[mark, v, 1] = marks[mark - 1, v, 0], marks[mark - 1, v, 1]
        for i in range((mark - 1) * STRIDE, min(mark * STRIDE, n)):
            target = targets[i]
            if target.code >= 0:
                marks[mark, target.code, 0] += target.weight
                marks[mark, target.code, 1] += target.weight * target.value
    return marks


@inner
def sum_at_mark(marks, mark, subset, which):
    """Sum of w (which = 0) or w y (1) of the subset's levels at a mark."""
    total = 0.0
    for v in range(marks.shape[1]):
        if subset >> v & 1:
            total += marks[mark, v, which]
    return total


@kernel
def error_of_group(targets, marks, subset):
    """Error of the rows whose level is in the subset: bisect the marks for half the weight, then walk."""
    low, high = 0, marks.shape[0] - 1
    weight, target_sum = sum_at_mark(marks, high, subset, 0), sum_at_mark(marks, high, subset, 1)
    while high - low > 1:
        middle = (low + high) // 2
        if sum_at_mark(marks, middle, subset, 0) < 0.5 * weight:
            low = middle
        else:
            high = middle
    below, target_below = sum_at_mark(marks, low, subset, 0), sum_at_mark(marks, low, subset, 1)
    for i in range(low * STRIDE, targets.shape[0]):
        target = targets[i]
        if target.code < 0 or not subset >> target.code & 1:
            continue
        if below + target.weight >= 0.5 * weight:
            return max(error_around(target.value, below, target_below, weight, target_sum), 0.0)
        below += target.weight
        target_below += target.weight * target.value
    return 0.0
