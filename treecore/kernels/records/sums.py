"""Statistics of the rows of some records, in the order of the records.

special : as in grow.grow_blocks, None where every row counts once.
"""

import numpy as np

from treecore.engine.jit import inner, kernel, piece
from treecore.kernels.own_mean import center_of, has_cancelled
from treecore.kernels.records.records import LABEL, class_of, row_of


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
