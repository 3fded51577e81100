"""Growing on sorted records as in kernels.records.block, where rows have weights, missing is a value, or levels part
rows."""

import numpy as np

from treecore.criteria.impurity import impurity
from treecore.engine.jit import jit, kernel, passage, piece
from treecore.kernels.limits import split_allowed
from treecore.kernels.own_mean import center_of, has_cancelled
from treecore.kernels.records.block import (
    all_records,
    cut_of_winner,
    n_records,
    next_place,
    scan_node,
    split_children,
    winner_of,
)
from treecore.kernels.records.fill import take_aside
from treecore.kernels.records.nodes import center_at, is_second_first, new_child, note_gap, set_center
from treecore.kernels.records.records import row_of
from treecore.kernels.records.special_cuts import (
    BELOW,
    NO_WAY,
    add_weighted,
    cut_by_levels,
    cut_by_way,
    gain_with_missing,
    goes_with_left,
    scan_levels,
    scan_ways,
    weight_of,
)
from treecore.kernels.records.state import N_NODES, N_TABLES
from treecore.kernels.records.whole_targets import refine
from treecore.kernels.state import OWN_VALUE


@passage
def special_cut(rows, block, nodes, place):
    """(feature, known records on the left of its cut, gain, way) of the node at this place; feature -1 for none."""
    first, stop, bar, plain = 0, block.best.shape[0], np.inf, rows.weight.shape[0] == 0
    way_to_bar, to_bar, way_to_top, to_top = NO_WAY, np.int64(-1), NO_WAY, np.int64(-1)
    if rows.rules[0].n_classes == 0:
        refine(rows, block, nodes, place, all_records(block, place, 0))
    for look_again in range(2):
        if plain:
            scan_node(rows, block, nodes, place, first, stop)
        if not plain or rows.rules[0].missing == OWN_VALUE:
            way_to_bar, to_bar, way_to_top, to_top = scan_ways(rows, block, nodes, place, first, stop, bar)
        if look_again == 0:
            scan_levels(rows, block, nodes, place)
            first, bar = winner_of(rows, block, nodes.of[block.waiting[place].node])
            stop = first + 1
        if first < 0:
            return -1, 0, 0.0, NO_WAY
        if rows.nominal[first]:
            return cut_by_levels(rows, block, nodes, place, first, bar)
    if to_bar >= 0:
        return cut_by_way(rows, block, nodes, place, first, way_to_bar, to_bar, way_to_top, to_top)
    winner, middle, gain = cut_of_winner(rows, block, nodes, place, first, bar)
    return winner, middle, gain, NO_WAY


@kernel
def make_special_child(rows, block, nodes, parent, i, n, known, center):
    """As block.make_child."""
    node, stats, rules = nodes.of[i], nodes.stats[i], rows.rules[0]
    for s in range(stats.shape[0]):
        stats[s] = known[s]
    new_child(nodes, parent, i, n)
    set_center(nodes, i, center)
    weight = weight_of(stats, rules.n_classes)
    node.impurity = impurity(rows.judge, stats, weight)
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, weight, n, node.depth)


@kernel
def center_branch(rows, block, stats, here, goes_left, n, center):
    """The center of the n of these records whose mark in block.goes_left is this; their statistics become those around
    it."""
    if rows.rules[0].n_classes > 0 or not has_cancelled(stats):
        return center
    targets, weights, at = block.values, block.lefts, 0
    for i in range(here.shape[0]):
        row = row_of(here[i])
        if block.goes_left[row] == goes_left:
            targets[at], weights[at] = rows.response[block.rows[row]], float(block.weight[row])
            at += 1
    return center_of(piece(targets, 0, n), piece(weights, 0, n), stats, center)


@passage
def mark_records(block, records, middle, k, missing_left, by_levels):
    """Write which rows go left: the first `middle` of the k with a value, if levels have not said so already; and those
    without one as missing_left says. Returns the weight of the latter."""
    goes_left, missing_weight = block.goes_left, np.int64(0)
    if not by_levels:
        for i in range(k):
            goes_left[row_of(records[i])] = i < middle
    for i in range(k, records.shape[0]):
        goes_left[row_of(records[i])] = missing_left
        missing_weight += np.int64(block.weight[row_of(records[i])])
    return missing_weight


@passage
def split_special(rows, block, nodes, place, winner, middle, gain, way):
    """As block.split_node. way : where rows without a value go."""
    waiting, rules, left, right = block.waiting[place], rows.rules[0], block.left, block.right
    i, here, k, by_levels = waiting.node, all_records(block, place, winner), block.known[place, winner], False
    node, child, n = nodes.of[i], nodes.counts[N_NODES], here.shape[0]
    by_levels = rows.nominal[winner]
    nodes.counts[N_NODES] += 2
    node.feature, node.first_child, node.gain = winner, child, gain
    weights = weight_of(left, rules.n_classes), weight_of(right, rules.n_classes)
    node.swapped = is_second_first(rules, left, weights[0], right, weights[1], by_levels)
    missing_left = int(goes_with_left(rules, left, right, node.swapped) if way == NO_WAY else way == BELOW)
    n_left = middle + missing_left * (n - k)
    if by_levels:
        node.low, node.high = nodes.counts[N_TABLES] - np.int64(rows.absent[winner]), 0
    else:
        node.low = rows.keys[block.rows[row_of(here[middle - 1])], winner]
        node.high = rows.keys[block.rows[row_of(here[middle])], winner]
    missing_weight = mark_records(block, here, middle, k, missing_left, by_levels)
    if k < n:
        note_gap(nodes, i, n - k, float(missing_weight), 1 - missing_left)
    end = k + missing_left * (n - k)
    center = center_at(nodes, i)
    add_weighted(rows, block, left, piece(here, k, end), center)
    add_weighted(rows, block, right, piece(here, end, n), center)
    if rules.missing == OWN_VALUE:
        nodes.gaps[i].gain = gain_with_missing(rows, nodes, i, left, right)
    center_left = center_branch(rows, block, left, here, 1, n_left, center)
    center_right = center_branch(rows, block, right, here, 0, n - n_left, center)
    left_too = make_special_child(rows, block, nodes, i, child, n_left, left, center_left)
    right_too = make_special_child(rows, block, nodes, i, child + 1, n - n_left, right, center_right)
    if left_too or right_too:
        split_children(block, place, child, n_left, left_too, right_too)


@kernel
def grow_special_block(rows, block, nodes, smallest, budget):
    """As block.grow_block."""
    while budget > 0:
        place = next_place(block, nodes, smallest)
        if place < 0:
            break
        budget -= n_records(block, place)
        winner, middle, gain, way = special_cut(rows, block, nodes, place)
        if winner >= 0:
            split_special(rows, block, nodes, place, winner, middle, gain, way)
    return budget


@jit
def grow_special_blocks(rows, block, nodes, sorter, smallest, budget):
    """As fill.grow_blocks."""
    while True:
        budget = grow_special_block(rows, block, nodes, smallest, budget)
        if budget <= 0:
            return True
        n = take_aside(rows, block, nodes, sorter, smallest)
        if n == 0:
            return False
        budget -= n * block.best.shape[0]
