"""Growing on sorted records, depth first: for rows that count once and features that are cut in two.

The splits are the same as those that search_nodes finds, and the numbers of the nodes are computed in the same order.
"""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity, squared_error_decrease
from treecore.engine.jit import inner, kernel, lending, number_of, passage, piece, row
from treecore.kernels.limits import gain_allowed
from treecore.kernels.own_mean import center_of, has_cancelled
from treecore.kernels.records.cut_scans import (
    MOST_PAIRED,
    NOTHING,
    count_classes,
    fill_ratio,
    scan_classes,
    scan_entropy,
    scan_numbers,
    scan_three_classes,
    scan_tiny_numbers,
    scan_tiny_two_classes,
    scan_two_classes,
    scan_two_entropy,
)
from treecore.kernels.records.nodes import center_at, is_second_first, least_rows, make_child, note_gap
from treecore.kernels.records.records import LABEL, label_of, part_tied, part_untied, row_of
from treecore.kernels.records.small_nodes import Few, most_few, split_few
from treecore.kernels.records.state import MOST_FEW, MOST_WAITING, N_NODES, N_SMALL, N_WAITING
from treecore.kernels.records.whole_targets import refine

_ENTROPY = CRITERIA["entropy"].code
TINY = 16
"""Up to so many records one pass is faster than two."""
FEW_OF_CLASSES = 3
"""Rows of classes that are split from their keys: to judge all ways to part more takes as long as to scan them."""


@lending
def records_of(block, side, f, start, n):
    """The n records of feature f from `start` on, in this set of them."""
    m, d = block.goes_left.shape[0], block.best.shape[0]
    begin = (side * d + f) * m + start
    return piece(block.records, begin, begin + n)


@lending
def all_records(block, place, f):
    """All records of the waiting node, of one feature."""
    waiting = block.waiting[place]
    return records_of(block, waiting.side, f, waiting.start, waiting.stop - waiting.start)


@inner
def mean_of_records(records, fixed, mean, n_classes):
    """Mean of what the target exceeds `mean` by, or the share of the second class."""
    total = np.int64(0)
    for i in range(records.shape[0]):
        total += label_of(records[i]) if n_classes > 0 else fixed[row_of(records[i])] - mean
    return float(total) / records.shape[0]


@inner
def whole_mean(block, nodes, place):
    """(a whole number near the mean of the waiting node's target, square of the unit)."""
    waiting, scale = block.waiting[place], block.scale[place]
    mean = nodes.center[waiting.node] + nodes.stats[waiting.node, 1] / (waiting.stop - waiting.start)
    return np.int64((mean - scale.mean) / scale.unit), scale.unit * scale.unit


@passage
def scan_node(rows, block, nodes, place, first_feature, stop_feature):
    """Fill block.best of these features, but for nominal ones, for the node waiting at this place; block.values has the
    last one's."""
    waiting, n_least = block.waiting[place], least_rows(rows.rules[0])
    n, filled, best, known = waiting.stop - waiting.start, np.int64(0), block.best, row(block.known, place)
    ratio, sums, values, xlog, cross = block.ratio, block.sums, block.values, block.xlog, block.cross
    some, others, place_of, fixed, nominal = block.some, block.others, block.place, block.fixed, rows.nominal
    n_classes, by_entropy, label, counted = rows.rules[0].n_classes, rows.judge.code == _ENTROPY, block.label, False
    paired, share, has_share = n_classes == 3 and n <= MOST_PAIRED, 0.0, False
    mean, squared_unit = whole_mean(block, nodes, place) if n_classes == 0 else (np.int64(0), 1.0)
    for f in range(first_feature, stop_feature):
        if nominal[f]:
            continue
        k = known[f]
        first, last, factor = n_least - 1, k - n_least, k / n
        if last <= first:
            best[f] = NOTHING
            continue
        if k != filled and not by_entropy:
            fill_ratio(ratio, k)
            filled = k
        here = records_of(block, waiting.side, f, waiting.start, k)
        if n_classes > 2 and (by_entropy or not paired) and not (counted and k == n):
            count_classes(here, label, some, others)
            counted = k == n
        if k == n and n <= TINY and (n_classes == 0 or (n_classes == 2 and not by_entropy)):
            if not has_share:
                share, has_share = mean_of_records(here, fixed, mean, n_classes), True
            if n_classes == 0:
                best[f] = scan_tiny_numbers(here, fixed, mean, share, ratio, values, first, last, squared_unit)
            else:
                best[f] = scan_tiny_two_classes(here, share, ratio, values, first, last, factor)
        elif n_classes == 0:
            best[f] = scan_numbers(
                here, fixed, mean, place_of, ratio, values, first, last, factor * squared_unit
            )  # fmt: skip
        elif by_entropy:
            if n_classes == 2:
                best[f] = scan_two_entropy(here, xlog, values, first, last, factor)
            else:
                best[f] = scan_entropy(here, label, some, others, xlog, values, first, last, factor)
        elif n_classes == 2:
            best[f] = scan_two_classes(here, place_of, ratio, sums, values, first, last, factor)
        elif paired:
            best[f] = scan_three_classes(here, place_of, ratio, sums, values, first, last, factor)
        else:
            best[f] = scan_classes(here, label, some, others, place_of, ratio, cross, values, first, last, factor)


