"""Growing on presorted records, depth first: for rows that count once and whose features are ordered and known.

The splits are the same as those that search_nodes finds, and the numbers of the nodes are computed in the same order.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.criteria.entropy import ENTROPY
from treecore.criteria.impurity import binary_decrease, impurity, squared_error_decrease
from treecore.jit import inner, jit, kernel, number_of
from treecore.kernels.cut_scans import NOTHING, fill_ratio, scan_classes, scan_entropy, scan_numbers, scan_two_classes
from treecore.kernels.limits import good_enough, may_split
from treecore.kernels.records import label_of, partition_records, partition_tied, row_of

WAITING = np.dtype([("node", "i8"), ("start", "i8"), ("stop", "i8"), ("side", "i8")])
"""A node to be split: start:stop of every feature's records, in the first or the second set of them (side 0 or 1)."""
MOST_WAITING = 64
"""The smaller of two children is split first, so that no more nodes wait than the rows can be halved."""
N_NODES, N_WAITING = 0, 1
_ENTROPY = ENTROPY.code


class Presorted(NamedTuple):
    """The records and the working memory of a fit on n rows and d features.

    records : uint32 (2 * d * n,), feature after feature, twice: a split moves a node's from one set to the other.
    response : float64 (n,), the target less its mean; (0,) for classes. waiting : WAITING (MOST_WAITING,).
    best : int64 (MOST_WAITING, d), bits of the value of every feature's best cut at the waiting nodes. tied : bool,
        as large, do records there have equal values?
    goes_left : uint8 (n,). ratio, sums, cross : float64 (n,). xlog : float64 (n + 1,), x log2 x, for entropy; else
        (0,). left, right : float64 (S,), statistics of the sides of a cut. counts : int64 (2,), of nodes and of
        waiting ones.
    """

    records: np.ndarray
    response: np.ndarray
    waiting: np.ndarray
    best: np.ndarray
    tied: np.ndarray
    goes_left: np.ndarray
    ratio: np.ndarray
    sums: np.ndarray
    cross: np.ndarray
    xlog: np.ndarray
    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray


@inner
def least_rows(rules):
    """Rows that each side of a cut needs."""
    return max(rules.min_rows_leaf, np.int64(math.ceil(rules.min_weight_leaf)), 1)


@kernel
def scan_node(problem, grown, nodes, stats, place, first_feature, stop_feature):
    """Fill grown.best of these features for the node waiting at this place; grown.sums has the last one's values."""
    waiting, n_rows, n_least = grown.waiting[place], grown.goes_left.shape[0], least_rows(problem.rules[0])
    n, count, best = waiting.stop - waiting.start, stats[waiting.node], grown.best[place]
    first, last = n_least - 1, max(n - n_least, n_least - 1)
    start = waiting.side * grown.best.shape[1] * n_rows + waiting.start
    own = nodes[waiting.node].impurity / problem.judge.scale * n
    # arrays in variables: a tuple of them in the loops would cost the counting of references
    records, ratio, sums, cross, left = grown.records, grown.ratio, grown.sums, grown.cross, grown.left
    response, xlog = grown.response, grown.xlog
    by_entropy = problem.judge.code == _ENTROPY
    if response.shape[0] == 0 and not by_entropy:
        fill_ratio(ratio, n)
    if response.shape[0] > 0:
        for f in range(first_feature, stop_feature):
            here = records[start + f * n_rows : start + f * n_rows + n]
            best[f] = scan_numbers(here, count[1], response, sums, first, last)
    elif by_entropy:
        for f in range(first_feature, stop_feature):
            here = records[start + f * n_rows : start + f * n_rows + n]
            best[f] = scan_entropy(here, count, own, xlog, left, sums, first, last)
    elif count.shape[0] == 2:
        for f in range(first_feature, stop_feature):
            here = records[start + f * n_rows : start + f * n_rows + n]
            best[f] = scan_two_classes(here, count[1], ratio, sums, first, last)
    else:
        for f in range(first_feature, stop_feature):
            here = records[start + f * n_rows : start + f * n_rows + n]
            best[f] = scan_classes(here, count, left, ratio, sums, cross, first, last)


