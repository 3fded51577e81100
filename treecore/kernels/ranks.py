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
    """Sort items uint64 (n,) by their upper 32 bits, equal ones as they stand; returns whether they are in `spare` then.

    counters : uint64 (COUNTERS,), working memory.
    """
    if items.shape[0] <= FEW_ITEMS:
        return sort_by_bytes(items, spare, counters)
    return sort_by_elevens(items, spare, counters)
