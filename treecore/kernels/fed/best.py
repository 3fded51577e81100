"""The best split of a node that has got more rows, where most cuts need not be looked at.

A block of cuts whose bound, see bounds, is below the best gain cannot have won.
"""

import math

from treecore.engine.jit import inner, kernel
from treecore.kernels.fed.slices import begin_of, catch_up
from treecore.kernels.fed.state import N_BLOCKS
from treecore.kernels.general.ordered import scan_ordered
from treecore.kernels.general.scores import finish, least_step, least_weight, select
from treecore.kernels.general.search import scan_feature, value_to_reach, write_split
from treecore.kernels.limits import good_enough, may_split
from treecore.kernels.state import OPEN, ORDERED

ROUNDING = 1e-12


@inner
def slack_of(rules, mass):
    """By how much gains that differ, times the weight of a node, are equal. mass : that weight times the impurity."""
    return (rules.tolerance * 1.001 + ROUNDING) * mass


@inner
def is_limited(rules):
    """Must branches have more than a row? Then cuts that are forbidden now may be allowed later."""
    return rules.min_rows_leaf > 1 or rules.min_weight_leaf > 0.0


@inner
def end_of(left, b, n):
    """The place of the first row behind a block."""
    return begin_of(left[b + 1]) if b + 1 < N_BLOCKS else n


@kernel
def scan_block(problem, fed, node, slot, f, b, bar, special):
    """(value, position of the last low row, weight on its left) of the best cut of a block; see scan_ordered."""
    growing, left, n = fed.growing, fed.left[slot, f], node.stop - node.start
    begin, end = begin_of(left[b]), end_of(left, b, n)
    if begin == end:
        return -math.inf, -1, 0.0
    for k in range(left.shape[1]):
        growing.sums[0, k] = left[b, k]
    value, at, n_left, _ = scan_ordered(
        problem, 0.0, f, growing.order[f], node.start + begin, node.start + min(end + 1, n), growing.rows, growing.sums,
        float(begin), begin, node.weight, node.n_rows, node.impurity, least_weight(problem.rules[0], node.weight,
        special), least_step(problem.rules[0], 1.0, special), bar, special,
    )  # fmt: skip
    return value, at, n_left


@kernel
def likeliest_block(upper):
    """The block with the largest bound. upper : float64 (N_BLOCKS,)."""
    block = 0
    for b in range(1, N_BLOCKS):
        if upper[b] > upper[block]:
            block = b
    return block


@kernel
def look_at_block(problem, free, fed, node, slot, f, b, reach, slack, special):
    """Let growing.scans[f] know the best cut of a block, and `upper` what it gains; what can win from now on."""
    scan, limited = fed.growing.scans[f], is_limited(problem.rules[0])
    value, at, n_left = scan_block(free, fed, node, slot, f, b, math.inf, special)
    fed.upper[slot, f, b] = max(value, 0.0) * node.weight + slack
    if limited and fed.upper[slot, f, b] >= reach:
        value, at, n_left = scan_block(problem, fed, node, slot, f, b, math.inf, special)
    elif limited:
        return reach
    if value > scan.value:
        scan.value, scan.at = value, at
        finish(problem, fed.growing, node, f, node.weight, node.impurity, n_left, 1, node.n_rows, special)
    return max(reach, value * node.weight - slack)


@kernel
def look_at_levels(problem, free, fed, node, slot, f, reach, slack, special):
    """The same for a feature of levels."""
    scan = fed.growing.scans[f]
    scan_feature(free, fed.growing, node, f, math.inf, special)
    fed.upper[slot, f, 0] = max(scan.gain, 0.0) * node.weight + slack
    if is_limited(problem.rules[0]):
        scan_feature(problem, fed.growing, node, f, math.inf, special)
    return max(reach, scan.gain * node.weight - slack)


@kernel
def look_at(problem, free, fed, node, slot, f, reach, slack, special):
    """Fill growing.scans[f], as far as the feature can win; what can win from now on.

    reach : bound of a block, from which on it can. slack : by how much gains that differ, times the weight, are equal.
    """
    upper, by_levels = fed.upper[slot, f], problem.features[f].splitter != ORDERED
    block = 0 if by_levels else likeliest_block(upper)
    if upper[block] < reach:
        return reach
    catch_up(problem, fed, node, f)
    if by_levels:
        return look_at_levels(problem, free, fed, node, slot, f, reach, slack, special)
    reach = look_at_block(problem, free, fed, node, slot, f, block, reach, slack, special)
    for b in range(N_BLOCKS):
        if b != block and upper[b] >= reach:
            reach = look_at_block(problem, free, fed, node, slot, f, b, reach, slack, special)
    return reach


@kernel
def stop_at_first(problem, fed, node, slot, f, bar, slack, special):
    """Look at the winner again, to stop at the first cut that reaches the bar."""
    if problem.features[f].splitter != ORDERED:
        scan_feature(problem, fed.growing, node, f, bar, special)
        return
    scan = fed.growing.scans[f]
    for b in range(N_BLOCKS):
        if fed.upper[slot, f, b] >= bar * node.weight - slack:
            value, at, n_left = scan_block(problem, fed, node, slot, f, b, bar, special)
            if value >= bar:
                scan.value, scan.at = value, at
                finish(problem, fed.growing, node, f, node.weight, node.impurity, n_left, 1, node.n_rows, special)
                return


@kernel
def close_scans(fed, node):
    """Nothing is found yet."""
    growing = fed.growing
    for f in range(growing.scans.shape[0]):
        scan = growing.scans[f]
        scan.value, scan.gain, scan.score = -math.inf, -math.inf, -math.inf
        scan.missing_branch, scan.share, scan.n_levels = OPEN, 1.0, 0
    for k in range(growing.sums.shape[1]):
        growing.sums[2, k] = growing.stats[node.id, k]


@kernel
def note_gains(problem, fed, node):
    """Note what each feature can gain at a node that was just looked at, if it was, for when it keeps its rows."""
    growing, slack = fed.growing, slack_of(problem.rules[0], node.weight * node.impurity)
    known = may_split(problem.rules[0], node) and not is_limited(problem.rules[0])
    for f in range(fed.gains.shape[1]):
        fed.gains[node.id, f] = max(growing.scans[f].gain, 0.0) * node.weight + slack if known else math.inf


@kernel
def find_split(problem, free, fed, i, own, special):
    """Find the best split of node i and write it to its fields, as general.search does; a leaf's if there is none.

    free : the problem without least sizes of leaves. own : the feature it was split by so far, -1 for none.
    """
    growing, node, slot = fed.growing, fed.growing.nodes[i], fed.kept[i].slot
    rules, slack, reach = problem.rules[0], slack_of(problem.rules[0], node.weight * node.impurity), -math.inf
    close_scans(fed, node)
    if own >= 0:
        reach = look_at(problem, free, fed, node, slot, own, reach, slack, special)
    for f in range(growing.scans.shape[0]):
        if f != own:
            reach = look_at(problem, free, fed, node, slot, f, reach, slack, special)
    winner, bar = select(problem, growing, node, special)
    if winner < 0 or not good_enough(rules, node, growing.nodes[0].weight, growing.scans[winner].gain):
        return
    bar = value_to_reach(problem, node, growing.scans[winner], problem.features[winner].cost, bar)
    stop_at_first(problem, fed, node, slot, winner, bar, slack, special)
    node.feature = winner
    node.score, node.gain = growing.scans[winner].score, growing.scans[winner].gain
    write_split(problem, growing, node)
