"""The best cut of a large node of a numeric target: between buckets by their sums, inside of those where it could be
better.

A cut is worth D^2 n / (left right), D being the sum on the left less what is to be expected there: a convex function
of the rows on the left and their sum. Of m rows with squares S around their mean, k have a sum within
sqrt(k (m - k) S / m) of k times that mean (Cauchy and Schwarz), so within half of sqrt(m S): no cut inside a bucket is
better than the best corner of a parallelogram around the line from one of its ends to the other. At the ends of the
feature, where such a corner is worth any amount, the same inequality leaves the squares around the node's mean.
"""

import numpy as np

from treecore.criteria.impurity import squared_error_decrease
from treecore.engine.jit import bits_of, inner, kernel, number_of, piece
from treecore.kernels.buckets.class_cuts import NO_CUT, ROUNDING
from treecore.kernels.buckets.histogram import count_bits, rows_in, spread_in, whole
from treecore.kernels.constraints import gain_allowed
from treecore.kernels.random_features import CLOSED, open_next, open_sample
from treecore.kernels.ranks import sort_items
from treecore.kernels.records.nodes import least_rows
from treecore.kernels.records.records import MOST_ROWS
from treecore.kernels.sums import center_of

_32, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)


@inner
def node_mean(nodes, i, scale):
    """A whole number near the mean of the node's targets."""
    return np.int64((nodes.center[i] + nodes.stats[i, 1] / nodes.of[i].n_rows - scale.mean) / scale.unit)


@inner
def excess_share(cells, used, mean, n):
    """By how much the mean of the node's targets, in whole numbers, exceeds `mean`. cells : of any feature."""
    total = np.int64(0)
    for b in range(used):
        total += cells[b, 0]
    return float(total - mean * n) / n


@kernel
def look_between_sums(search, numbers, f, cells, mixed, bits, mean, share, n, factor, least):
    """Fill numbers.n_left, sums and gap, search.value, inside and best of one feature from the cells of its buckets,
    int64 (used, 2). bits : see count_bits. factor : rows of the node, n, times the square of the unit."""
    used, n_left, sums, gap = cells.shape[0], numbers.n_left[f], numbers.sums[f], numbers.gap[f]
    values, inside = search.value[f], search.inside[f]
    some, total, fewest, best = np.int64(0), np.int64(0), min(least, MOST_ROWS), bits_of(NO_CUT)
    for b in range(used):
        n_left[b], sums[b] = some, total
        some += rows_in(cells[b, 1], bits)
        total += cells[b, 0]
    n_left[used], sums[used] = some, total
    for b in range(used + 1):
        gap[b] = float(sums[b] - mean * n_left[b]) - share * n_left[b]
    for b in range(used):
        on_left, on_right = np.int64(n_left[b + 1]), n - np.int64(n_left[b + 1])
        value = gap[b + 1] * gap[b + 1] * (factor / (float(on_left) * float(on_right)))
        allowed = (n_left[b + 1] > n_left[b]) & (on_left >= fewest) & (on_right >= fewest)
        values[b] = value if allowed else NO_CUT
        best = max(best, bits_of(values[b]))
    for b in range(used):
        inside[b] = mixed[b] & (n_left[b + 1] - n_left[b] >= 2)
    search.best[f] = number_of(best)


@kernel
def bound_sums_inside(search, numbers, f, cells, bits, n, factor):
    """bound[b] = what no cut inside of bucket b exceeds; NO_CUT where there is none."""
    used, n_left, gap, inside, bound = cells.shape[0], numbers.n_left[f], numbers.gap[f], search.inside[f], search.bound
    for b in range(used):
        before, behind = float(n_left[b]), float(n_left[b + 1])
        m = max(behind - before, 1.0)
        spread = spread_in(cells[b, 0], cells[b, 1], m, bits)
        reach = 0.5 * np.sqrt(m * spread)
        at_start, at_end = abs(gap[b]) + reach, abs(gap[b + 1]) + reach
        corner = max(
            at_start * at_start / max(before * (n - before), 1.0), at_end * at_end / max(behind * (n - behind), 1.0)
        )
        step = gap[b + 1] - gap[b]  # all of the gap at one end of the first bucket and of the last
        at_edge = (spread + step * step / m) / max(n - m, 1.0)
        most = at_edge if before == 0.0 or behind == n else corner
        bound[b] = factor * most if inside[b] else NO_CUT
    bound[used:] = NO_CUT


