"""The best split of each node of survival times by the log-rank statistic of its two branches.

The statistic is (O - E)^2 / V: events in one branch, those expected there if both had one hazard, and the variance of
their number, sums over the times of events. With n(t) rows of the node at risk at a time, d(t) of them with an event
then, and m(t) of the branch at risk, E is a sum over the branch's rows of the cumulative hazard until their times, and
V = sum c m (n - m) with c = d (n - d) / (n^2 (n - 1)). The first part of V is a sum over the branch's rows; the sum of
c m^2 grows with a row by what c counts until the smaller of its time and that of each row before, which is kept in a
tree of partial sums: a cut takes the logarithm of the number of times, not a pass over them.

Sources: Mantel (1966), Evaluation of survival data and two new rank order statistics arising in its consideration;
Fenwick (1994), A new data structure for cumulative frequency tables.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import jit, kernel, passage
from treecore.kernels.constraints import may_split
from treecore.kernels.general.level_groups import sort_levels, tally_levels
from treecore.kernels.general.scores import worth
from treecore.kernels.general.search_nodes import close_all, write_split
from treecore.kernels.poisson_search import rate_decrease
from treecore.kernels.random_features import draw
from treecore.kernels.ranked_losses import ITEM, merge_runs
from treecore.kernels.state import N_LEVELS, OPEN, ORDERED, GrowState, Problem
from treecore.kernels.sums import mean_target

LEAST_STATISTIC = 1e-9
"""A smaller one is rounding."""
LEAST_VARIANCE = 1e-12
"""Of what it would be if all others were in the other branch: a smaller one is rounding of 0."""


class RiskSets(NamedTuple):
    """Working memory of one node.

    line, spare : ITEM (m,), the node's rows of positive weight by ascending time. place : int32 (n,), of each of these,
        by training row: how many of the node's times of events are not after its own. level : int32 (n,), by training
        row: which of the levels at the node it has, -1 for none.
    at : int32 (m,), place of each row of a scan, in the order of the scan; event, weight : float64 (m,), whether it had
        an event, and its case weight; entry : int64 (m,), where it stands in GrowState.order.
    risk : float64 (times + 1,), weight at risk at each time. varies : its weight of events, then c.
    hazard, single, square : float64 (times + 1,), sums of d / n, of c n and of c over the times before each place.
    heavy, squares : float64 (times + 1,), partial sums of weights, and of weights times `square`, by place.
    value : float64 (m,), the statistic of the cut after each row of a scan.
    pairs : float64 (levels, levels), sum of c m m' of each two levels. of_level : float64 (levels, 3), of each level
        O - E, the sum of c n m, and the weight of its rows that are at risk at some time.
    """

    line: np.ndarray
    spare: np.ndarray
    place: np.ndarray
    level: np.ndarray
    at: np.ndarray
    event: np.ndarray
    weight: np.ndarray
    entry: np.ndarray
    risk: np.ndarray
    varies: np.ndarray
    hazard: np.ndarray
    single: np.ndarray
    square: np.ndarray
    heavy: np.ndarray
    squares: np.ndarray
    value: np.ndarray
    pairs: np.ndarray
    of_level: np.ndarray


def room_for(most: int, n_levels: int, n_tried: int, place: np.ndarray, level: np.ndarray) -> RiskSets:
    """For nodes of up to so many rows and levels; all groupings are tried of n_tried levels at most."""
    times = (np.zeros(most + 1) for _ in range(7))
    return RiskSets(
        np.zeros(most, ITEM), np.zeros(most, ITEM), place, level, np.zeros(most, np.int32), np.zeros(most),
        np.zeros(most), np.zeros(most, np.int64), *times, np.zeros(most), np.zeros((n_tried, n_tried)),
        np.zeros((n_levels, 3)),
    )  # fmt: skip


@kernel
def place_times(growing, node, sets):
    """Fill `line` and `place`; returns (how many rows are in the line, how many times of events there are)."""
    line, n, width = sets.line, 0, 1
    for i in range(node.start, node.stop):
        row = growing.rows[growing.order[0, i]]
        if row.weight > 0.0:
            line[n].value, line[n].index = float(row.label), growing.order[0, i]
            n += 1
    while width < n:
        merge_runs(line, n, width, sets.spare)
        merge_runs(sets.spare, n, 2 * width, line)
        width *= 4
    times, i = 0, 0
    while i < n:
        time, after = growing.rows[line[i].index].label // 2, i
        while after < n and growing.rows[line[after].index].label // 2 == time:
            after += 1
        times += growing.rows[line[after - 1].index].label % 2  # of equal times events come last
        for j in range(i, after):
            sets.place[line[j].index] = times
        i = after
    return n, times


@kernel
def fill_risk_sets(sets, n, times):
    """What the first n rows of the scan have at risk at each time, and the sums that follow."""
    risk, varies = sets.risk, sets.varies
    for k in range(times + 1):
        risk[k], varies[k] = 0.0, 0.0
    for i in range(n):
        risk[sets.at[i]] += sets.weight[i]
        if sets.event[i] > 0.0:
            varies[sets.at[i] - 1] += sets.weight[i]
    for k in range(times - 1, -1, -1):
        risk[k] += risk[k + 1]
    sets.hazard[0], sets.single[0], sets.square[0] = 0.0, 0.0, 0.0
    for k in range(times):
        risk[k] = risk[k + 1]  # a row is at risk at all times before its place
        r, d, c, hazard = risk[k], varies[k], 0.0, 0.0
        if d > 0.0:
            hazard = d / r
            if r > 1.0:
                c = hazard * max(r - d, 0.0) / (r * (r - 1.0))
        varies[k] = c
        sets.hazard[k + 1] = sets.hazard[k] + hazard
        sets.single[k + 1] = sets.single[k] + c * r
        sets.square[k + 1] = sets.square[k] + c


@kernel
def statistic(gap, single, square):
    """gap^2 / (single - square), -inf where nothing varies."""
    variance = single - square
    return gap * gap / variance if variance > LEAST_VARIANCE * single else -math.inf


@kernel
def scan_half(sets, n, times, from_right, until):
    """Fill `value` for the cuts of a line of n rows from one end, by the rows on that side: from the left until it has
    more than half of the weight, from the right to the cut `until`. Returns the first cut without a value.

    The sums of the smaller side do not cancel.
    """
    heavy, squares, square = sets.heavy, sets.squares, sets.square
    for k in range(times + 1):
        heavy[k], squares[k] = 0.0, 0.0
    left, weight, gap, single, squared = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        left += sets.weight[i]
    for step in range(n - 1):
        i = n - 1 - step if from_right else step
        p, w = sets.at[i], sets.weight[i]
        gap += w * (sets.event[i] - sets.hazard[p])
        single += w * sets.single[p]
        if p > 0:
            lighter, inside, k = 0.0, 0.0, p
            while k > 0:
                lighter += heavy[k]
                inside += squares[k]
                k -= k & -k
            squared += w * (w * square[p] + 2.0 * (inside + square[p] * (weight - lighter)))
            k = p
            while k <= times:
                heavy[k] += w
                squares[k] += w * square[p]
                k += k & -k
            weight += w
        left -= 2.0 * w
        cut = i - 1 if from_right else i
        if left < 0.0 and not from_right:
            return cut
        sets.value[cut] = statistic(gap, single, squared)
        if from_right and cut == until:
            return cut
    return n - 1


@jit
def fill_cuts(sets, n, times):
    """sets.value[i] = the statistic of parting the first i + 1 of n rows from the others, -inf where nothing varies;
    `at`, `event` and `weight` are those of the rows in their order."""
    fill_risk_sets(sets, n, times)
    first = scan_half(sets, n, times, False, 0)
    if first < n - 1:
        scan_half(sets, n, times, True, first)


@kernel
def list_row(growing, sets, i, entry, row):
    """The i-th row of the scan."""
    record = growing.rows[row]
    sets.at[i], sets.event[i], sets.weight[i] = sets.place[row], float(record.label % 2), record.case
    sets.entry[i] = entry


@kernel
def scan_cuts(problem, growing, node, f, sets, stop, times, bar):
    """Fill the scan of an ordered feature, whose known values end at `stop`: its best cut, or the first that reaches
    the bar."""
    rules, scan, feature, order, n = problem.rules[0], growing.scans[f], problem.features[f], growing.order[f], 0
    codes, values = problem.codes[f], problem.values[feature.value_start : feature.value_start + feature.n_codes]
    for i in range(node.start, stop):
        if growing.rows[order[i]].weight > 0.0:
            list_row(growing, sets, n, i, order[i])
            n += 1
    fill_cuts(sets, n, times)
    for i in range(rules.min_rows_leaf - 1, n - rules.min_rows_leaf):
        low, high = codes[order[sets.entry[i]]], codes[order[sets.entry[i + 1]]]
        if low == high or not sets.value[i] > scan.value:
            continue
        if rules.min_gap > 0.0 and values[high] <= values[low] + rules.min_gap:
            continue
        scan.value, scan.at = sets.value[i], sets.entry[i]
        if scan.value >= bar:
            return


@kernel
def scan_level_cuts(growing, node, f, sets, codes, stop, times, least, bar):
    """The best cut of the levels in the order of their hazard ratios, the highest first; left in levels.side."""
    levels, order, of_level, n_levels = growing.levels, growing.order[f], sets.of_level, growing.scans[f].n_levels
    for v in range(n_levels):
        levels[v].key = -mean_target(growing.level_stats[v], levels[v].weight, 0)
    sort_levels(levels, n_levels)
    n, v = 0, 0
    for i in range(n_levels):
        of_level[levels[i].order, 0] = n
        n += levels[levels[i].order].n_rows
    for i in range(node.start, stop):
        if growing.rows[order[i]].weight > 0.0:
            while levels[v].id != codes[order[i]]:
                v += 1
            list_row(growing, sets, int(of_level[v, 0]), i, order[i])
            of_level[v, 0] += 1.0
    fill_cuts(sets, n, times)
    best, last, n_left = -math.inf, 0, 0
    for cut in range(n_levels - 1):
        n_left += levels[levels[cut].order].n_rows
        if min(n_left, n - n_left) >= least and sets.value[n_left - 1] > best:
            best, last = sets.value[n_left - 1], cut
            if best >= bar:
                break
    for i in range(n_levels):
        levels[levels[i].order].side = i > last
    return best


@kernel
def weigh_pairs(growing, node, f, sets, codes, stop, n_line, times):
    """Fill `of_level` and `pairs`, from which the statistic of any grouping follows."""
    levels, order, pairs, of_level = growing.levels, growing.order[f], sets.pairs, sets.of_level
    n_levels, n, v = growing.scans[f].n_levels, 0, 0
    for i in range(n_line):
        sets.level[sets.line[i].index] = -1
    for i in range(node.start, stop):
        if growing.rows[order[i]].weight > 0.0:
            while levels[v].id != codes[order[i]]:
                v += 1
            list_row(growing, sets, n, i, order[i])
            sets.level[order[i]] = v
            n += 1
    fill_risk_sets(sets, n, times)
    for v in range(n_levels):
        of_level[v, 0], of_level[v, 1], of_level[v, 2] = 0.0, 0.0, 0.0
        for u in range(n_levels):
            pairs[v, u] = 0.0
    for i in range(n):
        v = sets.level[order[sets.entry[i]]]
        of_level[v, 0] += sets.weight[i] * (sets.event[i] - sets.hazard[sets.at[i]])
        of_level[v, 1] += sets.weight[i] * sets.single[sets.at[i]]
    i = n_line - 1
    for k in range(times - 1, -1, -1):
        while i >= 0 and sets.place[sets.line[i].index] > k:
            row = sets.line[i].index
            if sets.level[row] >= 0:
                of_level[sets.level[row], 2] += growing.rows[row].case
            i -= 1
        for v in range(n_levels):
            for u in range(n_levels):
                pairs[v, u] += sets.varies[k] * of_level[v, 2] * of_level[u, 2]


@kernel
def value_of_grouping(sets, n_levels, group):
    """The statistic of parting the levels whose bits are in `group`, by the side that is less at risk."""
    of_level, whole, inside = sets.of_level, 0.0, 0.0
    for v in range(n_levels):
        whole += of_level[v, 2]
        inside += of_level[v, 2] * (group >> v & 1)
    wanted, gap, single, squared = int(2.0 * inside <= whole), 0.0, 0.0, 0.0
    for v in range(n_levels):
        if group >> v & 1 == wanted:
            gap += of_level[v, 0]
            single += of_level[v, 1]
            for u in range(n_levels):
                if group >> u & 1 == wanted:
                    squared += sets.pairs[v, u]
    return statistic(gap, single, squared)


@kernel
def scan_groupings(growing, f, sets, least, bar):
    """The best of all groupings of the levels in two; left in levels.side."""
    levels, n_levels, best, chosen, n = growing.levels, growing.scans[f].n_levels, -math.inf, 1, 0
    for v in range(n_levels):
        n += levels[v].n_rows
    for group in range(1, 1 << (n_levels - 1)):
        inside = 0
        for v in range(n_levels):
            inside += levels[v].n_rows * (group >> v & 1)
        if min(inside, n - inside) < least:
            continue
        value = value_of_grouping(sets, n_levels, group)
        if value > best:
            best, chosen = value, group
            if best >= bar:
                break
    for v in range(n_levels):
        levels[v].side = 1 - (chosen >> v & 1)
    return best


@kernel
def scan_feature_times(problem, growing, node, f, sets, n_line, times, bar):
    """Fill growing.scans[f] with the best split of feature f at a node, but for its gain."""
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    codes, order, stop = problem.codes[f], growing.order[f], node.stop
    scan.value, scan.gain, scan.score, scan.missing_branch, scan.n_levels = -math.inf, -math.inf, -math.inf, OPEN, 0
    while stop > node.start and codes[order[stop - 1]] == feature.n_codes:
        stop -= 1
    if stop == node.start or codes[order[node.start]] == codes[order[stop - 1]]:
        return
    if feature.splitter == ORDERED:
        scan_cuts(problem, growing, node, f, sets, stop, times, bar)
    else:
        scan.n_levels = tally_levels(
            codes, order, node.start, stop, growing.rows, 0, growing.levels, growing.level_stats
        )
        if scan.n_levels > rules.max_exhaustive:
            scan.value = scan_level_cuts(growing, node, f, sets, codes, stop, times, rules.min_rows_leaf, bar)
        else:
            weigh_pairs(growing, node, f, sets, codes, stop, n_line, times)
            scan.value = scan_groupings(growing, f, sets, rules.min_rows_leaf, bar)
    if scan.value > -math.inf:
        scan.score = worth(rules, scan.value, feature.cost)


@kernel
def deviance_decrease(problem, growing, node, f):
    """Of the split that was found for a feature: over the known rows, times their share of the exposure."""
    scan, feature, codes, order = growing.scans[f], problem.features[f], problem.codes[f], growing.order[f]
    n_left, left, n, known, v = 0.0, 0.0, 0.0, 0.0, 0
    for i in range(node.start, node.stop):
        row = growing.rows[order[i]]
        if codes[order[i]] == feature.n_codes:
            break
        if row.weight <= 0.0:
            continue
        n += row.weight
        known += row.weight * row.response
        while feature.splitter != ORDERED and growing.levels[v].id != codes[order[i]]:
            v += 1
        if (feature.splitter == ORDERED and i <= scan.at) or (
            feature.splitter != ORDERED and growing.levels[v].side == 0
        ):
            n_left += row.weight
            left += row.weight * row.response
    return rate_decrease(left, n_left, max(known - left, 0.0), n - n_left) * n / node.weight


@passage
def search_by_times(problem, growing, node, sets, n_line, times):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose score reaches the
    largest one less tolerance: equal scores differ in their last bits.
    """
    rules, scans, queue, n, step = problem.rules[0], growing.scans, growing.queue, problem.rules[0].n_sampled, 0
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
            slack = rules.tolerance * max(best, 0.0)
            while scans[winner].score < best - slack:
                winner += 1
            scan = scans[winner]
            if scan.value == -math.inf or (rules.split_at_zero == 0 and scan.value <= LEAST_STATISTIC):
                return
            bar = scan.value * (1.0 - rules.tolerance)
            if rules.cost_form == 0:
                bar = min(scan.value, (best - slack) * problem.features[winner].cost)
        f = winner if is_last else queue[step]
        scan_feature_times(problem, growing, node, f, sets, n_line, times, bar)
        if is_last:
            break
        best = max(best, scans[f].score)
        step += 1
    node.feature = winner
    node.score, node.gain = scans[winner].score, deviance_decrease(problem, growing, node, winner)
    write_split(problem, growing, node)


