"""Sorted records: one integer per row and feature, kept in the order of the feature's values.

A record holds the row, its class if there are few, and whether its value differs from that of the record before it at
the same node, so that a scan reads one array from front to back. Splitting a node parts the records of every feature,
each part in the order it had.
"""

import math

import numpy as np

from treecore.engine.jit import inner, kernel, piece
from treecore.kernels.sums import center_of, has_cancelled

MOST_CLASSES, MOST_ROWS = 16, 2**27
"""What a record of 32 bits has room for. Of more classes, the rows of a block have theirs in Block.label."""
_ONE = np.uint32(1)
LABEL = np.uint32((MOST_CLASSES - 1) << 1)
"""Where a record has its class."""
AT_ONCE = 32


@inner
def record_of(row, label, is_new):
    """is_new : 1 if the value differs from the one before."""
    return np.uint32(row << 5) | np.uint32(label << 1) | np.uint32(is_new)


@inner
def differs(record):
    return np.int64(record & _ONE)


@inner
def label_of(record):
    return np.int64((record >> _ONE) & np.uint32(MOST_CLASSES - 1))


@inner
def class_of(record, label):
    """label : the classes of a block's rows, empty where the records have them."""
    return np.int64(label[row_of(record)]) if label.shape[0] > 0 else label_of(record)


@inner
def row_of(record):
    return np.int64(record >> np.uint32(5))


@inner
def unsigned_row(record):
    return np.uint64(record >> np.uint32(5))


@inner
def part_untied(source, target, left, right, goes_left):
    """Copy records (n,) into a larger array: those of rows that go left from `left` on, the others from `right` on.

    goes_left : uint8, 1 or 0 by row. Only a number depends on the side, not the way through the code: the processor
    could not foresee it. Returns where the left ones end.
    """
    at, both = np.uint64(left), np.uint64(left + right)  # the compiler need not think of negative indices
    for i in range(source.shape[0]):
        record = source[i]
        goes = goes_left[unsigned_row(record)]
        target[at if goes else both + np.uint64(i) - at] = record
        at += np.uint64(goes)
    return np.int64(at)


@inner
def part_tied(source, target, left, right, goes_left):
    """The same where values are equal: a record differs from its new predecessor if one of those between them did.

    Returns (where the left ones end, do they have equal values, do the right ones).
    """
    at, both = np.uint64(left), np.uint64(left + right)
    since_left, since_right, all_left, all_right = np.uint32(0), np.uint32(0), _ONE, _ONE
    for first in range(0, source.shape[0], AT_ONCE):
        here, base = piece(source, first, min(first + AT_ONCE, source.shape[0])), both + np.uint64(first)
        differ = _ONE
        for i in range(here.shape[0]):
            differ &= here[i]
        if differ:
            # few values are equal where most are not
            at = np.uint64(part_untied(here, target, np.int64(at), np.int64(base - at), goes_left))
            since_right = np.uint32(goes_left[unsigned_row(here[here.shape[0] - 1])])
            since_left = since_right ^ _ONE
            continue
        for i in range(here.shape[0]):
            record = here[i]
            goes = goes_left[unsigned_row(record)]
            mask = np.uint32(0) - np.uint32(goes)
            since_left |= record & _ONE
            since_right |= record & _ONE
            record |= (since_left & mask) | (since_right & ~mask)
            target[at if goes else base + np.uint64(i) - at] = record
            all_left &= record | ~mask
            all_right &= record | mask
            since_left &= ~mask
            since_right &= mask
            at += np.uint64(goes)
    return np.int64(at), (all_left & _ONE) == 0, (all_right & _ONE) == 0


# Statistics of the rows of some records, in the order of the records.
#
# special : as in grow_records.grow_blocks, None where every row counts once.


@inner
def add_classes(stats, records, label):
    """Add the rows of these records to the counts of their classes. label : see class_of."""
    if label.shape[0] > 0:
        for i in range(records.shape[0]):
            stats[label[row_of(records[i])]] += 1.0
        return
    others = np.int64(records.shape[0])
    for k in range(1, stats.shape[0]):
        count, asked = np.uint32(0), np.uint32(k << 1)
        for i in range(records.shape[0]):
            count += np.uint32((records[i] & LABEL) == asked)
        stats[k] += float(count)
        others -= np.int64(count)
    stats[0] += float(others)


@inner
def add_numbers(rows, block, stats, records, center, mean, so_far):
    """Add the rows of these records, in their order, to sums around `center`; returns so_far and what their targets,
    less the center, exceed `mean` by."""
    response, row_among_all = rows.response, block.rows
    a, b, c = stats[0], stats[1], stats[2]
    for i in range(records.shape[0]):
        y = response[row_among_all[row_of(records[i])]] - center
        a += 1.0
        b += y
        c += y * y
        so_far += y - mean
    stats[0], stats[1], stats[2] = a, b, c
    return so_far


