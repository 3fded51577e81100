"""The best cut among rows that change sides one after the other, most of which need not be put in order for it.

Rows are dealt into buckets by where they change sides. n H of both sides is concave in the counts of the low side, and
within a bucket these lie between what they are if only those rows changed sides that leave it, or that come to it: no
cut there leaves fewer bits than the best corner of this box. Only buckets with a better corner than what is to be
beaten are put in order. Twin: the formulas of growing.oblique.cases in NumPy, over all cuts.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel, lending
from treecore.kernels.cut_bits import EPSILON, bits_of_classes, is_apart, n_log_n

ROWS = 8
"""As many rows as buckets have on average."""
MOST_SIDES = 4
"""Classes that vary in a bucket for which its corners are looked at."""


class Room(NamedTuple):
    """Working memory for the cuts of n rows, of K classes, in m buckets; bucket m holds those that never change sides.

    bucket, order : int64 (n,), the bucket of each row, and the rows by bucket. first : int64 (m + 2,), where in the
    order each begins. moved : float64 (2, m + 1, K), weight that enters and that leaves the low side in each. low :
    float64 (m + 1, K), the low side before each. bound : float64 (m,), bits that no cut in it is below. sides : float64
    (4, MOST_SIDES), of classes that vary: least and most of them, and what they tell then. now : float64 (K,).
    """

    bucket: np.ndarray
    order: np.ndarray
    first: np.ndarray
    moved: np.ndarray
    low: np.ndarray
    bound: np.ndarray
    sides: np.ndarray
    now: np.ndarray


@lending
def new_room(n, n_classes):
    m = n // ROWS + 1
    return Room(
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
    """Fill in `moved` and `low`. low : float64 (K,), the low side before all rows."""
    room.moved[:] = 0.0
    for i in range(turns.shape[0]):
        room.moved[int(moves[i] < 0.0), room.bucket[i], target[i]] += abs(moves[i])
    for k in range(low.shape[0]):
        room.low[0, k] = low[k]
        for b in range(room.bound.shape[0]):
            room.low[b + 1, k] = room.low[b, k] + room.moved[0, b, k] - room.moved[1, b, k]


@inner
def best_corner(room, n, told, whole, n_sides):
    """The fewest bits at the corners where so many classes have their least or most. n, told : of the other classes."""
    best, sides = math.inf, room.sides
    for corner in range(1 << n_sides):
        low, known = n, told
        for j in range(n_sides):
            end = (corner >> j) & 1
            low += sides[end, j]
            known += sides[2 + end, j]
        best = min(best, n_log_n(low) + n_log_n(whole - low) - known)
    return best


@inner
def bound_of(room, total, b):
    """Bits that no cut behind a row of this bucket is below; infinite where it has no rows."""
    n, told, whole, n_sides = 0.0, 0.0, 0.0, 0
    for k in range(total.shape[0]):
        least, most = room.low[b, k] - room.moved[1, b, k], room.low[b, k] + room.moved[0, b, k]
        whole += total[k]
        known = n_log_n(least) + n_log_n(total[k] - least)
        if most == least:
            n, told = n + least, told + known
        elif n_sides == MOST_SIDES:
            return -math.inf
        else:
            room.sides[0, n_sides], room.sides[1, n_sides] = least, most
            room.sides[2, n_sides], room.sides[3, n_sides] = known, n_log_n(most) + n_log_n(total[k] - most)
            n_sides += 1
    return best_corner(room, n, told, whole, n_sides) if n_sides else math.inf


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
    found, low = np.empty((lines.shape[0], 2)), np.zeros(total.shape[0])
    room = new_room(lines.shape[1], total.shape[0])
    for j in range(lines.shape[0]):
        center, usual = middle_of(lines[j])
        found[j, 0], found[j, 1] = cut_below(lines[j], center, usual, weight, target, low, total, math.inf, room)
    return found


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
