"""The best split of each node of a target of effects: cuts need rows, outcomes and squares of both arms."""

import math

import numpy as np

from treecore.engine.jit import inner, jit, kernel, passage
from treecore.kernels.constraints import may_split
from treecore.kernels.general.level_groups import sort_levels
from treecore.kernels.general.search_nodes import write_split
from treecore.kernels.state import N_LEVELS, OPEN, ORDERED

CONTROL, TREATED = 0, 3
"""Where the rows, the sum and the sum of squares of an arm's outcomes begin among its sums, float64 (6,)."""
LEAST_GAIN = 1e-14
"""Of the spread of the transformed outcome: a smaller gain is rounding."""


def treated_share(rows):
    """The share of the training rows' weight that was treated. rows : ROW records."""
    return float(rows["case"] @ rows["label"] / rows["case"].sum())


@inner
def add_outcome(sums, row, center, share, sign):
    """Add a row with its weight, or take it off by a sign of -1. Its response is the transformed outcome less the
    node's center, from which the outcome follows."""
    transformed, times = row.response + center, sign * row.weight
    if row.label == 1:
        y = transformed * share
        sums[TREATED] += times
        sums[TREATED + 1] += times * y
        sums[TREATED + 2] += times * y * y
    else:
        y = -transformed * (1.0 - share)
        sums[CONTROL] += times
        sums[CONTROL + 1] += times * y
        sums[CONTROL + 2] += times * y * y


@inner
def arm_variance(n, y, yy):
    """Mean squared distance from the mean."""
    mean = y / n
    return max(yy / n - mean * mean, 0.0)


@inner
def effect_worth(n0, y0, yy0, n1, y1, yy1, honest):
    """n τ², of an honest tree less twice what the estimate varies, times n; see criteria.effect.effect_gains."""
    n, effect = n0 + n1, y1 / n1 - y0 / n0
    result = n * effect * effect
    if honest:
        result -= 2.0 * n * (arm_variance(n1, y1, yy1) / n1 + arm_variance(n0, y0, yy0) / n0)
    return result


@inner
def split_worth(left, total, honest):
    """What the two sides are worth together."""
    first = effect_worth(left[0], left[1], left[2], left[3], left[4], left[5], honest)
    second = effect_worth(
        total[0] - left[0], total[1] - left[1], max(total[2] - left[2], 0.0), total[3] - left[3], total[4] - left[4],
        max(total[5] - left[5], 0.0), honest,
    )  # fmt: skip
    return first + second


@inner
def has_enough(left, total, rows_left, n_rows, rules, least):
    """Have both sides the weight of each arm, and the rows, that leaves need?"""
    fewest = min(min(left[0], left[3]), min(total[0] - left[0], total[3] - left[3]))
    return fewest >= least and min(rows_left, n_rows - rows_left) >= rules.min_rows_leaf


@kernel
def scan_effects(codes, order, start, stop, rows, rules, center, share, honest, total, n_rows, left, gap, bar):
    """(value, position of its last low row) of the best cut of order[start:stop]; (-inf, -1) where there is none.

    total : float64 (6,), of all these rows; left : scratch of the same size. n_rows : of them those of positive weight.
    gap : the feature's values, where cuts are only made between values that differ more than rules.min_gap; else (0,).
    Rows of weight 0 are passed over. bar : stop at the first cut that reaches it.
    """
    best, best_at, least, rows_left, last = -math.inf, -1, max(rules.min_weight_leaf, 1.0), 0, -1
    left[:] = 0.0
    n = total[0] + total[3]
    whole = effect_worth(total[0], total[1], total[2], total[3], total[4], total[5], honest)
    for i in range(start, stop - 1):
        row = rows[order[i]]
        if row.weight > 0.0:
            add_outcome(left, row, center, share, 1.0)
            rows_left += 1
            last = codes[order[i]]
        code = codes[order[i + 1]] if rows[order[i + 1]].weight > 0.0 else last
        if code == last or rows_left == 0 or not has_enough(left, total, rows_left, n_rows, rules, least):
            continue
        if gap.shape[0] > 0 and gap[code] <= gap[last] + rules.min_gap:
            continue
        value = (split_worth(left, total, honest) - whole) / n
        if value > best:
            best, best_at = value, i
            if best >= bar:
                break
    return best, best_at


