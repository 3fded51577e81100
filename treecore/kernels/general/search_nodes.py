"""The best split of each node over all features."""

import math

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import CHI_SQUARE, DECREASE, GAIN_RATIO, MDL_GAIN_RATIO, cut_value
from treecore.engine.jit import inner, jit, kernel, passage
from treecore.kernels.constraints import BOUNDS, answer, good_enough, keeps_order, load_bounds, may_split
from treecore.kernels.general.level_groups import multiway_value, scan_one_level, scan_subsets, tally_levels
from treecore.kernels.general.ordered_cuts import line_up, random_cut, scan_ordered, sum_line
from treecore.kernels.general.partition import load_shares
from treecore.kernels.general.scores import (
    LEAST_STATISTIC,
    finish,
    finish_special,
    is_useful,
    least_step,
    least_weight,
    select,
)
from treecore.kernels.random_features import draw
from treecore.kernels.state import MULTIWAY, N_LEVELS, ONE_LEVEL, OPEN, ORDERED, OWN_VALUE, SUBSET, WHOLE_GAIN


@inner
def sum_left_side(rules, line, n, sums, special):
    """Let sums[0] be the left side of the best cut, line[:n], where whole_gain asks for it."""
    if special is not None:
        if rules.selector == WHOLE_GAIN:
            sum_line(line, n, rules.n_classes, sums[0])


@kernel
def scan_feature(problem, growing, node, f, bar, special):
    """Fill growing.scans[f] with the best split of feature f at a node.

    With missing values the gain is that of the rows with a known value, times their share. A nominal feature leaves
    its levels and their sides in growing.levels. bar : stop at the first split whose value reaches it.
    """
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    codes, order, sums, line = problem.codes[f], growing.order[f], growing.sums, growing.line
    start, stop = node.start, node.stop
    scan.value, scan.gain, scan.score = -math.inf, -math.inf, -math.inf
    scan.missing_branch, scan.share, scan.n_levels = OPEN, 1.0, 0
    if codes[order[start]] == codes[order[stop - 1]]:
        return
    if special is not None:
        load_bounds(rules, growing, node)
    weight, n_rows, parent = node.weight, node.n_rows, node.impurity
    has_missing, own = codes[order[stop - 1]] == feature.n_codes, rules.missing == OWN_VALUE
    ordered, n = feature.splitter == ORDERED, line_up(codes, order, start, stop, feature.n_codes, growing.rows, line)
    if has_missing and (not own or ordered):
        stop = start + n
        weight, n_rows = sum_line(line, n, rules.n_classes, sums[2])
        if special is not None:
            if own and n_rows < node.n_rows:
                scan_both_ways(problem, growing, node, f, n, weight, n_rows, bar)
                return
        if weight <= 0.0 or codes[order[start]] == codes[order[stop - 1]]:
            return
        parent = impurity_by_code(problem.judge, sums[2], weight)
    else:
        for s in range(sums.shape[1]):
            sums[2, s] = growing.stats[node.id, s]
    scan.share = weight / node.weight
    step = least_step(rules, scan.share, special)
    if ordered:
        least, threshold = least_weight(rules, weight, special), 0.0
        if special is not None:
            threshold = random_cut(problem, node.key, f, line, n)
        for s in range(sums.shape[1]):
            sums[0, s] = 0.0
        scan.value, at, n_left, n_cuts = scan_ordered(
            problem, threshold, f, line, n, sums, 0.0, np.int64(0), weight, n_rows, parent, least, step, bar, special
        )
        scan.at = start + at
        sum_left_side(rules, line, at + 1, sums, special)
        finish(problem, growing, node, f, weight, parent, n_left, n_cuts, n_rows, special)
        return
    levels, stats, least = growing.levels, growing.level_stats, least_weight(rules, 0.0, special)
    n_levels = tally_levels(codes, order, start, stop, growing.rows, rules.n_classes, levels, stats)
    scan.n_levels = n_levels
    if feature.splitter == MULTIWAY:
        scan.value = multiway_value(problem, levels, stats, n_levels, sums, weight, parent, least, special)
    elif feature.splitter == SUBSET:
        scan.value = scan_subsets(problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, bar, special)
    elif special is not None:
        scan.value = scan_one_level(
            problem, levels, stats, n_levels, sums, weight, n_rows, parent, least, node.weight, step, bar, special
        )
    finish(problem, growing, node, f, weight, parent, 0.0, np.int64(0), n_rows, special)


@kernel
def scan_both_ways(problem, growing, node, f, n, weight, n_rows, bar):
    """An ordered feature with missing values that count as a value of their own: every cut with them above, then
    with them below, then the known values against the missing ones.

    weight, n_rows : of the known rows, growing.line[:n], whose statistics are in growing.sums[2].
    """
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    line, sums = growing.line, growing.sums
    n_stats, best_left, n_cuts = sums.shape[1], 0.0, 0
    n_missing, rows_missing = node.weight - weight, node.n_rows - n_rows
    for s in range(n_stats):
        sums[3, s], sums[2, s] = sums[2, s], growing.stats[node.id, s]
    least = least_weight(rules, node.weight, True)
    threshold = random_cut(problem, node.key, f, line, n)
    slack = rules.tolerance * node.impurity if rules.score == GAIN_RATIO else 0.0
    for below in range(2):
        for s in range(n_stats):
            sums[0, s] = sums[2, s] - sums[3, s] if below == 1 else 0.0
        value, at, n_left, tried = scan_ordered(
            problem, threshold, f, line, n, sums, below * n_missing, below * rows_missing,
            node.weight, node.n_rows, node.impurity, least, least_step(rules, 1.0, True), bar, True,
        )  # fmt: skip
        n_cuts += tried
        if value > scan.value + slack:
            scan.value, scan.at, scan.missing_branch, best_left = value, node.start + at, 1 - below, n_left
            if value >= bar:
                break
    is_open = scan.value < bar or scan.value == -math.inf  # where any cut will do, none has been found
    if is_open and min(n_rows, rows_missing) >= rules.min_rows_leaf and min(weight, n_missing) >= least:
        for s in range(n_stats):
            sums[1, s] = sums[2, s] - sums[3, s]
        value = cut_value(problem.judge, rules.score, node.impurity, sums[3], weight, sums[1], n_missing, True)
        low, high = answer(rules.n_classes, sums[3], weight), answer(rules.n_classes, sums[1], n_missing)
        if rules.monotonic != 0 and not keeps_order(feature.monotonic, sums[BOUNDS], low, high):
            value = -math.inf
        n_cuts += 1
        if value > scan.value + slack:
            scan.value, scan.at, scan.missing_branch, best_left = value, node.start + n - 1, 1, weight
    scan.gain = scan.value
    finish_special(problem, growing, node, f, node.weight, node.impurity, best_left, np.int64(n_cuts), n_rows)


