"""The best cut of a node's sorted records by an ordered feature, with or without weights and missing values.

The splits are the same as those that search_nodes finds, and the numbers of the nodes are computed in the same order.
"""

import math

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity_by_code, squared_error_decrease
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO, cut_value
from treecore.engine.jit import bits_of, inner, kernel, number_of, piece, row
from treecore.kernels.constraints import gain_allowed
from treecore.kernels.general.scores import LEAST
from treecore.kernels.random_features import CLOSED
from treecore.kernels.records.cut_scans import (
    MOST_PAIRED,
    NOTHING,
    WeightedSide,
    count_classes,
    fill_ratio,
    scan_by_cuts,
    scan_classes,
    scan_entropy,
    scan_numbers,
    scan_three_classes,
    scan_tiny_numbers,
    scan_tiny_two_classes,
    scan_two_classes,
    scan_two_entropy,
    scan_weighted_classes,
    scan_weighted_entropy,
    scan_weighted_numbers,
    scan_weighted_two,
)
from treecore.kernels.records.nodes import center_at, least_rows, weight_of
from treecore.kernels.records.record_block import all_records, records_of
from treecore.kernels.records.records import (
    add_classes,
    add_numbers,
    add_records,
    add_weighted,
    class_of,
    label_of,
    row_of,
)
from treecore.kernels.state import OWN_VALUE, WHOLE_GAIN

_GINI, _ENTROPY = CRITERIA["gini"].code, CRITERIA["entropy"].code
TINY = 16
"""Up to so many records one pass is faster than two."""


@inner
def least_behind(rules):
    """Rows that each side of a cut needs to be compared with others: REPTree asks the winner only, see is_useful."""
    return max(rules.min_rows_leaf, 1) if rules.selector == WHOLE_GAIN else least_rows(rules)


@inner
def is_useful(rules, gain, n_left, n):
    """May a node of n rows have this cut, where nothing is asked of cuts before? See whole_gain.is_useful."""
    if rules.selector != WHOLE_GAIN:
        return True
    gained = gain if rules.n_classes > 0 else gain * n
    return gained > LEAST and min(n_left, n - n_left) >= rules.min_weight_leaf


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


@inner
def scan_node(rows, block, nodes, place, first_feature, stop_feature):
    """Fill block.best of these features, but for nominal ones, for the node waiting at this place; block.values has the
    last one's."""
    waiting, n_least = block.waiting[place], least_behind(rows.rules[0])
    n, filled, best, known = waiting.stop - waiting.start, np.int64(0), block.best, row(block.known, place)
    ratio, sums, values, xlog, cross = block.ratio, block.sums, block.values, block.xlog, block.cross
    some, others, place_of, fixed, nominal = block.some, block.others, block.place, block.fixed, rows.nominal
    n_classes, by_entropy, label, counted = rows.rules[0].n_classes, rows.judge.code == _ENTROPY, block.label, False
    closed = row(block.sample, CLOSED)
    by_cuts = n_classes > 0 and rows.judge.code != _GINI and not by_entropy
    paired, tiny = n_classes == 3 and n <= MOST_PAIRED, n <= TINY and n_classes in (0, 2) and not by_entropy
    mean, squared_unit = whole_mean(block, nodes, place) if n_classes == 0 else (np.int64(0), 1.0)
    every = records_of(block, waiting.side, 0, waiting.start, n)
    share = mean_of_records(every, fixed, mean, n_classes) if tiny else 0.0
    for f in range(first_feature, stop_feature):
        if nominal[f] or closed[f]:
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
        if by_cuts:
            best[f] = scan_by_cuts(rows.judge, block, here, first, last, factor)
            continue
        if n_classes > 2 and (by_entropy or not paired) and not (counted and k == n):
            count_classes(here, label, some, others)
            counted = k == n
        if k == n and tiny:
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
def bar_of(rows, block, node, f):
    """The value that cuts of feature f count as equal to its best one from."""
    return number_of(block.best[f]) - rows.rules[0].tolerance * node.impurity / rows.judge.scale


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


@inner
def cut_of_winner(rows, block, nodes, place, winner, bar):
    """(feature, records with a value on the left of its cut, gain) of the feature whose values are in block.values;
    feature -1 if the gain is too small."""
    rules, waiting = rows.rules[0], block.waiting[place]
    node, n, least = nodes.of[waiting.node], waiting.stop - waiting.start, least_behind(rules)
    if rules.score == GAIN_RATIO:
        bar = bar_of(rows, block, node, winner)
    middle = first_cut(block, least, bar)
    top = first_cut(block, least, number_of(block.best[winner]))
    here = records_of(block, waiting.side, winner, waiting.start, block.known[place, winner])
    known, center = nodes.stats[waiting.node], center_at(nodes, waiting.node)
    if here.shape[0] < n:
        known = block.whole
        for s in range(known.shape[0]):
            known[s] = 0.0
        add_records(rows, block, known, here, center)
    parent = node.impurity if here.shape[0] == n else impurity_by_code(rows.judge, known, float(here.shape[0]))
    # whether to split at all is decided by the best cut, also where one before it counts as equal
    gain = gain_of_cut(rows, block, known, center, parent, here, top, n)
    if not gain_allowed(rules, node.impurity, float(n), float(nodes.of[0].n_rows), gain):
        return -1, 0, 0.0
    if middle != top:
        gain = gain_of_cut(rows, block, known, center, parent, here, middle, n)
    if not is_useful(rules, gain, middle, n):
        return -1, 0, 0.0
    return winner, middle, gain


# The best cut of a node by an ordered feature where rows have weights, or missing is a value of its own.
#
# The same as search_nodes finds. Weights are whole numbers: their sums do not depend on the order. Where missing values
# count as a value there are three ways to cut (see search_nodes.scan_both_ways): they go above, below, or stand alone.

_ENTROPY_CODE = CRITERIA["entropy"].code
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
    by_entropy = rows.judge.code == _ENTROPY_CODE
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
            side = WeightedSide(first, last, least, total, start, factor * unit * unit)
            on_left, rest = (target if way == BELOW else 0), (target if way == ABOVE else 0)
            best = scan_weighted_numbers(here, weight, fixed, mean, lefts, values, side, on_left, rest)
        elif by_entropy:
            side = WeightedSide(first, last, least, total, start, factor)
            best = scan_weighted_entropy(here, weight, label, count, left, block.xlog, lefts, values, side)
        elif n_classes == 2:
            side = WeightedSide(first, last, least, total, start, 2.0 * factor)
            best = scan_weighted_two(here, weight, lefts, values, side, left[1], count[1])
        else:
            side = WeightedSide(first, last, least, total, start, factor)
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
        if rows.nominal[f] or block.sample[CLOSED, f] or not (own or weighted):
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
        parent = impurity_by_code(rows.judge, whole, known)
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
