"""The best cut of a node by an ordered feature where rows have weights, or missing is a value of its own.

The same as search_nodes finds. Weights are whole numbers: their sums do not depend on the order. Where missing values
count as a value there are three ways to cut (see search.scan_both_ways): they go above, below, or stand alone.
"""

import math

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity, squared_error_decrease
from treecore.criteria.split_scores import DECREASE, cut_value
from treecore.engine.jit import bits_of, inner, kernel, number_of, piece, row
from treecore.kernels.drawn import CLOSED
from treecore.kernels.limits import gain_allowed
from treecore.kernels.records.block import all_records
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.nodes import center_at, weight_of
from treecore.kernels.records.records import class_of, row_of
from treecore.kernels.records.sums import add_weighted
from treecore.kernels.records.weighted_scans import (
    Side,
    scan_weighted_classes,
    scan_weighted_entropy,
    scan_weighted_numbers,
    scan_weighted_two,
)
from treecore.kernels.state import OWN_VALUE

_ENTROPY = CRITERIA["entropy"].code
NO_WAY, ABOVE, BELOW, ALONE = -1, 0, 1, 2
"""Where rows without a value go: where most of the others do, or as the cut says."""


@inner
def known_stats(rows, block, stats, records, k, center):
    """Statistics of the first k records; stats : of all, around this center."""
    known = block.whole
    for s in range(known.shape[0]):
        known[s] = stats[s] if k == records.shape[0] else 0.0
    if k < records.shape[0]:
        add_weighted(rows, block, known, piece(records, 0, k), center)
    return weight_of(known, rows.rules[0].n_classes)


@inner
def is_own(rules, k, n):
    """Do missing values at the node count as a value?"""
    return k < n and rules.missing == OWN_VALUE


@inner
def bounds(rules, k, n, way):
    """(first, last): the cuts behind these known records leave rows enough on both sides."""
    least = max(rules.min_rows_leaf, 1)
    if way == BELOW:
        return max(least - 1 - (n - k), 0), k - least
    return least - 1, min((n if way == ABOVE else k) - least, k - 1)


@inner
def count_absent(records, weight, label, fixed, mean, count):
    """(weight of rows without a value, their weighted target less `mean` in whole numbers); count : int64 (K,) becomes
    their weight by class."""
    target, total, has_label = np.int64(0), np.int64(0), fixed.shape[0] == 0
    for s in range(count.shape[0]):
        count[s] = 0
    for i in range(records.shape[0]):
        at = row_of(records[i])
        w = np.int64(weight[at])
        total += w
        if has_label:
            count[class_of(records[i], label)] += w
        else:
            target += w * (fixed[at] - mean)
    return total, target


@inner
def scan_way(rows, block, nodes, place, f, way):
    """Bits of the value of the best cut of an ordered feature, those without a value going this way; values of all cuts
    within bounds stay in block.values."""
    rules, records, k = rows.rules[0], all_records(block, place, f), block.known[place, f]
    stats, n, n_classes = nodes.stats[block.waiting[place].node], records.shape[0], rules.n_classes
    by_entropy = rows.judge.code == _ENTROPY
    first, last = bounds(rules, k, n, way)
    best, count, left, mean, unit, label = NOTHING, block.some, block.others, np.int64(0), 1.0, block.label
    here, weight, fixed, lefts, values = piece(records, 0, k), block.weight, block.fixed, block.lefts, block.values
    if last > first:
        of_all = weight_of(stats, n_classes)
        if n_classes == 0:
            unit = block.scale[place].unit
            center = nodes.center[block.waiting[place].node]
            mean = np.int64((center + stats[1] / of_all - block.scale[place].mean) / unit)
        absent, target = count_absent(piece(records, k, n), weight, label, fixed, mean, left)
        total = of_all - (absent if way == NO_WAY else 0.0)
        start, least, factor = (float(absent) if way == BELOW else 0.0), rules.min_weight_leaf, total / of_all
        if n_classes > 0:
            for s in range(n_classes):
                count[s] = np.int64(stats[s]) - (left[s] if way == NO_WAY else 0)
                left[s] = left[s] if way == BELOW else 0
        if n_classes == 0:
            side = Side(first, last, least, total, start, factor * unit * unit)
            on_left, rest = (target if way == BELOW else 0), (target if way == ABOVE else 0)
            best = scan_weighted_numbers(here, weight, fixed, mean, lefts, values, side, on_left, rest)
        elif by_entropy:
            side = Side(first, last, least, total, start, factor)
            best = scan_weighted_entropy(here, weight, label, count, left, block.xlog, lefts, values, side)
        elif n_classes == 2:
            side = Side(first, last, least, total, start, 2.0 * factor)
            best = scan_weighted_two(here, weight, lefts, values, side, left[1], count[1])
        else:
            side = Side(first, last, least, total, start, factor)
            best = scan_weighted_classes(here, weight, label, count, left, lefts, block.cross, values, side)
    return best


