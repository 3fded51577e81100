"""The best split of each node of a target of counts, by the Poisson deviance: cuts need exposures and events alone."""

import math

from treecore.criteria.poisson import UNIT
from treecore.engine.jit import inner, jit, kernel, passage
from treecore.kernels.constraints import may_split
from treecore.kernels.general.level_groups import sort_levels, tally_levels
from treecore.kernels.general.ordered_cuts import line_up, sum_line
from treecore.kernels.general.scores import worth
from treecore.kernels.general.search_nodes import close_all, write_split
from treecore.kernels.random_features import draw
from treecore.kernels.state import N_LEVELS, OPEN, ORDERED, OWN_VALUE
from treecore.kernels.sums import mean_target

LEAST_GAIN = 1e-14
"""Of the rate: a smaller gain is rounding."""
EQUAL = 1e-14
"""Rates that differ by this share are equal: divisions of other numbers."""


@inner
def rate_decrease(events_left, n_left, events_right, n_right):
    """The drop of the mean deviance, 2 (D_l ln(r_l / r) + D_r ln(r_r / r)) / T: nothing large cancels. In units of the
    largest rate."""
    n, events = n_left + n_right, events_left + events_right
    deviance = 0.0
    if events_left > 0.0:
        deviance += events_left * math.log(events_left / n_left * n / events)
    if events_right > 0.0:
        deviance += events_right * math.log(events_right / n_right * n / events)
    return 2.0 * deviance / n / UNIT


@kernel
def scan_rates(codes, order, start, stop, rows, rules, n_left, events_left, rows_left, known, weight, n_rows, gap, bar):
    """(value, position of its last low row) of the best cut of order[start:stop]; (-inf, -1) where there is none.

    n_left, events_left, rows_left : what stands left of every cut. known, weight, n_rows : events, exposure and rows of
    positive weight to part. gap : the feature's values, where cuts are only made between values that differ more than
    rules.min_gap; else (0,). Rows of weight 0 are passed over. bar : stop at the first cut that reaches it.
    """
    best, best_at, no_rows = -math.inf, -1, rows_left
    code = codes[order[start]]
    for i in range(start, stop - 1):
        row = rows[order[i]]
        n_left += row.weight
        events_left += row.weight * row.response
        rows_left += row.weight > 0.0
        last, after = code, rows[order[i + 1]]
        code = codes[order[i + 1]] if after.weight > 0.0 else last
        if code == last or rows_left == no_rows or rows_left < rules.min_rows_leaf or n_left < rules.min_weight_leaf:
            continue
        if n_rows - rows_left < rules.min_rows_leaf or weight - n_left < rules.min_weight_leaf:
            break
        if gap.shape[0] > 0 and gap[code] <= gap[last] + rules.min_gap:
            continue
        value = rate_decrease(events_left, n_left, max(known - events_left, 0.0), weight - n_left)
        if value > best:
            best, best_at = value, i
            if best >= bar:
                break
    return best, best_at


@kernel
def scan_groups(growing, n_levels, rules, known, weight, n_rows, bar):
    """The best cut of the levels in the order of their rates, which is the best grouping; left in levels.side.

    The highest rate comes first, equal ones in declared order, as in rpart. Source: Breiman et al. (1984), theorem 4.5,
    for any concave measure.
    """
    levels, stats = growing.levels, growing.level_stats
    for v in range(n_levels):
        levels[v].key = -mean_target(stats[v], levels[v].weight, 0)
    sort_levels(levels, n_levels)
    best, best_cut, n_left, events_left, rows_left = -math.inf, -1, 0.0, 0.0, 0
    for cut in range(n_levels - 1):
        v = levels[cut].order
        n_left += levels[v].weight
        events_left += stats[v, 1]
        rows_left += levels[v].n_rows
        if min(rows_left, n_rows - rows_left) < rules.min_rows_leaf:
            continue
        if min(n_left, weight - n_left) < rules.min_weight_leaf:
            continue
        value = rate_decrease(events_left, n_left, max(known - events_left, 0.0), weight - n_left)
        if value > best:
            best, best_cut = value, cut
            if best >= bar:
                break
    for i in range(n_levels):
        levels[levels[i].order].side = i > best_cut
    return best


