"""Nominal features: statistics per level, binary subsets, one branch per level.

Everywhere: levels = the LEVEL records of the levels present at the node, stats float64 (v, S) their
statistics, sums[2], weight, n_rows and parent the statistics, weight, rows and impurity of all of them; least = the
weight that a branch needs, bar = the value at which to stop, special
as of search_nodes.
"""

import math

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import GAIN_RATIO, MDL_GAIN_RATIO, TWOING, cell_value, cut_value
from treecore.engine.jit import inner, kernel
from treecore.kernels.constraints import BOUNDS, answer, keeps_order
from treecore.kernels.sums import add_row, mean_target


@kernel
def tally_levels(codes, order, start, stop, rows, n_classes, levels, stats):
    """Sum up each level present in order[start:stop] (sorted by code); returns how many there are.

    A level of which all rows have weight 0 is not there.
    """
    v, last = -1, -1
    for i in range(start, stop):
        row = rows[order[i]]
        if row.weight <= 0.0:
            continue
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
        levels[v].n_rows += 1
    return v + 1


@kernel
def multiway_value(problem, levels, stats, n_levels, sums, weight, parent, least, special):
    """What one branch per level is worth; -inf unless two levels have enough rows."""
    rules, filled, value = problem.rules[0], 0, 0.0
    for v in range(n_levels):
        n = levels[v].weight
        filled += levels[v].n_rows >= rules.min_rows_leaf and n >= least and n > 0.0
        value += n * impurity_by_code(problem.judge, stats[v], n)
    if filled < 2:
        return -math.inf
    if special is not None:
        for v in range(n_levels if rules.monotonic != 0 else 0):
            here = answer(rules.n_classes, stats[v], levels[v].weight)
            if not keeps_order(0, sums[BOUNDS], here, here):
                return -math.inf
        if rules.score > TWOING:
            return multiway_test(rules, levels, stats, n_levels, sums[2], weight)
    return parent - value / weight


@kernel
def multiway_test(rules, levels, stats, n_levels, total, weight):
    """Chi-square or G of the table of levels by classes."""
    value = 0.0
    for v in range(n_levels):
        for k in range(total.shape[0]):
            value += cell_value(rules.score, stats[v, k], total[k] * levels[v].weight / weight)
    return value


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
def side_value(problem, sums, n_left, rows_left, weight, n_rows, parent, least, special):
    """What it is worth to part sums[0] from the rest; -inf where a side is too small."""
    n_right, rows_right, rules = weight - n_left, n_rows - rows_left, problem.rules[0]
    if min(rows_left, rows_right) < rules.min_rows_leaf or min(n_left, n_right) < least:
        return -math.inf
    for s in range(sums.shape[1]):
        sums[1, s] = sums[2, s] - sums[0, s]
    if special is not None:
        if rules.monotonic != 0:
            low, high = answer(rules.n_classes, sums[0], n_left), answer(rules.n_classes, sums[1], n_right)
            if not keeps_order(0, sums[BOUNDS], low, high):
                return -math.inf
    return cut_value(problem.judge, rules.score, parent, sums[0], n_left, sums[1], n_right, special)


@kernel
def scan_sorted_levels(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, best, bar, special):
    """Try the cuts of the sorted levels; a cut better than `best` is written to levels.side."""
    for s in range(sums.shape[1]):
        sums[0, s] = 0.0
    n_left, rows_left, best_cut = 0.0, np.int64(0), -1
    for cut in range(n_levels - 1):
        v = levels[cut].order
        for s in range(sums.shape[1]):
            sums[0, s] += stats[v, s]
        n_left += levels[v].weight
        rows_left += levels[v].n_rows
        value = side_value(problem, sums, n_left, rows_left, weight, n_rows, parent, least, special)
        if value > best:
            best, best_cut = value, cut
            if best >= bar:
                break
    if best_cut >= 0:
        for i in range(n_levels):
            levels[levels[i].order].side = i > best_cut
    return best


@kernel
def scan_all_subsets(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, bar, special):
    """All 2^(v-1) - 1 partitions of v levels into two, the last level always on the right."""
    best = -math.inf
    for subset in range(1, 1 << (n_levels - 1)):
        for s in range(sums.shape[1]):
            sums[0, s] = 0.0
        n_left, rows_left = 0.0, np.int64(0)
        for v in range(n_levels - 1):
            if subset >> v & 1:
                for s in range(sums.shape[1]):
                    sums[0, s] += stats[v, s]
                n_left += levels[v].weight
                rows_left += levels[v].n_rows
        value = side_value(problem, sums, n_left, rows_left, weight, n_rows, parent, least, special)
        if value > best:
            best = value
            for v in range(n_levels):
                levels[v].side = 1 - (subset >> v & 1)
            if best >= bar:
                break
    return best


@kernel
def scan_subsets(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, bar, special):
    """Best value of a binary grouping of the levels; the grouping is left in levels.side.

    Exact for two classes and for regression (levels sorted by the share of the first class or the mean target: Breiman
    et al. 1984, theorem 4.5; with a minimum per branch only among those cuts) and, by enumeration, up to
    max_exhaustive levels. Beyond: a heuristic, the best cut of the levels sorted by the share of
    each class in turn.
    """
    rules = problem.rules[0]
    n_classes = rules.n_classes
    if n_classes > 2 and n_levels <= rules.max_exhaustive:
        return scan_all_subsets(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, bar, special)
    best = -math.inf
    for k in range(1 if n_classes <= 2 else n_classes):
        for v in range(n_levels):
            if n_classes == 0:
                levels[v].key = mean_target(stats[v], levels[v].weight, n_classes)
            else:
                levels[v].key = stats[v, k] / max(levels[v].weight, 1e-300)
        sort_levels(levels, n_levels)
        best = scan_sorted_levels(
            problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, best, bar, special
        )
        if best >= bar and best > -math.inf:  # any will do, but it must be one
            break
    return best


@kernel
def scan_one_level(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, total, step, bar, special):
    """The level that is best parted from all others, left in levels.side: by gain ratio if that is the score.

    total : weight of the node with the rows that have no value, for the split information. step : see
        scores.least_step; the first declared level need not exceed it (J48). If no level does, none has a side of
        its own and the value is 0, or -inf if no level has enough rows.
    """
    best, rules = -math.inf, problem.rules[0]
    for v in range(n_levels if step > 0.0 else 0):
        levels[v].side = 1
    for v in range(n_levels):
        for s in range(sums.shape[1]):
            sums[0, s] = stats[v, s]
        n = levels[v].weight
        value = side_value(problem, sums, n, levels[v].n_rows, weight, n_rows, parent, least, special)
        if value > -math.inf and (rules.score == GAIN_RATIO or rules.score == MDL_GAIN_RATIO):
            value = value * weight / total / information(n, weight - n, total - weight, total)
        if step > 0.0 and value > -math.inf and levels[v].id > 0 and value - max(best, 0.0) <= step * weight / total:
            best = max(best, 0.0)
            continue
        if value > best:
            best = value
            for u in range(n_levels):
                levels[u].side = int(u != v)
            if best >= bar:
                break
    return best


@inner
def part_information(n, total):
    """-n/total log2 n/total."""
    return -n / total * math.log2(n / total) if n > 0.0 else 0.0


@inner
def information(n_left, n_right, n_missing, total):
    """Split information of two branches and the rows without a value, in bits."""
    return part_information(n_left, total) + part_information(n_right, total) + part_information(n_missing, total)