@kernel
def value_alone(rows, block, nodes, place, f):
    """Bits of the value of parting the known values from the missing ones."""
    rules, records, k = rows.rules[0], all_records(block, place, f), block.known[place, f]
    node, stats = nodes.of[block.waiting[place].node], nodes.stats[block.waiting[place].node]
    known, right = block.whole, block.level_sums[0]
    for s in range(right.shape[0]):
        right[s] = 0.0
    center = center_at(nodes, block.waiting[place].node)
    add_weighted(rows, block, right, piece(records, k, records.shape[0]), center)
    for s in range(right.shape[0]):
        known[s] = stats[s] - right[s]
    weight, others = weight_of(known, rules.n_classes), weight_of(right, rules.n_classes)
    n_least, least = min(k, records.shape[0] - k), min(weight, others)
    if n_least < max(rules.min_rows_leaf, 1) or least < rules.min_weight_leaf:
        return NOTHING
    value = cut_value(rows.judge, DECREASE, node.impurity, known, weight, right, others, None)
    return bits_of(max(value, 0.0) / rows.judge.scale)


@inner
def first_reaching(values, first, bar):
    """Records on the left of the first cut from there on whose value reaches the bar."""
    while not values[first] >= bar:
        first += 1
    return first + 1


@inner
def scan_ways(rows, block, nodes, place, first_feature, stop_feature, bar):
    """Fill block.best of the ordered features whose rows have weights or missing values that count as a value.

    Returns two cuts of the last one, as (way, known records on the left): the first whose value reaches the bar, -1 if
    none was looked for, and the first that is best.
    """
    best, known, rules, n = block.best, row(block.known, place), rows.rules[0], all_records(block, place, 0).shape[0]
    way_to_bar, to_bar, way_to_top, to_top = NO_WAY, np.int64(-1), NO_WAY, np.int64(-1)
    weighted = rows.weight.shape[0] > 0
    for f in range(first_feature, stop_feature):
        k = known[f]
        own = is_own(rules, k, n)
        if rows.nominal[f] or block.drawn[CLOSED, f] or not (own or weighted):
            continue
        top, to_bar = NOTHING, np.int64(-1)
        for way in range(ABOVE if own else NO_WAY, ALONE if own else ABOVE):
            bits = scan_way(rows, block, nodes, place, f, way)
            if bits > top:
                top, way_to_top = bits, way
                if bar < math.inf:
                    to_top = first_reaching(block.values, bounds(rules, k, n, way)[0], number_of(bits))
            if to_bar < 0 and bits != NOTHING and number_of(bits) >= bar:
                way_to_bar, to_bar = way, first_reaching(block.values, bounds(rules, k, n, way)[0], bar)
        if own:
            bits = value_alone(rows, block, nodes, place, f)
            if bits > top:
                top, way_to_top, to_top = bits, ALONE, k
            if to_bar < 0 and bits != NOTHING and number_of(bits) >= bar:
                way_to_bar, to_bar = ALONE, k
        best[f] = top
    return way_to_bar, to_bar, way_to_top, to_top


