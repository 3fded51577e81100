"""The search for oblique splits: bits that a cut leaves, the best cut below a bound, and hill climbing."""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel, lending

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
    n_low, n_high, inside = 0.0, 0.0, 0.0
    for k in range(low.shape[0]):
        high = total[k] - low[k]
        n_low += low[k]
        n_high += high
        inside += n_log_n(low[k]) + n_log_n(high)
    return n_log_n(n_low) + n_log_n(n_high) - inside


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
    cuts = np.empty((lines.shape[0], 2))
    for j in range(lines.shape[0]):
        order, line = orders[j], lines[j]
        bits, at = cut_of_numbers(order, line, target, weight, np.zeros(3), total)
        cuts[j] = bits, (line[order[at]] + line[order[at + 1]]) / 2.0 if at >= 0 else math.nan
    return cuts


# The best cut among rows that change sides one after the other, most of which need not be put in order for it.
#
# Rows are dealt into buckets by where they change sides. n H of both sides is concave in the counts of the low side,
# and within a bucket these lie between what they are if only those rows changed sides that leave it, or that come to
# it: no cut there leaves fewer bits than the best corner of this box. Only buckets with a better corner than what is
# to be beaten are put in order. Twin: the formulas of growing.directions in NumPy, over all cuts.

ROWS = 8
"""As many rows as buckets have on average."""
MOST_SIDES = 4
"""Classes that vary in a bucket for which its corners are looked at."""


class ScanBuffers(NamedTuple):
    """Working memory for the cuts of n rows, of K classes, in m buckets; bucket m holds those that never change sides.

    bucket, order : int64 (n,), the bucket of each row, and the rows by bucket. first : int64 (m + 2,), where in the
    order each begins. shifted : float64 (2, m + 1, K), weight that enters and that leaves the low side in each. low :
    float64 (m + 1, K), the low side before each. bound : float64 (m,), bits that no cut in it is below. sides : float64
    (4, MOST_SIDES), of classes that vary: least and most of them, and what they tell then. now : float64 (K,).
    """

    bucket: np.ndarray
    order: np.ndarray
    first: np.ndarray
    shifted: np.ndarray
    low: np.ndarray
    bound: np.ndarray
    sides: np.ndarray
    now: np.ndarray


@lending
def new_room(n, n_classes):
    m = n // ROWS + 1
    return ScanBuffers(
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(m + 2, np.int64), np.empty((2, m + 1, n_classes)),
        np.empty((m + 1, n_classes)), np.empty(m), np.empty((4, MOST_SIDES)), np.empty(n_classes),
    )  # fmt: skip


@inner
def set_buckets(turns, center, usual, room):
    """Deal rows by where they change sides, relative to a center and the usual distance from it; infinite: never."""
    m = room.bound.shape[0]
    for i in range(turns.shape[0]):
        away = turns[i] - center
        room.bucket[i] = min(int((away / (usual + abs(away)) + 1.0) * 0.5 * m), m - 1) if turns[i] < math.inf else m


@inner
def deal(room):
    """Fill in `order` and `first`."""
    first, m = room.first, room.bound.shape[0]
    first[:] = 0
    for b in room.bucket:
        first[b + 1] += 1
    for b in range(m + 1):
        first[b + 1] += first[b]
    for i in range(room.bucket.shape[0]):
        room.order[first[room.bucket[i]]] = i
        first[room.bucket[i]] += 1
    for b in range(m + 1, 0, -1):
        first[b] = first[b - 1]
    first[0] = 0


@inner
def sort_bucket(turns, room, b):
    """Put the rows of a bucket in order: by insertion over ever smaller gaps (Shell's sort), as it may be large."""
    order, begin, end = room.order, room.first[b], room.first[b + 1]
    gap = 1
    while 3 * gap + 1 < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for j in range(begin + gap, end):
            row, at = order[j], j
            while at >= begin + gap and turns[order[at - gap]] > turns[row]:
                order[at] = order[at - gap]
                at -= gap
            order[at] = row
        gap //= 3


@inner
def count_moves(turns, moves, target, low, room):
    """Fill in `shifted` and `low`. low : float64 (K,), the low side before all rows."""
    room.shifted[:] = 0.0
    for i in range(turns.shape[0]):
        room.shifted[int(moves[i] < 0.0), room.bucket[i], target[i]] += abs(moves[i])
    for k in range(low.shape[0]):
        room.low[0, k] = low[k]
        for b in range(room.bound.shape[0]):
            room.low[b + 1, k] = room.low[b, k] + room.shifted[0, b, k] - room.shifted[1, b, k]


@inner
def best_corner(room, n, inside, whole, n_sides):
    """The fewest bits at the corners where so many classes have their least or most. n, inside : of the others."""
    best, sides = math.inf, room.sides
    for corner in range(1 << n_sides):
        low, known = n, inside
        for j in range(n_sides):
            end = (corner >> j) & 1
            low += sides[end, j]
            known += sides[2 + end, j]
        best = min(best, n_log_n(low) + n_log_n(whole - low) - known)
    return best


@inner
def bound_of(room, total, b):
    """Bits that no cut behind a row of this bucket is below; infinite where it has no rows."""
    n, inside, whole, n_sides = 0.0, 0.0, 0.0, 0
    for k in range(total.shape[0]):
        least, most = room.low[b, k] - room.shifted[1, b, k], room.low[b, k] + room.shifted[0, b, k]
        whole += total[k]
        known = n_log_n(least) + n_log_n(total[k] - least)
        if most == least:
            n, inside = n + least, inside + known
        elif n_sides == MOST_SIDES:
            return -math.inf
        else:
            room.sides[0, n_sides], room.sides[1, n_sides] = least, most
            room.sides[2, n_sides], room.sides[3, n_sides] = known, n_log_n(most) + n_log_n(total[k] - most)
            n_sides += 1
    return best_corner(room, n, inside, whole, n_sides) if n_sides else math.inf