@inner
def winner_of(rows, block, node):
    """(the first feature whose best cut reaches the best of all less the tolerance, that bar); -1 for no cut at all."""
    best, top = block.best, NOTHING
    for f in range(best.shape[0]):
        top = max(top, best[f])
    if top == NOTHING:
        return -1, 0.0
    bar = number_of(top) - rows.rules[0].tolerance * node.impurity / rows.judge.scale
    winner = 0
    while best[winner] == NOTHING or number_of(best[winner]) < bar:
        winner += 1
    return winner, bar


@inner
def first_cut(block, least, bar):
    """Records on the left of the first cut of the feature scanned last whose value reaches the bar."""
    middle, values = least, block.values
    while not values[middle - 1] >= bar:
        middle += 1
    return middle


@inner
def add_classes(stats, records, label):
    """Add the rows of these records to the counts of their classes. label : see class_of."""
    if label.shape[0] > 0:
        for i in range(records.shape[0]):
            stats[label[row_of(records[i])]] += 1.0
        return
    others = np.int64(records.shape[0])
    for k in range(1, stats.shape[0]):
        count, asked = np.uint32(0), np.uint32(k << 1)
        for i in range(records.shape[0]):
            count += np.uint32((records[i] & LABEL) == asked)
        stats[k] += float(count)
        others -= np.int64(count)
    stats[0] += float(others)


@inner
def add_numbers(rows, block, stats, records, center, mean, so_far):
    """Add the rows of these records, in their order, to sums around `center`; returns so_far and what their targets,
    less the center, exceed `mean` by."""
    response, row_among_all = rows.response, block.rows
    a, b, c = stats[0], stats[1], stats[2]
    for i in range(records.shape[0]):
        y = response[row_among_all[row_of(records[i])]] - center
        a += 1.0
        b += y
        c += y * y
        so_far += y - mean
    stats[0], stats[1], stats[2] = a, b, c
    return so_far


@inner
def add_records(rows, block, stats, records, center):
    """Add rows to statistics around this center, in the order of their records."""
    if rows.rules[0].n_classes > 0:
        add_classes(stats, records, block.label)
    else:
        add_numbers(rows, block, stats, records, center, 0.0, 0.0)


@inner
def note_targets(rows, block, records, begin):
    """Write the targets of these records' rows to block.values."""
    for i in range(records.shape[0]):
        block.values[begin + i] = rows.response[block.rows[row_of(records[i])]]


@inner
def center_records(rows, block, stats, records, more, center):
    """The center of a branch of these records and more, whose statistics become those around it."""
    if rows.rules[0].n_classes > 0 or not has_cancelled(stats):
        return center
    n = records.shape[0] + more.shape[0]
    note_targets(rows, block, records, 0)
    note_targets(rows, block, more, records.shape[0])
    return center_of(piece(block.values, 0, n), piece(block.values, 0, 0), stats, center)


@kernel
def gain_of_cut(rows, block, known, center, parent, here, middle, n):
    """The decrease of the impurity by the formula that every grower uses; block.left and block.right become the
    statistics of both sides.

    here : the records with a value, `middle` of them left of the cut. known, center, parent : their statistics, what
    these are around, and impurity. n : rows of the node.
    """
    left, right = block.left, block.right
    n_left, n_right = float(middle), float(here.shape[0] - middle)
    share = here.shape[0] / n
    for s in range(known.shape[0]):
        left[s], right[s] = 0.0, 0.0
    if rows.rules[0].n_classes == 0:
        mean = known[1] / known[0]
        sum_left = add_numbers(rows, block, left, piece(here, 0, middle), center, mean, 0.0)
        total = add_numbers(rows, block, right, piece(here, middle, here.shape[0]), center, mean, sum_left)
        return squared_error_decrease(sum_left, n_left, total - sum_left, n_right) * share
    add_classes(left, piece(here, 0, middle), block.label)
    for s in range(known.shape[0]):
        right[s] = known[s] - left[s]
    return binary_decrease(rows.judge, parent, left, n_left, right, n_right) * share


