"""Thresholds: every cut between two neighbouring values of the node, in ascending order."""

import math

from treecore.criteria.impurity import binary_decrease, squared_error_decrease
from treecore.jit import kernel
from treecore.kernels.rows import add_row


@kernel
def known_rows(codes, order, start, missing, rows, n_classes, known):
    """Sum the rows with a known value, which stand before the missing ones.

    Returns (position of the first missing row, weight, rows of positive weight).
    """
    for s in range(known.shape[0]):
        known[s] = 0.0
    weight, n_rows, at = 0.0, 0, start
    while codes[order[at]] != missing:
        row = rows[order[at]]
        add_row(known, row, n_classes)
        weight += row.weight
        n_rows += row.weight > 0.0
        at += 1
    return at, weight, n_rows


@kernel
def scan_ordered(codes, order, start, stop, rows, rules, values, sums, weight, n_rows, parent, bar):
    """The best decrease among the cuts of order[start:stop], and the position of its last low row.

    sums[2], weight, n_rows, parent : statistics, weight, rows and impurity of these rows.
    bar : stop at the first cut whose decrease reaches it; infinity looks at all of them.
    Returns (-inf, -1) when no cut leaves enough rows on both sides.
    Additive regression statistics are judged by squared error alone, which needs sums of the target only.
    """
    left, right, known = sums[0], sums[1], sums[2]
    n_stats, n_classes, criterion = known.shape[0], rules.n_classes, rules.criterion
    min_rows, min_weight = rules.min_rows_leaf, rules.min_weight_leaf
    for s in range(n_stats):
        left[s] = 0.0
    n_left, rows_left, sum_left = 0.0, 0, 0.0
    best, best_at = -math.inf, -1
    at = order[start]
    code = codes[at]
    for i in range(start, stop - 1):
        row = rows[at]
        w = row.weight
        if n_classes > 0:
            left[row.label] += w
        else:
            sum_left += w * row.response
        n_left += w
        rows_left += w > 0.0
        at = order[i + 1]
        last, code = code, codes[at]
        if code == last or rows_left < min_rows or n_left < min_weight:
            continue
        n_right = weight - n_left
        if n_rows - rows_left < min_rows or n_right < min_weight:
            break
        if n_classes > 0:
            for s in range(n_stats):
                right[s] = known[s] - left[s]
            decrease = binary_decrease(criterion, parent, left, n_left, right, n_right)
        else:
            decrease = squared_error_decrease(sum_left, n_left, known[1] - sum_left, n_right)
        if decrease > best and values[code] - values[last] > rules.min_gap:
            best, best_at = decrease, i
            if best >= bar:
                break
    return best, best_at
