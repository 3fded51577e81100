"""Growing the large nodes of a tree from buckets, the smaller child first; small nodes are set aside.

Only the smaller child's rows are counted: the other's counts are what is left of the node's.
"""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity_by_code
from treecore.engine.jit import inner, jit, kernel, passage
from treecore.kernels.buckets.class_cuts import (
    best_between,
    best_of_all,
    first_reaching,
    locate,
    locate_single,
    part_by_levels,
    value_cuts,
)
from treecore.kernels.buckets.histogram import add_cells, count_rows, part_rows, renew_cells, take_off
from treecore.kernels.buckets.number_cuts import center_sides, find_cut_by_sums
from treecore.kernels.constraints import gain_allowed, split_allowed
from treecore.kernels.random_features import open_next, open_sample
from treecore.kernels.records.nodes import is_second_first, least_rows, new_child
from treecore.kernels.records.record_block import MOST_FEW, N_LARGE, N_NODES, N_SMALL
from treecore.kernels.records.small_nodes import most_few, split_few

_ENTROPY = CRITERIA["entropy"].code
LEVELS_PAID = 16
"""To sort a block takes as long as to split its nodes so many times from buckets."""


@inner
def count_sides(nodes, search, i):
    """search.sides become the class counts of the sides of the cut that was located; returns their rows."""
    stats, left, right, n_left, n_right = nodes.stats[i], search.sides[0], search.sides[1], 0.0, 0.0
    for k in range(stats.shape[0]):
        left[k] = float(search.other[k])
        right[k] = stats[k] - left[k]
        n_left += left[k]
        n_right += right[k]
    return n_left, n_right


@kernel
def gain_of(rows, nodes, search, i):
    """The decrease of the impurity by the cut that was located, by the formula that every grower uses."""
    n_left, n_right = count_sides(nodes, search, i)
    return binary_decrease(rows.judge, nodes.of[i].impurity, search.sides[0], n_left, search.sides[1], n_right)


@inner
def has_singles(search):
    """Are all nodes looked at by kernels.buckets.class_cuts?"""
    return search.singles.value.shape[0] > 0


@kernel
def find_cut(rows, nodes, buckets, row_bytes, search, counts, waiting):
    """(gain, feature) of the node's split, which search.cut and search.sides then say; feature -1 for none."""
    rules, i, by_entropy = rows.rules[0], waiting.node, rows.judge.code == _ENTROPY
    node, n, least, single = nodes.of[i], waiting.stop - waiting.start, least_rows(rows.rules[0]), has_singles(search)
    slack = rules.tolerance * node.impurity / rows.judge.scale * n
    start, stop = waiting.start, waiting.stop
    if single:
        top = value_cuts(search.singles, counts, np.int64(nodes.stats[i, 0]), np.int64(nodes.stats[i, 1]), least)
    else:
        n_open = open_sample(rules, nodes, i, search.sample)
        while True:
            top = best_of_all(by_entropy, rows, nodes, i, search, buckets, row_bytes, start, stop, counts, least, slack)
            if top >= 0.0 or n_open == search.sample.shape[1]:
                break
            n_open = open_next(nodes, i, search.sample, n_open)
    if top < 0.0:
        return 0.0, -1
    # whether to split at all is decided by the winner's best cut, also where one before it counts as equal
    bar, winner = max(top - slack, 0.0), 0
    if single:
        values, first = search.singles.value, buckets.first
        winner = np.int64(search.singles.feature[first_reaching(values, 0, values.shape[0], bar)])
        best = best_between(values, first[winner], first[winner + 1])
    else:
        while search.best[winner] < bar:
            winner += 1
        if rows.nominal[winner]:
            first_level, end = buckets.first[winner], buckets.first[winner + 1]
            enough, gain = part_by_levels(rows, nodes, search, counts, first_level, end, i, winner, top - slack)
            count_sides(nodes, search, i)
            return gain, (winner if enough else -1)
        best = search.best[winner]
    value = locate_cut(by_entropy, search, buckets, row_bytes, start, stop, winner, rows.keys, counts, least, bar)
    if value < best:
        locate_cut(by_entropy, search, buckets, row_bytes, start, stop, winner, rows.keys, counts, least, best)
    gain = gain_of(rows, nodes, search, i)
    if not gain_allowed(rules, node.impurity, float(n), float(nodes.of[0].n_rows), gain):
        return 0.0, -1
    if value < best:
        locate_cut(by_entropy, search, buckets, row_bytes, start, stop, winner, rows.keys, counts, least, bar)
        gain = gain_of(rows, nodes, search, i)
    return gain, winner


