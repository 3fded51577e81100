"""Growing on sorted records, depth first: each feature is cut in two, or its levels are parted into two groups.

special : None where every row counts once, no levels part rows and missing is no value, which keeps all that these ask
for out of what is compiled; True otherwise.
"""

import math

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO, cut_value
from treecore.engine.jit import bits_of, inner, jit, kernel, number_of, piece
from treecore.kernels.general.level_groups import information
from treecore.kernels.general.scores import LEAST_SCALE
from treecore.kernels.random_features import ORDER, open_next, open_sample
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.fast_surrogates import send_by_backups
from treecore.kernels.records.level_cuts import cut_by_levels, scan_levels
from treecore.kernels.records.nodes import center_at, is_second_first, make_child, note_gap, weight_of
from treecore.kernels.records.record_block import (
    MOST_FEW,
    MOST_WAITING,
    N_NODES,
    N_TABLES,
    all_records,
    mark,
    n_records,
    next_place,
    split_children,
    take_aside,
)
from treecore.kernels.records.record_cuts import (
    BELOW,
    NO_WAY,
    bar_of,
    cut_by_way,
    cut_of_winner,
    first_cut,
    least_behind,
    scan_node,
    scan_ways,
    winner_of,
)
from treecore.kernels.records.records import add_rows, center_branch, refine, row_of, weight_of_records
from treecore.kernels.records.small_nodes import Few, most_few, split_few
from treecore.kernels.state import AVERAGE_GAIN, OWN_VALUE, STAY, SURROGATES

FEW_OF_CLASSES = 3
"""Rows of classes that are split from their keys: to judge all ways to part more takes as long as to scan them."""


@inner
def open_features(rows, block, nodes, i):
    """Draw features, and forget the best cuts of other nodes; returns how many are open: see open_sample."""
    n_open = open_sample(rows.rules[0], nodes, i, block.sample)
    if n_open < block.best.shape[0]:
        block.best[:] = NOTHING
    return n_open


@kernel
def scan_features(rows, block, nodes, place, first, stop, bar, special):
    """Fill block.best of these features, but for nominal ones; returns two cuts of the last one, see scan_ways."""
    way_to_bar, to_bar, way_to_top, to_top, weighted = NO_WAY, np.int64(-1), NO_WAY, np.int64(-1), False
    if special is not None:
        weighted = rows.weight.shape[0] > 0
    if not weighted:
        scan_node(rows, block, nodes, place, first, stop)
    if special is not None:
        if weighted or rows.rules[0].missing == OWN_VALUE:
            way_to_bar, to_bar, way_to_top, to_top = scan_ways(rows, block, nodes, place, first, stop, bar)
    return way_to_bar, to_bar, way_to_top, to_top


@kernel
def winner_of_next(rows, block, nodes, place, n_open, special):
    """winner_of where no feature that was drawn has a cut: one more is drawn at a time until one has."""
    i, d, first, bar = block.waiting[place].node, block.best.shape[0], -1, 0.0
    while first < 0 and n_open < d:
        n_open = open_next(nodes, i, block.sample, n_open)
        f = np.int64(block.sample[ORDER, n_open - 1])
        scan_features(rows, block, nodes, place, f, f + 1, math.inf, special)
        if special is not None:
            scan_levels(rows, block, nodes, place)
        first, bar = winner_of(rows, block, nodes.of[i])
    return first, bar


@kernel
def winner_by_ratio(rows, block, nodes, place):
    """The feature of the largest gain ratio, the first of equal ones, among those whose gain is at least the average
    where the selector asks for that; -1 for none. block.best becomes the bits of the ratios. See scores.select."""
    rules, best, scale, waiting = rows.rules[0], block.best, rows.judge.scale, block.waiting[place]
    node, n, total, n_able, least, top = nodes.of[waiting.node], waiting.stop - waiting.start, 0.0, 0, -math.inf, -1.0
    for f in range(best.shape[0]):
        if best[f] != NOTHING:
            total += number_of(best[f]) * scale
            n_able += 1
    if n_able == 0:
        return -1
    if rules.selector == AVERAGE_GAIN:
        least = total / n_able - rules.average_slack
    for f in range(best.shape[0]):
        gain = -math.inf if best[f] == NOTHING else number_of(best[f]) * scale
        best[f] = NOTHING
        if gain > -math.inf and gain >= least:
            scan_features(rows, block, nodes, place, f, f + 1, math.inf, None)
            n_left = first_cut(block, least_behind(rules), bar_of(rows, block, node, f))
            ratio = gain / information(float(n_left), float(n - n_left), 0.0, float(n))
            best[f], top = bits_of(ratio), max(top, ratio)
    if top < 0.0:  # rounding can put the average of large gains above all of them
        return -1
    bar, winner = top - rules.tolerance * max(top, LEAST_SCALE * node.impurity), 0
    while best[winner] == NOTHING or number_of(best[winner]) < bar:
        winner += 1
    return winner


