"""The best split of a node with new rows, and the subtree of a node grown anew and put into the tree.

Regrowing is for cuts of numbers and ranks that all rows have. Rows and nodes are numbered from 0 on meanwhile: node 0
is the one that is grown anew.
"""

import math

import numpy as np

from treecore.criteria.impurity import binary_decrease
from treecore.engine.jit import inner, jit, kernel, number_of
from treecore.kernels.constraints import good_enough, may_split
from treecore.kernels.fed.slices import GROWN, N_BLOCKS, begin_of, catch_up
from treecore.kernels.general.ordered_cuts import line_up, scan_ordered
from treecore.kernels.general.scores import finish, least_step, least_weight, select
from treecore.kernels.general.search_nodes import scan_feature, value_to_reach, write_split
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.grow_records import cut_of, split_node
from treecore.kernels.records.nodes import least_rows, missing_branch_of
from treecore.kernels.records.record_block import (
    MOST_FEW,
    N_NODES,
    N_WAITING,
    all_records,
    next_place,
    records_of,
    wait,
)
from treecore.kernels.records.records import class_of, differs, record_of
from treecore.kernels.state import N_NODES as N_NODES_OF_TREE
from treecore.kernels.state import OPEN, ORDERED

# The best split of a node that has got more rows, where most cuts need not be looked at.
#
# A block of cuts whose bound, see bounds, is below the best gain cannot have won.

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
    begin += node.start
    n = line_up(
        problem.codes[f], growing.order[f], begin, node.start + min(end + 1, n), problem.features[f].n_codes,
        growing.rows, growing.line,
    )  # fmt: skip
    value, at, n_left, _ = scan_ordered(
        problem, 0.0, f, growing.line, n, growing.sums, float(begin - node.start), begin - node.start, node.weight,
        node.n_rows, node.impurity, least_weight(problem.rules[0], node.weight, special),
        least_step(problem.rules[0], 1.0, special), bar, special,
    )  # fmt: skip
    return value, begin + at, n_left


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
    """Find the best split of node i and write it to its fields, as search_nodes does; a leaf's if there is none.

    free : the problem without least sizes of leaves. own : the feature it was split by so far, -1 for none.
    """
    growing, node, slot = fed.growing, fed.growing.nodes[i], fed.slices[i].slot
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


MANY = 16
"""A node of so many times the least rows of a leaf: to look at the cuts near the ends takes far less than at all."""
MOST_NEW = 4 * MOST_FEW + 2
"""Nodes that one split can bring: two children, and all that is below those of few rows."""


@kernel
def begin(problem, fed, i, rows, block, nodes):
    """Let node i wait in the block, with the rows that it keeps."""
    node, root = fed.growing.nodes[i], nodes.of[0]
    take_records(problem, fed, node, rows, block)
    wait(block, 0, 0, 0, node.stop - node.start, 0)
    block.counts[N_WAITING] = nodes.counts[N_NODES] = 1
    root.parent, root.first_child, root.feature, root.depth = -1, -1, -1, node.depth
    root.n_rows, root.swapped, root.key, root.impurity = node.n_rows, 0, node.key, node.impurity
    for s in range(nodes.stats.shape[1]):
        nodes.stats[0, s] = fed.growing.stats[i, s]


@kernel
def take_records(problem, fed, node, rows, block):
    """Number the rows of a node from 0 on, and write their keys and records."""
    growing, number, n = fed.growing, fed.before, node.stop - node.start
    for j in range(n):
        row = growing.order[0, node.start + j]
        number[row], block.rows[j], rows.label[j] = j, j, growing.rows[row].label
    for j in range(min(n, block.label.shape[0])):
        block.label[j] = rows.label[j]
    has_label = block.label.shape[0] == 0
    for f in range(growing.order.shape[0]):
        records, last, tied = records_of(block, 0, f, 0, n), np.int32(-1), False
        for at in range(n):
            row = growing.order[f, node.start + at]
            j, code = number[row], problem.codes[f, row]
            rows.keys[j, f] = code
            records[at] = record_of(j, rows.label[j] if has_label else 0, int(code != last))
            tied |= code == last
            last = code
        block.tied[0, f], block.known[0, f] = tied, n


