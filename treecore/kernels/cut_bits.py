"""The bits that a cut leaves to tell the target, and the best cut for numbers: for the search for directions.

Rows change sides one after the other, each by what it counts: a row that goes from the high side to the low one by
+weight, one that comes back by -weight, as happens where a coefficient is turned. Cuts between rows in equal places are
none. For classes see cut_below. Twin: the formulas of growing.oblique.cases in NumPy, over all cuts.
"""

import math

import numpy as np

from treecore.engine.jit import inner, jit

EPSILON = 1e-12
"""Places that differ by less, relative to their size, are equal."""
LOOKED_UP = np.array([n * math.log2(n) if n else 0.0 for n in range(16_384)])
"""n log n of whole numbers: what rows of weight 1 count."""


@inner
def n_log_n(n):
    if 0.0 <= n < LOOKED_UP.shape[0]:
        whole = int(n)
        if whole == n:
            return LOOKED_UP[whole]
    return n * math.log2(n) if n > 0.0 else 0.0


@inner
def bits_of_classes(low, total):
    """n H of both sides, in bits. low, total : float64 (K,), weight by class of the low side and of both."""
    n_low, n_high, told = 0.0, 0.0, 0.0
    for k in range(low.shape[0]):
        high = total[k] - low[k]
        n_low += low[k]
        n_high += high
        told += n_log_n(low[k]) + n_log_n(high)
    return n_log_n(n_low) + n_log_n(n_high) - told


@inner
def squares_of_sides(low, total):
    """Squared differences from both sides' means. low, total : float64 (3,), w, wy and wy²."""
    w, wy, wyy = total[0] - low[0], total[1] - low[1], total[2] - low[2]
    left = max(low[2] - low[1] * low[1] / max(low[0], EPSILON), 0.0)
    return left + max(wyy - wy * wy / max(w, EPSILON), 0.0)


@inner
def bits_of_squares(left, total):
    """Bits to tell numbers of which so much of the squared differences is left. total : float64 (3,)."""
    return 0.5 * total[0] * math.log2(max(left / max(total[2], EPSILON), EPSILON))


@inner
def is_apart(a, b):
    """Do places differ, of which b is not before a?"""
    return b - a > EPSILON * (abs(a) + abs(b))


@jit
def cut_of_numbers(order, place, target, moves, low, total):
    """(bits, i): the fewest bits that a cut leaves, and behind which row of the order; (inf, -1) where none parts them.

    They are told by the squared differences from the sides' means. order : int64 (m,), rows by ascending place. place,
    moves : float64 (n,), moves what a row adds to the low side. target : float64 (n,). low, total : float64 (3,), w, wy
    and wy², of the low side before the first row, which is written on, and of both.
    """
    best, best_at = math.inf, -1
    for i in range(order.shape[0] - 1):
        row = order[i]
        y, w = target[row], moves[row]
        low[0] += w
        low[1] += w * y
        low[2] += w * y * y
        if is_apart(place[row], place[order[i + 1]]):
            squares = squares_of_sides(low, total)
            if squares < best:
                best, best_at = squares, i
    return (bits_of_squares(best, total) if best_at >= 0 else math.inf), best_at


@jit
def cuts_of_numbers(orders, lines, target, weight, total):
    """float64 (m, 2): as cut_below.cuts_of_classes. orders : int64 (m, n). lines : float64 (m, n), places."""
    found = np.empty((lines.shape[0], 2))
    for j in range(lines.shape[0]):
        order, line = orders[j], lines[j]
        bits, at = cut_of_numbers(order, line, target, weight, np.zeros(3), total)
        found[j] = bits, (line[order[at]] + line[order[at + 1]]) / 2.0 if at >= 0 else math.nan
    return found
