"""The best split of each node over all features."""

import math

from treecore.criteria.impurity import impurity
from treecore.jit import jit, kernel, passage
from treecore.kernels.levels import multiway_decrease, scan_subsets, tally_levels
from treecore.kernels.limits import good_enough, may_split
from treecore.kernels.ordered import known_rows, scan_ordered
from treecore.kernels.state import MULTIWAY, N_LEVELS, ORDERED


@kernel
def feature_score(problem, growing, node, f, bar):
    """The best gain of feature f at a node; for an ordered feature also where it cuts.

    With missing values the gain is that of the rows with a known value, times their share; it is divided by
    the feature's cost.
    A nominal feature leaves its levels and their sides in growing.levels.
    Returns (gain, position of the last low row, number of levels present).
    """
    rules, feature = problem.rules[0], problem.features[f]
    codes, order, sums = problem.codes[f], growing.order[f], growing.sums
    start, stop = node.start, node.stop
    if codes[order[start]] == codes[order[stop - 1]]:
        return -math.inf, -1, 0
    weight, n_rows, parent = node.weight, node.n_rows, node.impurity
    if codes[order[stop - 1]] == feature.n_codes:
        stop, weight, n_rows = known_rows(
            codes, order, start, feature.n_codes, problem.rows, rules.n_classes, sums[2]
        )
        if weight <= 0.0 or codes[order[start]] == codes[order[stop - 1]]:
            return -math.inf, -1, 0
        parent = impurity(rules.criterion, sums[2], weight)
    else:
        for s in range(sums.shape[1]):
            sums[2, s] = growing.stats[node.id, s]
    # the share of the known rows, and the price of asking
    share = weight / node.weight / feature.cost
    at, n_levels = -1, 0
    if feature.splitter == ORDERED:
        values = problem.values[feature.value_start : feature.value_start + feature.n_codes]
        score, at = scan_ordered(
            codes, order, start, stop, problem.rows, rules, values, sums, weight, n_rows, parent, bar / share
        )
        return score * share, at, 0
    levels, stats = growing.levels, growing.level_stats
    n_levels = tally_levels(codes, order, start, stop, problem.rows, rules.n_classes, levels, stats)
    if feature.splitter == MULTIWAY:
        score = multiway_decrease(rules, levels, stats, n_levels, weight, parent)
    else:
        score = scan_subsets(rules, levels, stats, n_levels, sums, weight, n_rows, parent, bar / share)
    return score * share, -1, n_levels


@passage
def search(problem, growing, node):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose
    gain reaches the largest gain less tolerance * impurity: equal gains differ in their last bits.
    """
    rules, scores = problem.rules[0], growing.scores
    d = scores.shape[0]
    best, bar, winner = -math.inf, math.inf, 0
    # the last round looks at the winner again, to stop at the first cut that reaches the bar
    for step in range(d + 1):
        if step == d:
            if not good_enough(rules, node, growing.nodes[0].weight, best):
                return
            bar = best - rules.tolerance * node.impurity
            while scores[winner] < bar:
                winner += 1
        f = step if step < d else winner
        node.score, at, n_levels = feature_score(problem, growing, node, f, bar)
        scores[f] = node.score
        best = max(best, node.score)
    node.feature = winner
    write_split(problem, growing, node, at, n_levels)


@kernel
def write_split(problem, growing, node, at, n_levels):
    """Record where the chosen feature cuts, or the branch of each of its levels (-1: not at the node)."""
    f = node.feature
    feature = problem.features[f]
    if feature.splitter == ORDERED:
        node.low = problem.codes[f, growing.order[f, at]]
        node.high = problem.codes[f, growing.order[f, at + 1]]
        node.n_children = 2
        return
    begin = growing.counts[N_LEVELS]
    node.level_start = begin
    growing.counts[N_LEVELS] += feature.n_codes
    multiway = feature.splitter == MULTIWAY
    for v in range(feature.n_codes):
        growing.level_branch[begin + v] = v if multiway else -1
    node.n_children = feature.n_codes if multiway else 2
    if not multiway:
        for v in range(n_levels):
            growing.level_branch[begin + growing.levels[v].id] = growing.levels[v].side


@jit
def search_nodes(problem, growing, first, stop):
    """Search the nodes first:stop, but for those that have a split already.

    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_split(problem.rules[0], growing.stats, node):
            search(problem, growing, node)
    return stop
