"""Nominal features: statistics per level, binary subsets, one branch per level.

Everywhere: levels = the LEVEL records of the levels present at the node, stats float64 (v, S) their
statistics, sums[2], weight, n_rows and parent the statistics, weight, rows and impurity of all of them.
"""

import math

from treecore.criteria.impurity import binary_decrease, impurity
from treecore.jit import inner, kernel
from treecore.kernels.rows import add_row, mean_target


@kernel
def tally_levels(codes, order, start, stop, rows, n_classes, levels, stats):
    """Sum up each level present in order[start:stop] (sorted by code); returns how many there are."""
    v, last = -1, -1
    for i in range(start, stop):
        row = rows[order[i]]
        if codes[order[i]] != last:
            last = codes[order[i]]
            v += 1
            levels[v].id = last
            levels[v].weight = 0.0
            levels[v].n_rows = 0
            for s in range(stats.shape[1]):
                stats[v, s] = 0.0
        add_row(stats[v], row, n_classes)
        levels[v].weight += row.weight
        levels[v].n_rows += row.weight > 0.0
    return v + 1


@kernel
def multiway_decrease(rules, levels, stats, n_levels, weight, parent):
    """Decrease with one branch per level; -inf unless two levels have enough rows."""
    total, filled = 0.0, 0
    for v in range(n_levels):
        n = levels[v].weight
        filled += levels[v].n_rows >= rules.min_rows_leaf and n >= rules.min_weight_leaf
        total += n * impurity(rules.criterion, stats[v], n)
    return parent - total / weight if filled >= 2 else -math.inf


@inner
def comes_before(levels, i, j):
    """Does level i come before level j: by key, then in declared order?"""
    return levels[i].key < levels[j].key or (levels[i].key == levels[j].key and i < j)


@kernel
def sort_levels(levels, n_levels):
    """levels.order = indices by ascending key; equal keys keep the declared order. A shell sort: no memory."""
    gap = 1
    while gap < n_levels // 3:
        gap = 3 * gap + 1
    for i in range(n_levels):
        levels[i].order = i
    while gap > 0:
        for i in range(gap, n_levels):
            at, moving = i, levels[i].order
            while at >= gap and comes_before(levels, moving, levels[at - gap].order):
                levels[at].order = levels[at - gap].order
                at -= gap
            levels[at].order = moving
        gap //= 3


@kernel
def side_decrease(rules, sums, n_left, rows_left, weight, n_rows, parent):
    """Decrease with sums[0] on one side and the rest on the other; -inf where a side is too small."""
    n_right, rows_right = weight - n_left, n_rows - rows_left
    if min(rows_left, rows_right) < rules.min_rows_leaf or min(n_left, n_right) < rules.min_weight_leaf:
        return -math.inf
    for s in range(sums.shape[1]):
        sums[1, s] = sums[2, s] - sums[0, s]
    return binary_decrease(rules.criterion, parent, sums[0], n_left, sums[1], n_right)


@kernel
def scan_sorted_levels(rules, levels, stats, n_levels, sums, weight, n_rows, parent, best, bar):
    """Try the cuts of the sorted levels; a cut better than `best` is written to levels.side."""
    for s in range(sums.shape[1]):
        sums[0, s] = 0.0
    n_left, rows_left, best_cut = 0.0, 0, -1
    for cut in range(n_levels - 1):
        v = levels[cut].order
        for s in range(sums.shape[1]):
            sums[0, s] += stats[v, s]
        n_left += levels[v].weight
        rows_left += levels[v].n_rows
        decrease = side_decrease(rules, sums, n_left, rows_left, weight, n_rows, parent)
        if decrease > best:
            best, best_cut = decrease, cut
            if best >= bar:
                break
    if best_cut >= 0:
        for i in range(n_levels):
            levels[levels[i].order].side = i > best_cut
    return best


@kernel
def scan_all_subsets(rules, levels, stats, n_levels, sums, weight, n_rows, parent, bar):
    """All 2^(v-1) - 1 partitions of v levels into two, the last level always on the right."""
    best = -math.inf
    for subset in range(1, 1 << (n_levels - 1)):
        for s in range(sums.shape[1]):
            sums[0, s] = 0.0
        n_left, rows_left = 0.0, 0
        for v in range(n_levels - 1):
            if subset >> v & 1:
                for s in range(sums.shape[1]):
                    sums[0, s] += stats[v, s]
                n_left += levels[v].weight
                rows_left += levels[v].n_rows
        decrease = side_decrease(rules, sums, n_left, rows_left, weight, n_rows, parent)
        if decrease > best:
            best = decrease
            for v in range(n_levels):
                levels[v].side = 1 - (subset >> v & 1)
            if best >= bar:
                break
    return best


@kernel
def scan_subsets(rules, levels, stats, n_levels, sums, weight, n_rows, parent, bar):
    """Best decrease of a binary grouping of the levels; the grouping is left in levels.side.

    Exact for two classes and for regression (levels sorted by mean target: Breiman et al. 1984,
    theorem 4.5; with a minimum per branch only among those cuts) and, by enumeration, up to
    max_exhaustive levels. Beyond: a heuristic, the best cut of the levels sorted by the share of
    each class in turn.
    """
    n_classes = rules.n_classes
    if n_classes > 2 and n_levels <= rules.max_exhaustive:
        return scan_all_subsets(rules, levels, stats, n_levels, sums, weight, n_rows, parent, bar)
    best = -math.inf
    for k in range(1 if n_classes <= 2 else n_classes):
        for v in range(n_levels):
            if n_classes <= 2:
                levels[v].key = mean_target(stats[v], levels[v].weight, n_classes)
            else:
                levels[v].key = stats[v, k] / max(levels[v].weight, 1e-300)
        sort_levels(levels, n_levels)
        best = scan_sorted_levels(rules, levels, stats, n_levels, sums, weight, n_rows, parent, best, bar)
        if best >= bar:
            break
    return best
