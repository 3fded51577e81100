"""Ranks of numbers: a radix sort of the bits of floating-point numbers, which are ordered as the numbers are.

Source: Knuth, The Art of Computer Programming 3, 5.2.5.
"""

import numpy as np

from treecore.jit import inner, jit

FEW_ITEMS = 3_000
"""Up to here digits of 8 bits are faster than those of 11, whose counters must be cleared and added up."""
COUNTERS = 3 * 2048
_32, _1 = np.uint64(32), np.uint64(1)


@inner
def clear(counters, size):
    for v in range(size):
        counters[v] = np.uint64(0)


@inner
def count_to_begin(counters, first, size):
    """Counts become the places where each value's items begin; returns whether one value has all n items."""
    total, most = np.uint64(0), np.uint64(0)
    for v in range(first, first + size):
        here = counters[v]
        counters[v] = total
        total += here
        most = max(most, here)
    return most == total


@inner
def move_by_digit(source, target, counters, first, shift, mask):
    """Copy items to where their digit belongs, those with the same digit as they stand."""
    for i in range(source.shape[0]):
        item = source[i]
        v = ((item >> shift) & mask) + first
        at = counters[v]
        target[at] = item
        counters[v] = at + _1


@inner
def sort_by_bytes(items, spare, counters):
    """sort_items by four digits of 8 bits."""
    clear(counters, 1024)
    for i in range(items.shape[0]):
        key = items[i] >> _32
        counters[key & np.uint64(255)] += _1
        counters[((key >> np.uint64(8)) & np.uint64(255)) + np.uint64(256)] += _1
        counters[((key >> np.uint64(16)) & np.uint64(255)) + np.uint64(512)] += _1
        counters[(key >> np.uint64(24)) + np.uint64(768)] += _1
    moved = False
    for digit in range(4):
        if not count_to_begin(counters, digit * 256, 256):
            source, target = (spare, items) if moved else (items, spare)
            shift = np.uint64(32 + digit * 8)
            move_by_digit(source, target, counters, np.uint64(digit * 256), shift, np.uint64(255))
            moved = not moved
    return moved


@inner
def sort_by_elevens(items, spare, counters):
    """sort_items by two digits of 11 bits and one of 10."""
    clear(counters, COUNTERS)
    for i in range(items.shape[0]):
        key = items[i] >> _32
        counters[key & np.uint64(2047)] += _1
        counters[((key >> np.uint64(11)) & np.uint64(2047)) + np.uint64(2048)] += _1
        counters[(key >> np.uint64(22)) + np.uint64(4096)] += _1
    moved = False
    for digit in range(3):
        if not count_to_begin(counters, digit * 2048, 2048):
            source, target = (spare, items) if moved else (items, spare)
            shift = np.uint64(32 + digit * 11)
            move_by_digit(source, target, counters, np.uint64(digit * 2048), shift, np.uint64(2047))
            moved = not moved
    return moved


@jit
def sort_items(items, spare, counters):
    """Sort items, uint64 (n,), by their upper 32 bits, equal ones as they stand; returns whether `spare` has them then.

    counters : uint64 (COUNTERS,), working memory.
    """
    if items.shape[0] <= FEW_ITEMS:
        return sort_by_bytes(items, spare, counters)
    return sort_by_elevens(items, spare, counters)


@inner
def digits_of(item, low, shift):
    """A key's place in the range of keys, in 16 bits."""
    return min(((item >> _32) - low) >> shift, np.uint64(0xFFFF))


@inner
def sort_in_range(items, spare, counters, low, high):
    """Sort items, uint64 (n,), whose upper 32 bits are from `low` on, `high` the largest that counts; whole items are
    compared.

    By two digits of their place in that range, and what these leave, step by step. Returns whether that came to an
    end: where many keys are very near to each other, it would take too long.
    """
    n, shift = items.shape[0], np.uint64(0)
    while (high - low) >> shift > np.uint64(0xFFFF):
        shift += _1
    clear(counters, 512)
    for i in range(n):
        digits = digits_of(items[i], low, shift)
        counters[digits & np.uint64(255)] += _1
        counters[(digits >> np.uint64(8)) + np.uint64(256)] += _1
    moved = False
    if not count_to_begin(counters, 0, 256):
        for i in range(n):
            v = digits_of(items[i], low, shift) & np.uint64(255)
            spare[counters[v]] = items[i]
            counters[v] += _1
        moved = True
    source, target = (spare, items) if moved else (items, spare)
    if not count_to_begin(counters, 256, 256):
        for i in range(n):
            v = (digits_of(source[i], low, shift) >> np.uint64(8)) + np.uint64(256)
            target[counters[v]] = source[i]
            counters[v] += _1
        moved = not moved
    if moved:
        items[:] = spare
    steps = 8 * n
    for i in range(1, n):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
        steps -= i - j
        if steps < 0:
            return False
    return True
