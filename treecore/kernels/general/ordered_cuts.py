"""Thresholds: every cut between two neighbouring values of the node, in ascending order."""

import math

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import (
    entropy_decrease,
    gini_decrease,
    may_exceed,
    squared_error_decrease,
    weigh_gaps,
)
from treecore.criteria.split_scores import GAIN_RATIO, TWOING, cut_value
from treecore.engine.jit import inner, kernel
from treecore.kernels.constraints import BOUNDS, keeps_order
from treecore.kernels.random_features import random_between
from treecore.kernels.state import BOUNDARIES, ONE_RANDOM
from treecore.kernels.sums import add_row

GAPS = 5
"""The row of growing.sums that holds what gaps of classes count, see may_exceed."""
_GINI, _ENTROPY = CRITERIA["gini"].code, CRITERIA["entropy"].code


@kernel
def known_rows(codes, order, start, missing, rows, n_classes, known):
    """Sum the rows with a known value, which stand before the missing ones.

    Returns (position of the first missing row, weight, rows of positive weight).
    """
    for s in range(known.shape[0]):
        known[s] = 0.0
    weight, n_rows, at = 0.0, 0, start
    while codes[order[at]] != missing:
        row = rows[order[at]]
        add_row(known, row, n_classes)
        weight += row.weight
        n_rows += row.weight > 0.0
        at += 1
    return at, weight, n_rows


@inner
def least_rise(rules, step, parent, special):
    """By how much a cut must be better than the best one before it: the step, or more than rounding.

    Cuts of equal gain differ in their gain ratio, so rounding must not choose between them.
    """
    if special is not None:
        if rules.score == GAIN_RATIO:
            return rules.tolerance * parent
    return step


@inner
def exceeding(order, start, stop, rows, sum_left, n_left, known, weight, n_classes):
    """(mean, what the rows left of every cut exceed it by, what all do): weighted sums of a target's differences from
    its mean, which do not cancel where the node is far from the mean of all rows. Zeros for classes.

    known, weight : of the rows to part, which may be more than those in order.
    """
    if n_classes > 0:
        return 0.0, 0.0, 0.0
    mean = known[1] / weight
    total, here, sum_here = 0.0, 0.0, 0.0
    for i in range(start, stop):
        row = rows[order[i]]
        total += row.weight * (row.response - mean)
        here += row.weight
        sum_here += row.weight * row.response
    if weight - here > 1e-9 * weight:
        total += known[1] - sum_here - mean * (weight - here)
    return mean, sum_left - mean * n_left, total


@kernel
def random_cut(problem, key, f, order, start, stop, rows):
    """The number drawn between the least and the greatest value in order[start:stop] of rows with a weight above 0;
    0 where none is drawn."""
    if problem.rules[0].cuts != ONE_RANDOM:
        return 0.0
    codes, begin = problem.codes[f], problem.features[f].value_start
    first, last = start, last_counting(order, start, stop - 1, rows)
    while first < last and rows[order[first]].weight <= 0.0:
        first += 1
    low, high = problem.values[begin + codes[order[first]]], problem.values[begin + codes[order[last]]]
    return random_between(key, f, low, high)


@inner
def is_tried(cuts, threshold, low, high, codes, order, start, last_low, stop, rows):
    """Is the cut between these values one of those that the rules ask for?"""
    if cuts == BOUNDARIES:
        return parts_classes(codes, order, start, last_low, stop, rows)
    return cuts != ONE_RANDOM or low <= threshold < high


@inner
def sides_in_order(rules, feature, sums, n_left, n_right, mean, sum_left, total):
    """May the sides of a cut give the answers that they have? mean, sum_left, total : see exceeding."""
    if rules.monotonic == 0:
        return True
    low, high = mean + sum_left / n_left, mean + (total - sum_left) / n_right
    if rules.n_classes > 0:
        low, high = sums[0, 0] / n_left, (sums[2, 0] - sums[0, 0]) / n_right
    return keeps_order(feature.monotonic, sums[BOUNDS], low, high)


@inner
def value_of_classes(by_gini, by_entropy, judge, score, parent, sums, n_left, n_right, special):
    """What a cut of classes is compared by. sums : of its left side and, third, of both; the second is filled in."""
    left, right = sums[0], sums[1]
    for s in range(sums.shape[1]):
        right[s] = sums[2, s] - left[s]
    if by_gini:
        return gini_decrease(parent, left, n_left, right, n_right)
    if by_entropy:
        return entropy_decrease(judge, parent, left, n_left, right, n_right)
    return cut_value(judge, score, parent, left, n_left, right, n_right, special)


