"""Groups of levels of a large node's nominal feature: a bucket holds one level, first:stop of those of all features."""

import math

import numpy as np

from treecore.engine.jit import inner, kernel, number_of, piece, row
from treecore.kernels.buckets.single_values import NO_CUT
from treecore.kernels.general.levels import scan_subsets
from treecore.kernels.limits import gain_allowed
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.state import N_TABLES
from treecore.kernels.records.two_groups import best_of_groups, put_group


@inner
def best_of_two_classes(rows, search, counts, first, stop, n):
    """The decrease times rows, of n rows in all, of the best two groups of levels; NO_CUT where there are none."""
    groups, v = search.groups, 0
    some, others = piece(row(counts, 0), first, stop), piece(row(counts, 1), first, stop)
    for level in range(some.shape[0]):
        second = np.int64(others[level])
        weight = np.int64(some[level]) + second
        if weight > 0:
            put_group(groups, v, weight, second, weight)
            v += 1
    bits = best_of_groups(rows, groups, v, n, np.int64(0), search.xlog)
    return NO_CUT if bits == NOTHING else number_of(bits) * n


@inner
def tally_counts(search, counts, first, stop):
    """search.levels and search.level_stats become those of the levels with rows; returns how many there are."""
    levels, stats, v = search.levels, search.level_stats, 0
    for level in range(first, stop):
        n = np.int64(0)
        for k in range(counts.shape[0]):
            stats[v, k] = float(counts[k, level])
            n += counts[k, level]
        levels[v].id, levels[v].weight, levels[v].n_rows = level - first, float(n), n
        v += n > 0
    return v


@kernel
def scan_counts(rows, nodes, search, i, n_levels, bar):
    """As special_cuts.scan_groups, of node i."""
    n, sums, stats = np.int64(nodes.of[i].n_rows), search.level_sums, nodes.stats[i]
    for k in range(stats.shape[0]):
        sums[2, k] = stats[k]
    if n_levels < 2:
        return -math.inf
    return scan_subsets(
        rows, search.levels, search.level_stats, n_levels, sums, float(n), n, nodes.of[i].impurity,
        rows.rules[0].min_weight_leaf, bar, None,
    )  # fmt: skip


@inner
def best_of_levels(rows, nodes, search, counts, first, stop, i):
    """The decrease times rows of the best two groups of levels at node i; NO_CUT where there are none."""
    if counts.shape[0] == 2:
        return best_of_two_classes(rows, search, counts, first, stop, np.int64(nodes.of[i].n_rows))
    value = scan_counts(rows, nodes, search, i, tally_counts(search, counts, first, stop), math.inf)
    return max(value, 0.0) / rows.judge.scale * nodes.of[i].n_rows if value > -math.inf else NO_CUT


@kernel
def part_by_levels(rows, nodes, search, counts, first, stop, i, f, bar):
    """Cut node i by the first two groups of feature f whose value, times rows, reaches the bar: sets search.cut,
    search.goes_left, search.other and the table of the levels' sides. Returns (is its gain enough?, the gain).
    """
    node, levels, cut, other = nodes.of[i], search.levels, search.cut[0], search.other
    n_levels, n = tally_counts(search, counts, first, stop), float(node.n_rows)
    value = scan_counts(rows, nodes, search, i, n_levels, math.inf)
    # whether to split at all is decided by the best groups, also where some before them count as equal
    if not gain_allowed(rows.rules[0], node.impurity, n, float(nodes.of[0].n_rows), value):
        return False, 0.0
    value = scan_counts(rows, nodes, search, i, n_levels, min(value, bar / n * rows.judge.scale))
    begin, size = nodes.counts[N_TABLES], np.int64(rows.absent[f])
    nodes.counts[N_TABLES] = begin + size
    nodes.tables[begin : begin + size] = -1
    search.goes_left[:] = 0
    other[:] = 0
    for v in range(n_levels):
        level, goes_left = levels[v].id, levels[v].side == 0
        nodes.tables[begin + level], search.goes_left[level] = levels[v].side, goes_left
        for k in range(other.shape[0]):
            other[k] += np.int64(counts[k, first + level]) * goes_left
    cut.feature, cut.whole, cut.partly, cut.low, cut.high = f, -1, -1, begin, 0
    return True, value