@kernel
def sort_rows_inside(search, buckets, row_bytes, start, stop, f, keys, bar):
    """Sort the rows of the buckets whose bound reaches the bar: key and place among the rows, in search.items.

    Returns how many there are.
    """
    items, spare, bound, members, n = search.items, search.spare, search.bound, buckets.members, 0
    wanted, some, least_bound = search.wanted, False, bar * (1.0 - ROUNDING)
    for b in range(bound.shape[0]):
        wanted[b] = bound[b] >= least_bound
        some |= wanted[b]
    if not some:
        return 0
    for i in range(start, stop):
        spare[n] = np.uint64(i)
        n += np.int64(wanted[np.uint64(row_bytes[i, f])])
    for i in range(n):
        items[i] = (np.uint64(keys[members[np.int64(spare[i])], f]) << _32) | spare[i]
    if sort_items(items[:n], spare[:n], search.counters):
        for i in range(n):
            items[i] = spare[i]
    return n


@kernel
def best_inside(search, numbers, row_bytes, response, members, scale, f, n_items, mean, share, n, factor, least):
    """The best value of a cut inside the buckets whose rows are sorted."""
    items, best, last, n_left, gap = search.items, NO_CUT, -1, np.int64(0), np.int64(0)
    for i in range(n_items - 1):
        at, behind = np.int64(items[i] & _LOWER), np.int64(items[i + 1] & _LOWER)
        bucket = np.int64(row_bytes[at, f])
        if bucket != last:
            last, n_left = bucket, np.int64(numbers.n_left[f, bucket])
            gap = numbers.sums[f, bucket] - mean * n_left
        gap += whole(response[members[at]], scale) - mean
        n_left += 1
        inside = np.int64(row_bytes[behind, f]) == bucket and items[i] >> _32 != items[i + 1] >> _32
        if inside and n_left >= least and n - n_left >= least:
            apart = float(gap) - share * n_left
            best = max(best, apart * apart * (factor / (float(n_left) * float(n - n_left))))
    return best


@kernel
def best_of_sums(rows, nodes, buckets, row_bytes, search, numbers, waiting, cells, least, slack):
    """Fill search.best: exact where a feature's best cut comes within `slack` of the best of all, which it returns."""
    d, best, first, start, stop = search.best.shape[0], NO_CUT, 0, waiting.start, waiting.stop
    scale, n, begin = numbers.scale[waiting.side], stop - start, buckets.first
    bits, mean, factor = count_bits(scale), node_mean(nodes, waiting.node, scale), n * scale.unit * scale.unit
    share = excess_share(cells, begin[1], mean, n)
    for f in range(d):
        if search.sample[CLOSED, f]:
            search.best[f] = -np.inf
            continue
        own = cells[begin[f] : begin[f + 1]]
        look_between_sums(search, numbers, f, own, buckets.mixed[f], bits, mean, share, n, factor, least)
        if search.best[f] > best:
            best, first = search.best[f], f
    # the likely winner is looked into first: few others can be better than that
    for turn in range(d):
        f = first if turn == 0 else turn - 1 if turn <= first else turn
        if not buckets.any_mixed[f] or search.sample[CLOSED, f]:
            continue
        bound_sums_inside(search, numbers, f, cells[begin[f] : begin[f + 1]], bits, n, factor)
        n_items = sort_rows_inside(search, buckets, row_bytes, start, stop, f, rows.keys, max(best - slack, 0.0))
        if n_items > 1:
            value = best_inside(
                search, numbers, row_bytes, rows.response, buckets.members, scale, f, n_items, mean, share, n, factor,
                least,
            )  # fmt: skip
            search.best[f] = max(search.best[f], value)
            best = max(best, value)
    return best


@kernel
def sort_rows(rows, search, numbers, members, start, stop, f):
    """Sort the rows of a node by a feature, equal ones as they stand: key and place, in search.items, and targets."""
    keys, response, targets = rows.keys, rows.response, numbers.targets
    items, spare = search.items[: stop - start], search.spare[: stop - start]
    for i in range(start, stop):
        items[i - start] = (np.uint64(keys[members[i], f]) << _32) | np.uint64(i)
    if sort_items(items, spare, search.counters):
        for i in range(items.shape[0]):
            items[i] = spare[i]
    for i in range(items.shape[0]):
        targets[i] = response[members[np.uint64(items[i] & _LOWER)]]


