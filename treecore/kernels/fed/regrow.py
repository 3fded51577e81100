"""The subtree of a node grown anew on sorted records, as kernels.records grows trees, and put into the tree.

For cuts of numbers and ranks that all rows have. Rows and nodes are numbered from 0 on meanwhile: node 0 is the one
that is grown anew.
"""

import math

import numpy as np

from treecore.criteria.impurity import binary_decrease
from treecore.engine.jit import inner, jit, kernel, number_of
from treecore.kernels.fed.best import slack_of
from treecore.kernels.fed.state import GROWN
from treecore.kernels.records.block import all_records, next_place, records_of, wait
from treecore.kernels.records.cut_scans import NOTHING
from treecore.kernels.records.grow import cut_of, split_node
from treecore.kernels.records.nodes import least_rows
from treecore.kernels.records.numbering import missing_branch_of
from treecore.kernels.records.records import class_of, differs, record_of
from treecore.kernels.records.state import MOST_FEW, N_NODES, N_WAITING
from treecore.kernels.state import N_NODES as N_NODES_OF_TREE

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

    rows, block, nodes : see kernels.records.state, with room for the rows of the node and for their keys and classes;
    no node if this has not begun.
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
                found = best_near_end(
                    problem.judge, here, block.label, stats, fed.growing.sums, node, least, from_right
                )
                most = max(most, found)
        fed.gains[i, f] = most * node.n_rows + slack if known or least == 1 else math.inf


@inner
def write_node(problem, growing, i, nodes, j, first):
    """Let node i of the tree be what the grown node j is; other grown nodes are numbered from `first` on."""
    node, found, rules = growing.nodes[i], nodes.of[j], problem.rules[0]
    node.feature, node.first_child, node.n_children, node.level_start, node.n_cuts = -1, -1, 0, -1, 0
    node.missing_rows, node.missing_weight, node.low_branch = 0, 0.0, 0
    if found.first_child >= 0:
        node.feature, node.low, node.high = found.feature, np.int64(found.low), np.int64(found.high)
        node.first_child, node.n_children, node.gain, node.score = first + found.first_child, 2, found.gain, found.gain
        node.missing_branch = missing_branch_of(nodes.of, nodes.gaps, nodes.stats, rules, j)


@kernel
def adopt(problem, fed, i, nodes, first):
    """Put what has grown below node i among the nodes of the tree."""
    growing, n = fed.growing, nodes.counts[N_NODES]
    write_node(problem, growing, i, nodes, 0, first)
    for j in range(1, n):
        k, found = first + j, nodes.of[j]
        write_node(problem, growing, k, nodes, j, first)
        node = growing.nodes[k]
        node.id, node.parent, node.key = k, first + found.parent if found.parent > 0 else i, found.key
        node.start, node.stop, node.depth = 0, 0, found.depth
        node.n_rows, node.weight = found.n_rows, float(found.n_rows)
        node.impurity, fed.kept[k].slot = found.impurity, -1
        for s in range(growing.stats.shape[1]):
            growing.stats[k, s] = nodes.stats[j, s]
    growing.counts[N_NODES_OF_TREE] += n - 1
    fed.counts[GROWN] = -1