@inner
def winner_as_asked(rows, block, nodes, place, special):
    """The feature that wins and the bar, see winner_of; of the gain ratio none is known before its cuts are."""
    if special is None:
        if rows.rules[0].score == GAIN_RATIO:
            return winner_by_ratio(rows, block, nodes, place), math.inf
    return winner_of(rows, block, nodes.of[block.waiting[place].node])


@inner
def cut_of(rows, block, nodes, place, special):
    """(feature, known records on the left of its cut, gain, way) of the node at this place; feature -1 for none. way :
    where rows without a value go."""
    i, first, stop, bar = block.waiting[place].node, 0, block.best.shape[0], math.inf
    if rows.rules[0].n_classes == 0:
        refine(rows, block, nodes, place, all_records(block, place, 0))
    n_open = open_features(rows, block, nodes, i)
    for look_again in range(2):
        way_to_bar, to_bar, way_to_top, to_top = scan_features(rows, block, nodes, place, first, stop, bar, special)
        if look_again == 0:
            if special is not None:
                scan_levels(rows, block, nodes, place)
            first, bar = winner_as_asked(rows, block, nodes, place, special)
            if first < 0 and n_open < stop:
                first, bar = winner_of_next(rows, block, nodes, place, n_open, special)
            stop = first + 1
        if first < 0:
            return -1, 0, 0.0, NO_WAY
        if special is not None:
            if rows.nominal[first]:
                return cut_by_levels(rows, block, nodes, place, first, bar)
    if special is not None:
        if to_bar >= 0:
            return cut_by_way(rows, block, nodes, place, first, way_to_bar, to_bar, way_to_top, to_top)
    winner, middle, gain = cut_of_winner(rows, block, nodes, place, first, bar)
    return winner, middle, gain, NO_WAY


@inner
def goes_with_left(rules, left, right, swapped):
    """Do rows without a value go left: to the branch with more weight, of equal ones to the one that comes first?"""
    a, b = weight_of(left, rules.n_classes), weight_of(right, rules.n_classes)
    return a > b or (a == b and swapped == 0)


@kernel
def gain_with_missing(rows, nodes, parent, a, b):
    """The decrease of the impurity by all rows of two children, with these statistics; see split.gain_of."""
    n_classes = rows.rules[0].n_classes
    n_a, n_b = weight_of(a, n_classes), weight_of(b, n_classes)
    both = nodes.stats[parent]
    return cut_value(rows.judge, DECREASE, impurity_by_code(rows.judge, both, n_a + n_b), a, n_a, b, n_b, None)


@inner
def write_cut(rows, block, nodes, node, here, middle, k, by_levels):
    """Write where the node is cut and, in block.goes_left, which of its k records with a value go left: the first
    `middle`, unless levels have said so already."""
    if by_levels:
        node.low, node.high = nodes.counts[N_TABLES] - np.int64(rows.absent[node.feature]), 0
        return
    node.low = rows.keys[block.rows[row_of(here[middle - 1])], node.feature]
    node.high = rows.keys[block.rows[row_of(here[middle])], node.feature]
    mark(block, piece(here, 0, middle), 1)
    mark(block, piece(here, middle, k), 0)