@jit
def regrow(problem, fed, i, rows, block, nodes):
    """Grow node i, whose rows are all in order, anew; False if there is no room among the nodes of the tree, as yet.

    rows, block, nodes : see kernels.records.record_block, with room for the rows of the node and for their keys and
    classes; no node if this has not begun.
    """
    if nodes.counts[N_NODES] == 0:
        begin(problem, fed, i, rows, block, nodes)
    first = fed.growing.counts[N_NODES_OF_TREE] - 1
    while block.counts[N_WAITING] > 0:
        if first + nodes.counts[N_NODES] + MOST_NEW > fed.growing.nodes.shape[0]:
            return False
        place = next_place(block, nodes, 0)
        at = block.waiting[place].node
        winner, middle, gain, way = cut_of(rows, block, nodes, place, None)
        note_best(problem, fed, block, place, nodes.of[at], nodes.stats[at], first + at if at > 0 else i)
        if winner >= 0:
            split_node(rows, block, nodes, place, winner, middle, gain, way, None)
    adopt(problem, fed, i, nodes, first)
    return True


@inner
def best_near_end(judge, records, label, stats, sums, node, least, from_right):
    """The best gain of the cuts that leave fewer than `least` of a node's records on one side; 0 for none.

    stats : float64 (K,), of the node. sums : working memory for two sides.
    """
    few, rest, n, best = sums[0], sums[1], records.shape[0], 0.0
    for k in range(stats.shape[0]):
        few[k], rest[k] = 0.0, stats[k]
    for j in range(least - 1):
        k = class_of(records[n - 1 - j if from_right else j], label)
        few[k] += 1.0
        rest[k] -= 1.0
        if differs(records[n - 1 - j if from_right else j + 1]):
            best = max(best, binary_decrease(judge, node.impurity, few, j + 1.0, rest, n - j - 1.0))
    return best


@kernel
def note_best(problem, fed, block, place, node, stats, i):
    """Note what each feature can gain at node i, which waited at this place, as best.note_gains does; also by cuts that
    leave too few rows on a side, where looking at these takes far less than the search did."""
    rules, scale, least = problem.rules[0], problem.judge.scale, least_rows(problem.rules[0])
    slack, known = slack_of(rules, node.n_rows * node.impurity), node.n_rows >= MANY * least
    for f in range(fed.gains.shape[1]):
        most = number_of(block.best[f]) * scale if block.best[f] != NOTHING else 0.0
        if known and least > 1:
            here = all_records(block, place, f)
            for from_right in range(2):
                bound = best_near_end(
                    problem.judge, here, block.label, stats, fed.growing.sums, node, least, from_right
                )
                most = max(most, bound)
        fed.gains[i, f] = most * node.n_rows + slack if known or least == 1 else math.inf


@inner
def write_node(problem, growing, i, nodes, j, first):
    """Let node i of the tree be what the grown node j is; other grown nodes are numbered from `first` on."""
    node, grown, rules = growing.nodes[i], nodes.of[j], problem.rules[0]
    node.feature, node.first_child, node.n_children, node.level_start, node.n_cuts = -1, -1, 0, -1, 0
    node.missing_rows, node.missing_weight, node.low_branch = 0, 0.0, 0
    if grown.first_child >= 0:
        node.feature, node.low, node.high = grown.feature, np.int64(grown.low), np.int64(grown.high)
        node.first_child, node.n_children, node.gain, node.score = first + grown.first_child, 2, grown.gain, grown.gain
        node.missing_branch = missing_branch_of(nodes.of, nodes.gaps, nodes.stats, rules, j)


@kernel
def adopt(problem, fed, i, nodes, first):
    """Put what has grown below node i among the nodes of the tree."""
    growing, n = fed.growing, nodes.counts[N_NODES]
    write_node(problem, growing, i, nodes, 0, first)
    for j in range(1, n):
        k, grown = first + j, nodes.of[j]
        write_node(problem, growing, k, nodes, j, first)
        node = growing.nodes[k]
        node.id, node.parent, node.key = k, first + grown.parent if grown.parent > 0 else i, grown.key
        node.start, node.stop, node.depth = 0, 0, grown.depth
        node.n_rows, node.weight = grown.n_rows, float(grown.n_rows)
        node.impurity, fed.slices[k].slot = grown.impurity, -1
        for s in range(growing.stats.shape[1]):
            growing.stats[k, s] = nodes.stats[j, s]
    growing.counts[N_NODES_OF_TREE] += n - 1
    fed.counts[GROWN] = -1
