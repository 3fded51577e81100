"""Ranks, keys, orders and bins of a feature's values.

Keys are whole numbers of 32 bits in the order of a feature's values. Numbers that fit into 32 bits have their own bits,
turned so that they are ordered as the numbers are; any other column has the ranks of its values.
"""

import numpy as np

from treecore.engine.jit import float32_of, inner, jit

ABSENT = np.uint32(0xFFFFFFFF)
"""The key of a missing number."""
INFINITE = np.uint32(0xFF800000)
"""The key of positive infinity."""
NEGATIVE_INFINITE = np.uint32(0x007FFFFF)
_SIGN_BIT, _MAGNITUDE, _INFINITY_BITS = np.uint32(0x80000000), np.uint32(0x7FFFFFFF), np.uint32(0x7F800000)


@inner
def key_of(bits):
    """The key of the bits of a float32; -0.0 and 0.0 have the same one."""
    # arithmetic is in 64 bits unless it is said otherwise
    key = np.uint32(bits ^ np.uint32(_SIGN_BIT | np.uint32(np.int32(bits) >> np.int32(31))))
    key = _SIGN_BIT if bits == _SIGN_BIT else key
    return ABSENT if (bits & _MAGNITUDE) > _INFINITY_BITS else key


@inner
def number_of_key(key):
    """The number that has this key, which is not ABSENT; see numbers_of_keys."""
    return np.float64(float32_of(np.uint32(key ^ _SIGN_BIT if key >= _SIGN_BIT else ~key)))


@jit
def keys_of_bits(bits, keys):
    """keys[i] of bits[i], uint32 (n,); returns how many numbers are missing and how many infinite."""
    absent, infinite = np.uint32(0), np.uint32(0)
    for i in range(bits.shape[0]):
        key = key_of(bits[i])
        absent += np.uint32(key == ABSENT)
        infinite += np.uint32(key == INFINITE) | np.uint32(key == NEGATIVE_INFINITE)
        keys[i] = key
    return absent, infinite


def keys_uncompiled(bits: np.ndarray) -> np.ndarray:
    """What keys_of_bits writes, in NumPy: for the first table of a process."""
    keys = bits ^ ((bits.view(np.int32) >> 31).view(np.uint32) | _SIGN_BIT)
    keys[bits == _SIGN_BIT] = _SIGN_BIT
    keys[(bits & _MAGNITUDE) > _INFINITY_BITS] = ABSENT
    return keys


def numbers_of_keys(keys: np.ndarray) -> np.ndarray:
    """float64 of keys, NaN for a missing one."""
    bits = np.where(keys >= _SIGN_BIT, keys ^ _SIGN_BIT, ~keys).view(np.float32)
    return np.where(keys == ABSENT, np.nan, bits.astype(np.float64))


# Ranks of numbers: a radix sort of the bits of floating-point numbers, which are ordered as the numbers are.
#
# Source: Knuth, The Art of Computer Programming 3, 5.2.5.

FEW_ITEMS = 3_000
"""Up to here digits of 8 bits are faster than those of 11, whose counters must be cleared and added up."""
VERY_FEW = 32
"""Up to so many items are put in order one by one."""
LEAST_BITS, MOST_BITS = 6, 11
COUNTERS = 3 << MOST_BITS
_32, _1, _ONE = np.uint64(32), np.uint64(1), np.uint32(1)
_SIGN, _LARGEST, _ROW = np.uint64(1 << 63), np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0xFFFFFFFF)
STEPS = 4
"""For each number, one by one, where many agree in what a sort by 32 bits sees of them."""


@inner
def clear(counters, size):
    for v in range(size):
        counters[v] = np.uint32(0)


@inner
def count_to_begin(counters, first, size):
    """Counts become the places where each value's items begin; returns whether one value has all items."""
    total, most = np.uint32(0), np.uint32(0)
    for v in range(first, first + size):
        here = counters[v]
        counters[v] = total
        total += here
        most = max(most, here)
    return most == total


