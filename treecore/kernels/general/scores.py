"""From the best cut of each feature to the feature that wins."""

import math

from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import (
    CHI_SQUARE,
    DECREASE,
    GAIN_RATIO,
    MDL_GAIN_RATIO,
    cut_value,
    minus_log10_p,
)
from treecore.engine.jit import inner, kernel
from treecore.kernels.general.level_groups import information, part_information
from treecore.kernels.state import AVERAGE_GAIN, MULTIWAY, ORDERED, SHARE, WHOLE_GAIN

# REPTree: what a split gains with the rows in it that have no value, and whether its branches are large enough.

LEAST = 1e-6
"""A gain, or a weight of rows, that Weka takes for 0: in bits for classes, in squared units of a numeric target."""


@inner
def sum_first_group(growing, f):
    """Sum up branch 0 of the best two groups of a feature's levels in growing.sums[0]; returns its weight."""
    sums, levels, scan, weight = growing.sums, growing.levels, growing.scans[f], 0.0
    for s in range(sums.shape[1]):
        sums[0, s] = 0.0
    for v in range(scan.n_levels):
        if levels[v].side == 0:
            weight += levels[v].weight
            for s in range(sums.shape[1]):
                sums[0, s] += growing.level_stats[v, s]
    return weight


@kernel
def whole_gain(problem, growing, node, f, weight, n_left):
    """Decrease of the impurity of the best split of a feature, and in scan.n_large its branches of enough weight.

    Where rows without a value are shared they count in every branch, by its share of the known ones; otherwise the
    decrease is that of the known rows, times their share. weight : of the known rows, summed up in growing.sums[2].
    n_left : of an ordered feature, the weight of branch 0, which growing.sums[0] holds then.
    Source: behaviour of Weka 3.6 (REPTree).
    """
    rules, scan, sums, judge = problem.rules[0], growing.scans[f], growing.sums, problem.judge
    shared, least = rules.missing == SHARE, rules.min_weight_leaf
    more = node.weight / weight if shared else 1.0
    for s in range(sums.shape[1]):
        sums[3, s] = (growing.stats[node.id, s] - sums[2, s]) if shared else 0.0
    scan.n_large, remaining = 0, 0.0
    if problem.features[f].splitter == MULTIWAY:
        for v in range(scan.n_levels):
            n = growing.levels[v].weight
            scan.n_large += n * more >= least
            for s in range(sums.shape[1]):
                sums[1, s] = growing.level_stats[v, s] + n / weight * sums[3, s]
            remaining += n / weight * impurity_by_code(judge, sums[1], n * more)
        return node.impurity - remaining if shared and weight < node.weight else scan.gain
    if problem.features[f].splitter != ORDERED:
        n_left = sum_first_group(growing, f)
    n_right = weight - n_left
    scan.n_large = int(n_left * more >= least) + int(n_right * more >= least)
    if not shared or weight >= node.weight:
        return scan.gain
    for s in range(sums.shape[1]):
        sums[0, s] += n_left / weight * sums[3, s]
        sums[1, s] = growing.stats[node.id, s] - sums[0, s]
    return cut_value(judge, DECREASE, node.impurity, sums[0], n_left * more, sums[1], n_right * more, None)


@kernel
def is_useful(problem, growing, node, scan):
    """Is the winner's score above 0, are two of its branches large enough, and is the node of several classes?"""
    n_classes, gained, most = problem.rules[0].n_classes, scan.score, 0.0
    if n_classes == 0:
        gained *= node.weight
    for k in range(n_classes):
        most = max(most, growing.stats[node.id, k])
    mixed = n_classes == 0 or node.weight - most >= LEAST
    return mixed and gained > LEAST and scan.n_large > 1


SUM_TOLERANCE = 1e-6
"""J48 compares numbers, which may be sums of fractions, up to this much."""


LEAST_STATISTIC = 1e-13
"""Chi-square or G per weight that is not rounding; of an independence that computes as 1e-16, p is 1e-8 below 1."""
LEAST_SCALE = 1e-3
"""Scores that are smaller than this share of the impurity are compared by differences, not relatively."""


