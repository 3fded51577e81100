"""Nominal features by absolute error: binary groupings of the levels, one level or all of them apart.

Everywhere: targets = the ITEM records of the node's rows of positive weight, ascending; levels = the LEVEL records of
the levels present among the rows line[:n] that are parted, level v being line[begin[v]:begin[v + 1]]; weight, n_rows
and error = weight, number and error of these rows.
"""

import math

import numpy as np

from treecore.engine.jit import allocating, kernel, passage
from treecore.kernels.general.levels import sort_levels
from treecore.kernels.median.absolute_scan import fill_line, too_small
from treecore.kernels.median.level_groups import scan_absolute_groups
from treecore.kernels.median.medians import add_part, clear, error_of_part, error_of_set
from treecore.kernels.median.targets import error_around
from treecore.kernels.state import MULTIWAY, ONE_LEVEL


@passage
def scan_absolute_levels(problem, growing, node, ranked, f, n, weight, n_rows, error, bar):
    """The best decrease of a nominal feature, its groups left in growing.levels as `search.scan_feature` does.

    Returns (decrease, False), or (-inf, True) if the line is to be cut: it is sorted by the medians of the levels then.
    """
    rules, splitter, levels = problem.rules[0], problem.features[f].splitter, growing.levels
    decrease, by_cuts, targets = -math.inf, False, ranked.targets[: ranked.set[0].n_targets]
    n_levels = count_levels(ranked, n, levels)
    growing.scans[f].n_levels = n_levels
    name_levels(problem.codes[f], ranked.line[n - 1].code, targets, levels, n_levels)
    if splitter == ONE_LEVEL:
        decrease = part_one_level(rules, ranked, levels, n_levels, weight, n_rows, error, bar)
    elif splitter == MULTIWAY:
        decrease = part_all_levels(rules, targets, levels, n_levels, weight, error)
    elif n_levels <= rules.max_exhaustive:
        decrease = scan_absolute_groups(rules, targets, levels, n_levels, weight, n_rows, error, bar)
    else:
        by_cuts = True
        level_errors(targets, levels, n_levels)
        line_up_levels(problem, growing, node, ranked, f, n_levels)
    return decrease, by_cuts


@kernel
def count_levels(ranked, n, levels):
    """Fill the levels' ids, weights and rows and ranked.begin; returns how many levels there are.

    A level of which all rows have weight 0 is not there: its rows stand among those of the next one, or of the last.
    """
    v, last = -1, -1
    for i in range(n):
        item = ranked.line[i]
        if item.code != last:
            last = item.code
            if v < 0 or levels[v].n_rows > 0:  # else its place is taken, with its rows
                v += 1
                ranked.begin[v] = i
            levels[v].id, levels[v].weight, levels[v].n_rows = last, 0.0, 0
        levels[v].weight += item.weight
        levels[v].n_rows += item.weight > 0.0
    if v > 0 and levels[v].n_rows == 0:
        v -= 1
    ranked.begin[v + 1] = n
    return v + 1


@kernel
def name_levels(codes, largest, targets, levels, n_levels):
    """Let each target's code be the index of its level, -1 for rows beyond the largest code. Uses levels.order."""
    for v in range(n_levels):
        levels[levels[v].id].order = v
    for i in range(targets.shape[0]):
        code = codes[targets[i].index]
        targets[i].code = levels[code].order if code <= largest else -1


@allocating
def level_errors(targets, levels, n_levels):
    """levels.key = the median of each level; returns the sum of the levels' errors."""
    # w and w y so far; the error but for the sum of all w y
    sums = np.zeros((n_levels, 3))
    for i in range(targets.shape[0]):
        target = targets[i]
        v = target.code
        if v < 0:
            continue
        below, half = sums[v, 0], 0.5 * levels[v].weight
        sums[v, 0] += target.weight
        if below < half <= sums[v, 0]:
            levels[v].key = target.value
            sums[v, 2] = error_around(target.value, below, sums[v, 1], levels[v].weight, 0.0)
        elif below == half:
            levels[v].key = 0.5 * levels[v].key + 0.5 * target.value
        sums[v, 1] += target.weight * target.value
    total = 0.0
    for v in range(n_levels):
        levels[v].key = levels[v].key if levels[v].n_rows > 0 else 0.0
        total += max(sums[v, 2] + sums[v, 1], 0.0)
    return total


@passage
def part_all_levels(rules, targets, levels, n_levels, weight, error):
    """Decrease with one branch per level; -inf unless two levels have enough rows."""
    filled = 0
    for v in range(n_levels):
        filled += levels[v].n_rows >= rules.min_rows_leaf and levels[v].weight >= rules.min_weight_leaf
    remaining = level_errors(targets, levels, n_levels)
    return (error - remaining) / weight if filled >= 2 else -math.inf


@allocating
def part_one_level(rules, ranked, levels, n_levels, weight, n_rows, error, bar):
    """The best decrease by parting one level from all others; it is left in levels.side as 0."""
    best, begin, own = -math.inf, ranked.begin, np.empty(n_levels)
    for v in range(n_levels):
        own[v] = error_of_part(ranked, begin[v], begin[v + 1])
    clear(ranked)
    add_part(ranked, 0, begin[n_levels], 1.0)
    for v in range(n_levels):
        if too_small(rules, levels[v].weight, levels[v].n_rows, weight, n_rows):
            continue
        add_part(ranked, begin[v], begin[v + 1], -1.0)
        decrease = (error - own[v] - error_of_set(ranked)) / weight
        add_part(ranked, begin[v], begin[v + 1], 1.0)
        if decrease > best:
            best = decrease
            for u in range(n_levels):
                levels[u].side = int(u != v)
            if best >= bar:
                break
    return best


@passage
def line_up_levels(problem, growing, node, ranked, f, n_levels):
    """Sort the line by the medians of the levels (levels.key): a heuristic where there are too many to try all."""
    levels, begin, n = growing.levels, ranked.begin, 0
    sort_levels(levels, n_levels)
    for i in range(n_levels):
        v = levels[i].order
        start, stop = node.start + begin[v], node.start + begin[v + 1]
        fill_line(problem.codes[f], growing.order[f], start, stop, growing.rows, ranked, n)
        for at in range(n, n + stop - start):  # a unit apart and more, so that no cut falls short of min_gap
            ranked.place[ranked.line[at].code] = i * (1.0 + problem.rules[0].min_gap)
        n += stop - start


@kernel
def sides_of_cut(levels, n_levels, place, last):
    """levels.side = which side of a cut after the level with code `last`."""
    for v in range(n_levels):
        levels[v].side = int(place[levels[v].id] > place[last])