@kernel
def first_and_best(nodes, search, numbers, waiting, least, bar):
    """(rows on the left of the first cut whose value reaches the bar, of the best cut) of the feature by which the
    rows are sorted; the same if none reaches it by this formula."""
    items, targets, n, scale = search.items, numbers.targets, waiting.stop - waiting.start, numbers.scale[waiting.side]
    mean, factor = node_mean(nodes, waiting.node, scale), n * scale.unit * scale.unit
    total, gap, best, first, top = np.int64(0), np.int64(0), NO_CUT, -1, -1
    for i in range(n):
        total += whole(targets[i], scale) - mean
    share, fewest, enough = float(total) / n, np.int64(least), max(bar, 0.0) * (1.0 - ROUNDING) / factor
    for i in range(n - least):
        gap += whole(targets[i], scale) - mean
        on_left = i + 1
        apart = float(gap) - share * on_left
        pairs = float(on_left) * float(n - on_left)
        # hardly any cut passes, and to divide takes longer than all else
        if apart * apart < enough * pairs or on_left < fewest or items[i] >> _32 == items[i + 1] >> _32:
            continue
        value = apart * apart * (factor / pairs)
        if value > best:
            best, top = value, on_left
        if first < 0 and value >= bar:
            first = on_left
    return (top if first < 0 else first), top


@kernel
def add_up(nodes, search, numbers, i, n, middle, top):
    """(decrease of the impurity of node i by the cut behind `middle` of its n sorted rows, by that behind `top`), by
    the formula that every grower uses, in the same order; search.sides become the statistics of the former's sides."""
    targets, sides, mean = numbers.targets, search.sides, nodes.stats[i, 1] / nodes.stats[i, 0]
    center = nodes.center[i]
    so_far, at_middle, at_top, a, b, c = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        if k == middle:
            sides[0, 0], sides[0, 1], sides[0, 2] = a, b, c
            a, b, c, at_middle = 0.0, 0.0, 0.0, so_far
        if k == top:
            at_top = so_far
        y = targets[k] - center
        a += 1.0
        b += y
        c += y * y
        so_far += y - mean
    sides[1, 0], sides[1, 1], sides[1, 2] = a, b, c
    gain = squared_error_decrease(at_middle, float(middle), so_far - at_middle, float(n - middle))
    return gain, squared_error_decrease(at_top, float(top), so_far - at_top, float(n - top))


@inner
def cut_behind(search, row_bytes, f, middle):
    """search.cut becomes the one behind so many sorted rows."""
    cut, below, above = search.cut[0], search.items[middle - 1], search.items[middle]
    bucket = np.int64(row_bytes[np.int64(below & _LOWER), f])
    is_inside = bucket == np.int64(row_bytes[np.int64(above & _LOWER), f])
    cut.feature, cut.low, cut.high = f, np.int64(below >> _32), np.int64(above >> _32)
    cut.whole, cut.partly = (bucket - 1, bucket) if is_inside else (bucket, -1)


@kernel
def find_cut_by_sums(rows, nodes, buckets, row_bytes, search, numbers, cells, waiting):
    """(gain, feature) of the node's split, which search.cut and search.sides then say; feature -1 for none."""
    rules, i, least = rows.rules[0], waiting.node, least_rows(rows.rules[0])
    node, start, stop, winner = nodes.of[i], waiting.start, waiting.stop, 0
    n = stop - start
    slack = rules.tolerance * node.impurity / rows.judge.scale * n
    n_open = open_sample(rules, nodes, i, search.sample)
    while True:
        top = best_of_sums(rows, nodes, buckets, row_bytes, search, numbers, waiting, cells, least, slack)
        if top >= 0.0 or n_open == search.sample.shape[1]:
            break
        n_open = open_next(nodes, i, search.sample, n_open)
    if top < 0.0:
        return 0.0, -1
    while search.best[winner] < top - slack:
        winner += 1
    sort_rows(rows, search, numbers, buckets.members, start, stop, winner)
    middle, best = first_and_best(nodes, search, numbers, waiting, least, top - slack)
    gain, gain_of_best = add_up(nodes, search, numbers, i, n, middle, best)
    # whether to split at all is decided by the best cut, also where one before it counts as equal
    if not gain_allowed(rules, node.impurity, float(n), float(nodes.of[0].n_rows), gain_of_best):
        return 0.0, -1
    cut_behind(search, row_bytes, winner, middle)
    return gain, winner


@kernel
def center_sides(nodes, search, numbers, i, n):
    """Sum up the targets of both sides of the cut that was found at node i, of n rows, around centers of their own."""
    targets, middle, center = numbers.targets, np.int64(search.sides[0, 0]), nodes.center[i]
    none = piece(targets, 0, 0)
    numbers.center[0] = center_of(piece(targets, 0, middle), none, search.sides[0], center)
    numbers.center[1] = center_of(piece(targets, middle, n), none, search.sides[1], center)