@kernel
def scan_level_effects(
    codes, order, start, stop, growing, rules, center, share, honest, total, n_rows, by_level, left, bar
):  # fmt: skip
    """(value, number of levels) of the best cut of the levels in the order of their mean transformed outcome; which
    side each is on is left in levels.side.

    The highest comes first, equal ones in declared order. by_level : float64 (v, 6), scratch.
    """
    levels, v, last = growing.levels, -1, -1
    for i in range(start, stop):
        row = growing.rows[order[i]]
        if row.weight <= 0.0:
            continue
        if codes[order[i]] != last:
            last = codes[order[i]]
            v += 1
            levels[v].id, levels[v].key, levels[v].weight, levels[v].n_rows = last, 0.0, 0.0, 0
            by_level[v] = 0.0
        add_outcome(by_level[v], row, center, share, 1.0)
        levels[v].key -= row.weight * row.response
        levels[v].weight += row.weight
        levels[v].n_rows += 1
    n_levels = v + 1
    for v in range(n_levels):
        levels[v].key /= levels[v].weight
    sort_levels(levels, n_levels)
    best, best_cut, least, rows_left = -math.inf, -1, max(rules.min_weight_leaf, 1.0), 0
    left[:] = 0.0
    n = total[0] + total[3]
    whole = effect_worth(total[0], total[1], total[2], total[3], total[4], total[5], honest)
    for cut in range(n_levels - 1):
        left += by_level[levels[cut].order]
        rows_left += levels[levels[cut].order].n_rows
        if not has_enough(left, total, rows_left, n_rows, rules, least):
            continue
        value = (split_worth(left, total, honest) - whole) / n
        if value > best:
            best, best_cut = value, cut
            if best >= bar:
                break
    for i in range(n_levels):
        levels[levels[i].order].side = i > best_cut
    return best, n_levels


@kernel
def scan_feature_effects(problem, growing, node, f, share, honest, scratch, bar):
    """Fill growing.scans[f] with the best split of feature f at a node, as search.scan_feature does.

    scratch : float64 (2 + levels, 6) behind the sums of all rows at the node.
    """
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    codes, order, stop = problem.codes[f], growing.order[f], node.stop
    scan.value, scan.gain, scan.score, scan.share = -math.inf, -math.inf, -math.inf, 1.0
    scan.missing_branch, scan.n_levels = OPEN, 0
    while stop > node.start and codes[order[stop - 1]] == feature.n_codes:
        stop -= 1
    if stop - node.start < 2 or codes[order[node.start]] == codes[order[stop - 1]]:
        return
    total, left, n_rows = scratch[1], scratch[2], node.n_rows
    for s in range(6):
        total[s] = scratch[0, s]
    for i in range(stop, node.stop):
        add_outcome(total, growing.rows[order[i]], node.center, share, -1.0)
        n_rows -= growing.rows[order[i]].weight > 0.0
    if min(total[0], total[3]) < 2.0:  # each side needs as much as a row of each arm
        return
    scan.share = (total[0] + total[3]) / node.weight
    if feature.splitter == ORDERED:
        gap = problem.values[feature.value_start : feature.value_start + feature.n_codes]
        if not rules.min_gap > 0.0:
            gap = gap[:0]
        scan.value, scan.at = scan_effects(
            codes,
            order,
            node.start,
            stop,
            growing.rows,
            rules,
            node.center,
            share,
            honest,
            total,
            n_rows,
            left,
            gap,
            bar,
        )
    else:
        scan.value, scan.n_levels = scan_level_effects(
            codes,
            order,
            node.start,
            stop,
            growing,
            rules,
            node.center,
            share,
            honest,
            total,
            n_rows,
            scratch[3:],
            left,
            bar,
        )
    if scan.value > -math.inf:
        scan.gain = scan.score = scan.value * scan.share


@passage
def search_by_effect(problem, growing, node, share, honest, scratch):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose gain reaches the
    largest one less tolerance: equal gains differ in their last bits.
    """
    rules, scans, order = problem.rules[0], growing.scans, growing.order[0]
    best, winner = -math.inf, 0
    scratch[0] = 0.0
    for i in range(node.start, node.stop):
        add_outcome(scratch[0], growing.rows[order[i]], node.center, share, 1.0)
    for f in range(scans.shape[0]):
        scan_feature_effects(problem, growing, node, f, share, honest, scratch, math.inf)
        best = max(best, scans[f].score)
    rounding = LEAST_GAIN * node.impurity
    slack = rules.tolerance * max(best, 0.0) + rounding
    if best == -math.inf or (rules.split_at_zero == 0 and best <= rounding):
        return
    while scans[winner].score < best - slack:
        winner += 1
    # once more, to stop at the first cut that is as good
    scan_feature_effects(problem, growing, node, winner, share, honest, scratch, scans[winner].value - slack)
    node.feature = winner
    node.score, node.gain = scans[winner].score, scans[winner].gain
    write_split(problem, growing, node)


@jit
def search_effects(problem, growing, first, stop, share, honest):
    """Search the nodes first:stop, but for those that have a split already.

    share : see treated_share. honest : are gains less what their estimates vary?
    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    scratch = np.zeros((growing.levels.shape[0] + 3, 6))
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_split(problem.rules[0], node):
            search_by_effect(problem, growing, node, share, honest, scratch)
    return stop
