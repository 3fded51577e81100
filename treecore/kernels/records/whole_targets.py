"""The target of a block's rows in whole numbers, whose sums are exact in any order: how fine they are.

Sums of all rows of a node must have room, so the numbers are coarse where a few targets are far from the others. Below
such a node they are made finer again: otherwise rounding would settle ties between its cuts.
"""

import math

import numpy as np

from treecore.engine.jit import inner, kernel
from treecore.kernels.records.records import row_of

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
