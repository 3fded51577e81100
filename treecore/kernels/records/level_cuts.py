"""The best two groups of the levels of a nominal feature, at a node of a block."""

import math

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.engine.jit import bits_of, inner, kernel, piece
from treecore.kernels.constraints import gain_allowed
from treecore.kernels.general.level_groups import scan_subsets
from treecore.kernels.random_features import CLOSED
from treecore.kernels.records.cut_scans import NOTHING, best_of_groups, put_group
from treecore.kernels.records.nodes import center_at, weight_of
from treecore.kernels.records.record_block import N_TABLES, all_records
from treecore.kernels.records.record_cuts import ABOVE, BELOW, NO_WAY, known_stats
from treecore.kernels.records.records import add_weighted, class_of, differs, label_of, row_of
from treecore.kernels.state import OWN_VALUE


@kernel
def tally_runs(rows, block, records, k, f, center):
    """block.levels and block.level_stats, around this center, become those of the levels of these records; returns how
    many there are.

    k : records with a value; those behind them are one more level.
    """
    levels, stats, weight, response = block.levels, block.level_stats, block.weight, rows.response
    row_among_all, v, has_label = block.rows, -1, rows.response.shape[0] == 0
    for i in range(records.shape[0]):
        at = row_of(records[i])
        if i == 0 or i == k or (i < k and differs(records[i])):
            v += 1
            levels[v].id, levels[v].weight, levels[v].n_rows = rows.keys[row_among_all[at], f], 0.0, 0
            for s in range(stats.shape[1]):
                stats[v, s] = 0.0
        w = float(weight[at])
        levels[v].weight += w
        levels[v].n_rows += 1
        if has_label:
            stats[v, class_of(records[i], block.label)] += w
        else:
            y = response[row_among_all[at]] - center
            stats[v, 0] += w
            stats[v, 1] += w * y
            stats[v, 2] += w * y * y
    return v + 1


@kernel
def tally_groups(rows, block, nodes, place, f):
    """(number of levels to part, weight, rows, impurity of their rows); block.levels, block.level_stats and
    block.level_sums[2] tell of them."""
    rules, records, i = rows.rules[0], all_records(block, place, f), block.waiting[place].node
    k, center = block.known[place, f], center_at(nodes, i)
    n, stats, sums, parent = records.shape[0], nodes.stats[i], block.level_sums, nodes.of[i].impurity
    weight, known, to_part = weight_of(stats, rules.n_classes), stats, records
    if k < n and rules.missing != OWN_VALUE:
        weight = known_stats(rows, block, stats, records, k, center)
        known, to_part = block.whole, piece(records, 0, k)
        parent = impurity_by_code(rows.judge, known, weight)
    for s in range(stats.shape[0]):
        sums[2, s] = known[s]
    return tally_runs(rows, block, to_part, k, f, center), weight, to_part.shape[0], parent


@kernel
def scan_groups(rows, block, n_levels, weight, n_rows, parent, bar):
    """Value of the best two groups of the levels that were tallied, or of the first whose value reaches the bar;
    block.levels says which side each level is on. -inf where there are none."""
    if n_levels < 2:
        return -math.inf
    return scan_subsets(
        rows, block.levels, block.level_stats, n_levels, block.level_sums, weight, n_rows, parent,
        rows.rules[0].min_weight_leaf, bar, None,
    )  # fmt: skip


@inner
def tally_two(block, records, k):
    """block.groups become the levels of these records, of two classes: see two_groups.put_group. k : records with a
    value; those behind them are one more level. Returns how many levels there are."""
    weight, v, n = block.weight, np.int64(0), records.shape[0]
    w, c, begin = np.int64(0), np.int64(0), 0
    for i in range(n):
        each = np.int64(weight[row_of(records[i])])
        w += each
        c += each * label_of(records[i])
        if i + 1 < n and i + 1 != k and (i + 1 > k or not differs(records[i + 1])):
            continue
        put_group(block.groups, v, w, c, i + 1 - begin)
        w, c, begin, v = np.int64(0), np.int64(0), i + 1, v + 1
    return v


