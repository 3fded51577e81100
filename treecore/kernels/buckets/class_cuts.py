"""The best cut of a large node of classes, from counts per bucket.

Between buckets the counts are enough; inside a bucket a cut is looked for only where it could be better.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.engine.jit import bits_of, inner, kernel, number_of, piece, row
from treecore.kernels.constraints import gain_allowed
from treecore.kernels.general.level_groups import scan_subsets
from treecore.kernels.random_features import CLOSED
from treecore.kernels.ranks import sort_items
from treecore.kernels.records.cut_scans import NOTHING, best_of_groups, put_group
from treecore.kernels.records.record_block import N_TABLES
from treecore.kernels.records.records import MOST_ROWS
from treecore.kernels.records.small_nodes import Few

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


# Groups of levels of a large node's nominal feature: a bucket holds one level, first:stop of those of all features.


@inner
def best_of_two_classes(rows, search, counts, first, stop, n):
    """The decrease times rows, of n rows in all, of the best two groups of levels; NO_CUT where there are none."""
    groups, v = search.groups, 0
    some, others = piece(row(counts, 0), first, stop), piece(row(counts, 1), first, stop)
    for level in range(some.shape[0]):
        second = np.int64(others[level])
        weight = np.int64(some[level]) + second
        if weight > 0:
            put_group(groups, v, weight, second, weight)
            v += 1
    bits = best_of_groups(rows, groups, v, n, np.int64(0), search.xlog)
    return NO_CUT if bits == NOTHING else number_of(bits) * n


@inner
def tally_counts(search, counts, first, stop):
    """search.levels and search.level_stats become those of the levels with rows; returns how many there are."""
    levels, stats, v = search.levels, search.level_stats, 0
    for level in range(first, stop):
        n = np.int64(0)
        for k in range(counts.shape[0]):
            stats[v, k] = float(counts[k, level])
            n += counts[k, level]
        levels[v].id, levels[v].weight, levels[v].n_rows = level - first, float(n), n
        v += n > 0
    return v


@kernel
def scan_counts(rows, nodes, search, i, n_levels, bar):
    """As special_cuts.scan_groups, of node i."""
    n, sums, stats = np.int64(nodes.of[i].n_rows), search.level_sums, nodes.stats[i]
    for k in range(stats.shape[0]):
        sums[2, k] = stats[k]
    if n_levels < 2:
        return -math.inf
    return scan_subsets(
        rows, search.levels, search.level_stats, n_levels, sums, float(n), n, nodes.of[i].impurity,
        rows.rules[0].min_weight_leaf, bar, None,
    )  # fmt: skip


@inner
def best_of_levels(rows, nodes, search, counts, first, stop, i):
    """The decrease times rows of the best two groups of levels at node i; NO_CUT where there are none."""
    if counts.shape[0] == 2:
        return best_of_two_classes(rows, search, counts, first, stop, np.int64(nodes.of[i].n_rows))
    value = scan_counts(rows, nodes, search, i, tally_counts(search, counts, first, stop), math.inf)
    return max(value, 0.0) / rows.judge.scale * nodes.of[i].n_rows if value > -math.inf else NO_CUT


@kernel
def part_by_levels(rows, nodes, search, counts, first, stop, i, f, bar):
    """Cut node i by the first two groups of feature f whose value, times rows, reaches the bar: sets search.cut,
    search.goes_left, search.other and the table of the levels' sides. Returns (is its gain enough?, the gain).
    """
    node, levels, cut, other = nodes.of[i], search.levels, search.cut[0], search.other
    n_levels, n = tally_counts(search, counts, first, stop), float(node.n_rows)
    value = scan_counts(rows, nodes, search, i, n_levels, math.inf)
    # whether to split at all is decided by the best groups, also where some before them count as equal
    if not gain_allowed(rows.rules[0], node.impurity, n, float(nodes.of[0].n_rows), value):
        return False, 0.0
    value = scan_counts(rows, nodes, search, i, n_levels, min(value, bar / n * rows.judge.scale))
    begin, size = nodes.counts[N_TABLES], np.int64(rows.absent[f])
    nodes.counts[N_TABLES] = begin + size
    nodes.tables[begin : begin + size] = -1
    search.goes_left[:] = 0
    other[:] = 0
    for v in range(n_levels):
        level, goes_left = levels[v].id, levels[v].side == 0
        nodes.tables[begin + level], search.goes_left[level] = levels[v].side, goes_left
        for k in range(other.shape[0]):
            other[k] += np.int64(counts[k, first + level]) * goes_left
    cut.feature, cut.whole, cut.partly, cut.low, cut.high = f, -1, -1, begin, 0
    return True, value


# The best cut of a large node of classes: between buckets by their counts, inside of those where it could be better.
#
# The decrease of the impurity is a convex function of the counts on the left. Within a bucket they lie in a box between
# those at its two ends, so no cut there is better than the best corner of the box: only buckets with a corner that
# beats the best cut known so far are sorted and looked at row by row. The result is exact.

_ENTROPY = CRITERIA["entropy"].code
MOST_CORNER_CLASSES = 4
"""Boxes of more classes have too many corners."""
ROUNDING = 1e-12
_8, _16 = np.uint64(8), np.uint64(16)
CUT = np.dtype([
    ("feature", "i8"), ("whole", "i8"), ("partly", "i8"), ("low", "i8"), ("high", "i8"),
])  # fmt: skip
"""A cut: rows in buckets up to `whole` and those of bucket `partly` with keys up to `low` go left, -1 for none.
low and high are the keys at the cut."""


class BucketSearch(NamedTuple):
    """What is known of the cuts of the node at work, and working memory, of d features and K classes.

    upto : int32 (d, K, 256), rows of each class in the buckets before one. total : int64 (d, K), of all with a value.
    value : float64 (d, 256), decrease times rows of the cut behind each bucket, NO_CUT where it is not allowed.
    inside : bool (d, 256), can a cut lie inside a bucket? best : float64 (d,). bound, corner, n_left : float64 (256,).
    left, other : int64 (K,).
    items, spare : uint64, room for the rows of the largest node; counters : uint32 (ranks.COUNTERS,).
    sorted_items : uint64, the items looked at for the best cut inside a bucket; sorted_of : int64 (2,),
    its feature, how many.
    cut : CUT (1,). xlog : as in Block. wanted : bool (256,). sides : float64 (2, K). lefts, rights : int32 (m,), for
    the rows that go there, of m at a time. goes_left : uint8 (256,), does a bucket?
    groups, levels, level_stats, level_sums : as in Block, for nominal features of 255 levels at most.
    singles : for nodes that single_values looks at. few : for those of a few rows. sample : as in Block.
    """

    upto: np.ndarray
    total: np.ndarray
    value: np.ndarray
    inside: np.ndarray
    best: np.ndarray
    bound: np.ndarray
    corner: np.ndarray
    n_left: np.ndarray
    left: np.ndarray
    other: np.ndarray
    items: np.ndarray
    spare: np.ndarray
    sorted_items: np.ndarray
    sorted_of: np.ndarray
    counters: np.ndarray
    cut: np.ndarray
    xlog: np.ndarray
    wanted: np.ndarray
    sides: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    goes_left: np.ndarray
    groups: np.ndarray
    levels: np.ndarray
    level_stats: np.ndarray
    level_sums: np.ndarray
    singles: Singles
    few: Few
    sample: np.ndarray


@inner
def cut_value(by_entropy, left, total, xlog):
    """Decrease of the impurity times rows, by class counts of the left side and of both; 0 where a side is empty."""
    n_left, n = np.int64(0), np.int64(0)
    for k in range(total.shape[0]):
        n_left += left[k]
        n += total[k]
    if n_left == 0 or n_left == n:
        return 0.0
    if by_entropy:
        value = xlog[n] - xlog[n_left] - xlog[n - n_left]
        for k in range(total.shape[0]):
            value += xlog[left[k]] + xlog[total[k] - left[k]] - xlog[total[k]]
        return max(value, 0.0)
    squares, share = 0.0, n_left / n
    for k in range(total.shape[0]):
        gap = left[k] - total[k] * share
        squares += gap * gap
    return squares * (n / (float(n_left) * float(n - n_left)))


@kernel
def mixed_values(by_entropy, search, f, used, chosen, values):
    """values[b] = cut_value of the counts behind bucket b for the chosen classes (bits), in front of it for others."""
    upto, total, n_left = search.upto[f], search.total[f], search.n_left
    n_classes = total.shape[0]
    if by_entropy:
        left, xlog = search.left, search.xlog
        for b in range(used):
            n_left[b] = 0.0
            for k in range(n_classes):
                left[k] = upto[k, b + ((chosen >> k) & 1)]
                n_left[b] += left[k]
            values[b] = cut_value(True, left, total, xlog)
        return
    n = np.int64(0)
    n_left[:used] = 0.0
    values[:used] = 0.0
    for k in range(n_classes):
        n += total[k]
        first = (chosen >> k) & 1
        own, here = upto[k, first : first + used], n_left[:used]
        for b in range(here.shape[0]):
            here[b] += own[b]
    rows = float(n)
    for k in range(n_classes):
        first, share = (chosen >> k) & 1, total[k] / rows
        own, here, scores = upto[k, first : first + used], n_left[:used], values[:used]
        for b in range(scores.shape[0]):
            gap = own[b] - share * here[b]
            scores[b] += gap * gap
    here, scores = n_left[:used], values[:used]
    for b in range(scores.shape[0]):
        # where a side is empty, so is the gap
        scores[b] *= rows / max(here[b] * (rows - here[b]), 1.0)


@kernel
def look_between(by_entropy, search, f, used, mixed, counts, least):
    """Fill upto, total, value, inside and best of one feature from the counts of its buckets, int32 (K, 256)."""
    upto, total, value, inside = search.upto[f], search.total[f], search.value[f], search.inside[f]
    n_left = search.n_left
    n_classes = total.shape[0]
    for k in range(n_classes):
        so_far = np.int32(0)
        for b in range(used):
            upto[k, b] = so_far
            so_far += counts[k, b]
        upto[k, used] = so_far
        total[k] = so_far
    mixed_values(by_entropy, search, f, used, (1 << n_classes) - 1, value)
    n, before, best, some = n_left[used - 1], 0.0, NO_CUT, float(least)
    for b in range(used):
        now = n_left[b]
        inside[b] = mixed[b] and now - before >= 2.0
        allowed = now > before and now >= some and n - now >= some
        value[b] = value[b] if allowed else NO_CUT
        best = max(best, value[b])
        before = now
    search.best[f] = best


@kernel
def look_between_two(search, f, mixed, some, others, least):
    """The same of two classes and Gini's index: running sums first, then values that the processor takes several at a
    time. some, others : int32 (used,), counts of either class."""
    used, left_of_some, left_of_others = some.shape[0], search.upto[f, 0], search.upto[f, 1]
    a, b = np.int32(0), np.int32(0)
    for i in range(used):
        left_of_some[i], left_of_others[i] = a, b
        a, b = np.int32(a + some[i]), np.int32(b + others[i])
    left_of_some[used], left_of_others[used] = a, b
    search.total[f, 0], search.total[f, 1] = a, b
    n, fewest = np.int32(a + b), np.int32(min(least, MOST_ROWS))
    share, twice, best = b / n, 2.0 * n, bits_of(NO_CUT)
    a_left, b_left = piece(left_of_some, 1, used + 1), piece(left_of_others, 1, used + 1)
    values, inside = piece(search.value[f], 0, used), piece(search.inside[f], 0, used)
    for i in range(used):
        n_left = np.int32(a_left[i] + b_left[i])
        n_right = np.int32(n - n_left)
        gap = b_left[i] - share * n_left
        value = gap * gap * (twice / (float(n_left) * float(n_right)))
        allowed = (np.int32(some[i] + others[i]) > 0) & (n_left >= fewest) & (n_right >= fewest)
        values[i] = value if allowed else NO_CUT
        best = max(best, bits_of(values[i]))
    for i in range(used):
        inside[i] = mixed[i] & (np.int32(some[i] + others[i]) >= 2)
    search.best[f] = number_of(best)


@kernel
def bound_inside(by_entropy, search, f, used):
    """bound[b] = what no cut inside of bucket b exceeds; NO_CUT where there is none."""
    inside, bound, corner = search.inside[f, :used], search.bound[:used], search.corner[:used]
    for chosen in range(1, (1 << search.total.shape[1]) - 1):
        mixed_values(by_entropy, search, f, used, chosen, corner)
        for b in range(bound.shape[0]):
            bound[b] = corner[b] if chosen == 1 else max(bound[b], corner[b])
    for b in range(bound.shape[0]):
        bound[b] = bound[b] if inside[b] else NO_CUT
    search.bound[used:] = NO_CUT


@kernel
def sort_inside(search, row_bytes, members, start, stop, d, f, keys, bar):
    """Sort the rows of the buckets whose bound reaches the bar: key, bucket and class, in search.items.

    Returns how many there are.
    """
    items, spare, bound, n = search.items, search.spare, search.bound, 0
    wanted, some = search.wanted, False
    least_bound = bar * (1.0 - ROUNDING)  # bounds and cuts are computed in different ways
    for b in range(search.bound.shape[0]):
        wanted[b] = bound[b] >= least_bound
        some |= wanted[b]
    if not some:
        return 0
    # in two steps: the processor cannot foresee which rows are wanted, and their keys are far apart in memory
    for i in range(start, stop):
        bucket = np.uint64(row_bytes[i, f])
        spare[n] = (np.uint64(i) << _16) | (bucket << _8) | np.uint64(row_bytes[i, d])
        n += np.int64(wanted[bucket])
    for i in range(n):
        item = spare[i]
        items[i] = (np.uint64(keys[members[np.int64(item >> _16)], f]) << np.uint64(32)) | (item & np.uint64(0xFFFF))
    if sort_items(items[:n], spare[:n], search.counters):
        for i in range(n):
            items[i] = spare[i]
    return n


@kernel
def look_inside(by_entropy, search, f, items, n, least, bar):
    """The best value of a cut inside the buckets whose n rows are sorted, and the first cut that reaches the bar.

    Returns (best value, its bucket, key below it, key above it); bucket -1 where none reaches the bar.
    """
    upto, total, left, xlog = search.upto[f], search.total[f], search.left, search.xlog
    n_classes, best, at, last, known, n_left = total.shape[0], NO_CUT, -1, -1, np.int64(0), np.int64(0)
    low, high = np.int64(0), np.int64(0)
    for k in range(n_classes):
        known += total[k]
    # two classes are as far from what is to be expected: one is enough
    by_share, share, twice = n_classes == 2 and not by_entropy, total[1] / known, 2.0 * known
    for i in range(n - 1):
        bucket, label = np.int64((items[i] >> np.uint64(8)) & np.uint64(255)), np.int64(items[i] & np.uint64(255))
        if bucket != last:
            last, n_left = bucket, np.int64(0)
            for k in range(n_classes):
                left[k] = upto[k, bucket]
                n_left += left[k]
        left[label] += 1
        n_left += 1
        key, behind = items[i] >> np.uint64(32), items[i + 1] >> np.uint64(32)
        inside = np.int64((items[i + 1] >> np.uint64(8)) & np.uint64(255)) == bucket and behind != key
        if inside and n_left >= least and known - n_left >= least:
            if by_share:
                gap = left[1] - share * n_left
                value = gap * gap * (twice / (float(n_left) * float(known - n_left)))
            else:
                value = cut_value(by_entropy, left, total, xlog)
            if value >= bar and at < 0:
                at, low, high = bucket, np.int64(key), np.int64(behind)
            best = max(best, value)
    return best, at, low, high


@kernel
def best_of_all(by_entropy, rows, nodes, i, search, buckets, row_bytes, start, stop, counts, least, slack):
    """Fill search.best of node i: exact where a feature's best cut comes within `slack` of the best of all."""
    d, best, first, keys = search.best.shape[0], NO_CUT, 0, rows.keys
    search.sorted_of[0] = -1
    for f in range(d):
        begin, end = buckets.first[f], buckets.first[f + 1]
        if search.sample[CLOSED, f]:
            search.best[f] = -np.inf
        elif rows.nominal[f]:
            search.best[f] = best_of_levels(rows, nodes, search, counts, begin, end, i)
        elif counts.shape[0] == 2 and not by_entropy:
            some, others = piece(row(counts, 0), begin, end), piece(row(counts, 1), begin, end)
            look_between_two(search, f, row(buckets.mixed, f), some, others, least)
        else:
            look_between(by_entropy, search, f, end - begin, buckets.mixed[f], counts[:, begin:end], least)
        if search.best[f] > best:
            best, first = search.best[f], f
    # the likely winner is looked into first: few others can be better than that
    for turn in range(d):
        f = first if turn == 0 else turn - 1 if turn <= first else turn
        if not buckets.any_mixed[f] or search.sample[CLOSED, f]:
            continue
        bound_inside(by_entropy, search, f, buckets.n_used[f])
        bar = max(best - slack, 0.0)
        n = sort_inside(search, row_bytes, buckets.members, start, stop, d, f, keys, bar)
        if n > 1:
            value = look_inside(by_entropy, search, f, search.items, n, least, np.inf)[0]
            search.best[f] = max(search.best[f], value)
            if value > best:
                best = value
                keep_sorted(search, f, n)
    return best


