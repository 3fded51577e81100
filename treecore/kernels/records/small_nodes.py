"""Nodes of a few rows are split from their keys: there are so few partitions of the rows that each is judged once, and
features are only asked whether they can produce it. Nothing has to be sorted for what is below such a node.

A partition is a mask of the rows on one side, bit j for the j-th; the last row is on the other side.
"""

from typing import NamedTuple

import numpy as np

from treecore.criteria.impurity import binary_decrease, squared_error_decrease
from treecore.criteria.split_scores import DECREASE
from treecore.engine.jit import inner, kernel, piece
from treecore.kernels.constraints import gain_allowed
from treecore.kernels.random_features import CLOSED, open_next, open_sample
from treecore.kernels.records.nodes import center_at, is_second_first, least_rows, make_child
from treecore.kernels.records.record_block import MOST_FEW, N_NODES
from treecore.kernels.state import BEST
from treecore.kernels.sums import center_of, has_cancelled

_IMPOSSIBLE = -1.0


class Few(NamedTuple):
    """The rows of a node, and working memory.

    rows : uint32 (2 * MOST_FEW or more,), which rows of the table, in the first half. values, sums : float64
    (2 ** MOST_FEW or more,). left, right : float64 (S,), statistics. waiting : WAITING (MOST_FEW,). sample : as in
    Block.
    """

    rows: np.ndarray
    values: np.ndarray
    sums: np.ndarray
    left: np.ndarray
    right: np.ndarray
    waiting: np.ndarray
    sample: np.ndarray


@inner
def most_few(rows, nodes, most):
    """Nodes of up to so many rows are split from their keys, `most` if all is known of them. Where a row may lack a
    value only pairs are: any feature that knows both parts them alike. None are where features compete otherwise than
    by their gain."""
    rules = rows.rules[0]
    if least_rows(rules) > 1 or rules.selector != BEST or rules.score != DECREASE:
        return 0
    return most if nodes.gaps.shape[0] == 0 else 2


@inner
def can_produce(rows, members, f, partition):
    """Do values of feature f, all of them known, produce this partition of the rows?"""
    absent, none = rows.absent[f], np.uint32(0)
    least_in, most_in, least_out, most_out = absent, none, absent, none
    for j in range(members.shape[0]):
        key = rows.keys[members[j], f]
        if (partition >> j) & 1:
            least_in, most_in = min(least_in, key), max(most_in, key)
        else:
            least_out, most_out = min(least_out, key), max(most_out, key)
    return max(most_in, most_out) < absent and (most_in < least_out or most_out < least_in)


@inner
def first_producer(rows, sample, members, partition, stop):
    """The first feature, before this one, that is not closed and can produce the partition; -1 for none."""
    for f in range(stop):
        if not sample[CLOSED, f] and can_produce(rows, members, f, partition):
            return f
    return -1


@inner
def n_inside(partition):
    """Rows of a partition."""
    n = 0
    for j in range(MOST_FEW):
        n += (partition >> j) & 1
    return n


@inner
def judge_numbers(rows, members, values, sums):
    """values[partition] = the decrease of the squared error, up to rounding.

    sums : working memory. Differences from one of the targets do not cancel, however far all are from zero.
    """
    n, response = members.shape[0], rows.response
    first, mean = response[members[0]], 0.0
    for j in range(n):
        mean += (response[members[j]] - first) / n
    sums[0] = 0.0
    for j in range(n - 1):
        gap = response[members[j]] - first - mean
        for partition in range(1 << j):
            sums[(1 << j) + partition] = sums[partition] + gap
    for partition in range(1, 1 << (n - 1)):
        inside = n_inside(partition)
        values[partition] = sums[partition] * sums[partition] / (inside * (n - inside))


@inner
def judge_classes(rows, members, values, parent, left, right):
    """The same of classes. parent : impurity. left, right : working memory for statistics."""
    for partition in range(1, 1 << (members.shape[0] - 1)):
        for s in range(left.shape[0]):
            left[s], right[s] = 0.0, 0.0
        for j in range(members.shape[0]):
            if (partition >> j) & 1:
                left[rows.label[members[j]]] += 1.0
            else:
                right[rows.label[members[j]]] += 1.0
        n_left = float(n_inside(partition))
        values[partition] = binary_decrease(rows.judge, parent, left, n_left, right, members.shape[0] - n_left)