@inner
def sort_by_digits(items, spare, counters, bits, n_digits):
    """sort_items by digits of so many bits."""
    size = 1 << bits
    mask = np.uint64(size - 1)
    clear(counters, n_digits * size)
    for i in range(items.shape[0]):
        key = items[i] >> _32
        for digit in range(n_digits):
            counters[((key >> np.uint64(digit * bits)) & mask) + np.uint64(digit * size)] += _ONE
    is_in_spare = False
    for digit in range(n_digits):
        if count_to_begin(counters, digit * size, size):
            continue
        source, target = (spare, items) if is_in_spare else (items, spare)
        shift, first = np.uint64(32 + digit * bits), np.uint64(digit * size)
        for i in range(source.shape[0]):
            item = source[i]
            v = ((item >> shift) & mask) + first
            target[np.uint64(counters[v])] = item
            counters[v] += _ONE
        is_in_spare = not is_in_spare
    return is_in_spare


@inner
def put_in_order(items, steps):
    """Sort items one by one; returns whether that came to an end within so many steps."""
    for i in range(1, items.shape[0]):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
        steps -= i - j
        if steps < 0:
            return False
    return True


@jit
def sort_items(items, spare, counters):
    """Sort items, uint64 (n,), by their upper 32 bits, equal ones as they stand if their lower bits ascend; returns
    whether `spare` has them then.

    counters : uint32 (COUNTERS,), working memory.
    """
    if items.shape[0] <= VERY_FEW:
        put_in_order(items, items.shape[0] * items.shape[0])
        return False
    if items.shape[0] <= FEW_ITEMS:
        return sort_by_digits(items, spare, counters, 8, 4)
    return sort_by_digits(items, spare, counters, 11, 3)


@inner
def spread(key, low, shift, top):
    """A key's place in the range of keys from `low` on, in steps of 2 ** shift; at most top."""
    return np.uint32(min(np.uint32(np.uint32(key - low) >> shift), top))


@inner
def bits_for(n):
    """Bits of a digit with about as many values as there are items: fewer leave more to be put in order one by one,
    more take longer to clear and to add up."""
    bits = LEAST_BITS
    while bits < MOST_BITS and n >> bits > 0:
        bits += 1
    return bits


@inner
def sort_by_place(keys, low_bits, items, spare, places, counters, low, high):
    """sort_in_range by two digits of a key's place, which leave the items nearly in order."""
    bits = bits_for(keys.shape[0])
    size, shift = np.uint64(1 << bits), np.uint32(0)
    mask, second = size - _1, np.uint64(bits)
    top = np.uint32(size * size - _1)
    while np.uint32(high - low) >> shift > top:
        shift += _ONE
    clear(counters, 2 * size)
    for i in range(keys.shape[0]):
        places[i] = spread(keys[i], low, shift, top)
    for i in range(keys.shape[0]):
        place = np.uint64(places[i])
        counters[place & mask] += _ONE
        counters[(place >> second) + size] += _ONE
    count_to_begin(counters, 0, size)
    count_to_begin(counters, size, size)
    for i in range(keys.shape[0]):
        v = np.uint64(places[i]) & mask
        spare[np.uint64(counters[v])] = (np.uint64(keys[i]) << _32) | np.uint64(low_bits[i])
        counters[v] += _ONE
    for i in range(keys.shape[0]):
        item = spare[i]
        v = (np.uint64(spread(np.uint32(item >> _32), low, shift, top)) >> second) + size
        items[np.uint64(counters[v])] = item
        counters[v] += _ONE


@inner
def list_items(keys, low_bits, items):
    """items[i] = key and lower bits."""
    for i in range(keys.shape[0]):
        items[i] = (np.uint64(keys[i]) << _32) | np.uint64(low_bits[i])


@inner
def sort_in_range(keys, low_bits, items, spare, places, counters, low, high):
    """Fill items, uint64 (n,), with keys and what belongs to them, both uint32 (n,), in the order of the keys, equal
    ones as they stand. Returns whether `spare` has them then.

    places : uint32 (n,), working memory. low : the least key. high : the largest, but for those of missing values.
    low_bits must ascend.
    """
    if keys.shape[0] > VERY_FEW:
        sort_by_place(keys, low_bits, items, spare, places, counters, low, high)
        # where many keys are very near to each other, one by one would take too long
        if put_in_order(items, 4 * keys.shape[0]):
            return False
    list_items(keys, low_bits, items)
    return sort_items(items, spare, counters)