@inner
def least_weight(rules, known, special):
    """Weight that a side of a cut needs, from the weight of the rows with a known value.

    J48: a tenth of an even share of the classes, but at most 25 and at least the minimum. Source: Quinlan (1996).
    REPTree: none, it asks the winner only.
    """
    least = rules.min_weight_leaf
    if special is not None:
        if rules.selector == WHOLE_GAIN:
            return 0.0
        if rules.score == MDL_GAIN_RATIO:
            least = max(least, min(0.1 * known / rules.n_classes, 25.0) - SUM_TOLERANCE)
    return least


@inner
def least_step(rules, share, special):
    """By how much the value of a cut must exceed that of the best cut before it, and the first one 0.

    share : of the known rows; J48 compares gains, which are values times the share.
    """
    step = 0.0
    if special is not None:
        if rules.score == MDL_GAIN_RATIO:
            step = SUM_TOLERANCE / share
    return step


@inner
def worth(rules, score, cost):
    """What a score counts when features compete, by what it costs to ask for the feature.

    Sources: score / cost: rpart; score^2 / cost: Tan (1993); (2^score - 1) / (cost + 1)^w: Nunez (1991).
    """
    if rules.cost_form == 0:
        return score / cost
    if rules.cost_form == 1:
        return score * abs(score) / cost
    return (2.0**score - 1.0) / (cost + 1.0) ** rules.cost_power


@inner
def split_information(growing, node, f, splitter, weight, n_left):
    """Entropy of the branches' sizes in bits; rows without a value are one more branch. 0 if nothing is parted."""
    total, scan = node.weight, growing.scans[f]
    if splitter == ORDERED:
        return information(n_left, weight - n_left, total - weight, total)
    if splitter != MULTIWAY:
        n_left = 0.0
        for v in range(scan.n_levels):
            n_left += growing.levels[v].weight if growing.levels[v].side == 0 else 0.0
        return information(n_left, weight - n_left, total - weight, total) if n_left > 0.0 else 0.0
    result = part_information(total - weight, total)
    for v in range(scan.n_levels):
        result += part_information(growing.levels[v].weight, total)
    return result


@inner
def finish(problem, growing, node, f, weight, parent, n_left, n_cuts, n_known, special):
    """Set the gain and the score of growing.scans[f] from its value; both stay -inf where no split is possible.

    n_left, n_cuts : of an ordered feature. n_known : rows with a known value.
    """
    scan = growing.scans[f]
    scan.gain = scan.value * scan.share
    scan.score = scan.gain / problem.features[f].cost
    if special is not None:
        finish_special(problem, growing, node, f, weight, parent, n_left, n_cuts, n_known)


@kernel
def finish_special(problem, growing, node, f, weight, parent, n_left, n_cuts, n_known):
    """The same for scores other than the decrease, and for costs in other forms."""
    rules, scan, feature = problem.rules[0], growing.scans[f], problem.features[f]
    score = rules.score
    if scan.value == -math.inf:
        return
    gain = scan.gain
    if rules.selector == WHOLE_GAIN:
        gain = whole_gain(problem, growing, node, f, weight, n_left)
    if score == DECREASE:
        scan.score = worth(rules, gain, feature.cost)
        return
    if score in (GAIN_RATIO, MDL_GAIN_RATIO):
        ratio_of_one_level = feature.splitter > MULTIWAY
        gain = sides_decrease(problem, growing, f, weight, parent) if ratio_of_one_level else scan.value
        gain *= scan.share
        least_info = 0.0
        if score == MDL_GAIN_RATIO:
            least_info = SUM_TOLERANCE / node.weight
            if gain * weight < SUM_TOLERANCE:
                gain = 0.0
            if feature.splitter == ORDERED:
                gain -= math.log2(n_cuts) / node.weight
                few = n_known < 2.0 * least_weight(rules, weight, True) + SUM_TOLERANCE
                if few or gain < SUM_TOLERANCE:
                    scan.value, scan.gain, scan.score = -math.inf, -math.inf, -math.inf
                    return
        info = split_information(growing, node, f, feature.splitter, weight, n_left)
        scan.gain = gain
        scan.score = worth(rules, gain / info, feature.cost) if info > least_info else -math.inf
        return
    value = scan.gain
    if score >= CHI_SQUARE:
        statistic = scan.value if scan.value > LEAST_STATISTIC * weight else 0.0
        value = minus_log10_p(statistic, degrees_of_freedom(growing, scan, feature.splitter))
    scan.gain = value
    scan.score = worth(rules, value, feature.cost)