@jit
def search_in_sets(problem, growing, sets, first, stop):
    """search_log_rank, with its working memory."""
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_split(problem.rules[0], node):
            n_line, times = place_times(growing, node, sets)
            if times > 0:
                search_by_times(problem, growing, node, sets, n_line, times)
    return stop


def search_log_rank(problem: Problem, growing: GrowState, first: int, stop: int) -> int:
    """Search the nodes first:stop by the log-rank statistic, but for those that have a split already.

    The rows' labels are those of time_labels. growing.side and growing.spare serve as working memory.
    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    nodes, n_levels = growing.nodes[first:stop], len(growing.levels)
    most = int((nodes["stop"] - nodes["start"]).max(initial=1))
    tried = min(int(problem.rules["max_exhaustive"][0]), n_levels)
    sets = room_for(most, n_levels, tried, growing.side, growing.spare)
    return search_in_sets(problem, growing, sets, first, stop)


def time_labels(time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """int64 (n,): twice the rank of each time, and 1 more where it ended in an event."""
    return 2 * np.unique(time, return_inverse=True)[1].astype(np.int64) + (event > 0)


def cut_statistics(label: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """float64 (n - 1,): the log-rank statistic of parting the rows up to each from those after it, -inf where nothing
    varies. label : int64 (n,), see time_labels, in the order of the cuts. weight : float64 (n,), above 0."""
    none = np.empty(0, np.int32)
    sets, times = room_for(len(label), 0, 0, none, none), np.unique(label[label % 2 == 1] // 2)
    sets.at[:] = np.searchsorted(times, label // 2, side="right")
    sets.event[:], sets.weight[:] = label % 2, weight
    fill_cuts(sets, len(label), len(times))
    return sets.value[: max(len(label) - 1, 0)]
