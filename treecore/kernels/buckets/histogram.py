"""Buckets: up to 255 neighbouring ranges of each feature's keys with about equally many rows, one byte a value.

Row after row, so that counting a node's rows reads one array from front to back.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.ranks import COUNTERS, sort_items
from treecore.kernels.records.records import bit_length, bits_for, is_too_coarse

N_BUCKETS, MOST_USED = 256, 255
SAMPLE = 4096
"""Rows whose keys say where the ranges begin."""
AT_ONCE, CELLS, SLOTS = 2048, 2**14, 1024
_SPREAD = np.uint32(2654435761)


class Buckets(NamedTuple):
    """The rows of a table in buckets. It may be put in another order of rows, which a fit does.

    words : uint64 (n, w), of which the first d bytes are the row's buckets and the next one its class.
    members : int32 (n,), which row each of them is. begin : uint32 (d, 257), the least key of each bucket.
    n_used : int64 (d,), buckets in use; first : int64 (d + 1,), where those of each feature begin among all. mixed :
    bool (d, 256), has a bucket more than one key? any_mixed : bool (d,), has any?
    """

    words: np.ndarray
    members: np.ndarray
    begin: np.ndarray
    n_used: np.ndarray
    first: np.ndarray
    mixed: np.ndarray
    any_mixed: np.ndarray


@inner
def slot_of(key, seen, none):
    """Where a key stands among those seen, else the place for it, which has `none`."""
    slot = np.uint64(np.uint32(key * _SPREAD) >> np.uint32(22))
    while seen[slot] != key and seen[slot] != none:
        slot = (slot + np.uint64(1)) & np.uint64(SLOTS - 1)
    return slot


@inner
def list_few(keys, n_sample, behind, seen, slots, items):
    """The different keys of a sample of the rows, in items; how many, 0 if not every one could have a bucket.

    slots : uint16, for where the key of each row is in `seen`, if there is room for all rows.
    """
    seen[:] = behind
    step, n = (np.uint64(keys.shape[0]) << np.uint64(32)) // np.uint64(n_sample), 0
    for i in range(n_sample):
        key = keys[np.int64((np.uint64(i) * step) >> np.uint64(32))]
        slot = slot_of(key, seen, behind)
        if i < slots.shape[0]:
            slots[i] = slot
        if seen[slot] == behind:
            if n == MOST_USED - 1:
                return 0
            seen[slot], items[n] = key, np.uint64(key) << np.uint64(32)
            n += 1
    return n


@inner
def choose_ranges(keys, behind, seen, slots, items, spare, counters, begin):
    """Write where the buckets of one feature begin, by a sample of its rows. behind : a key above all.

    Returns (how many there are, may one of them have a single key?, has each key of the sample, in `seen`, its own?).
    """
    n, n_sample = keys.shape[0], min(keys.shape[0], SAMPLE)
    n_few = list_few(keys, n_sample, behind, seen, slots, items)
    if n_few > 0:
        n_sample = n_few
    else:
        for i in range(n_sample):
            items[i] = np.uint64(keys[i * n // n_sample]) << np.uint64(32)
    if sort_items(items[:n_sample], spare[:n_sample], counters):
        items = spare
    distinct = 0
    for i in range(n_sample):
        distinct += i == 0 or items[i] != items[i - 1]
    begin[0], used, last, single = np.uint32(0), 1, -1, distinct < MOST_USED
    for i in range(n_sample):
        if i > 0 and items[i] == items[i - 1]:
            single |= i > 1 and items[i] == items[i - 2]
            continue
        # at most 254 ranges above the first one: each begins where another share of the sample is full
        step = i if distinct < MOST_USED else i * (MOST_USED - 1) // n_sample
        if step > last:
            begin[used] = np.uint32(items[i] >> np.uint64(32))
            used, last = used + 1, step
    begin[used:] = behind
    return used, single, n_few > 0


@inner
def fill_cells(begin, used, shift, cells):
    """cells[c] = bucket of the least key of a cell; cells part the keys from begin[1] to begin[used - 1] equally."""
    least, top, bucket = np.uint64(begin[1]), np.uint64(begin[used - 1]), 1
    for c in range(np.int64((top - least) >> shift) + 1):
        key = least + (np.uint64(c) << shift)
        while bucket + 1 < used and np.uint64(begin[bucket + 1]) <= key:
            bucket += 1
        cells[c] = bucket


@inner
def cell_shift(begin, used):
    """By how many bits keys are shortened to number the cells."""
    shift = np.uint64(0)
    while (np.uint64(begin[used - 1] - begin[1]) >> shift) >= np.uint64(CELLS):
        shift += np.uint64(1)
    return shift


@inner
def bucket_of(key, begin, least, top, shift, cells):
    """The bucket of a key. Nothing but numbers depends on the key where cells are small."""
    within = min(max(key, least), top)
    bucket = np.uint64(cells[np.uint64(within - least) >> shift])
    bucket += np.uint64(within >= begin[bucket + np.uint64(1)])
    while within >= begin[bucket + np.uint64(1)]:
        bucket += np.uint64(1)
    return bucket - np.uint64(key < least)


@inner
def put_rows(keys, single, begin, used, shift, cells, mixed, codes):
    """codes[i] = bucket of keys[i]. single : look whether buckets have more than one key; else they count as mixed."""
    least, top = begin[1], begin[used - 1]
    for i in range(keys.shape[0]):
        codes[i] = bucket_of(keys[i], begin, least, top, shift, cells)
    if single:
        for i in range(keys.shape[0]):
            mixed[codes[i]] |= keys[i] != begin[codes[i]]


@inner
def put_few(keys, behind, seen, bucket_at, begin, used, mixed, codes):
    """The same where `seen` has the keys that most rows have, and bucket_at the bucket of each of them."""
    for i in range(keys.shape[0]):
        key = keys[i]
        slot = slot_of(key, seen, behind)
        if seen[slot] == key:
            codes[i] = bucket_at[slot]
            continue
        bucket = used - 1
        while begin[bucket] > key:
            bucket -= 1
        codes[i], mixed[bucket] = bucket, True


@inner
def put_sampled(slots, bucket_at, codes):
    """The same of rows whose slots are known."""
    for i in range(slots.shape[0]):
        codes[i] = bucket_at[slots[i]]


@inner
def put_levels(keys, codes):
    """codes[i] = keys[i]."""
    for i in range(keys.shape[0]):
        codes[i] = keys[i]


@inner
def sum_up(buckets):
    """Fill buckets.first and any_mixed."""
    buckets.first[0] = 0
    for f in range(buckets.n_used.shape[0]):
        buckets.first[f + 1] = buckets.first[f] + buckets.n_used[f]
        buckets.any_mixed[f] = buckets.mixed[f].any()


@inner
def put_codes(begin):
    """Every level begins a bucket."""
    for code in range(begin.shape[0]):
        begin[code] = code


@jit
def fill_buckets(keys, behind, nominal, label, buckets):
    """Put all rows in buckets. None may lack a value.

    keys : uint32 (n, d). behind : uint32 (d,), a key above all of each feature's. nominal : bool (d,), those features
    have MOST_USED levels at most, and a bucket for each. label : int32 (n,) or (0,).
    """
    n, d = keys.shape
    items, spare, counters = np.empty(SAMPLE, np.uint64), np.empty(SAMPLE, np.uint64), np.empty(COUNTERS, np.uint32)
    cells, shift, single = np.empty((d, CELLS), np.uint8), np.empty(d, np.uint64), np.empty(d, np.bool_)
    seen, bucket_at, few = np.empty((d, SLOTS), np.uint32), np.empty((d, SLOTS), np.uint8), np.empty(d, np.bool_)
    slots = np.empty((d, n if n <= SAMPLE else 0), np.uint16)
    codes, row_bytes = np.empty(AT_ONCE, np.uint8), buckets.words.view(np.uint8)
    for f in range(d):
        begin = buckets.begin[f]
        if nominal[f]:
            put_codes(begin)
            used, single[f], few[f] = np.int64(behind[f]), True, False
        else:
            used, single[f], few[f] = choose_ranges(
                keys[:, f], behind[f], seen[f], slots[f], items, spare, counters, begin
            )  # fmt: skip
        used = max(used, 2)
        buckets.n_used[f], buckets.mixed[f, :] = used, not single[f]
        if few[f]:
            for bucket in range(1, used):
                bucket_at[f, slot_of(begin[bucket], seen[f], behind[f])] = bucket
        elif not nominal[f]:
            shift[f] = cell_shift(begin, used)
            fill_cells(begin, used, shift[f], cells[f])
    for first in range(0, n, AT_ONCE):
        stop = min(first + AT_ONCE, n)
        for f in range(d):
            here, begin = codes[: stop - first], buckets.begin[f]
            own, used, mixed = keys[first:stop, f], buckets.n_used[f], buckets.mixed[f]
            if nominal[f]:
                put_levels(own, here)
            elif few[f] and n <= SAMPLE:
                put_sampled(slots[f, first:stop], bucket_at[f], here)
            elif few[f]:
                put_few(own, behind[f], seen[f], bucket_at[f], begin, used, mixed, here)
            else:
                put_rows(own, single[f], begin, used, shift[f], cells[f], mixed, here)
            there = row_bytes[first:stop, f]
            for i in range(here.shape[0]):
                there[i] = here[i]
        for row in range(first, stop):
            buckets.members[row] = row
        for row in range(first, min(stop, label.shape[0])):
            row_bytes[row, d] = label[row]
    sum_up(buckets)


# Counting the rows of large nodes by bucket and class, and parting them.


@kernel
def count_rows(row_bytes, first, start, stop, counts):
    """counts[class, first[feature] + bucket] = rows start:stop there; int32 (K, buckets of all features)."""
    d = first.shape[0] - 1
    counts[:] = 0
    for row in range(start, stop):
        own = row_bytes[row]
        here = counts[np.uint64(own[d])]
        for f in range(d):
            here[np.uint64(first[f]) + np.uint64(own[f])] += 1


@kernel
def take_off(counts, other):
    """Subtract the counts of one child from those of the node: what is left are the other child's."""
    for k in range(counts.shape[0]):
        here, there = counts[k], other[k]
        for i in range(here.shape[0]):
            here[i] -= there[i]


