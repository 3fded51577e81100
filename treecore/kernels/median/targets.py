"""The targets of a node in ascending order: its weighted median, its absolute error, the rank of each row.

The median is the smallest target at which the cumulated weight passes half of it all; at exactly half it is the mean
of that target and the next one. Error = sum of w |y - median|. Rows of weight 0 count for nothing.
"""

import numpy as np

from treecore.engine.jit import inner, kernel

HALF = 1e-12
"""Weights this close to one half, as a share of all, are one half: ten times 0.1 adds up to less than 1."""

ITEM = np.dtype([("value", "f8"), ("weight", "f8"), ("index", "i4"), ("code", "i4")])
"""A row: its target and weight. Among sorted targets `index` is its training row, among the rows of a scan the rank of
its target. `code` is that of the feature in question, or the index of its level."""


@kernel
def sort_targets(order, start, stop, rows, targets, spare):
    """targets = the rows of positive weight among order[start:stop], ascending; returns how many. A merge sort.

    targets, spare : ITEM, room for these rows.
    """
    n, width = 0, 1
    for i in range(start, stop):
        row = rows[order[i]]
        if row.weight > 0.0:
            targets[n].value, targets[n].weight, targets[n].index = row.response, row.weight, order[i]
            n += 1
    while width < n:
        merge_runs(targets, n, width, spare)
        merge_runs(spare, n, 2 * width, targets)
        width *= 4
    return n


@kernel
def merge_runs(source, n, width, into):
    """Merge each two neighbouring sorted runs of `width` in source[:n]."""
    for begin in range(0, n, 2 * width):
        a, middle, stop = begin, min(begin + width, n), min(begin + 2 * width, n)
        b = middle
        for i in range(begin, stop):
            if a < middle and (b >= stop or source[a].value <= source[b].value):
                into[i] = source[a]
                a += 1
            else:
                into[i] = source[b]
                b += 1


@kernel
def median_and_error(targets, n):
    """Weighted median and error of the first n targets, which are sorted; (0, 0) without any."""
    if n == 0:
        return 0.0, 0.0
    weight, below, at = 0.0, 0.0, 0
    for i in range(n):
        weight += targets[i].weight
    while at < n - 1 and below + targets[at].weight < (0.5 - HALF) * weight:
        below += targets[at].weight
        at += 1
    median = targets[at].value
    if at < n - 1 and below + targets[at].weight <= (0.5 + HALF) * weight:
        median = 0.5 * median + 0.5 * targets[at + 1].value
    error = 0.0
    for i in range(n):
        error += targets[i].weight * abs(targets[i].value - median)
    return median, error


@kernel
def rank_targets(targets, n, median, rank, values):
    """values = the distinct targets less the median, ascending; rank[row] = the place of each row's target there.

    The targets become distances from the median, too: sums of them do not cancel. Returns how many are distinct.
    """
    last = -1
    for i in range(n):
        value = targets[i].value - median
        targets[i].value = value
        if last < 0 or value > values[last]:
            last += 1
            values[last] = value
        rank[targets[i].index] = last
    return last + 1


@inner
def error_around(center, weight_below, target_below, weight, target):
    """Sum of w |y - center| from the sums of w and w y: of the targets below the center, and of all."""
    return target - 2.0 * target_below + center * (2.0 * weight_below - weight)