@kernel
def locate_cut(by_entropy, search, buckets, row_bytes, start, stop, f, keys, counts, least, bar):
    """See cuts.locate."""
    if has_singles(search):
        return locate_single(search, buckets, counts, f, bar)
    return locate(by_entropy, search, buckets, row_bytes, start, stop, f, keys, least, bar)


@inner
def mark_buckets(search):
    """search.goes_left becomes what search.cut says of whole buckets."""
    for bucket in range(search.goes_left.shape[0]):
        search.goes_left[bucket] = bucket <= search.cut[0].whole


@kernel
def make_large_child(rows, nodes, search, numbers, parent, i, side):
    """Make node i a child; returns whether it may be split."""
    node, stats, rules = nodes.of[i], nodes.stats[i], rows.rules[0]
    for s in range(stats.shape[0]):
        stats[s] = search.sides[side, s]
    n = stats[0] if rules.n_classes == 0 else stats.sum()
    new_child(nodes, parent, i, np.int64(n))
    if numbers is not None:
        nodes.center[i] = numbers.center[side]
    node.impurity = impurity_by_code(rows.judge, stats, n)
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, n, node.n_rows, node.depth)


@kernel
def put_aside(nodes, node, start, stop):
    """Leave a node for a block of its own."""
    small = nodes.small[nodes.counts[N_SMALL]]
    small.node, small.start, small.stop, small.side = node, start, stop, 0
    nodes.counts[N_SMALL] += 1


@kernel
def put_waiting(nodes, large, slot, node, start, stop):
    """Let a large node wait."""
    waiting = large[nodes.counts[N_LARGE]]
    waiting.node, waiting.start, waiting.stop, waiting.side = node, start, stop, slot
    nodes.counts[N_LARGE] += 1


@inner
def few_from_keys(rows, nodes, search):
    """Rows of the largest nodes that are split from their keys. Buckets of several values, and those that levels part,
    leave them to a block."""
    return most_few(rows, nodes, MOST_FEW) if has_singles(search) else 0


@kernel
def hand_on(rows, nodes, search, members, large, slot, node, start, stop, may_split, least):
    """What becomes of a child, of the rows members[start:stop]."""
    if not may_split:
        return
    if stop - start <= few_from_keys(rows, nodes, search):
        for i in range(start, stop):
            search.few.rows[i - start] = np.uint32(members[i])
        split_few(rows, search.few, nodes, node, stop - start)
    elif stop - start < least:
        put_aside(nodes, node, start, stop)
    else:
        put_waiting(nodes, large, slot, node, start, stop)


@inner
def least_large(rules, smallest, depth):
    """Rows from which on a node at this depth is grown from buckets: fewer the fewer levels a block would be for.

    smallest : where depth is not limited.
    """
    return smallest * min(rules.max_depth - depth, LEVELS_PAID) // LEVELS_PAID


@inner
def count_again(rows, buckets, row_bytes, numbers, by_class, start, stop, slot, other, counts):
    """Count the rows of the smaller child in another slot, and take them off those of the node."""
    if by_class is not None:
        count_rows(row_bytes, buckets.first, start, stop, counts[other])
    if numbers is not None:
        numbers.scale[other] = numbers.scale[slot]
        scale, members = numbers.scale[slot], buckets.members
        add_cells(row_bytes, rows.response, members, buckets.first, start, stop, scale, counts[other])
    take_off(counts[slot], counts[other])


