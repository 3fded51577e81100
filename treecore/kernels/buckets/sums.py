"""The targets of large nodes in whole numbers, and their sums by bucket.

A cell of a bucket is (sum of the target, squares of it in coarser units and the count of rows in one number). Both may
be added up and taken off again: one child's cells are what the other's leave of their parent's.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, kernel
from treecore.kernels.records.whole_targets import bit_length, bits_for, is_too_coarse

SHORTER = 29
"""By how many bits targets are shortened before they are squared: of n rows in k bits, all are below 2 ** (60 - k), so
that their squares have room above a count of k bits."""
HALF = 1 << (SHORTER - 1)


class Numbers(NamedTuple):
    """What is known of the targets of the node at work, of d features, and working memory.

    scale : SCALE (slots,), of each waiting node's rows. n_left : int32, sums : int64, gap : float64 (d, 257), rows in
    the buckets before one, the sum of their targets, and by how much it exceeds what is to be expected. targets :
    float64 (n,), those of a node's sorted rows. center : float64 (2,), what the sums of either side of the cut that was
    found are taken around.
    """

    scale: np.ndarray
    n_left: np.ndarray
    sums: np.ndarray
    gap: np.ndarray
    targets: np.ndarray
    center: np.ndarray


@inner
def count_bits(scale):
    """Bits for a count of all rows that the unit was chosen for."""
    return np.uint64(bit_length(scale.n_rows))


@inner
def whole(y, scale):
    """A target in whole numbers."""
    return np.int64(np.rint((y - scale.mean) / scale.unit))


@kernel
def choose_scale(response, members, start, stop, variance, scale):
    """The scale for the rows members[start:stop], as fine as sums of all of them allow. variance : of their targets."""
    mean, size, n, some = 0.0, 0.0, stop - start, response[members[start]]
    for i in range(start, stop):
        mean += response[members[i]] - some
    mean = some + mean / n
    for i in range(start, stop):
        size = max(size, abs(response[members[i]] - mean))
    scale.unit, scale.mean, scale.variance, scale.n_rows = 2.0 ** -bits_for(size, n), mean, variance, n


@kernel
def add_cells(row_bytes, response, members, first, start, stop, scale, cells):
    """cells[first[feature] + bucket] = of the rows start:stop there; int64 (buckets of all features, 2)."""
    d, bits = first.shape[0] - 1, count_bits(scale)
    cells[:] = 0
    for row in range(start, stop):
        own, target = row_bytes[row], whole(response[members[row]], scale)
        short = (target + HALF) >> SHORTER
        squared = np.int64(np.uint64(short * short) << bits) + 1
        for f in range(d):
            cell = np.uint64(first[f]) + np.uint64(own[f])
            cells[cell, 0] += target
            cells[cell, 1] += squared


@inner
def rows_in(cell, bits):
    """Rows of a cell, by its second number."""
    return np.int64(np.uint64(cell) & ((np.uint64(1) << bits) - np.uint64(1)))


@inner
def spread_in(cell_sum, cell, n, bits):
    """No less than the squares of the n targets of a cell around their mean: what was lost when they were shortened
    may all lie in the same direction."""
    size = math.sqrt(float(np.uint64(cell) >> bits)) * float(1 << SHORTER) + math.sqrt(float(n)) * float(HALF)
    return max(size * size * (1.0 + 1e-12) - float(cell_sum) * float(cell_sum) / n, 0.0)


@kernel
def renew_cells(rows, nodes, buckets, row_bytes, numbers, waiting, cells):
    """Count the rows of the root; those of another node anew in finer units, if theirs are too coarse for it."""
    start, stop, scale = waiting.start, waiting.stop, numbers.scale[waiting.side]
    variance = nodes.of[waiting.node].impurity
    if waiting.node == 0 or is_too_coarse(rows.rules[0], scale, variance, stop - start):
        choose_scale(rows.response, buckets.members, start, stop, variance, scale)
        add_cells(row_bytes, rows.response, buckets.members, buckets.first, start, stop, scale, cells)