@kernel
def sides_decrease(problem, growing, f, weight, parent):
    """Decrease of the grouping that growing.levels holds."""
    sums, levels, n_left = growing.sums, growing.levels, 0.0
    for s in range(sums.shape[1]):
        sums[0, s] = 0.0
    for v in range(growing.scans[f].n_levels):
        if levels[v].side == 0:
            n_left += levels[v].weight
            for s in range(sums.shape[1]):
                sums[0, s] += growing.level_stats[v, s]
    for s in range(sums.shape[1]):
        sums[1, s] = sums[2, s] - sums[0, s]
    return cut_value(problem.judge, DECREASE, parent, sums[0], n_left, sums[1], weight - n_left, None)


@inner
def degrees_of_freedom(growing, scan, splitter):
    """(branches with rows - 1) (classes with rows - 1)."""
    n_classes, branches = 0, 2
    for k in range(growing.sums.shape[1]):
        n_classes += growing.sums[2, k] > 0.0
    if splitter == MULTIWAY:
        branches = 0
        for v in range(scan.n_levels):
            branches += growing.levels[v].weight > 0.0
    return (branches - 1) * (n_classes - 1)


@kernel
def average_gain(problem, scans):
    """Mean gain of the features that can split and count in it; infinite if there are none."""
    total, n = 0.0, 0
    for f in range(scans.shape[0]):
        if problem.features[f].averaged != 0 and scans[f].gain > -math.inf:
            total += scans[f].gain
            n += 1
    return total / n if n > 0 else math.inf


@kernel
def first_clearly_best(scans, least, step):
    """The feature that no later one beats by more than the step; (-1, -inf) if no score is above the step."""
    winner, best = -1, 0.0
    for f in range(scans.shape[0]):
        if scans[f].gain >= least and scans[f].score - best > step:
            winner, best = f, scans[f].score
    return winner, best if winner >= 0 else -math.inf


@inner
def slack_of(rules, node, best):
    """How far below the best score a score still counts as equal to it."""
    if rules.score == DECREASE and rules.cost_form == 0:
        return rules.tolerance * node.impurity
    small = min(node.impurity, worth(rules, node.impurity, 1.0))
    return rules.tolerance * max(abs(best), LEAST_SCALE * small)


@kernel
def select(problem, growing, node, special):
    """The feature that wins and the score that is as good as the best, (-1, -inf) if no feature can split.

    AVERAGE_GAIN asks for the best score among the features whose gain is at least the average. Source: Quinlan (1993).
    With a step the winner is the last feature that beats the best one before it by more than the step.
    """
    rules, scans = problem.rules[0], growing.scans
    least, best = -math.inf, -math.inf
    if special is not None:
        if rules.selector == AVERAGE_GAIN:
            least = average_gain(problem, scans) - rules.average_slack
        if rules.step > 0.0:
            winner, best = first_clearly_best(scans, least, rules.step)
            return winner, best - slack_of(rules, node, best)
    for f in range(scans.shape[0]):
        if scans[f].gain >= least and scans[f].score > best:
            best = scans[f].score
    if best == -math.inf:
        return -1, best
    bar = best - slack_of(rules, node, best)
    winner = 0
    while not (scans[winner].gain >= least and scans[winner].score >= bar):
        winner += 1
    return winner, bar
