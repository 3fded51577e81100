"""One round of hill climbing: each coefficient of a hyperplane in turn is set to the best value beside the others.

A row changes sides where the coefficient passes -rest / x, the rest being the place of the row without this feature:
upwards it becomes a high one where x > 0. Rows without the feature, x = 0, stay where the rest puts them. Twin: all
turns, one after the other.
"""

import numpy as np

from treecore.engine.jit import inner, jit
from treecore.kernels.cut_bits import EPSILON, cut_of_classes, cut_of_numbers

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
def set_place(column, rest, order, turns, at, place):
    """Move the rows for the coefficient in the middle of the turns that the cut parts, and return it."""
    value = (turns[order[at]] + turns[order[at + 1]]) / 2.0
    for i in range(column.shape[0]):
        place[i] = rest[i] + value * column[i]
    return value


@jit
def climb_of_classes(columns, features, w, place, bits, target, weight, total):
    """The bits after a round over these features, in this order; w and place, float64 (d,) and (n,), are written on.

    columns : float64 (d, n). features : int64 (m,). place : w · x + w0, low up to 0. bits : left by that. target :
    int64 (n,). weight : float64 (n,). total : float64 (K,).
    """
    n = place.shape[0]
    rest, turns, moves, is_low = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.bool_)
    for f in features:
        set_turns(columns[f], w[f], place, weight, rest, turns, moves, is_low)
        low = np.zeros(total.shape[0])
        for i in range(n):
            low[target[i]] += weight[i] if is_low[i] else 0.0
        order = np.argsort(turns)
        here, at = cut_of_classes(order, turns, target, moves, low, total)
        if here < bits - LEAST_GAIN:
            bits, w[f] = here, set_place(columns[f], rest, order, turns, at, place)
    return bits


@jit
def climb_of_numbers(columns, features, w, place, bits, target, weight, total):
    """The same for a numeric target, float64 (n,). total : float64 (3,), w, wy and wy²."""
    n = place.shape[0]
    rest, turns, moves, is_low = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.bool_)
    for f in features:
        set_turns(columns[f], w[f], place, weight, rest, turns, moves, is_low)
        low = np.zeros(3)
        for i in range(n):
            counted = weight[i] if is_low[i] else 0.0
            low[0] += counted
            low[1] += counted * target[i]
            low[2] += counted * target[i] * target[i]
        order = np.argsort(turns)
        here, at = cut_of_numbers(order, turns, target, moves, low, total)
        if here < bits - LEAST_GAIN:
            bits, w[f] = here, set_place(columns[f], rest, order, turns, at, place)
    return bits
