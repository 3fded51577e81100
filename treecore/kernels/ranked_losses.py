"""The targets of a node in ascending order: what answers for them by a loss that sums do not give, and that loss.

Two kinds of loss, see criteria.row_losses for their coefficients (up, down, delta). With delta = 0 a row loses `up` for
each unit that its target lies above the answer and `down` for each unit below: 1 and 1 are the absolute error, tau and
1 - tau the pinball loss. The answer is a quantile: the smallest target at which the cumulated weight passes the share
up / (up + down) of it all; at exactly this share it is the mean of that target and the next one. With delta > 0 it is
the Huber loss, half the square up to delta and linear beyond it, and the answer is what makes it least. Errors are sums
of w times the loss. Rows of weight 0 count for nothing.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel

CLOSE = 1e-12
"""Weights this close to the share of a quantile, as a share of all, are it: ten times 0.1 adds up to less than 1."""
MOST_STEPS = 200
"""In search of the answer by Huber loss; a handful does, but for rounding."""
BALANCED = 1e-13
"""Pulls up and down that differ by no more, as a share of the largest ones there can be, are equal."""

ITEM = np.dtype([("value", "f8"), ("weight", "f8"), ("index", "i4"), ("code", "i4")])
"""A row: its target and weight. Among sorted targets `index` is its training row, among the rows of a scan the rank of
its target. `code` is that of the feature in question, or the index of its level."""


@kernel
def sort_targets(order, start, stop, rows, targets, spare):
    """targets = the rows of positive weight among order[start:stop], ascending; returns how many. A merge sort.

    targets, spare : ITEM, room for these rows.
    """
    n, width = 0, 1
    for i in range(start, stop):
        row = rows[order[i]]
        if row.weight > 0.0:
            targets[n].value, targets[n].weight, targets[n].index = row.response, row.weight, order[i]
            n += 1
    while width < n:
        merge_runs(targets, n, width, spare)
        merge_runs(spare, n, 2 * width, targets)
        width *= 4
    return n


@kernel
def merge_runs(source, n, width, into):
    """Merge each two neighbouring sorted runs of `width` in source[:n]."""
    for begin in range(0, n, 2 * width):
        a, middle, stop = begin, min(begin + width, n), min(begin + 2 * width, n)
        b = middle
        for i in range(begin, stop):
            if a < middle and (b >= stop or source[a].value <= source[b].value):
                into[i] = source[a]
                a += 1
            else:
                into[i] = source[b]
                b += 1


@kernel
def answer_and_error(targets, n, loss):
    """The answer and the error of the first n targets, which are sorted; (0, 0) without any. loss : a SET record."""
    if n == 0:
        return 0.0, 0.0
    if loss.delta > 0.0:
        return huber_and_error(targets, n, loss.delta)
    quantile, error = quantile_of(targets, n, loss.share), 0.0
    for i in range(n):
        distance = targets[i].value - quantile
        error += targets[i].weight * (loss.up * distance if distance > 0.0 else (loss.up - loss.both) * distance)
    return quantile, error


@kernel
def quantile_of(targets, n, share):
    """The weighted quantile of the first n targets."""
    weight, below, at = 0.0, 0.0, 0
    for i in range(n):
        weight += targets[i].weight
    while at < n - 1 and below + targets[at].weight < (share - CLOSE) * weight:
        below += targets[at].weight
        at += 1
    if at < n - 1 and below + targets[at].weight <= (share + CLOSE) * weight:
        return 0.5 * targets[at].value + 0.5 * targets[at + 1].value
    return targets[at].value


@kernel
def huber_and_error(targets, n, delta):
    """The answer by Huber loss, and that loss. Where a whole interval has the least loss, it is the middle of it."""
    low, high, center = targets[0].value, targets[n - 1].value, quantile_of(targets, n, 0.5)
    for _ in range(MOST_STEPS):
        middle, pull, largest = 0.0, 0.0, 0.0
        for i in range(n):
            distance = targets[i].value - center
            pull += targets[i].weight * min(max(distance, -delta), delta)
            largest += targets[i].weight * delta
            middle += targets[i].weight if abs(distance) <= delta else 0.0
        low, high = (center, high) if pull > 0.0 else (low, center)
        new = next_center(center, low, high, pull, middle)
        if abs(pull) <= BALANCED * largest or new == center:
            break
        center = new
    below, above, inside, error = targets[0].value, targets[n - 1].value, False, 0.0
    for i in range(n):
        value = targets[i].value
        below, above = max(below, value) if value <= center else below, min(above, value) if value >= center else above
        inside = inside or abs(value - center) < delta * (1.0 - 1e-9)
    if not inside:
        center = 0.5 * below + 0.5 * above
    for i in range(n):
        distance = abs(targets[i].value - center)
        loss = 0.5 * distance * distance if distance <= delta else delta * (distance - 0.5 * delta)
        error += targets[i].weight * loss
    return center, error


@inner
def next_center(center, low, high, pull, middle):
    """Newton's next guess of the answer by Huber loss, half of the interval where that leaves it.

    pull : sum of w times the distances of the targets above, cut at delta; 0 at the answer. middle : weight of the rows
    within delta. Between two targets that enter or leave these, the pull is linear: there the guess is exact.
    """
    new = center + pull / middle if middle > 0.0 else math.nan
    if not low < new < high:
        new = 0.5 * low + 0.5 * high
    return new


@kernel
def rank_targets(targets, n, answer, rank, values):
    """values = the distinct targets less the answer, ascending; rank[row] = the place of each row's target there.

    The targets become distances from the answer, too: sums of them do not cancel. Returns how many are distinct.
    """
    last = -1
    for i in range(n):
        value = targets[i].value - answer
        targets[i].value = value
        if last < 0 or value > values[last]:
            last += 1
            values[last] = value
        rank[targets[i].index] = last
    return last + 1


@inner
def error_around(center, weight_below, target_below, weight, target, loss):
    """Sum of w times the loss around a quantile from the sums of w and w y: of the targets below it, and of all."""
    return loss.up * target - loss.both * target_below + center * (loss.both * weight_below - loss.up * weight)


@inner
def huber_around(center, delta, below, middle, above):
    """Sum of w times the Huber loss from the sums (w, w y, w y^2) of the targets below, within and above delta."""
    square = 0.5 * (middle[2] - 2.0 * center * middle[1] + center * center * middle[0])
    line = above[1] - below[1] - center * (above[0] - below[0]) - 0.5 * delta * (above[0] + below[0])
    return max(square, 0.0) + delta * line


# The error of a set of rows that grows one by one: where its answer goes, sums follow.

FAN = 6
"""Sums are kept of single ranks, of every 2^FAN ranks, of every 2^(2 FAN) ranks and so on."""

SUM = np.dtype([("weight", "f8"), ("target", "f8")])
"""Sums of w and w y."""

SET = np.dtype([
    ("n_targets", "i8"), ("size", "i8"),
    ("weight", "f8"), ("target", "f8"), ("middle", "i8"), ("weight_below", "f8"), ("target_below", "f8"),
    ("share", "f8"), ("up", "f8"), ("both", "f8"), ("delta", "f8"), ("n_ranks", "i8"), ("square", "f8"),
    ("center", "f8"), ("squares", "i8"),
])  # fmt: skip
"""n_targets : of the node. size : the least power of two that holds its ranks, n_ranks. Of the set: its sums of w and
w y, the rank where its quantile was last, its sums over all lower ranks; by Huber loss its sum of w y^2 and where its
answer was last. Of the loss: the share of the weight below the answer, what a unit above it costs, and what units above
and below cost together; delta, 0 for a quantile.

