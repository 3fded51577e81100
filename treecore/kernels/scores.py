"""From the best cut of each feature to the feature that wins."""

import math

from treecore.criteria.split_scores import (
    CHI_SQUARE,
    DECREASE,
    GAIN_RATIO,
    MDL_GAIN_RATIO,
    cut_value,
    minus_log10_p,
)
from treecore.jit import inner, kernel
from treecore.kernels.levels import information, part_information
from treecore.kernels.state import AVERAGE_GAIN, MULTIWAY, ORDERED

SUM_TOLERANCE = 1e-6
"""J48 compares weights, which may be sums of fractions, up to this much."""


@inner
def least_weight(rules, known, special):
    """Weight that a branch needs, from the weight of the rows with a known value.

    J48: a tenth of an even share of the classes, but at most 25 and at least the minimum. Source: Quinlan (1996).
    """
    least = rules.min_weight_leaf
    if special is not None:
        if rules.score == MDL_GAIN_RATIO:
            least = max(least, min(0.1 * known / rules.n_classes, 25.0) - SUM_TOLERANCE)
    return least


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
    """Entropy of the branches' sizes in bits; rows without a value are one more branch."""
    total, scan = node.weight, growing.scans[f]
    if splitter == ORDERED:
        return information(n_left, weight - n_left, total - weight, total)
    if splitter != MULTIWAY:
        n_left = 0.0
        for v in range(scan.n_levels):
            n_left += growing.levels[v].weight if growing.levels[v].side == 0 else 0.0
        return information(n_left, weight - n_left, total - weight, total)
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
    if score == DECREASE:
        scan.score = worth(rules, scan.gain, feature.cost)
        return
    if score in (GAIN_RATIO, MDL_GAIN_RATIO):
        ratio_of_one_level = feature.splitter > MULTIWAY
        gain = sides_decrease(problem, growing, f, weight, parent) if ratio_of_one_level else scan.value
        gain *= scan.share
        if score == MDL_GAIN_RATIO and feature.splitter == ORDERED:
            gain -= math.log2(n_cuts) / node.weight
            least = least_weight(rules, weight, True)
            if n_known < 2.0 * least or gain <= rules.tolerance:
                scan.value, scan.gain, scan.score = -math.inf, -math.inf, -math.inf
                return
        info = split_information(growing, node, f, feature.splitter, weight, n_left)
        scan.gain = gain
        scan.score = worth(rules, gain / info, feature.cost) if info > 0.0 else -math.inf
        return
    value = scan.value
    if score >= CHI_SQUARE:
        value = minus_log10_p(value, degrees_of_freedom(growing, scan, feature.splitter))
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
def select(problem, growing, node, special):
    """The feature that wins and the score that is as good as the best, (-1, -inf) if no feature can split.

    AVERAGE_GAIN asks for the best score among the features whose gain is at least the average. Source: Quinlan (1993).
    """
    rules, scans = problem.rules[0], growing.scans
    least, best = -math.inf, -math.inf
    if special is not None:
        if rules.selector == AVERAGE_GAIN:
            least = average_gain(problem, scans) - rules.average_slack
    for f in range(scans.shape[0]):
        if scans[f].gain >= least and scans[f].score > best:
            best = scans[f].score
    if best == -math.inf:
        return -1, best
    bar = best - rules.tolerance * (node.impurity if rules.score == DECREASE else abs(best))
    winner = 0
    while not (scans[winner].gain >= least and scans[winner].score >= bar):
        winner += 1
    return winner, bar
