"""The targets of a node in ascending order: its weighted median, its absolute error, the rank of each row.

The median is the smallest target at which the cumulated weight passes half of it all; at exactly half it is the mean
of that target and the next one. Error = sum of w |y - median|. Rows of weight 0 count for nothing.
"""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel

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


# The error around the median of a set of rows that grows one by one: where the median goes, sums follow.

FAN = 6
"""Sums are kept of single ranks, of every 2^FAN ranks, of every 2^(2 FAN) ranks and so on."""

SUM = np.dtype([("weight", "f8"), ("target", "f8")])
"""Sums of w and w y."""

SET = np.dtype([
    ("n_targets", "i8"), ("size", "i8"),
    ("weight", "f8"), ("target", "f8"), ("middle", "i8"), ("weight_below", "f8"), ("target_below", "f8"),
])  # fmt: skip
"""n_targets : of the node. size : the least power of two that holds its ranks. Of the set: its sums of w and w y, the
rank where its median was last, its sums over all lower ranks."""


class Ranked(NamedTuple):
    """The targets of a node by rank, and a set of its rows that starts empty and grows: working memory.

    targets : ITEM, the node's rows of positive weight by ascending target, which is taken from the node's median.
    rank : int32 (n,), of each of these rows, by training row: its target's place in `values`.
    values : float64, the node's distinct targets, ascending, less its median.
    line : ITEM, the rows of a scan in their order.
    rest : float64, at position i of the line: the error of the rows from there on.
    sums : SUM, of the set by rank: `size` of single ranks, then those of 2^FAN ranks, and so on.
    set : SET (1,).
    place : float64, of each code of a nominal feature: the place of its level in the order of their medians.
    begin : int64, where each level begins in `line`.
    """

    targets: np.ndarray
    rank: np.ndarray
    values: np.ndarray
    line: np.ndarray
    rest: np.ndarray
    sums: np.ndarray
    set: np.ndarray
    place: np.ndarray
    begin: np.ndarray


def room_for(most: int, widest: int, rank: np.ndarray) -> Ranked:
    """Working memory for nodes of up to `most` rows and `widest` levels. rank : int32 (n,), for n training rows."""
    n_sums = 2 * (1 << (most - 1).bit_length())
    return Ranked(
        targets=np.empty(most, ITEM), rank=rank, values=np.empty(most), line=np.empty(most, ITEM), rest=np.empty(most),
        sums=np.empty(n_sums, SUM), set=np.zeros(1, SET), place=np.empty(widest), begin=np.empty(widest + 1, np.int64),
    )  # fmt: skip


@kernel
def clear(ranked):
    """The empty set."""
    state, length, shift = ranked.set[0], 0, 0
    while state.size >> shift > 0:
        length += state.size >> shift
        shift += FAN
    for i in range(length):
        ranked.sums[i].weight = 0.0
        ranked.sums[i].target = 0.0
    state.weight, state.target, state.middle, state.weight_below, state.target_below = 0.0, 0.0, 0, 0.0, 0.0


@inner
def add(ranked, item, times):
    """Add a row of the line to the set, or take it out: times = 1 or -1. O(log n)."""
    state, rank, size = ranked.set[0], item.index, ranked.set[0].size
    weight = times * item.weight
    target = weight * item.value
    state.weight += weight
    state.target += target
    below = 1.0 if rank < state.middle else 0.0
    state.weight_below += below * weight
    state.target_below += below * target
    begin, shift = 0, 0
    while size >> shift > 0:
        block = ranked.sums[begin + (rank >> shift)]
        block.weight += weight
        block.target += target
        begin += size >> shift
        shift += FAN


@kernel
def add_part(ranked, start, stop, times):
    """Add line[start:stop] to the set, or take it out."""
    for i in range(start, stop):
        add(ranked, ranked.line[i], times)


@kernel
def error_of_set(ranked):
    """Error of the rows in the set. O(log n): the search for the median starts where it was last.

    At exactly half the weight any point up to the next target has the same error, so the first will do.
    """
    state, sums = ranked.set[0], ranked.sums
    half, size, middle = 0.5 * state.weight, state.size, state.middle
    below, target_below = state.weight_below, state.target_below
    begin, shift = 0, 0
    # down, by the largest blocks that fit, until less than half the weight is below
    while below >= half and middle > 0:
        block = sums[begin + (middle >> shift) - 1]
        if shift > 0 and below - block.weight < half:
            shift -= FAN
            begin -= size >> shift
            continue
        below -= block.weight
        target_below -= block.target
        middle -= 1 << shift
        while size >> (shift + FAN) > 0 and middle & ((1 << (shift + FAN)) - 1) == 0:
            begin += size >> shift
            shift += FAN
    # up, while less than half the weight is below even with the next block
    begin, shift = 0, 0
    while True:
        block = sums[begin + (middle >> shift)]
        if below + block.weight < half and middle + (1 << shift) < size:
            below += block.weight
            target_below += block.target
            middle += 1 << shift
            while size >> (shift + FAN) > 0 and middle & ((1 << (shift + FAN)) - 1) == 0:
                begin += size >> shift
                shift += FAN
        elif shift > 0:
            shift -= FAN
            begin -= size >> shift
        else:
            break
    state.middle, state.weight_below, state.target_below = middle, below, target_below
    return max(error_around(ranked.values[middle], below, target_below, state.weight, state.target), 0.0)


@kernel
def error_of_part(ranked, start, stop):
    """Error of line[start:stop], which become the set."""
    clear(ranked)
    add_part(ranked, start, stop, 1.0)
    return error_of_set(ranked)


# What explaining a node needs compiled: the grower keeps no more than the winner.


@jit
def prefix_errors(ranked, n):
    """float64 (n,): absolute error around their median of the first 1, 2, ... n rows of ranked.line."""
    errors = np.zeros(n)
    clear(ranked)
    for i in range(n):
        add(ranked, ranked.line[i], 1.0)
        errors[i] = error_of_set(ranked)
    return errors