@inner
def close_all(growing, node, n):
    """Forget the scans of other nodes, and draw the first n features of this one."""
    queue, scans = growing.queue, growing.scans
    for f in range(queue.shape[0]):
        queue[f] = f
        scans[f].value, scans[f].gain, scans[f].score = -math.inf, -math.inf, -math.inf
    draw(node.key, queue, 0, n)


@passage
def search(problem, growing, node, special):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose
    score reaches the largest one less tolerance: equal scores differ in their last bits.
    """
    rules, scans, queue = problem.rules[0], growing.scans, growing.queue
    d, n, step, offers, bar, winner = scans.shape[0], rules.n_sampled, 0, False, math.inf, 0
    if n > 0:
        close_all(growing, node, n)
    else:
        n = d
    while True:
        if step >= n and not offers and step < d:  # nothing that was drawn offers a split
            draw(node.key, queue, step, step + 1)
            n = step + 1
        is_last = step == n
        if is_last:
            # the last round looks at the winner again, to stop at the first cut that reaches the bar
            winner, bar = select(problem, growing, node, special)
            if winner < 0 or not good_enough(rules, node, growing.nodes[0].weight, scans[winner].gain):
                return
            bar = value_to_reach(problem, node, scans[winner], problem.features[winner].cost, bar)
        f = winner if is_last else queue[step]
        scan_feature(problem, growing, node, f, bar, special)
        if is_last:
            break
        offers |= scans[f].score > -math.inf
        step += 1
    if special is not None:
        if rules.selector == WHOLE_GAIN and not is_useful(problem, growing, node, scans[winner]):
            return
    node.feature = winner
    node.score, node.gain = scans[winner].score, scans[winner].gain
    write_split(problem, growing, node)


@inner
def value_to_reach(problem, node, scan, cost, bar):
    """The value at which a cut of the winner is as good as its best one. bar : the score that is."""
    rules = problem.rules[0]
    if rules.score == MDL_GAIN_RATIO:  # it counts all cuts, and which one is best depends on all before
        return math.inf
    if rules.score >= CHI_SQUARE and scan.value <= LEAST_STATISTIC * node.weight * scan.share:
        return -math.inf  # rounding: all are equal
    if rules.score == DECREASE and rules.cost_form == 0 and rules.selector != WHOLE_GAIN:
        return min(scan.value, bar * cost / scan.share)
    return scan.value - rules.tolerance * (node.impurity if rules.score <= GAIN_RATIO else abs(scan.value))


@kernel
def write_split(problem, growing, node):
    """Record where the chosen feature cuts, or the branch of each of its levels (-1: not at the node)."""
    f = node.feature
    feature, scan, rules = problem.features[f], growing.scans[f], problem.rules[0]
    node.missing_branch = scan.missing_branch
    if feature.splitter == ORDERED:
        codes, order, below, above = problem.codes[f], growing.order[f], scan.at, scan.at + 1
        while below > node.start and growing.rows[order[below]].weight <= 0.0:
            below -= 1
        while above < node.stop - 1 and growing.rows[order[above]].weight <= 0.0:
            above += 1
        node.low, node.high = codes[order[below]], codes[order[above]]
        node.n_children = 2
        return
    begin = growing.counts[N_LEVELS]
    node.level_start = begin
    growing.counts[N_LEVELS] += feature.n_codes + 1
    multiway = feature.splitter == MULTIWAY
    for v in range(feature.n_codes + 1):
        growing.level_branch[begin + v] = v if multiway else int(feature.splitter == ONE_LEVEL) * 2 - 1
    if rules.majority_rows != 0 and not multiway:  # a missing value that the node lacks is no level of the rest
        growing.level_branch[begin + feature.n_codes] = -1
    node.n_children = feature.n_branches if multiway else 2
    if not multiway:
        for v in range(scan.n_levels):
            growing.level_branch[begin + growing.levels[v].id] = growing.levels[v].side
    if rules.missing == OWN_VALUE:
        branch = growing.level_branch[begin + feature.n_codes]
        node.missing_branch = branch if branch >= 0 and branch < node.n_children else OPEN


@jit
def search_nodes(problem, growing, first, stop, special):
    """Search the nodes first:stop, but for those that have a split already.

    special : None where the rules ask for no more than a decrease of the impurity and known values, which keeps
        everything else out of what is compiled; True otherwise.
    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_split(problem.rules[0], node):
            if special is not None:
                load_shares(problem, growing, node)
            search(problem, growing, node, special)
    return stop