@passage
def mark_sides(block, place, winner, middle, missing_left):
    """Write which rows of the node at this place go left: those before `middle` in the winner's order, and those
    without its value if missing_left is 1."""
    waiting, goes_left = block.waiting[place], block.goes_left
    n, n_known = waiting.stop - waiting.start, block.known[place, winner]
    here = all_records(block, place, winner)
    for i in range(middle):
        goes_left[row_of(here[i])] = 1
    for i in range(middle, n):
        goes_left[row_of(here[i])] = missing_left if i >= n_known else 0


@passage
def part_records(block, place, other, n_left):
    """Part the records of the node at this place: those of the n_left rows that go left come first.

    tied and known of `place` and `other` then tell of the first and of the second part.
    """
    waiting, d = block.waiting[place], block.best.shape[0]
    start, n, side = waiting.start, waiting.stop - waiting.start, waiting.side
    goes_left, tied, known = block.goes_left, block.tied, block.known
    for f in range(d):
        here, there = records_of(block, side, f, start, n), records_of(block, 1 - side, f, start, n)
        tied_left, tied_right, k = False, False, known[place, f]
        if tied[place, f]:
            end, tied_left, tied_right = part_tied(piece(here, 0, k), there, 0, n_left, goes_left)
        else:
            end = part_untied(piece(here, 0, k), there, 0, n_left, goes_left)
        if k < n:
            part_untied(piece(here, k, n), there, end, n_left + k - end, goes_left)
        tied[place, f], tied[other, f] = tied_left, tied_right
        known[place, f], known[other, f] = end, k - end


@inner
def wait(block, place, node, start, stop, side):
    """Let a node wait at this place."""
    waiting = block.waiting[place]
    waiting.node, waiting.start, waiting.stop, waiting.side = node, start, stop, side


@passage
def exchange(block, a, b):
    """Exchange two waiting nodes that are not scanned yet, siblings, whose scale is the same."""
    first, second = block.waiting[a], block.waiting[b]
    node, start, stop = first.node, first.start, first.stop
    wait(block, a, second.node, second.start, second.stop, second.side)
    wait(block, b, node, start, stop, second.side)
    tied, known = block.tied, block.known
    for f in range(tied.shape[1]):
        tied[a, f], tied[b, f] = tied[b, f], tied[a, f]
        known[a, f], known[b, f] = known[b, f], known[a, f]


@passage
def split_children(block, place, child, n_left, left_too, right_too):
    """Put the children that may be split in the place of their parent, the smaller one on top. block.goes_left says
    which rows are the first one's."""
    waiting = block.waiting[place]
    start, stop, side = waiting.start, waiting.stop, 1 - waiting.side
    part_records(block, place, place + 1, n_left)
    block.scale[place + 1] = block.scale[place]
    wait(block, place, child, start, start + n_left, side)
    wait(block, place + 1, child + 1, start + n_left, stop, side)
    if not left_too or (right_too and 2 * n_left <= stop - start):
        exchange(block, place, place + 1)
    block.counts[N_WAITING] = place + 1 + int(left_too and right_too)


@passage
def cut_of_winner(rows, block, nodes, place, winner, bar):
    """(feature, records with a value on the left of its cut, gain) of the feature whose values are in block.values;
    feature -1 if the gain is too small."""
    rules, waiting = rows.rules[0], block.waiting[place]
    node, n, least = nodes.of[waiting.node], waiting.stop - waiting.start, least_rows(rules)
    middle = first_cut(block, least, bar)
    top = first_cut(block, least, number_of(block.best[winner]))
    here = records_of(block, waiting.side, winner, waiting.start, block.known[place, winner])
    known, center = nodes.stats[waiting.node], center_at(nodes, waiting.node)
    if here.shape[0] < n:
        known = block.whole
        for s in range(known.shape[0]):
            known[s] = 0.0
        add_records(rows, block, known, here, center)
    parent = node.impurity if here.shape[0] == n else impurity(rows.judge, known, float(here.shape[0]))
    # whether to split at all is decided by the best cut, also where one before it counts as equal
    gain = gain_of_cut(rows, block, known, center, parent, here, top, n)
    if not gain_allowed(rules, node.impurity, float(n), float(nodes.of[0].n_rows), gain):
        return -1, 0, 0.0
    if middle != top:
        gain = gain_of_cut(rows, block, known, center, parent, here, middle, n)
    return winner, middle, gain


@passage
def cut_of(rows, block, nodes, place):
    """(feature, records with a value on the left of its cut, gain) of the node at this place; feature -1 for none."""
    first, stop, bar = 0, block.best.shape[0], 0.0
    if rows.rules[0].n_classes == 0:
        refine(rows, block, nodes, place, all_records(block, place, 0))
    for look_again in range(2):
        if first >= 0:
            scan_node(rows, block, nodes, place, first, stop)
        if look_again == 0:
            first, bar = winner_of(rows, block, nodes.of[block.waiting[place].node])
            stop = first + 1
    if first < 0:
        return -1, 0, 0.0
    return cut_of_winner(rows, block, nodes, place, first, bar)