@kernel
def winner_of(problem, grown, node, place):
    """(the first feature whose best cut reaches the best of all less the tolerance, that bar); -1 for no cut at all."""
    d, top = grown.best.shape[1], NOTHING
    for f in range(d):
        top = max(top, grown.best[place, f])
    if top == NOTHING:
        return -1, 0.0
    bar = number_of(top) - problem.rules[0].tolerance * node.impurity / problem.judge.scale
    winner = 0
    while grown.best[place, winner] == NOTHING or number_of(grown.best[place, winner]) < bar:
        winner += 1
    return winner, bar


@inner
def first_cut(grown, least, bar):
    """Records on the left of the first cut of the feature scanned last whose value reaches the bar."""
    middle = least
    while not grown.sums[middle - 1] >= bar:
        middle += 1
    return middle


@inner
def add_records(grown, stats, start, stop):
    """Add rows to the statistics of a node, in the order of their records."""
    if grown.response.shape[0] == 0:
        for i in range(start, stop):
            stats[label_of(grown.records[i])] += 1.0
        return
    for i in range(start, stop):
        y = grown.response[row_of(grown.records[i])]
        stats[0] += 1.0
        stats[1] += y
        stats[2] += y * y


@kernel
def gain_of_cut(problem, grown, stats, parent, first, middle, stop):
    """The decrease of the impurity by the formula that every grower uses, of records first:middle:stop."""
    left, right = grown.left, grown.right
    for s in range(stats.shape[0]):
        left[s] = 0.0
    add_records(grown, left, first, middle)
    n_left, n_right = float(middle - first), float(stop - middle)
    if grown.response.shape[0] > 0:
        return squared_error_decrease(left[1], n_left, stats[1] - left[1], n_right)
    for s in range(stats.shape[0]):
        right[s] = stats[s] - left[s]
    return binary_decrease(problem.judge, parent, left, n_left, right, n_right)


@kernel
def make_child(problem, grown, nodes, stats, parent, i, first, n):
    """Make node i a child with the rows of the n records from `first`; returns whether it may be split."""
    node = nodes[i]
    for s in range(stats.shape[1]):
        stats[i, s] = 0.0
    add_records(grown, stats[i], first, first + n)
    node.id, node.parent, node.depth, node.feature = i, parent.id, parent.depth + 1, -1
    node.first_child, node.level_start = -1, -1
    node.stop, node.n_rows, node.weight = n, n, float(n)  # the rules ask for the size of the slice
    node.impurity = impurity(problem.judge, stats[i], node.weight)
    return may_split(problem.rules[0], stats, node)


@kernel
def part_records(grown, place, other, winner, middle):
    """Part the records of the node at this place: those of rows before `middle` in the winner's order come first.

    tied[place] and tied[other] then tell of the first and of the second part.
    """
    waiting, n_rows, d = grown.waiting[place], grown.goes_left.shape[0], grown.best.shape[1]
    start, n = waiting.start, waiting.stop - waiting.start
    source, target = waiting.side * d * n_rows + start, (1 - waiting.side) * d * n_rows + start
    records, goes_left = grown.records, grown.goes_left
    for i in range(n):
        goes_left[row_of(records[source + winner * n_rows + i])] = i < middle
    for f in range(d):
        a, b = source + f * n_rows, target + f * n_rows
        tied_left, tied_right = False, False
        if grown.tied[place, f]:
            tied_left, tied_right = partition_tied(records[a : a + n], records[b : b + n], middle, goes_left)
        else:
            partition_records(records[a : a + n], records[b : b + n], middle, goes_left)
        grown.tied[place, f], grown.tied[other, f] = tied_left, tied_right


@kernel
def wait(grown, place, node, start, stop, side):
    """Let a node wait at this place."""
    waiting = grown.waiting[place]
    waiting.node, waiting.start, waiting.stop, waiting.side = node, start, stop, side