By Huber loss two more records are cursors: in `middle` the first rank that is not more than delta below the answer,
and the first that is more than delta above it; in weight_below, target_below and square the sums over lower ranks."""


class Ranked(NamedTuple):
    """The targets of a node by rank, and a set of its rows that starts empty and grows: working memory.

    targets : ITEM, the node's rows of positive weight by ascending target, which is taken from the node's median.
    rank : int32 (n,), of each of these rows, by training row: its target's place in `values`.
    values : float64, the node's distinct targets, ascending, less its median.
    line : ITEM, the rows of a scan in their order.
    rest : float64, at position i of the line: the error of the rows from there on.
    sums : SUM, of the set by rank: `size` of single ranks, then those of 2^FAN ranks, and so on. By Huber loss sums of
        w y^2 follow in the same order, as `weight`, from place `squares` of the set on: an array of their own would
        make every call slower.
    set : SET (3,), the set and the cursors of Huber loss.
    place : float64, of each code of a nominal feature: the place of its level in the order of their medians.
    begin : int64, where each level begins in `line`.
    """

    targets: np.ndarray
    rank: np.ndarray
    values: np.ndarray
    line: np.ndarray
    rest: np.ndarray
    sums: np.ndarray
    set: np.ndarray
    place: np.ndarray
    begin: np.ndarray


def room_for(most: int, widest: int, rank: np.ndarray, coefficients: np.ndarray) -> Ranked:
    """Working memory for nodes of up to `most` rows and `widest` levels.

    rank : int32 (n,), for n training rows. coefficients : float64 (1, 3), of the loss, see criteria.row_losses.
    """
    n_sums, loss = 2 * (1 << (most - 1).bit_length()), np.zeros(3, SET)
    up, down, delta = coefficients[0].tolist()
    loss["share"], loss["up"], loss["both"], loss["delta"] = up / (up + down), up, up + down, delta
    loss["squares"] = n_sums
    return Ranked(
        targets=np.empty(most, ITEM), rank=rank, values=np.empty(most), line=np.empty(most, ITEM), rest=np.empty(most),
        sums=np.empty(n_sums * (2 if delta > 0 else 1), SUM), set=loss, place=np.empty(widest),
        begin=np.empty(widest + 1, np.int64),
    )  # fmt: skip


@kernel
def clear(ranked):
    """The empty set."""
    state, length, shift = ranked.set[0], 0, 0
    while state.size >> shift > 0:
        length += state.size >> shift
        shift += FAN
    for i in range(length):
        ranked.sums[i].weight = 0.0
        ranked.sums[i].target = 0.0
    state.weight, state.target, state.middle, state.weight_below, state.target_below = 0.0, 0.0, 0, 0.0, 0.0
    if state.delta > 0.0:
        for i in range(length):
            ranked.sums[state.squares + i].weight = 0.0
        for i in range(1, 3):
            cursor = ranked.set[i]
            cursor.middle, cursor.weight_below, cursor.target_below, cursor.square = 0, 0.0, 0.0, 0.0
        state.square, state.center = 0.0, 0.0


@inner
def add(ranked, item, times):
    """Add a row of the line to the set, or take it out: times = 1 or -1. O(log n)."""
    state, rank, size = ranked.set[0], item.index, ranked.set[0].size
    weight = times * item.weight
    target = weight * item.value
    state.weight += weight
    state.target += target
    below = 1.0 if rank < state.middle else 0.0
    state.weight_below += below * weight
    state.target_below += below * target
    begin, shift = 0, 0
    while size >> shift > 0:
        block = ranked.sums[begin + (rank >> shift)]
        block.weight += weight
        block.target += target
        begin += size >> shift
        shift += FAN


@kernel
def add_square(ranked, item, times):
    """What Huber loss needs besides `add` of a row that joins or leaves the set."""
    size, begin, shift, rank = ranked.set[0].size, ranked.set[0].squares, 0, item.index
    weight = times * item.weight
    target = weight * item.value
    square = target * item.value
    ranked.set[0].square += square
    for i in range(1, 3):
        cursor = ranked.set[i]
        if rank < cursor.middle:
            cursor.weight_below += weight
            cursor.target_below += target
            cursor.square += square
    while size >> shift > 0:
        ranked.sums[begin + (rank >> shift)].weight += square
        begin += size >> shift
        shift += FAN


@kernel
def add_part(ranked, start, stop, times):
    """Add line[start:stop] to the set, or take it out."""
    huber = ranked.set[0].delta > 0.0
    for i in range(start, stop):
        add(ranked, ranked.line[i], times)
        if huber:
            add_square(ranked, ranked.line[i], times)


@kernel
def error_of_set(ranked):
    """Error of the rows in the set. O(log n): the search for their answer starts where it was last.

    At exactly the share of a quantile any point up to the next target has the same error, so the first will do.
    """
    state, sums = ranked.set[0], ranked.sums
    least, size, middle = state.share * state.weight, state.size, state.middle
    below, target_below = state.weight_below, state.target_below
    begin, shift = 0, 0
    # down, by the largest blocks that fit, until less than the share is below
    while below >= least and middle > 0:
        block = sums[begin + (middle >> shift) - 1]
        if shift > 0 and below - block.weight < least:
            shift -= FAN
            begin -= size >> shift
            continue
        below -= block.weight
        target_below -= block.target
        middle -= 1 << shift
        while size >> (shift + FAN) > 0 and middle & ((1 << (shift + FAN)) - 1) == 0:
            begin += size >> shift
            shift += FAN
    # up, while less than the share is below even with the next block
    begin, shift = 0, 0
    while True:
        block = sums[begin + (middle >> shift)]
        if below + block.weight < least and middle + (1 << shift) < size:
            below += block.weight
            target_below += block.target
            middle += 1 << shift
            while size >> (shift + FAN) > 0 and middle & ((1 << (shift + FAN)) - 1) == 0:
                begin += size >> shift
                shift += FAN
        elif shift > 0:
            shift -= FAN
            begin -= size >> shift
        else:
            break
    state.middle, state.weight_below, state.target_below = middle, below, target_below
    return max(error_around(ranked.values[middle], below, target_below, state.weight, state.target, state), 0.0)


@kernel
def huber_of_set(ranked):
    """Error of the rows in the set by Huber loss: a few steps of O(log n), from where their answer was last.

    Exact but for rounding, which grows with the distance of the rows from the node's answer over delta.
    """
    state, values, lower, upper = ranked.set[0], ranked.values, ranked.set[1], ranked.set[2]
    n, delta, weight = state.n_ranks, state.delta, state.weight
    low, high = values[0], values[n - 1]
    center = state.center
    for _ in range(MOST_STEPS):
        move_cursor(ranked, lower, first_from(values, n, center - delta, False))
        move_cursor(ranked, upper, first_from(values, n, center + delta, True))
        middle, inside = upper.weight_below - lower.weight_below, upper.target_below - lower.target_below
        pull = inside - center * middle + delta * (weight - upper.weight_below - lower.weight_below)
        low, high = (center, high) if pull > 0.0 else (low, center)
        new = next_center(center, low, high, pull, middle)
        if abs(pull) <= BALANCED * delta * weight or new == center:
            break
        center = new
    state.center = center
    below = lower.weight_below, lower.target_below, lower.square
    within = (
        upper.weight_below - lower.weight_below,
        upper.target_below - lower.target_below,
        upper.square - lower.square,
    )
    above = weight - upper.weight_below, state.target - upper.target_below, state.square - upper.square
    return max(huber_around(center, delta, below, within, above), 0.0)


@inner
def first_from(values, n, least, beyond):
    """The first of the n ascending values that is at least so large, or larger if `beyond`; n for none."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if values[middle] < least or (beyond and values[middle] == least):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def move_cursor(ranked, cursor, to):
    """Move a cursor to a rank by the largest blocks that fit."""
    sums, squares, size, at = ranked.sums, ranked.set[0].squares, ranked.set[0].size, cursor.middle
    while at != to:
        begin, shift, sign = 0, 0, 1 if at < to else -1
        while size >> (shift + FAN) > 0 and at & ((1 << (shift + FAN)) - 1) == 0:
            if abs(to - at) < 1 << (shift + FAN):
                break
            begin += size >> shift
            shift += FAN
        block = begin + (at >> shift) - (0 if sign > 0 else 1)
        cursor.weight_below += sign * sums[block].weight
        cursor.target_below += sign * sums[block].target
        cursor.square += sign * sums[squares + block].weight
        at += sign << shift
    cursor.middle = at


@kernel
def error_of_part(ranked, start, stop):
    """Error of line[start:stop], which become the set."""
    clear(ranked)
    add_part(ranked, start, stop, 1.0)
    return huber_of_set(ranked) if ranked.set[0].delta > 0.0 else error_of_set(ranked)


# What explaining a node needs compiled: the grower keeps no more than the winner.


@jit
def prefix_errors(ranked, n):
    """float64 (n,): error of the first 1, 2, ... n rows of ranked.line."""
    errors = np.zeros(n)
    huber = ranked.set[0].delta > 0.0
    clear(ranked)
    for i in range(n):
        add(ranked, ranked.line[i], 1.0)
        if huber:
            add_square(ranked, ranked.line[i], 1.0)
        errors[i] = huber_of_set(ranked) if huber else error_of_set(ranked)
    return errors
