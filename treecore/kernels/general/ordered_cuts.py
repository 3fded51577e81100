"""Thresholds: every cut between two neighbouring values of the node, in ascending order."""

import math

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import (
    ROUGH,
    entropy_decrease,
    gini_decrease,
    may_exceed,
    rough_entropy_decrease,
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
AT_BEST = 6
"""The row of growing.sums that holds the left side of the best cut so far, where its value is known roughly only."""
WORSE, UNKNOWN, BETTER = -1, 0, 1
_GINI, _ENTROPY = CRITERIA["gini"].code, CRITERIA["entropy"].code


@kernel
def line_up(codes, order, start, stop, missing, rows, line):
    """Let line be the rows order[start:stop] up to the first without a value; returns how many."""
    n = 0
    for i in range(start, stop):
        at = order[i]
        code = codes[at]
        if code == missing:
            break
        row, entry = rows[at], line[n]
        entry.weight, entry.response, entry.label, entry.code = row.weight, row.response, row.label, code
        n += 1
    return n


@kernel
def sum_line(line, n, n_classes, known):
    """Sum up line[:n] in `known`; returns (weight, rows of positive weight)."""
    for s in range(known.shape[0]):
        known[s] = 0.0
    weight, n_rows = 0.0, 0
    for i in range(n):
        add_row(known, line[i], n_classes)
        weight += line[i].weight
        n_rows += line[i].weight > 0.0
    return weight, n_rows


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
def exceeding(line, n, sum_left, n_left, known, weight, n_classes):
    """(mean, what the rows left of every cut exceed it by, what all do): weighted sums of a target's differences from
    its mean, which do not cancel where the node is far from the mean of all rows. Zeros for classes.

    known, weight : of the rows to part, which may be more than line[:n].
    """
    if n_classes > 0:
        return 0.0, 0.0, 0.0
    mean = known[1] / weight
    total, here, sum_here = 0.0, 0.0, 0.0
    for i in range(n):
        row = line[i]
        total += row.weight * (row.response - mean)
        here += row.weight
        sum_here += row.weight * row.response
    if weight - here > 1e-9 * weight:
        total += known[1] - sum_here - mean * (weight - here)
    return mean, sum_left - mean * n_left, total


@kernel
def random_cut(problem, key, f, line, n):
    """The number drawn between the least and the greatest value in line[:n] of rows with a weight above 0; 0 where none
    is drawn."""
    if problem.rules[0].cuts != ONE_RANDOM:
        return 0.0
    first, last, begin = 0, last_counting(line, n - 1), problem.features[f].value_start
    while first < last and line[first].weight <= 0.0:
        first += 1
    low, high = problem.values[begin + line[first].code], problem.values[begin + line[last].code]
    return random_between(key, f, low, high)


@inner
def is_tried(cuts, threshold, low, high, line, last_low, n):
    """Is the cut between these values one of those that the rules ask for?"""
    if cuts == BOUNDARIES:
        return parts_classes(line, last_low, n)
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
def value_of_best(judge, parent, sums, best, n_left, weight, error):
    """The value of the best cut so far to the last place; of one that is known up to an error, the left side is in
    sums[AT_BEST]."""
    if error == 0.0:
        return best
    left, right = sums[AT_BEST], sums[1]
    for s in range(sums.shape[1]):
        right[s] = sums[2, s] - left[s]
    return entropy_decrease(judge, parent, left, n_left, right, weight - n_left)


@inner
def compare_roughly(judge, parent, sums, n_left, weight, best, best_left, to_beat, slack, error, bar):
    """Compare a cut by entropy with the best one so far, without logarithms to the last place where they do not matter:
    most cuts are far from the best one.

    sums[0], n_left : of its left side. best, best_left, to_beat : value and left side of the best cut, and what a
    better one exceeds, which are known up to `error`.
    Returns (WORSE, BETTER or UNKNOWN, best, to_beat, error); where it is unknown the error is 0.
    """
    rough = rough_entropy_decrease(parent, sums[0], n_left, sums[2], weight)
    if rough + ROUGH <= to_beat - error:
        return WORSE, best, to_beat, error
    if rough - ROUGH > to_beat + error and rough + ROUGH < bar:
        for s in range(sums.shape[1]):
            sums[AT_BEST, s] = sums[0, s]
        return BETTER, rough, rough + slack, ROUGH
    if error > 0.0:
        best = value_of_best(judge, parent, sums, best, best_left, weight, error)
        to_beat = best + slack
    return UNKNOWN, best, to_beat, 0.0


@kernel
def scan_ordered(
    problem, threshold, f, line, n, sums, n_left, rows_left, weight, n_rows, parent, least, step, bar, special
):
    """The best cut of line[:n], rows in the order of feature f. threshold : see random_cut.

    sums[2], weight, n_rows, parent : statistics, weight, rows and impurity of the rows to part; sums[0], n_left,
        rows_left : of those of them that stand left of every cut.
    least : weight that either side needs. step : see scores.least_step. bar : stop at the first cut whose value
        reaches it.
    Returns (value, place of its last low row, weight on its left, number of cuts); (-inf, -1, 0, 0) when no cut
    leaves enough rows on both sides. Rows of weight 0 are passed over. special : as of search_nodes. Regression
    statistics are judged by squared error alone, which needs sums of the target only.
    """
    rules, judge, feature = problem.rules[0], problem.judge, problem.features[f]
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
    mean, sum_left, total = exceeding(line, n, left[1], n_left, known, weight, n_classes)
    best, best_at, best_left, n_cuts, error = -math.inf, -1, 0.0, 0, 0.0
    to_beat, slack = step if step > 0.0 else -math.inf, least_rise(rules, step, parent, special)
    no_rows, code = rows_left, line[0].code
    for i in range(n - 1):
        row = line[i]
        w = row.weight
        if n_classes > 0:
            left[row.label] += w
        else:
            sum_left += w * (row.response - mean)
        n_left += w
        rows_left += w > 0.0
        last = code
        code = line[i + 1].code if line[i + 1].weight > 0.0 else last
        if code == last or rows_left == no_rows or rows_left < min_rows or n_left < least:
            continue
        n_right = weight - n_left
        if n_rows - rows_left < min_rows or n_right < least:
            break
        if min_gap > 0.0 and values[code] <= values[last] + min_gap:
            continue
        if special is not None and restricted:
            tried = is_tried(cuts, threshold, values[last], values[code], line, i, n)
            if not (tried and sides_in_order(rules, feature, sums, n_left, n_right, mean, sum_left, total)):
                continue
        n_cuts += 1
        if bounded and not may_exceed(to_beat - error, left, n_left, known, weight, share, per_class):
            continue
        if by_entropy:
            verdict, best, to_beat, error = compare_roughly(
                judge, parent, sums, n_left, weight, best, best_left, to_beat, slack, error, bar
            )
            best_at, best_left = (i, n_left) if verdict == BETTER else (best_at, best_left)
            if verdict != UNKNOWN:
                continue
        if n_classes > 0:
            value = value_of_classes(by_gini, by_entropy, judge, score, parent, sums, n_left, n_right, special)
        else:
            value = squared_error_decrease(sum_left, n_left, total - sum_left, n_right)
        if value > to_beat:
            best, best_at, best_left, to_beat = value, i, n_left, value + slack
            if best >= bar:
                break
    return value_of_best(judge, parent, sums, best, best_left, weight, error), best_at, best_left, n_cuts


@inner
def last_counting(line, at):
    """The last place up to `at` whose row has a weight above 0; 0 if there is none."""
    while at > 0 and line[at].weight <= 0.0:
        at -= 1
    return at


@kernel
def parts_classes(line, last_low, n):
    """Do the rows of the value below a cut and of the one above it belong to more than one class?"""
    low = last_counting(line, last_low)
    i, label = last_low, line[low].label
    while i >= 0 and line[i].code >= line[low].code:
        if line[i].weight > 0.0 and line[i].label != label:
            return True
        i -= 1
    i = last_low + 1
    while i < n and line[i].code == line[last_low + 1].code:
        if line[i].weight > 0.0 and line[i].label != label:
            return True
        i += 1
    return False