@kernel
def part_numbers(rows, block, stats, center, whole, here, middle, way):
    """Squared error's decrease by a cut of the known records `here`, `middle` of them on the left; block.left and
    block.right become the statistics of both. stats : of all rows to part, around this center. whole : of the known.

    The sums are those of ordered.exceeding and scan_ordered, term by term.
    """
    response, row_among_all, weight = rows.response, block.rows, block.weight
    mean, n_left, sum_left = stats[1] / stats[0], 0.0, 0.0
    if way == BELOW:
        n_left = stats[0] - whole[0]
        sum_left = (stats[1] - whole[1]) - mean * n_left
    total = 0.0
    for i in range(here.shape[0]):
        at = row_of(here[i])
        gap = float(weight[at]) * (response[row_among_all[at]] - center - mean)
        total += gap
        if i < middle:
            sum_left += gap
            n_left += float(weight[at])
    if stats[0] - whole[0] > 1e-9 * stats[0]:
        total += stats[1] - whole[1] - mean * (stats[0] - whole[0])
    add_weighted(rows, block, block.left, piece(here, 0, middle), center)
    add_weighted(rows, block, block.right, piece(here, middle, here.shape[0]), center)
    return squared_error_decrease(sum_left, n_left, total - sum_left, stats[0] - n_left)


@kernel
def gain_of_way(rows, block, nodes, place, f, way, middle):
    """The decrease of the impurity by the formula that every grower uses; block.left and block.right become the
    statistics of the known rows on both sides."""
    i, records, k = block.waiting[place].node, all_records(block, place, f), block.known[place, f]
    stats, n_classes, left, right = nodes.stats[i], rows.rules[0].n_classes, block.left, block.right
    center, of_all, here = center_at(nodes, i), weight_of(stats, n_classes), piece(records, 0, k)
    known = known_stats(rows, block, stats, records, k, center)
    for s in range(stats.shape[0]):
        left[s], right[s] = 0.0, 0.0
    own, whole, parent = way != NO_WAY, block.whole, nodes.of[i].impurity
    if n_classes == 0 and way != ALONE:
        to_part = stats if own else whole
        return part_numbers(rows, block, to_part, center, whole, here, middle, way) * (1.0 if own else known / of_all)
    add_weighted(rows, block, left, piece(here, 0, middle), center)
    if n_classes == 0:
        add_weighted(rows, block, right, piece(here, middle, k), center)
    sides, share = block.level_sums, 1.0 if own else known / of_all
    for s in range(stats.shape[0]):
        if n_classes > 0:
            right[s] = whole[s] - left[s]
        sides[0, s] = left[s] + (stats[s] - whole[s] if way == BELOW else 0.0)
        sides[1, s] = (stats[s] if own else whole[s]) - sides[0, s]
    n_left, n_right = weight_of(sides[0], n_classes), weight_of(sides[1], n_classes)
    if way == NO_WAY and k < records.shape[0]:
        parent = impurity(rows.judge, whole, known)
    if n_classes == 0:
        return cut_value(rows.judge, DECREASE, parent, sides[0], n_left, sides[1], n_right, None)
    return binary_decrease(rows.judge, parent, sides[0], n_left, sides[1], n_right) * share


@inner
def cut_by_way(rows, block, nodes, place, winner, way_to_bar, to_bar, way_to_top, to_top):
    """The same of an ordered winner, whose cuts these are; see scan_ways."""
    rules, i = rows.rules[0], block.waiting[place].node
    weight, root = weight_of(nodes.stats[i], rules.n_classes), weight_of(nodes.stats[0], rules.n_classes)
    for look_again in range(2):
        way, middle = (way_to_top, to_top) if look_again == 0 else (way_to_bar, to_bar)
        gain = gain_of_way(rows, block, nodes, place, winner, way, middle)
        if look_again == 0 and not gain_allowed(rules, nodes.of[i].impurity, weight, root, gain):
            return -1, 0, 0.0, NO_WAY
        if way_to_bar == way_to_top and to_bar == to_top:
            break
    return winner, middle, gain, way