@inner
def turn_behind(turns, room, b):
    """Where the first row behind a bucket changes sides; infinite if none does."""
    least, end = math.inf, room.first[room.bound.shape[0]]
    at = room.first[b + 1]
    if at < end:
        then = room.bucket[room.order[at]]
        for j in range(at, room.first[then + 1]):
            least = min(least, turns[room.order[j]])
    return least


@kernel
def scan_bucket(turns, moves, target, total, room, b, best, between):
    """(bits, where): the best cut behind a row of this bucket if it leaves fewer bits, else what was given."""
    sort_bucket(turns, room, b)
    for k in range(total.shape[0]):
        room.now[k] = room.low[b, k]
    begin, end, behind = room.first[b], room.first[b + 1], turn_behind(turns, room, b)
    for j in range(begin, end):
        row = room.order[j]
        room.now[target[row]] += moves[row]
        here, then = turns[row], turns[room.order[j + 1]] if j + 1 < end else behind
        if is_apart(here, then):
            bits = bits_of_classes(room.now, total)
            if bits < best:
                best, between = bits, (here + then) / 2.0
    return best, between


@kernel
def cut_below(turns, center, usual, moves, target, low, total, reach, room):
    """(bits, where): the cut that leaves the fewest bits, if they are fewer than `reach`; else (inf, nan).

    turns : float64 (n,), where each row changes sides, infinite for never; best dealt around the center at the usual
    distance. moves : float64 (n,), what it adds to the low side then. target : int64 (n,). low, total : float64 (K,).
    """
    set_buckets(turns, center, usual, room)
    count_moves(turns, moves, target, low, room)
    likeliest = 0
    for b in range(room.bound.shape[0]):
        room.bound[b] = bound_of(room, total, b)
        likeliest = b if room.bound[b] < room.bound[likeliest] else likeliest
    if not room.bound[likeliest] < reach:
        return math.inf, math.nan
    deal(room)
    best, between = scan_bucket(turns, moves, target, total, room, likeliest, reach, math.nan)
    for b in range(room.bound.shape[0]):
        if b != likeliest and room.bound[b] < best:
            best, between = scan_bucket(turns, moves, target, total, room, b, best, between)
    return (best if best < reach else math.inf), between


@inner
def middle_of(line):
    """(mean, mean distance from it) of places."""
    mean, away = 0.0, EPSILON
    for place in line:
        mean += place
    mean /= line.shape[0]
    for place in line:
        away += abs(place - mean)
    return mean, away / line.shape[0]


@jit
def cuts_of_classes(lines, target, weight, total):
    """float64 (m, 2): (bits, where) of the cut that leaves the fewest bits in each of these lines of all rows.

    lines : float64 (m, n), places. target : int64 (n,). weight : float64 (n,). total : float64 (K,), weight by class.
    The cut is in the middle between the rows that it parts; (inf, nan) where none does.
    """
    cuts, low = np.empty((lines.shape[0], 2)), np.zeros(total.shape[0])
    room = new_room(lines.shape[1], total.shape[0])
    for j in range(lines.shape[0]):
        center, usual = middle_of(lines[j])
        cuts[j, 0], cuts[j, 1] = cut_below(lines[j], center, usual, weight, target, low, total, math.inf, room)
    return cuts


@jit
def line_of_classes(lines, prices, limit, target, weight, total):
    """(bits, j): the fewest bits that a cut leaves with the price of its line, if fewer than `limit`, and in which.

    lines : float64 (m, n), places. prices : float64 (m,), bits. (inf, -1) where no line leaves so few.
    """
    best, which, low = limit, -1, np.zeros(total.shape[0])
    room = new_room(lines.shape[1], total.shape[0])
    for j in range(lines.shape[0]):
        center, usual = middle_of(lines[j])
        bits, _ = cut_below(lines[j], center, usual, weight, target, low, total, best - prices[j], room)
        if bits + prices[j] < best:
            best, which = bits + prices[j], j
    return (best if which >= 0 else math.inf), which


# Hill climbing over the coefficients of a hyperplane: each in turn is set to the best value beside the others.
#
# A row changes sides where the coefficient passes -rest / x, the rest being the place of the row without this feature:
# upwards it becomes a high one where x > 0. Rows without the feature, x = 0, stay where the rest puts them. A
# coefficient that is not 0 has a price in bits, so that it is one only where it saves more. Twin: all turns, one after
# the other.

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
    bits, improved = bits_of_classes(without, total), True
    while improved and rounds > 0:
        improved, rounds = False, rounds - 1
        for f in features:
            set_turns(columns[f], w[f], place, weight, rest, turns, moves, is_low)
            count_classes(is_low, rest, target, weight, low, without)
            none = bits_of_classes(without, total)
            reach = to_beat(w[f], prices[f], bits, none) - prices[f]
            usual = usual_turn(columns[f], rest)
            here, between = cut_below(turns, 0.0, usual, moves, target, low, total, reach, room)
            value, bits, turned = best_value(w[f], between, prices[f], bits, here, none)
            if turned:
                w[f], improved = value, True
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
    bits, improved = bits_of_squares(squares_of_sides(low, total), total), True
    while improved and rounds > 0:
        improved, rounds = False, rounds - 1
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
                w[f], improved = value, True
                set_place(columns[f], rest, value, place)
    return bits