@kernel
def scan_ordered_rates(problem, growing, node, f, stop, known, weight, n_rows, bar):
    """The cuts of an ordered feature, whose known values end at `stop`. Where missing is a value of its own: with the
    missing rows above every cut, below, and the known rows against them.

    known, weight, n_rows : events, exposure and rows of positive weight of the known values.
    """
    rules, scan, feature = problem.rules[0], growing.scans[f], problem.features[f]
    codes, order, rows = problem.codes[f], growing.order[f], growing.rows
    gap = problem.values[feature.value_start : feature.value_start + feature.n_codes]
    if not rules.min_gap > 0.0:
        gap = gap[:0]
    own = rules.missing == OWN_VALUE and n_rows < node.n_rows
    if not own:
        scan.value, scan.at = scan_rates(
            codes, order, node.start, stop, rows, rules, 0.0, 0.0, 0, known, weight, n_rows, gap, bar
        )
        return
    events = growing.stats[node.id, 1]
    apart, n_missing, rows_missing = max(events - known, 0.0), node.weight - weight, node.n_rows - n_rows
    for below in range(2):
        value, at = scan_rates(
            codes, order, node.start, stop, rows, rules, below * n_missing, below * apart, below * rows_missing,
            events, node.weight, node.n_rows, gap, bar,
        )  # fmt: skip
        if value > scan.value:
            scan.value, scan.at, scan.missing_branch = value, at, 1 - below
            if value >= bar:
                return
    enough = min(n_rows, rows_missing) >= rules.min_rows_leaf and min(weight, n_missing) >= rules.min_weight_leaf
    value = rate_decrease(known, weight, apart, n_missing)
    if enough and value > scan.value:
        scan.value, scan.at, scan.missing_branch = value, stop - 1, 1


@kernel
def scan_feature_rates(problem, growing, node, f, bar):
    """Fill growing.scans[f] with the best split of feature f at a node, as search.scan_feature does."""
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    codes, order, stop = problem.codes[f], growing.order[f], node.stop
    scan.value, scan.gain, scan.score, scan.share = -math.inf, -math.inf, -math.inf, 1.0
    scan.missing_branch, scan.n_levels = OPEN, 0
    if codes[order[node.start]] == codes[order[stop - 1]]:
        return
    weight, n_rows, known, own = node.weight, node.n_rows, growing.stats[node.id, 1], rules.missing == OWN_VALUE
    if codes[order[stop - 1]] == feature.n_codes and (not own or feature.splitter == ORDERED):
        sums = growing.sums[2]
        n = line_up(codes, order, node.start, stop, feature.n_codes, growing.rows, growing.line)
        stop, (weight, n_rows) = node.start + n, sum_line(growing.line, n, 0, sums)
        known = sums[1]
        if weight <= 0.0 or (not own and codes[order[node.start]] == codes[order[stop - 1]]):
            return
    if not own or feature.splitter != ORDERED:
        scan.share = weight / node.weight
    if feature.splitter == ORDERED:
        scan_ordered_rates(problem, growing, node, f, stop, known, weight, n_rows, bar)
    else:
        scan.n_levels = tally_levels(
            codes, order, node.start, stop, growing.rows, 0, growing.levels, growing.level_stats
        )
        scan.value = scan_groups(growing, scan.n_levels, rules, known, weight, n_rows, bar)
    if scan.value > -math.inf:
        scan.gain = scan.value * scan.share
        scan.score = worth(rules, scan.gain, feature.cost)


@kernel
def rates_differ(growing, node):
    """Have the node's rows more than one rate?"""
    low, high = math.inf, -math.inf
    for i in range(node.start, node.stop):
        row = growing.rows[growing.order[0, i]]
        if row.weight > 0.0:
            low, high = min(low, row.response), max(high, row.response)
    return high > low * (1.0 + EQUAL)


@passage
def search_by_rate(problem, growing, node):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose score reaches the
    largest one less tolerance: equal scores differ in their last bits.
    """
    rules, scans, queue, n, step = problem.rules[0], growing.scans, growing.queue, problem.rules[0].n_sampled, 0
    rate = growing.stats[node.id, 1] / node.weight / UNIT
    d, winner, best, bar = scans.shape[0], 0, -math.inf, math.inf
    if n > 0:
        close_all(growing, node, n)
    else:
        n = d
    while True:
        if step >= n and best == -math.inf and step < d:  # nothing that was drawn offers a split
            draw(node.key, queue, step, step + 1)
            n = step + 1
        is_last = step == n
        if is_last:
            # the last round looks at the winner again, to stop at the first cut that reaches the bar
            slack = rules.tolerance * max(best, 0.0) + LEAST_GAIN * rate
            while scans[winner].score < best - slack:
                winner += 1
            scan = scans[winner]
            if scan.gain == -math.inf or (rules.split_at_zero == 0 and scan.gain <= LEAST_GAIN * rate):
                return
            bar = scan.value - slack
            if rules.cost_form == 0:
                bar = min(scan.value, (best - slack) * problem.features[winner].cost / scan.share)
        f = winner if is_last else queue[step]
        scan_feature_rates(problem, growing, node, f, bar)
        if is_last:
            break
        best = max(best, scans[f].score)
        step += 1
    node.feature = winner
    node.score, node.gain = scans[winner].score, scans[winner].gain
    write_split(problem, growing, node)


@jit
def search_rates(problem, growing, first, stop):
    """Search the nodes first:stop, but for those that have a split already.

    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_split(problem.rules[0], node) and rates_differ(growing, node):
            search_by_rate(problem, growing, node)
    return stop
