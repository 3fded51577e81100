"""The best cut of a node whose rows count once, by an ordered feature.

The splits are the same as those that search_nodes finds, and the numbers of the nodes are computed in the same order.
"""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity, squared_error_decrease
from treecore.criteria.split_scores import GAIN_RATIO
from treecore.engine.jit import inner, kernel, number_of, piece, row
from treecore.kernels.drawn import CLOSED
from treecore.kernels.general.whole_gain import LEAST
from treecore.kernels.limits import gain_allowed
from treecore.kernels.records.block import records_of
from treecore.kernels.records.cut_scans import (
    MOST_PAIRED,
    NOTHING,
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
)
from treecore.kernels.records.nodes import center_at, least_rows
from treecore.kernels.records.records import label_of, row_of
from treecore.kernels.records.sums import add_classes, add_numbers, add_records
from treecore.kernels.state import WHOLE_GAIN

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
    closed = row(block.drawn, CLOSED)
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
    parent = node.impurity if here.shape[0] == n else impurity(rows.judge, known, float(here.shape[0]))
    # whether to split at all is decided by the best cut, also where one before it counts as equal
    gain = gain_of_cut(rows, block, known, center, parent, here, top, n)
    if not gain_allowed(rules, node.impurity, float(n), float(nodes.of[0].n_rows), gain):
        return -1, 0, 0.0
    if middle != top:
        gain = gain_of_cut(rows, block, known, center, parent, here, middle, n)
    if not is_useful(rules, gain, middle, n):
        return -1, 0, 0.0
    return winner, middle, gain
