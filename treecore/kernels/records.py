"""Presorted records: one integer per row and feature, kept in the order of the feature's values.

A record holds the row, its class and whether its value differs from that of the record before it at the same node, so
that a scan reads one array from front to back. Splitting a node parts the records of every feature, each part in the
order it had.
"""

import numpy as np

from treecore.jit import inner, jit

MOST_CLASSES, MOST_ROWS = 16, 2**27
"""What a record of 32 bits has room for."""
_ONE = np.uint32(1)


@inner
def differs(record):
    return np.int64(record & _ONE)


@inner
def label_of(record):
    return np.int64((record >> _ONE) & np.uint32(MOST_CLASSES - 1))


@inner
def row_of(record):
    return np.int64(record >> np.uint32(5))


@jit
def make_records(order, codes, rows, records):
    """Write the records (n,) of one feature from its rows in order; returns whether any values are equal."""
    tied, last = False, np.int32(-1)
    for i in range(order.shape[0]):
        row = order[i]
        new = np.uint32(codes[row] != last)
        tied |= new == 0
        last = codes[row]
        records[i] = np.uint32(row << 5) | np.uint32(rows[row].label << 1) | new
    return tied


@inner
def partition_records(source, target, middle, goes_left):
    """Copy the records of a node (n,) into as large an array: those of rows that go left, `middle` of them, come first.

    There is no branch on the side: the processor could not foresee it.
    """
    left, right = 0, middle
    for i in range(source.shape[0]):
        record = source[i]
        goes = np.int64(goes_left[row_of(record)])
        target[goes * left + (1 - goes) * right] = record
        left += goes
        right += 1 - goes


@inner
def partition_tied(source, target, middle, goes_left):
    """The same where values are equal: a record differs from its new predecessor if one of those between them did.

    Returns whether the left and the right part have equal values.
    """
    left, right = 0, middle
    since_left, since_right, all_left, all_right = np.uint32(0), np.uint32(0), _ONE, _ONE
    for i in range(source.shape[0]):
        record = source[i]
        goes = np.uint32(goes_left[row_of(record)])
        mask = np.uint32(0) - goes
        since_left |= record & _ONE
        since_right |= record & _ONE
        record |= (since_left & mask) | (since_right & ~mask)
        target[np.int64(goes) * left + np.int64(1 - goes) * right] = record
        all_left &= record | ~mask
        all_right &= record | mask
        since_left &= ~mask
        since_right &= mask
        left += np.int64(goes)
        right += np.int64(1 - goes)
    return (all_left & _ONE) == 0, (all_right & _ONE) == 0
