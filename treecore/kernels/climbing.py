"""Hill climbing over the coefficients of a hyperplane: each in turn is set to the best value beside the others.

A row changes sides where the coefficient passes -rest / x, the rest being the place of the row without this feature:
upwards it becomes a high one where x > 0. Rows without the feature, x = 0, stay where the rest puts them. A coefficient
that is not 0 has a price in bits, so that it is one only where it saves more. Twin: all turns, one after the other.
"""

import numpy as np

from treecore.engine.jit import inner, jit
from treecore.kernels.cut_below import cut_below, deal, new_room, set_buckets, sort_bucket
from treecore.kernels.cut_bits import EPSILON, bits_of_classes, bits_of_squares, cut_of_numbers, squares_of_sides

LEAST_GAIN = 1e-9
"""Bits by which a value must be better than the present one."""


@inner
def set_turns(column, w, place, weight, rest, turns, moves, is_low):
    """Fill in, for every row, the rest, where it turns, what it adds to the low side then, and if it begins there."""
    for i in range(column.shape[0]):
        x = column[i]
        rest[i] = place[i] - w * x
        if abs(x) > EPSILON:
            turns[i], is_low[i] = -rest[i] / x, x > 0.0
            moves[i] = -weight[i] if x > 0.0 else weight[i]
        else:
            turns[i], is_low[i], moves[i] = np.inf, rest[i] <= 0.0, 0.0


@inner
def usual_turn(column, rest):
    """The usual size of a turn: as few rows have almost nothing of the feature, not the mean of turns."""
    of_rest, of_column = EPSILON, EPSILON
    for i in range(column.shape[0]):
        of_rest += abs(rest[i])
        of_column += abs(column[i])
    return of_rest / of_column


@inner
def set_order(turns, usual, room):
    """Fill in room.order, the rows that turn by ascending turn before the others, and return how many they are."""
    set_buckets(turns, 0.0, usual, room)
    deal(room)
    for b in range(room.bound.shape[0]):
        sort_bucket(turns, room, b)
    return room.first[room.bound.shape[0]]


@inner
def set_place(column, rest, value, place):
    """Move the rows for this coefficient."""
    for i in range(column.shape[0]):
        place[i] = rest[i] + value * column[i]


@inner
def to_beat(now, price, bits, without):
    """Bits, the price among them, that a value must leave fewer than; see best_value."""
    return min(bits + (price if now != 0.0 else 0.0), without) - LEAST_GAIN


@inner
def best_value(now, between, price, bits, here, without):
    """(the coefficient, the bits left by it, is it another one?): as it is now, between two turns, or none.

    bits, here, without : left by the present value, by the one between the turns, and by 0, which has no price.
    """
    if here + price < to_beat(now, price, bits, without):
        return between, here, True
    if now != 0.0 and without < bits + price - LEAST_GAIN:
        return 0.0, without, True
    return now, bits, False


@inner
def set_side(rest, is_low):
    """Which rows are low ones without the feature."""
    for i in range(rest.shape[0]):
        is_low[i] = rest[i] <= 0.0


@inner
def count_classes(is_low, rest, target, weight, low, without):
    """Weight by class of the rows on the low side, and on that without the feature."""
    low[:] = 0.0
    without[:] = 0.0
    for i in range(is_low.shape[0]):
        low[target[i]] += weight[i] if is_low[i] else 0.0
        without[target[i]] += weight[i] if rest[i] <= 0.0 else 0.0


@inner
def add_numbers(is_low, target, weight, low):
    """w, wy and wy² of the rows on the low side."""
    low[:] = 0.0
    for i in range(is_low.shape[0]):
        counted = weight[i] if is_low[i] else 0.0
        low[0] += counted
        low[1] += counted * target[i]
        low[2] += counted * target[i] * target[i]


@jit
def climb_of_classes(columns, features, rounds, w, prices, target, weight, total):
    """The bits left by the summit above w, float64 (d,), which is written on: after so many rounds at most.

    columns : float64 (d, n); a row is low where w · column is up to 0. features : int64 (m,), climbed on in this order.
    prices : float64 (d,), bits. target : int64 (n,). weight : float64 (n,). total : float64 (K,).
    """
    n = columns.shape[1]
    place, rest, turns, moves = w @ columns, np.empty(n), np.empty(n), np.empty(n)
    is_low, low, without = np.zeros(n, np.bool_), np.empty(total.shape[0]), np.empty(total.shape[0])
    room = new_room(n, total.shape[0])
    count_classes(is_low, place, target, weight, low, without)
    bits, moved = bits_of_classes(without, total), True
    while moved and rounds > 0:
        moved, rounds = False, rounds - 1
        for f in features:
            set_turns(columns[f], w[f], place, weight, rest, turns, moves, is_low)
            count_classes(is_low, rest, target, weight, low, without)
            none = bits_of_classes(without, total)
            reach = to_beat(w[f], prices[f], bits, none) - prices[f]
            usual = usual_turn(columns[f], rest)
            here, between = cut_below(turns, 0.0, usual, moves, target, low, total, reach, room)
            value, bits, turned = best_value(w[f], between, prices[f], bits, here, none)
            if turned:
                w[f], moved = value, True
                set_place(columns[f], rest, value, place)
    return bits


@jit
def climb_of_numbers(columns, features, rounds, w, prices, target, weight, total):
    """The same for a numeric target, float64 (n,). total : float64 (3,), w, wy and wy²."""
    n = columns.shape[1]
    place, rest, turns, moves = w @ columns, np.empty(n), np.empty(n), np.empty(n)
    is_low, low, room = np.empty(n, np.bool_), np.empty(3), new_room(n, 3)
    set_side(place, is_low)
    add_numbers(is_low, target, weight, low)
    bits, moved = bits_of_squares(squares_of_sides(low, total), total), True
    while moved and rounds > 0:
        moved, rounds = False, rounds - 1
        for f in features:
            set_turns(columns[f], w[f], place, weight, rest, turns, moves, is_low)
            m, order = set_order(turns, usual_turn(columns[f], rest), room), room.order
            add_numbers(is_low, target, weight, low)
            here, at = cut_of_numbers(order[:m], turns, target, moves, low, total)
            set_side(rest, is_low)
            add_numbers(is_low, target, weight, low)
            without = bits_of_squares(squares_of_sides(low, total), total)
            between = (turns[order[at]] + turns[order[at + 1]]) / 2.0 if at >= 0 else 0.0
            value, bits, turned = best_value(w[f], between, prices[f], bits, here, without)
            if turned:
                w[f], moved = value, True
                set_place(columns[f], rest, value, place)
    return bits