@inner
def copy_row(words, members, source, other_words, other_members, target):
    """Copy a row from one place to another."""
    for w in range(words.shape[1]):
        other_words[target, w] = words[source, w]
    other_members[target] = members[source]


@kernel
def part_rows(buckets, row_bytes, spare, search, start, stop, keys):
    """Put the rows of a node that go left before the others; both keep their order.

    spare : Buckets with room for the rows that go right. search : cuts.Search, which says what goes left. keys :
    as in Rows. Returns how many go left.
    """
    words, members, cut, goes_left = buckets.words, buckets.members, search.cut[0], search.goes_left
    f, partly, low = np.int64(cut.feature), cut.partly, np.uint32(cut.low)
    lefts, rights, n_left, n_right = search.lefts, search.rights, 0, 0
    for first in range(start, stop, lefts.shape[0]):
        left, right = 0, 0
        # listed before: one number depends on the side, as the processor could not foresee the way through the code
        for row in range(first, min(first + lefts.shape[0], stop)):
            bucket = np.int64(row_bytes[row, f])
            goes = np.int64(goes_left[bucket])
            if bucket == partly:
                goes = np.int64(keys[members[row], f] <= low)
            lefts[left], rights[right] = row, row
            left += goes
            right += 1 - goes
        for i in range(right):
            copy_row(words, members, np.int64(rights[i]), spare.words, spare.members, n_right + i)
        for i in range(left):
            copy_row(words, members, np.int64(lefts[i]), words, members, start + n_left + i)
        n_left += left
        n_right += right
    for i in range(n_right):
        copy_row(spare.words, spare.members, i, words, members, start + n_left + i)
    return n_left