@inner
def order_of(bits):
    """A whole number of 64 bits in the order of the floats, of the bits of a float64."""
    return np.uint64(bits ^ (_LARGEST if bits >= _SIGN else _SIGN))


@inner
def put_alike_in_order(items, bits):
    """Sort rows that share their upper 32 bits by all of their number; returns whether that came to an end within
    STEPS for each."""
    steps = STEPS * items.shape[0]
    for i in range(1, items.shape[0]):
        item, j = items[i], i
        if items[i - 1] >> _32 != item >> _32:
            continue
        number = order_of(bits[item & _ROW])
        while j > 0 and items[j - 1] >> _32 == item >> _32 and order_of(bits[items[j - 1] & _ROW]) > number:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
        steps -= i - j
        if steps < 0:
            return False
    return True


@jit
def rank_numbers(values, bits, codes, distinct, items, spare, counters):
    """The rank of each number among all different ones: np.unique(values, return_inverse=True).

    values : float64 (n,), without -0.0 and infinite numbers, NaN for missing. bits : uint64 (n,), theirs. codes :
    int32 (n,), filled with the ranks, of missing ones with how many there are. distinct : float64 (n,), its first ones
    are filled. items, spare : uint64 (n,), counters : uint32 (COUNTERS,), working memory.
    Returns how many different numbers there are; -1 where too many are too near each other for this way.
    """
    low, high, n = _LARGEST, np.uint64(0), 0
    for i in range(values.shape[0]):
        if values[i] == values[i]:
            number = order_of(bits[i])
            low, high = min(low, number), max(high, number)
            n += 1
    shift, at = np.uint64(0), 0
    while n > 0 and (high - low) >> shift > _ROW:
        shift += _1
    for i in range(values.shape[0]):
        if values[i] == values[i]:
            items[at] = (((order_of(bits[i]) - low) >> shift) << _32) | np.uint64(i)
            at += 1
    in_order = spare[:n] if sort_items(items[:n], spare[:n], counters) else items[:n]
    if shift > 0 and not put_alike_in_order(in_order, bits):
        return -1
    n_distinct = 0
    for i in range(n):
        row = in_order[i] & _ROW
        if n_distinct == 0 or values[row] != distinct[n_distinct - 1]:
            distinct[n_distinct] = values[row]
            n_distinct += 1
        codes[row] = n_distinct - 1
    for i in range(values.shape[0] if n < values.shape[0] else 0):
        if values[i] != values[i]:
            codes[i] = n_distinct
    return n_distinct


# Rows in the order of a feature's values.


@jit
def sort_by_code(codes, begin, order):
    """order = rows by ascending code, missing last, equal codes by row number: a counting sort.

    begin : int64 (n_codes + 2,), zeros.
    """
    for row in range(codes.shape[0]):
        begin[codes[row] + 1] += 1
    for v in range(begin.shape[0] - 1):
        begin[v + 1] += begin[v]
    for row in range(codes.shape[0]):
        order[begin[codes[row]]] = row
        begin[codes[row]] += 1


# In which bin a number is: a table says between which of the edges to search.


@jit
def part_of(value, low, scale, last):
    """In which of the parts from 0 to `last` a number is; it never falls as the number rises. 0 for NaN."""
    at = (value - low) * scale
    if not at > 0.0:
        return 0
    return last if at >= last else int(at)


@jit
def n_below(values, edges, first, low, scale, bins):
    """How many edges are below each number: np.searchsorted(edges, values, side="left"); len(edges) + 1 for NaN.

    values : float64 (n,). edges : float64, ascending. first : int32 (parts + 1,), how many edges are in parts before
    each one, see part_of. bins : integers (n,), filled here.
    The search has as many steps for all numbers of a part, and none that the processor has to guess.
    Source: Chen and Asau (1974), On generating random variates from an empirical distribution: the guide table.
    """
    last = len(first) - 2
    for i in range(len(values)):
        value = values[i]
        part = part_of(value, low, scale, last)
        at = first[part]
        n = first[part + 1] - at
        while n > 0:
            half = (n + 1) >> 1
            at += half * (edges[at + half - 1] < value)
            n -= half
        bins[i] = at if value == value else len(edges) + 1