@inner
def best_partition(values, n_partitions):
    """The partition of the largest value; 0 if all are impossible."""
    best, value = 0, _IMPOSSIBLE
    for partition in range(1, n_partitions):
        if values[partition] > value:
            best, value = partition, values[partition]
    return best


@inner
def find_winner(rows, sample, members, values, slack):
    """(the first feature that can produce a partition as good as the best one less the slack, that bar); -1 for none.
    Partitions that no feature can produce are marked in values."""
    n_partitions, d = 1 << (members.shape[0] - 1), rows.keys.shape[1]
    best, winner = best_partition(values, n_partitions), -1
    while best > 0 and winner < 0:
        winner = first_producer(rows, sample, members, best, d)
        if winner < 0:
            values[best] = _IMPOSSIBLE
            best = best_partition(values, n_partitions)
    bar = values[best] - slack
    for partition in range(1, n_partitions):
        if winner > 0 and partition != best and values[partition] >= bar:
            sooner = first_producer(rows, sample, members, partition, winner)
            winner = sooner if sooner >= 0 else winner
    return winner, bar


@inner
def put_in_order(rows, members, f, values, cuts, spare):
    """Sort the rows by feature f, equal ones by their number; cuts[i] = value of the cut behind the i-th, impossible
    between equal ones. spare : working memory."""
    n = members.shape[0]
    for j in range(n):
        key, at, behind = rows.keys[members[j], f], 0, 0
        for k in range(n):
            other = rows.keys[members[k], f]
            comes_first = int(other < key or (other == key and members[k] <= members[j]))
            at += comes_first
            behind |= comes_first << k
        spare[at - 1] = members[j]
        cuts[at - 1] = values[min(behind, (1 << n) - 1 - behind)]
    for i in range(n):
        members[i] = spare[i]
    for i in range(n - 1):
        if rows.keys[members[i], f] == rows.keys[members[i + 1], f]:
            cuts[i] = _IMPOSSIBLE


@inner
def first_reaching(cuts, n, bar):
    """Rows on the left of the first of the cuts between n rows whose value reaches the bar; n for none."""
    for i in range(n - 1):
        if cuts[i] >= bar:
            return i + 1
    return n


@inner
def largest(cuts, n):
    """The largest value of the cuts between n rows."""
    most = _IMPOSSIBLE
    for i in range(n - 1):
        most = max(most, cuts[i])
    return most


@inner
def add_rows(rows, stats, members, center, mean, so_far):
    """stats = those of these rows around `center`, added in their order; returns so_far and what the targets, less the
    center, exceed `mean` by."""
    for s in range(stats.shape[0]):
        stats[s] = 0.0
    for j in range(members.shape[0]):
        if rows.rules[0].n_classes > 0:
            stats[rows.label[members[j]]] += 1.0
        else:
            y = rows.response[members[j]] - center
            stats[0] += 1.0
            stats[1] += y
            stats[2] += y * y
            so_far += y - mean
    return so_far


@inner
def gain_of_rows(rows, known, center, parent, members, middle, left, right):
    """The decrease of the impurity by the formula that every grower uses, `middle` of the rows on the left; left and
    right become the statistics of both sides. known, center, parent : statistics, what they are around and impurity of
    all."""
    n, by_numbers = members.shape[0], rows.rules[0].n_classes == 0
    mean = known[1] / known[0] if by_numbers else 0.0
    sum_left = add_rows(rows, left, piece(members, 0, middle), center, mean, 0.0)
    total = add_rows(rows, right, piece(members, middle, n), center, mean, sum_left)
    n_left, n_right = float(middle), float(n - middle)
    if by_numbers:
        return squared_error_decrease(sum_left, n_left, total - sum_left, n_right)
    return binary_decrease(rows.judge, parent, left, n_left, right, n_right)


@inner
def order_pair(rows, sample, members):
    """Put two rows in the order of the first feature that parts them; returns it, -1 for none."""
    winner = first_producer(rows, sample, members, 1, rows.keys.shape[1])
    if winner >= 0 and rows.keys[members[0], winner] > rows.keys[members[1], winner]:
        members[0], members[1] = members[1], members[0]
    return winner