@inner
def add_records(rows, block, stats, records, center):
    """Add rows to statistics around this center, in the order of their records."""
    if rows.rules[0].n_classes > 0:
        add_classes(stats, records, block.label)
    else:
        add_numbers(rows, block, stats, records, center, 0.0, 0.0)


@kernel
def add_weighted(rows, block, stats, records, center):
    """Add rows to statistics around this center, in the order of their records."""
    response, row_among_all, weight = rows.response, block.rows, block.weight
    if response.shape[0] == 0:
        for i in range(records.shape[0]):
            stats[class_of(records[i], block.label)] += float(weight[row_of(records[i])])
        return
    a, b, c = stats[0], stats[1], stats[2]
    for i in range(records.shape[0]):
        at = row_of(records[i])
        w, y = float(weight[at]), response[row_among_all[at]] - center
        a += w
        b += w * y
        c += w * y * y
    stats[0], stats[1], stats[2] = a, b, c


@inner
def add_rows(rows, block, stats, records, center, special):
    """The same of rows that may have weights."""
    if special is None:
        add_records(rows, block, stats, records, center)
    else:
        add_weighted(rows, block, stats, records, center)


@inner
def center_branch(rows, block, stats, records, goes_left, center):
    """The center of those of these records whose mark in block.goes_left is this; their statistics become those around
    it."""
    if rows.rules[0].n_classes > 0 or not has_cancelled(stats):
        return center
    return center_marked(rows, block, stats, records, goes_left, center)


@kernel
def center_marked(rows, block, stats, records, goes_left, center):
    """What center_branch says where sums have cancelled."""
    targets, weights, n = block.values, block.lefts, 0
    for i in range(records.shape[0]):
        row = row_of(records[i])
        if block.goes_left[row] == goes_left:
            targets[n] = rows.response[block.rows[row]]
            if weights.shape[0] > 0:
                weights[n] = float(block.weight[row])
            n += 1
    return center_of(piece(targets, 0, n), piece(weights, 0, min(n, weights.shape[0])), stats, center)


# The target of a block's rows in whole numbers, whose sums are exact in any order: how fine they are.
#
# Sums of all rows of a node must have room, so the numbers are coarse where a few targets are far from the others.
# Below such a node they are made finer again: otherwise rounding would settle ties between its cuts.

COARSE = 1 / 16
"""Numbers are made finer where a unit is more, as a share of the node's deviation, than this part of the tolerance."""
_BITS = 60


@inner
def refine(rows, block, nodes, place, records):
    """Make the numbers of the waiting node's rows finer, if they are too coarse and can be finer. records : of any
    feature, all of them."""
    variance = nodes.of[block.waiting[place].node].impurity
    if is_too_coarse(rows.rules[0], block.scale[place], variance, records.shape[0]):
        fix_numbers(rows, block, place, records, variance)


@inner
def is_too_coarse(rules, scale, variance, n):
    """Are the numbers of n rows with this variance too coarse, and can they be finer?"""
    coarse = COARSE * rules.tolerance
    # half as many rows need a bit less, and half the deviation most likely another one
    finer = 2 * n <= scale.n_rows or 4.0 * variance <= scale.variance
    return finer and scale.unit * scale.unit > coarse * coarse * variance


@kernel
def fix_numbers(rows, block, place, records, variance):
    """Write block.fixed of these records' rows, as fine as weighted sums of all of them allow, and how fine that is to
    block.scale."""
    response, row_among_all, fixed = rows.response, block.rows, block.fixed
    size, n, some = 0.0, records.shape[0], response[row_among_all[row_of(records[0])]]
    mean = 0.0
    for i in range(n):
        mean += response[row_among_all[row_of(records[i])]] - some
    mean = some + mean / n
    for i in range(n):
        size = max(size, abs(response[row_among_all[row_of(records[i])]] - mean))
    unit = 2.0 ** -bits_for(size, weight_of_records(block, records))
    for i in range(n):
        at = row_of(records[i])
        fixed[at] = np.int64(np.rint((response[row_among_all[at]] - mean) / unit))
    scale = block.scale[place]
    scale.unit, scale.mean, scale.variance, scale.n_rows = unit, mean, variance, n


@inner
def bits_for(size, weight):
    """Bits behind the point of numbers up to `size`, so many that weighted sums of all of them have room."""
    return min(_BITS - math.frexp(size)[1] - bit_length(weight), 1000)


@inner
def bit_length(n):
    """Bits of a whole number from 0 on."""
    bits = np.int64(0)
    while n > 0:
        n >>= 1
        bits += 1
    return bits


@inner
def weight_of_records(block, records):
    """Weight of the rows of these records."""
    if block.weight.shape[0] == 0:
        return np.int64(records.shape[0])
    weight = np.int64(0)
    for i in range(records.shape[0]):
        weight += np.int64(block.weight[row_of(records[i])])
    return weight