@inner
def split_few_rows(rows, block, nodes, child, here, k, n_left, n_right, middle, left_too, right_too):
    """Split those of two children that have few rows, and what is below them; returns which are still to be split.

    here : records of their parent by the feature that parts it, k of them with a value, of which `middle` go left.
    n_left, n_right : rows of the children.
    """
    most = most_few(rows, nodes, FEW_OF_CLASSES if rows.rules[0].n_classes > 0 else MOST_FEW)
    for_few = piece(block.waiting, MOST_WAITING + 1, block.waiting.shape[0])
    few = Few(block.sums, block.values, block.cross, block.left, block.right, for_few, block.sample)
    for side in range(2):
        first, stop, n = (0, middle, n_left) if side == 0 else (middle, k, n_right)
        if n <= most and (left_too if side == 0 else right_too):
            for j in range(first, stop):
                few.rows[j - first] = np.uint32(block.rows[row_of(here[j])])
            n_filled, place = stop - first, k  # rows without a value stand behind k
            while n_filled < n:
                if block.goes_left[row_of(here[place])] == 1 - side:
                    few.rows[n_filled] = np.uint32(block.rows[row_of(here[place])])
                    n_filled += 1
                place += 1
            split_few(rows, few, nodes, child + side, n)
    return left_too and n_left > most, right_too and n_right > most


@inner
def split_node(rows, block, nodes, place, winner, middle, gain, way, special):
    """Give the node at this place two children; those that may be split wait. block.left and block.right are the
    statistics of the sides of its cut."""
    waiting, rules, left, right, by_levels = block.waiting[place], rows.rules[0], block.left, block.right, False
    i, here, k = waiting.node, all_records(block, place, winner), block.known[place, winner]
    node, child, n = nodes.of[i], nodes.counts[N_NODES], here.shape[0]
    nodes.counts[N_NODES] += 2
    node.feature, node.first_child, node.gain = winner, child, gain
    if special is not None:
        by_levels = rows.nominal[winner]
    weights = weight_of(left, rules.n_classes), weight_of(right, rules.n_classes)
    node.swapped = is_second_first(rules, left, weights[0], right, weights[1], by_levels)
    n_left, n_right, center = np.int64(middle), np.int64(k - middle), center_at(nodes, i)
    write_cut(rows, block, nodes, node, here, middle, k, by_levels)
    if rules.missing == SURROGATES or rules.missing == STAY:
        n_left, n_right = send_by_backups(rows, block, nodes, place, middle)
    elif k < n:
        missing_left = int(goes_with_left(rules, left, right, node.swapped) if way == NO_WAY else way == BELOW)
        n_left, n_right = n_left + missing_left * (n - k), n_right + (1 - missing_left) * (n - k)
        mark(block, piece(here, k, n), missing_left)
        note_gap(nodes, i, n - k, float(weight_of_records(block, piece(here, k, n))), 1 - missing_left)
        add_rows(rows, block, left if missing_left else right, piece(here, k, n), center, special)
    if special is not None:
        if rules.missing == OWN_VALUE:
            nodes.gaps[i].gain = gain_with_missing(rows, nodes, i, left, right)
    center_left = center_branch(rows, block, left, here, 1, center)
    center_right = center_branch(rows, block, right, here, 0, center)
    left_too = make_child(rows, nodes, i, child, n_left, left, center_left)
    right_too = make_child(rows, nodes, i, child + 1, n_right, right, center_right)
    if special is None:
        left_too, right_too = split_few_rows(
            rows, block, nodes, child, here, k, n_left, n_right, middle, left_too, right_too
        )
    if left_too or right_too:
        split_children(block, place, child, n_left, n_right, left_too, right_too)


@kernel
def grow_block(rows, block, nodes, special, smallest, budget):
    """Split waiting nodes until none is left, or about `budget` records were parted; those with fewer than `smallest`
    rows are set aside. Returns what is left of the budget."""
    while budget > 0:
        place = next_place(block, nodes, smallest)
        if place < 0:
            break
        budget -= n_records(block, place)
        winner, middle, gain, way = cut_of(rows, block, nodes, place, special)
        if winner >= 0:
            split_node(rows, block, nodes, place, winner, middle, gain, way, special)
    return budget


@jit
def grow_blocks(rows, block, nodes, sorter, special, smallest, budget):
    """Split the nodes of a block until none is left, then those set aside, one in a block after the other, until about
    `budget` records were parted; those with fewer than `smallest` rows are set aside and stay there. Returns whether
    any others are left."""
    while True:
        budget = grow_block(rows, block, nodes, special, smallest, budget)
        if budget <= 0:
            return True
        n = take_aside(rows, block, nodes, sorter, smallest)
        if n == 0:
            return False
        budget -= n * block.best.shape[0]