@passage
def find_any_cut(rows, nodes, buckets, row_bytes, search, numbers, by_class, counts, waiting):
    """See find_cut."""
    gain, winner = 0.0, -1
    if numbers is not None:
        renew_cells(rows, nodes, buckets, row_bytes, numbers, waiting, counts)
        gain, winner = find_cut_by_sums(rows, nodes, buckets, row_bytes, search, numbers, counts, waiting)
    if by_class is not None:
        if waiting.node == 0:
            count_rows(row_bytes, buckets.first, waiting.start, waiting.stop, counts)
        gain, winner = find_cut(rows, nodes, buckets, row_bytes, search, counts, waiting)
    return gain, winner


@inner
def is_swapped(rows, search, by_levels):
    """Does the second side of the cut that was found come first?"""
    left, right, n_classes = search.sides[0], search.sides[1], rows.rules[0].n_classes
    n_left, n_right = (left[0], right[0]) if n_classes == 0 else (left.sum(), right.sum())
    return is_second_first(rows.rules[0], left, n_left, right, n_right, by_levels)


@jit
def grow_large(rows, nodes, buckets, spare, search, numbers, by_class, counts, large, smallest, budget):
    """Split waiting large nodes until none is left or about `budget` values were looked at.

    buckets : Buckets, put into the order of the nodes. spare : Buckets, working memory. numbers : Numbers, None for
    classes. by_class : True, None for numbers: what one of them has no use for is not compiled. counts : of the waiting
    nodes, int32 (slots, K, first[d]), for numbers cells, int64 (slots, first[d], 2). large : WAITING (slots,), side
    being the slot; N_LARGE of them wait. smallest : see least_large; smaller nodes are set aside.
    """
    row_bytes, members, d = buckets.words.view(np.uint8), buckets.members, rows.keys.shape[1]
    while nodes.counts[N_LARGE] > 0 and budget > 0:
        nodes.counts[N_LARGE] -= 1
        waiting = large[nodes.counts[N_LARGE]]
        i, start, stop, slot = waiting.node, waiting.start, waiting.stop, waiting.side
        budget -= (stop - start) * d
        gain, winner = find_any_cut(rows, nodes, buckets, row_bytes, search, numbers, by_class, counts[slot], waiting)
        if winner < 0:
            continue
        node, child = nodes.of[i], nodes.counts[N_NODES]
        nodes.counts[N_NODES] += 2
        node.feature, node.first_child, node.gain = winner, child, gain
        node.low, node.high = search.cut[0].low, search.cut[0].high
        node.swapped = is_swapped(rows, search, rows.nominal[winner])
        if numbers is not None:
            center_sides(nodes, search, numbers, i, stop - start)
        left_too = make_large_child(rows, nodes, search, numbers, i, child, 0)
        right_too = make_large_child(rows, nodes, search, numbers, i, child + 1, 1)
        if not (left_too or right_too):
            continue
        if not rows.nominal[winner]:
            mark_buckets(search)
        middle = start + part_rows(buckets, row_bytes, spare, search, start, stop, rows.keys)
        left_slot, right_slot = slot, slot
        least = least_large(rows.rules[0], smallest, nodes.of[child].depth)
        counted = max(least, few_from_keys(rows, nodes, search) + 1)
        if (left_too and middle - start >= counted) or (right_too and stop - middle >= counted):
            other, left_is_smaller = slot + 1, middle - start <= stop - middle
            if left_is_smaller:
                count_again(rows, buckets, row_bytes, numbers, by_class, start, middle, slot, other, counts)
                left_slot = other
            else:
                count_again(rows, buckets, row_bytes, numbers, by_class, middle, stop, slot, other, counts)
                right_slot = other
            # the larger child waits below the smaller one, so that slots are free again in turn
            if left_is_smaller:
                hand_on(rows, nodes, search, members, large, right_slot, child + 1, middle, stop, right_too, least)
                hand_on(rows, nodes, search, members, large, left_slot, child, start, middle, left_too, least)
            else:
                hand_on(rows, nodes, search, members, large, left_slot, child, start, middle, left_too, least)
                hand_on(rows, nodes, search, members, large, right_slot, child + 1, middle, stop, right_too, least)
            continue
        hand_on(rows, nodes, search, members, large, slot, child, start, middle, left_too, least)
        hand_on(rows, nodes, search, members, large, slot, child + 1, middle, stop, right_too, least)
