"""The best cut of a node whose buckets hold one value each, for two classes and Gini's index: the buckets of all
features in one pass, where a pass for each feature would be over before it is under way.
"""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import bits_of, inner, kernel, number_of
from treecore.kernels.records.records import MOST_ROWS

NO_CUT = -1.0


class Singles(NamedTuple):
    """Working memory for the buckets of all features, T together, one behind the other; (0,) where it is not used.

    feature : uint32 (T,), whose bucket it is. n : int64 (2,), rows of either class in the node. some, others : uint32
    (T,), rows of either class in the buckets up to one, with n of each feature before; they may run over, but what is
    left without those does not. value : float64 (T,), of the cut behind the bucket: see cuts.Search.
    """

    feature: np.ndarray
    some: np.ndarray
    others: np.ndarray
    value: np.ndarray
    n: np.ndarray


@kernel
def value_cuts(singles, counts, n_some, n_others, least):
    """Fill singles.some, others and value from the counts of the buckets, int32 (2, T); returns the best value.

    n_some, n_others : int64, rows of either class in the node.
    """
    feature, some, others, values = singles.feature, singles.some, singles.others, singles.value
    singles.n[0], singles.n[1] = n_some, n_others
    own_some, own_others = counts[0], counts[1]
    a, b = np.uint32(0), np.uint32(0)
    for i in range(values.shape[0]):
        a, b = np.uint32(a + np.uint32(own_some[i])), np.uint32(b + np.uint32(own_others[i]))
        some[i], others[i] = a, b
    n, fewest = np.int32(n_some + n_others), np.int32(min(least, MOST_ROWS))
    share, twice, best = n_others / (n_some + n_others), 2.0 * (n_some + n_others), bits_of(NO_CUT)
    of_some, of_others = np.uint32(n_some), np.uint32(n_others)
    for i in range(values.shape[0]):
        b_left = np.int32(others[i] - np.uint32(feature[i] * of_others))
        n_left = np.int32(np.int32(some[i] - np.uint32(feature[i] * of_some)) + b_left)
        n_right = np.int32(n - n_left)
        gap = b_left - share * n_left
        value = gap * gap * (twice / (float(n_left) * float(n_right)))
        allowed = (np.int32(own_some[i] + own_others[i]) > 0) & (n_left >= fewest) & (n_right >= fewest)
        values[i] = value if allowed else NO_CUT
        best = max(best, bits_of(values[i]))
    return number_of(best)


@inner
def first_reaching(values, begin, end, bar):
    """The first place from begin to end whose value reaches the bar; end for none."""
    while begin < end and not values[begin] >= bar:
        begin += 1
    return begin


@inner
def best_between(values, begin, end):
    """The highest value from begin to end."""
    best = NO_CUT
    for i in range(begin, end):
        best = max(best, values[i])
    return best


@kernel
def locate_single(search, buckets, counts, f, bar):
    """What cuts.locate does."""
    singles, begin = search.singles, buckets.first[f]
    at = first_reaching(singles.value, begin, buckets.first[f + 1], bar)
    search.other[0] = np.int64(np.uint32(np.int64(singles.some[at]) - f * singles.n[0]))
    search.other[1] = np.int64(np.uint32(np.int64(singles.others[at]) - f * singles.n[1]))
    above = at + 1
    while counts[0, above] + counts[1, above] == 0:
        above += 1
    set_boundary(search.cut[0], buckets, f, at - begin, above - begin)
    return singles.value[at]


@inner
def set_boundary(cut, buckets, f, bucket, above):
    """A cut behind a bucket of one value; above : the next one with rows."""
    cut.feature, cut.whole, cut.partly = f, bucket, -1
    cut.low, cut.high = np.int64(buckets.begin[f, bucket]), np.int64(buckets.begin[f, above])
