"""Sorted records: one integer per row and feature, kept in the order of the feature's values.

A record holds the row, its class if there are few, and whether its value differs from that of the record before it at
the same node, so that a scan reads one array from front to back. Splitting a node parts the records of every feature,
each part in the order it had.
"""

import numpy as np

from treecore.engine.jit import inner, piece

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