@inner
def scan_two_groups(rows, block, place, f):
    """Bits of the value of the best two groups of levels of a nominal feature, of two classes."""
    records, k, missing = all_records(block, place, f), block.known[place, f], np.int64(0)
    n = records.shape[0]
    to_part = n if rows.rules[0].missing == OWN_VALUE else k
    n_levels = tally_two(block, piece(records, 0, to_part), k)
    for i in range(to_part, n):
        missing += np.int64(block.weight[row_of(records[i])])
    return best_of_groups(rows, block.groups, n_levels, to_part, missing, block.xlog)


@kernel
def scan_any_groups(rows, block, nodes, place, f):
    """The same of any target."""
    n_levels, weight, n_rows, parent = tally_groups(rows, block, nodes, place, f)
    value = scan_groups(rows, block, n_levels, weight, n_rows, parent, math.inf)
    of_all = weight_of(nodes.stats[block.waiting[place].node], rows.rules[0].n_classes)
    return bits_of(max(value * (weight / of_all), 0.0) / rows.judge.scale) if value > -math.inf else NOTHING


@inner
def scan_levels(rows, block, nodes, place):
    """Fill block.best of the nominal features for the node at this place."""
    nominal, two_classes = rows.nominal, rows.rules[0].n_classes == 2
    for f in range(nominal.shape[0]):
        if not nominal[f] or block.sample[CLOSED, f]:
            continue
        if two_classes:
            block.best[f] = scan_two_groups(rows, block, place, f)
        else:
            block.best[f] = scan_any_groups(rows, block, nodes, place, f)


@kernel
def mark_groups(rows, block, nodes, place, f, n_levels):
    """Write the table of the levels' sides, and block.goes_left by it; block.left and block.right become the statistics
    of the known rows. Returns (way, known records on the left)."""
    records, k, levels = all_records(block, place, f), block.known[place, f], block.levels
    left, right, middle, v = block.left, block.right, np.int64(0), -1
    center = center_at(nodes, block.waiting[place].node)
    for s in range(left.shape[0]):
        left[s], right[s] = 0.0, 0.0
    begin, size = nodes.counts[N_TABLES], np.int64(rows.absent[f])
    for level in range(size):
        nodes.tables[begin + level] = -1
    start = 0
    for i in range(1, k + 1):
        if i < k and not differs(records[i]):
            continue
        v += 1
        goes_left, run = levels[v].side == 0, piece(records, start, i)
        nodes.tables[begin + levels[v].id] = levels[v].side
        add_weighted(rows, block, left if goes_left else right, run, center)
        for j in range(run.shape[0]):
            block.goes_left[row_of(run[j])] = goes_left
        middle += run.shape[0] if goes_left else 0
        start = i
    nodes.counts[N_TABLES] = begin + size
    if v + 1 < n_levels:
        return BELOW if levels[v + 1].side == 0 else ABOVE, middle
    return NO_WAY, middle


@inner
def cut_by_levels(rows, block, nodes, place, winner, bar):
    """(feature, known records on the left, gain, way) of a nominal winner; feature -1 if the gain is too small."""
    rules, i = rows.rules[0], block.waiting[place].node
    weight, root = weight_of(nodes.stats[i], rules.n_classes), weight_of(nodes.stats[0], rules.n_classes)
    n_levels, to_part, n_rows, parent = tally_groups(rows, block, nodes, place, winner)
    value, share = scan_groups(rows, block, n_levels, to_part, n_rows, parent, math.inf), to_part / weight
    # whether to split at all is decided by the best groups, also where some before them count as equal
    if not gain_allowed(rules, nodes.of[i].impurity, weight, root, value * share):
        return -1, 0, 0.0, NO_WAY
    least = min(value, bar * rows.judge.scale / share)
    value = scan_groups(rows, block, n_levels, to_part, n_rows, parent, least)
    way, middle = mark_groups(rows, block, nodes, place, winner, n_levels)
    return winner, middle, value * share, way