# The targets of large nodes in whole numbers, and their sums by bucket.
#
# A cell of a bucket is (sum of the target, squares of it in coarser units and the count of rows in one number). Both
# may be added up and taken off again: one child's cells are what the other's leave of their parent's.

SHORTER = 29
"""By how many bits targets are shortened before they are squared: of n rows in k bits, all are below 2 ** (60 - k), so
that their squares have room above a count of k bits."""
HALF = 1 << (SHORTER - 1)


class WholeNumbers(NamedTuple):
    """What is known of the targets of the node at work, of d features, and working memory.

    scale : SCALE (slots,), of each waiting node's rows. n_left : int32, sums : int64, gap : float64 (d, 257), rows in
    the buckets before one, the sum of their targets, and by how much it exceeds what is to be expected. targets :
    float64 (n,), those of a node's sorted rows. center : float64 (2,), what the sums of either side of the cut that was
    found are taken around.
    """

    scale: np.ndarray
    n_left: np.ndarray
    sums: np.ndarray
    gap: np.ndarray
    targets: np.ndarray
    center: np.ndarray


@inner
def count_bits(scale):
    """Bits for a count of all rows that the unit was chosen for."""
    return np.uint64(bit_length(scale.n_rows))


@inner
def whole(y, scale):
    """A target in whole numbers."""
    return np.int64(np.rint((y - scale.mean) / scale.unit))