@inner
def order_by_best_partition(rows, few, members, node):
    """(the feature that parts three rows or more best, -1 for none; rows on the left of its best cut, and of the first
    that counts as equal), and put the rows in its order."""
    n, rules, cuts = members.shape[0], rows.rules[0], few.sums
    if rules.n_classes > 0:
        judge_classes(rows, members, few.values, node.impurity, few.left, few.right)
    else:
        judge_numbers(rows, members, few.values, few.sums)
    winner, bar = find_winner(rows, few.sample, members, few.values, rules.tolerance * node.impurity)
    if winner < 0:
        return -1, 0, 0
    put_in_order(rows, members, winner, few.values, cuts, piece(few.rows, MOST_FEW, 2 * MOST_FEW))
    return winner, first_reaching(cuts, n, largest(cuts, n)), first_reaching(cuts, n, bar)


@inner
def cut_of_few(rows, few, nodes, i, members):
    """(feature, rows on the left of its cut, gain) of node i; feature -1 for none. The rows are then in its order,
    few.left and few.right the statistics of both sides."""
    node, n, known, left, right = nodes.of[i], members.shape[0], nodes.stats[i], few.left, few.right
    center = center_at(nodes, i)
    n_open = open_sample(rows.rules[0], nodes, i, few.sample)
    while True:
        if n == 2:
            winner, top, middle = order_pair(rows, few.sample, members), 1, 1
        else:
            winner, top, middle = order_by_best_partition(rows, few, members, node)
        if winner >= 0 or n_open == few.sample.shape[1]:
            break
        n_open = open_next(nodes, i, few.sample, n_open)
    if winner < 0:
        return -1, 0, 0.0
    # whether to split at all is decided by the best cut, also where one before it counts as equal
    cut = top
    while True:  # rather than twice in the code
        gain = gain_of_rows(rows, known, center, node.impurity, members, cut, left, right)
        if cut == top and not gain_allowed(rows.rules[0], node.impurity, float(n), float(nodes.of[0].n_rows), gain):
            return -1, 0, 0.0
        if cut == middle:
            return winner, middle, gain
        cut = middle


@inner
def center_few(rows, few, start, stop, stats, center):
    """The center of few.rows[start:stop], whose statistics become those around it."""
    if rows.rules[0].n_classes > 0 or not has_cancelled(stats):
        return center
    targets, n = few.values, stop - start
    for j in range(n):
        targets[j] = rows.response[few.rows[start + j]]
    return center_of(piece(targets, 0, n), piece(targets, 0, 0), stats, center)


@inner
def let_wait(few, n_waiting, i, start, stop):
    """Let node i, of few.rows[start:stop], wait behind so many others; returns how many wait."""
    waiting = few.waiting[n_waiting]
    waiting.node, waiting.start, waiting.stop = i, start, stop
    return n_waiting + 1


@kernel
def split_few(rows, few, nodes, i, n):
    """Split node i, of the first n of few.rows, and what is below it."""
    n_waiting = let_wait(few, 0, i, 0, n)
    while n_waiting > 0:
        n_waiting -= 1
        waiting = few.waiting[n_waiting]
        i, start, stop = waiting.node, waiting.start, waiting.stop
        members = piece(few.rows, start, stop)
        winner, n_left, gain = cut_of_few(rows, few, nodes, i, members)
        if winner < 0:
            continue
        node, child, n_right, middle = nodes.of[i], nodes.counts[N_NODES], stop - start - n_left, start + n_left
        nodes.counts[N_NODES] += 2
        node.feature, node.first_child, node.gain = winner, child, gain
        node.low, node.high = rows.keys[members[n_left - 1], winner], rows.keys[members[n_left], winner]
        node.swapped = is_second_first(rows.rules[0], few.left, float(n_left), few.right, float(n_right), False)
        center = center_at(nodes, i)
        for side in range(2):
            first, end, stats = (start, middle, few.left) if side == 0 else (middle, stop, few.right)
            own_center = center_few(rows, few, first, end, stats, center)
            if make_child(rows, nodes, i, child + side, end - first, stats, own_center):
                n_waiting = let_wait(few, n_waiting, child + side, first, end)
