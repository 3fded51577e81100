"""The best cut of a node's sorted records where rows have weights, or rows without a value stand on one side.

As cut_scans, by two passes. Weights are whole numbers, so sums of them are exact in any order. `lefts` becomes the
weight on the left of every cut.
"""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import bits_of, inner, number_of, piece
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.records import class_of, differs, label_of, row_of


class Side(NamedTuple):
    """What a scan asks for.

    first, last : cuts behind records first:last leave rows enough. least : weight that either side needs. total :
    weight of all rows to part; start : of those that stand left of every cut. factor : what values are multiplied by.
    """

    first: int
    last: int
    least: float
    total: float
    start: float
    factor: float


@inner
def noted_if(allowed, value, record, values, i):
    """Note the value of the i-th cut, in front of this record; its bits, NOTHING where it is no cut."""
    bits = bits_of(value) | (differs(record) - 1) | (np.int64(allowed) - 1)
    values[i] = number_of(bits)
    return bits


@inner
def best_by_gap(records, lefts, values, side, share):
    """D^2 / (left * right), D = values less what is to be expected. share : of the values per weight."""
    best, least, total, factor = NOTHING, side.least, side.total, side.factor
    behind = piece(records, side.first + 1, side.last + 1)
    on_left, found = piece(lefts, side.first, side.last), piece(values, side.first, side.last)
    for i in range(found.shape[0]):
        left = on_left[i]
        right, gap = total - left, found[i] - share * left
        value = factor * gap * gap / (left * right)
        best = max(best, noted_if(min(left, right) >= least, value, behind[i], found, i))
    return best


@inner
def scan_weighted_two(records, weight, lefts, values, side, start, all_second):
    """Gini of two classes; the factor is twice the usual one. start, all_second : weight of the second class that
    stands left of every cut, and of all."""
    left, c = np.int64(side.start), np.int64(start)
    for i in range(records.shape[0]):
        w = np.int64(weight[row_of(records[i])])
        left += w
        c += w * label_of(records[i])
        lefts[i], values[i] = float(left), float(c)
    return best_by_gap(records, lefts, values, side, float(all_second) / side.total)


@inner
def scan_weighted_numbers(records, weight, fixed, mean, lefts, values, side, start, rest):
    """Squared error. start, rest : weighted sums of the target less `mean`, in whole numbers, of the rows that stand
    left, and right of every cut."""
    left, c = np.int64(side.start), np.int64(start)
    for i in range(records.shape[0]):
        at = row_of(records[i])
        w = np.int64(weight[at])
        left += w
        c += w * (fixed[at] - mean)
        lefts[i], values[i] = float(left), float(c)
    return best_by_gap(records, lefts, values, side, float(c + rest) / side.total)


@inner
def scan_weighted_classes(records, weight, label, count, left, lefts, cross, values, side):
    """Gini of any number of classes. label : see class_of. count, left : int64 (K,), of all rows, and of those left of
    every cut; the latter is overwritten."""
    squares, a, b, n_left = np.int64(0), np.int64(0), np.int64(0), np.int64(side.start)
    for k in range(count.shape[0]):
        squares += count[k] * count[k]
        a += left[k] * left[k]
        b += left[k] * count[k]
    for i in range(records.shape[0]):
        k, w = class_of(records[i], label), np.int64(weight[row_of(records[i])])
        a += w * (2 * left[k] + w)
        b += w * count[k]
        left[k] += w
        n_left += w
        values[i], cross[i], lefts[i] = float(a), float(b), float(n_left)
    total, least, factor, best = side.total, side.least, side.factor, NOTHING
    share = 1.0 / total
    spread, all_squares = squares * share * share, float(squares)
    behind = piece(records, side.first + 1, side.last + 1)
    found, products = piece(values, side.first, side.last), piece(cross, side.first, side.last)
    on_left = piece(lefts, side.first, side.last)
    for i in range(found.shape[0]):
        small, a, b = on_left[i], found[i], products[i]
        allowed, pairs = min(small, total - small) >= least, small * (total - small)
        if 2.0 * small > total:
            small, a, b = total - small, all_squares - 2.0 * b + a, all_squares - b
        value = (a - 2.0 * small * b * share + small * small * spread) / pairs
        best = max(best, noted_if(allowed, factor * max(value, 0.0), behind[i], found, i))
    return best


@inner
def scan_weighted_entropy(records, weight, label, count, left, xlog, lefts, values, side):
    """Entropy in bits of any number of classes; label, count, left as above. xlog : see Block."""
    best, a, n_left, total = NOTHING, 0.0, np.int64(side.start), np.int64(side.total)
    own = xlog[total]
    for k in range(count.shape[0]):
        own -= xlog[count[k]]
        a += xlog[left[k]] + xlog[count[k] - left[k]]
    for i in range(side.last):
        k, w = class_of(records[i], label), np.int64(weight[row_of(records[i])])
        before, others = left[k], count[k] - left[k]
        a += (xlog[before + w] - xlog[before]) + (xlog[others - w] - xlog[others])
        left[k] = before + w
        n_left += w
        values[i], lefts[i] = a, float(n_left)
    for i in range(side.first, side.last):
        n_left = np.int64(lefts[i])
        value = max(own + values[i] - xlog[n_left] - xlog[total - n_left], 0.0) * side.factor / side.total
        allowed = min(lefts[i], side.total - lefts[i]) >= side.least
        best = max(best, noted_if(allowed, value, records[i + 1], values, i))
    return best