@passage
def split_few_rows(rows, block, nodes, child, here, k, n_left, middle, left_too, right_too):
    """Split those of two children that have few rows, and what is below them; returns which are still to be split.

    here : records of their parent by the feature that parts it, k of them with a value, of which `middle` go left.
    n_left : rows that go left.
    """
    most = most_few(rows, nodes, FEW_OF_CLASSES if rows.rules[0].n_classes > 0 else MOST_FEW)
    for_few = piece(block.waiting, MOST_WAITING + 1, block.waiting.shape[0])
    few = Few(block.sums, block.values, block.cross, block.left, block.right, for_few)
    for side in range(2):
        first, n_known, n = (0, middle, n_left) if side == 0 else (middle, k - middle, here.shape[0] - n_left)
        if n <= most and (left_too if side == 0 else right_too):
            for j in range(n):  # rows without a value stand behind k
                place = first + j if j < n_known else k + j - n_known
                few.rows[j] = np.uint32(block.rows[row_of(here[place])])
            split_few(rows, few, nodes, child + side, n)
    return left_too and n_left > most, right_too and here.shape[0] - n_left > most


@passage
def split_node(rows, block, nodes, place, winner, middle, gain):
    """Give the node at this place two children; those that may be split wait. block.left and block.right are the
    statistics of the sides of its cut."""
    waiting = block.waiting[place]
    i, n = waiting.node, waiting.stop - waiting.start
    node, child, k = nodes.of[i], nodes.counts[N_NODES], block.known[place, winner]
    nodes.counts[N_NODES] += 2
    here = all_records(block, place, winner)
    node.swapped = is_second_first(rows.rules[0], block.left, float(middle), block.right, float(k - middle), False)
    # of equally large branches the one that comes first
    missing_left = int(n > k and 2 * middle >= k + node.swapped)
    n_left = middle + missing_left * (n - k)
    node.feature, node.first_child, node.gain = winner, child, gain
    node.low = rows.keys[block.rows[row_of(here[middle - 1])], winner]
    node.high = rows.keys[block.rows[row_of(here[middle])], winner]
    center = center_at(nodes, i)
    if k < n:
        note_gap(nodes, i, n - k, float(n - k), 1 - missing_left)
        add_records(rows, block, block.left if missing_left else block.right, piece(here, k, n), center)
    on_left, on_right = piece(here, k, k + missing_left * (n - k)), piece(here, k + missing_left * (n - k), n)
    center_left = center_records(rows, block, block.left, piece(here, 0, middle), on_left, center)
    center_right = center_records(rows, block, block.right, piece(here, middle, k), on_right, center)
    left_too = make_child(rows, nodes, i, child, n_left, block.left, center_left)
    right_too = make_child(rows, nodes, i, child + 1, n - n_left, block.right, center_right)
    left_too, right_too = split_few_rows(rows, block, nodes, child, here, k, n_left, middle, left_too, right_too)
    if left_too or right_too:
        mark_sides(block, place, winner, middle, missing_left)
        split_children(block, place, child, n_left, left_too, right_too)


@passage
def set_aside(block, nodes, place):
    """Leave a node for a block of its own."""
    waiting, small = block.waiting[place], nodes.small[nodes.counts[N_SMALL]]
    small.node, small.start, small.stop, small.side = waiting.node, waiting.start, waiting.stop, 0
    nodes.counts[N_SMALL] += 1
    here = all_records(block, place, 0)
    for i in range(here.shape[0]):
        nodes.members[waiting.start + i] = block.rows[row_of(here[i])]


@inner
def n_records(block, place):
    """Records of the node at this place, of all features together."""
    return (block.waiting[place].stop - block.waiting[place].start) * block.best.shape[0]


@passage
def next_place(block, nodes, smallest):
    """The place of the node that waits on top, which waits no longer; -1 for none. Nodes with fewer than `smallest`
    rows are set aside."""
    while block.counts[N_WAITING] > 0:
        place = block.counts[N_WAITING] - 1
        block.counts[N_WAITING] = place
        if block.waiting[place].stop - block.waiting[place].start >= smallest:
            return place
        set_aside(block, nodes, place)
    return -1


@kernel
def grow_block(rows, block, nodes, smallest, budget):
    """Split waiting nodes until none is left, or about `budget` records were parted; those with fewer than `smallest`
    rows are set aside. Returns what is left of the budget."""
    while budget > 0:
        place = next_place(block, nodes, smallest)
        if place < 0:
            break
        budget -= n_records(block, place)
        winner, middle, gain = cut_of(rows, block, nodes, place)
        if winner >= 0:
            split_node(rows, block, nodes, place, winner, middle, gain)
    return budget