@kernel
def exchange(grown, a, b):
    """Exchange two waiting nodes that are not scanned yet."""
    first, second = grown.waiting[a], grown.waiting[b]
    node, start, stop = first.node, first.start, first.stop
    wait(grown, a, second.node, second.start, second.stop, second.side)
    wait(grown, b, node, start, stop, second.side)
    for f in range(grown.tied.shape[1]):
        grown.tied[a, f], grown.tied[b, f] = grown.tied[b, f], grown.tied[a, f]


@kernel
def split_children(problem, grown, nodes, stats, place, winner, child, middle, left_too, right_too):
    """Put the children that may be split in the place of their parent, the smaller one on top, and scan them."""
    waiting = grown.waiting[place]
    start, stop, side = waiting.start, waiting.stop, 1 - waiting.side
    part_records(grown, place, place + 1, winner, middle)
    wait(grown, place, child, start, start + middle, side)
    wait(grown, place + 1, child + 1, start + middle, stop, side)
    if not left_too or (right_too and 2 * middle <= stop - start):
        exchange(grown, place, place + 1)
    both = left_too and right_too
    grown.counts[N_WAITING] = place + 1 + int(both)
    scan_node(problem, grown, nodes, stats, place, 0, grown.best.shape[1])
    if both:
        scan_node(problem, grown, nodes, stats, place + 1, 0, grown.best.shape[1])


@jit
def scan_root(problem, grown, nodes, stats):
    """Let node 0, which has all rows, wait, if it may be split."""
    if may_split(problem.rules[0], stats, nodes[0]):
        wait(grown, 0, 0, 0, grown.goes_left.shape[0], 0)
        grown.counts[N_WAITING] = 1
        scan_node(problem, grown, nodes, stats, 0, 0, grown.best.shape[1])


@jit
def split_presorted(problem, grown, nodes, stats, budget):
    """Split waiting nodes until none is left, about `budget` records were parted, or nodes have no room for more.

    nodes : NODE records. stats : float64 (capacity, S).
    """
    rules, d, n_rows = problem.rules[0], grown.best.shape[1], grown.goes_left.shape[0]
    least = least_rows(rules)
    while grown.counts[N_WAITING] > 0 and budget > 0 and grown.counts[N_NODES] + 2 <= nodes.shape[0]:
        place = grown.counts[N_WAITING] - 1
        grown.counts[N_WAITING] = place
        waiting = grown.waiting[place]
        node, n = nodes[waiting.node], waiting.stop - waiting.start
        winner, bar = winner_of(problem, grown, node, place)
        if winner < 0:
            continue
        scan_node(problem, grown, nodes, stats, place, winner, winner + 1)
        middle = first_cut(grown, least, bar)
        top = first_cut(grown, least, number_of(grown.best[place, winner]))
        first = (waiting.side * d + winner) * n_rows + waiting.start
        # whether to split at all is decided by the best cut, also where one before it counts as equal
        gain = gain_of_cut(problem, grown, stats[node.id], node.impurity, first, first + top, first + n)
        if not good_enough(rules, node, nodes[0].weight, gain):
            continue
        if middle != top:
            gain = gain_of_cut(problem, grown, stats[node.id], node.impurity, first, first + middle, first + n)
        child = grown.counts[N_NODES]
        grown.counts[N_NODES] += 2
        node.feature, node.n_children, node.first_child, node.gain, node.score = winner, 2, child, gain, gain
        node.low = problem.codes[winner, row_of(grown.records[first + middle - 1])]
        node.high = problem.codes[winner, row_of(grown.records[first + middle])]
        left_too = make_child(problem, grown, nodes, stats, node, child, first, middle)
        right_too = make_child(problem, grown, nodes, stats, node, child + 1, first + middle, n - middle)
        if left_too or right_too:
            split_children(problem, grown, nodes, stats, place, winner, child, middle, left_too, right_too)
            budget -= n * d