@inner
def keep_sorted(search, f, n):
    """The winner's rows will be asked for again."""
    search.sorted_of[0], search.sorted_of[1] = f, n
    for i in range(n):
        search.sorted_items[i] = search.items[i]


@kernel
def locate(by_entropy, search, buckets, row_bytes, start, stop, f, keys, least, bar):
    """Set search.cut to the first cut of feature f whose value reaches the bar, and search.other to its left counts.

    Returns its value.
    """
    cut, value, upto, n_classes = search.cut[0], search.value[f], search.upto[f], search.total.shape[1]
    d, used, boundary, items, other = keys.shape[1], buckets.n_used[f], 0, search.items, search.other
    while boundary < used and not value[boundary] >= bar:
        boundary += 1
    n, at, low, high = 0, -1, 0, 0
    if search.sorted_of[0] == f:
        items, n = search.sorted_items, search.sorted_of[1]
    elif buckets.any_mixed[f]:
        bound_inside(by_entropy, search, f, used)
        search.bound[min(boundary + 1, used) :] = NO_CUT
        n = sort_inside(search, row_bytes, buckets.members, start, stop, d, f, keys, bar)
    if n > 1:
        _, at, low, high = look_inside(by_entropy, search, f, items, n, least, bar)
    if at > boundary:  # the cut behind that bucket comes before
        at = -1
    cut.feature = f
    if at < 0:
        cut.whole, cut.partly = boundary, -1
        for k in range(n_classes):
            other[k] = upto[k, boundary + 1]
        keys_at_boundary(search, buckets, row_bytes, start, stop, f, keys, boundary)
        return value[boundary]
    cut.whole, cut.partly, cut.low, cut.high = at - 1, at, low, high
    for k in range(n_classes):
        other[k] = upto[k, at]
    for i in range(n):
        bucket = np.int64((items[i] >> np.uint64(8)) & np.uint64(255))
        other[np.int64(items[i] & np.uint64(255))] += bucket == at and np.int64(items[i] >> np.uint64(32)) <= low
    return cut_value(by_entropy, other, search.total[f], search.xlog)


@kernel
def keys_at_boundary(search, buckets, row_bytes, start, stop, f, keys, boundary):
    """Set the keys on either side of a cut behind a bucket: its last one, and the first of the next with rows."""
    upto, cut, above = search.upto[f], search.cut[0], boundary + 1
    n_classes = upto.shape[0]
    rows = 0
    while rows == 0:
        for k in range(n_classes):
            rows += upto[k, above + 1] - upto[k, above]
        above += 1
    above -= 1
    low, high = buckets.begin[f, boundary], buckets.begin[f, above]
    if buckets.mixed[f, boundary] or buckets.mixed[f, above]:
        low, high = np.uint32(0), np.uint32(0xFFFFFFFF)
        for i in range(start, stop):
            bucket = np.int64(row_bytes[i, f])
            if bucket == boundary:
                low = max(low, keys[buckets.members[i], f])
            elif bucket == above:
                high = min(high, keys[buckets.members[i], f])
    cut.low, cut.high = np.int64(low), np.int64(high)
