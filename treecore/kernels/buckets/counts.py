"""Counting the rows of large nodes by bucket and class, and parting them."""

import numpy as np

from treecore.engine.jit import inner, kernel


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