@kernel
def scan_ordered(
    problem, threshold, f, order, start, stop, rows, sums, n_left, rows_left, weight, n_rows, parent, least, step, bar,
    special,
):  # fmt: skip
    """The best cut of order[start:stop] of feature f. threshold : see random_cut.

    sums[2], weight, n_rows, parent : statistics, weight, rows and impurity of the rows to part; sums[0], n_left,
        rows_left : of those of them that stand left of every cut.
    least : weight that either side needs. step : see scores.least_step. bar : stop at the first cut whose value
        reaches it.
    Returns (value, position of its last low row, weight on its left, number of cuts); (-inf, -1, 0, 0) when no cut
    leaves enough rows on both sides. Rows of weight 0 are passed over. special : as of search_nodes. Regression
    statistics are judged by squared error alone, which needs sums of the target only.
    """
    codes, rules, judge, feature = problem.codes[f], problem.rules[0], problem.judge, problem.features[f]
    values = problem.values[feature.value_start : feature.value_start + feature.n_codes]
    left, known = sums[0], sums[2]
    # numbers of the rules in variables: the compiler cannot know that writing sums leaves them as they are
    n_classes, min_rows = rules.n_classes, rules.min_rows_leaf
    min_gap, score, cuts = rules.min_gap, rules.score, rules.cuts
    restricted = cuts in (BOUNDARIES, ONE_RANDOM) or rules.monotonic != 0
    usual = score < TWOING and judge.scale == 1.0
    by_gini, by_entropy = usual and judge.code == _GINI, usual and judge.code == _ENTROPY
    bounded, share, per_class = by_gini or by_entropy, 1.0 / weight, sums[GAPS]
    weigh_gaps(by_entropy, known, weight, per_class)
    mean, sum_left, total = exceeding(order, start, stop, rows, left[1], n_left, known, weight, n_classes)
    best, best_at, best_left, n_cuts = -math.inf, -1, 0.0, 0
    to_beat, slack = step if step > 0.0 else -math.inf, least_rise(rules, step, parent, special)
    at, no_rows = order[start], rows_left
    code = codes[at]
    for i in range(start, stop - 1):
        row = rows[at]
        w = row.weight
        if n_classes > 0:
            left[row.label] += w
        else:
            sum_left += w * (row.response - mean)
        n_left += w
        rows_left += w > 0.0
        at, last = order[i + 1], code
        code = codes[at] if rows[at].weight > 0.0 else last
        if code == last or rows_left == no_rows or rows_left < min_rows or n_left < least:
            continue
        n_right = weight - n_left
        if n_rows - rows_left < min_rows or n_right < least:
            break
        if min_gap > 0.0 and values[code] <= values[last] + min_gap:
            continue
        if special is not None and restricted:
            tried = is_tried(cuts, threshold, values[last], values[code], codes, order, start, i, stop, rows)
            if not (tried and sides_in_order(rules, feature, sums, n_left, n_right, mean, sum_left, total)):
                continue
        n_cuts += 1
        if bounded and not may_exceed(to_beat, left, n_left, known, weight, share, per_class):
            continue
        if n_classes > 0:
            value = value_of_classes(by_gini, by_entropy, judge, score, parent, sums, n_left, n_right, special)
        else:
            value = squared_error_decrease(sum_left, n_left, total - sum_left, n_right)
        if value > to_beat:
            best, best_at, best_left, to_beat = value, i, n_left, value + slack
            if best >= bar:
                break
    return best, best_at, best_left, n_cuts


@inner
def last_counting(order, start, at, rows):
    """The last position up to `at` whose row has a weight above 0; start if there is none."""
    while at > start and rows[order[at]].weight <= 0.0:
        at -= 1
    return at


@kernel
def parts_classes(codes, order, start, last_low, stop, rows):
    """Do the rows of the value below a cut and of the one above it belong to more than one class?"""
    i, low = last_low, last_counting(order, start, last_low, rows)
    label = rows[order[low]].label
    while i >= start and codes[order[i]] >= codes[order[low]]:
        if rows[order[i]].weight > 0.0 and rows[order[i]].label != label:
            return True
        i -= 1
    i = last_low + 1
    while i < stop and codes[order[i]] == codes[order[last_low + 1]]:
        if rows[order[i]].weight > 0.0 and rows[order[i]].label != label:
            return True
        i += 1
    return False