@kernel
def choose_scale(response, members, start, stop, variance, scale):
    """The scale for the rows members[start:stop], as fine as sums of all of them allow. variance : of their targets."""
    mean, size, n, some = 0.0, 0.0, stop - start, response[members[start]]
    for i in range(start, stop):
        mean += response[members[i]] - some
    mean = some + mean / n
    for i in range(start, stop):
        size = max(size, abs(response[members[i]] - mean))
    scale.unit, scale.mean, scale.variance, scale.n_rows = 2.0 ** -bits_for(size, n), mean, variance, n


@kernel
def add_cells(row_bytes, response, members, first, start, stop, scale, cells):
    """cells[first[feature] + bucket] = of the rows start:stop there; int64 (buckets of all features, 2)."""
    d, bits = first.shape[0] - 1, count_bits(scale)
    cells[:] = 0
    for row in range(start, stop):
        own, target = row_bytes[row], whole(response[members[row]], scale)
        short = (target + HALF) >> SHORTER
        squared = np.int64(np.uint64(short * short) << bits) + 1
        for f in range(d):
            cell = np.uint64(first[f]) + np.uint64(own[f])
            cells[cell, 0] += target
            cells[cell, 1] += squared


@inner
def rows_in(cell, bits):
    """Rows of a cell, by its second number."""
    return np.int64(np.uint64(cell) & ((np.uint64(1) << bits) - np.uint64(1)))


@inner
def spread_in(cell_sum, cell, n, bits):
    """No less than the squares of the n targets of a cell around their mean: what was lost when they were shortened
    may all lie in the same direction."""
    size = math.sqrt(float(np.uint64(cell) >> bits)) * float(1 << SHORTER) + math.sqrt(float(n)) * float(HALF)
    return max(size * size * (1.0 + 1e-12) - float(cell_sum) * float(cell_sum) / n, 0.0)


@kernel
def renew_cells(rows, nodes, buckets, row_bytes, numbers, waiting, cells):
    """Count the rows of the root; those of another node anew in finer units, if theirs are too coarse for it."""
    start, stop, scale = waiting.start, waiting.stop, numbers.scale[waiting.side]
    variance = nodes.of[waiting.node].impurity
    if waiting.node == 0 or is_too_coarse(rows.rules[0], scale, variance, stop - start):
        choose_scale(rows.response, buckets.members, start, stop, variance, scale)
        add_cells(row_bytes, rows.response, buckets.members, buckets.first, start, stop, scale, cells)
