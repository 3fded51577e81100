"""The best cut of a node's sorted records, by two passes: running sums first, then values that the processor compares
several at a time.

Values are decreases of the impurity, in units of the criterion's scale, times `factor` (the share of the rows that
have a value). They agree with the usual formulas up to rounding, far closer than the tolerance within which cuts count
as equal. Every scan leaves the values of the cuts first:last in `values`, NaN where none is allowed, and returns the
bits of the largest: those of non-negative numbers are ordered as the numbers are, and the largest integer of an array
is found faster than the largest number. records are those of the known rows of the node alone, (n,): where indices
begin at 0, several can be taken at a time. The i-th cut is the one behind the i-th record.
"""

from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity_by_code
from treecore.engine.jit import bits_of, inner, kernel, number_of, piece
from treecore.kernels.records.records import class_of, differs, label_of, row_of

NOTHING = np.int64(-1)
"""The bits where no cut is allowed, of a NaN."""
MOST_PAIRED = 2**16 - 1
"""Two counts of up to so many records fit into one integer of 32 bits."""


@inner
def fill_ratio(ratio, n):
    """ratio[i] = 1 / (rows on the left of the cut behind record i * rows on its right), of n records."""
    for i in range(n - 1):
        ratio[i] = 1.0 / (float(i + 1) * float(n - i - 1))


@inner
def noted(value, record, values, i):
    """Note the value of the i-th cut, in front of this record; its bits, NOTHING where it parts equal values."""
    bits = bits_of(value) | (differs(record) - 1)
    values[i] = number_of(bits)
    return bits


@inner
def scan_two_classes(records, place, ratio, sums, values, first, last, factor):
    """Gini: 2 D^2 / (left * right), D = rows of the second class on the left less those to be expected there."""
    n = records.shape[0]
    c = np.uint32(0)  # whole numbers are added four times as fast
    for i in range(n):
        c += np.uint32(label_of(records[i]))
        sums[i] = c
    share, best, twice = np.int32(c) / n, NOTHING, 2.0 * factor
    behind, left, worth = piece(records, first + 1, last + 1), piece(sums, first, last), piece(values, first, last)
    n_left, per_pair = piece(place, first, last), piece(ratio, first, last)
    for i in range(worth.shape[0]):
        gap = float(np.int32(left[i])) - share * n_left[i]
        best = max(best, noted(twice * gap * gap * per_pair[i], behind[i], worth, i))
    return best


@inner
def scan_three_classes(records, place, ratio, sums, values, first, last, factor):
    """Gini of three classes: sum of D_k^2 / (left * right). Of up to MOST_PAIRED records."""
    n = records.shape[0]
    c = np.uint32(0)
    for i in range(n):
        c += np.uint32(np.uint64(0x0000000100010000) >> np.uint64(16 * label_of(records[i])))
        sums[i] = c
    best, share_a, share_b = NOTHING, np.int32(c >> np.uint32(16)) / n, np.int32(c & np.uint32(MOST_PAIRED)) / n
    behind, left, worth = piece(records, first + 1, last + 1), piece(sums, first, last), piece(values, first, last)
    n_left, per_pair = piece(place, first, last), piece(ratio, first, last)
    for i in range(worth.shape[0]):
        gap_a = float(np.int32(left[i] >> np.uint32(16))) - share_a * n_left[i]
        gap_b = float(np.int32(left[i] & np.uint32(MOST_PAIRED))) - share_b * n_left[i]
        gap_c = gap_a + gap_b
        squares = gap_a * gap_a + gap_b * gap_b + gap_c * gap_c
        best = max(best, noted(factor * squares * per_pair[i], behind[i], worth, i))
    return best


@inner
def count_classes(records, label, count, left):
    """count = rows of each class, left = 0; int64 (K,)."""
    for k in range(count.shape[0]):
        left[k], count[k] = 0, 0
    for i in range(records.shape[0]):
        count[class_of(records[i], label)] += 1


@inner
def forget(records, label, left):
    """left = 0 again, which is so already for classes that none of the records has."""
    if records.shape[0] < left.shape[0]:
        for i in range(records.shape[0]):
            left[class_of(records[i], label)] = 0
    else:
        for k in range(left.shape[0]):
            left[k] = 0


@inner
def scan_classes(records, label, count, left, place, ratio, cross, values, first, last, factor):
    """Gini of any number of classes.

    label : see class_of. count, left : int64 (K,), rows of each class, and zeros, which they are again afterwards. The
    sums of squares and products are whole numbers; the smaller side's are taken, so that nothing is lost when they
    nearly cancel.
    """
    n, a, b = records.shape[0], np.int64(0), np.int64(0)
    for i in range(n):
        k = class_of(records[i], label)
        a += 2 * left[k] + 1
        b += count[k]
        left[k] += 1
        values[i], cross[i] = float(a), float(b)
    forget(records, label, left)
    share, all_squares, best = 1.0 / n, float(b), NOTHING
    spread = b * share * share
    behind, worth, per_pair = piece(records, first + 1, last + 1), piece(values, first, last), piece(ratio, first, last)
    n_left, products = piece(place, first, last), piece(cross, first, last)
    for i in range(worth.shape[0]):
        small, a, b = n_left[i], worth[i], products[i]
        if 2.0 * small > n:
            small, a, b = n - small, all_squares - 2.0 * b + a, all_squares - b
        value = (a - 2.0 * small * b * share + small * small * spread) * per_pair[i]
        best = max(best, noted(factor * max(value, 0.0), behind[i], worth, i))
    return best


@kernel
def scan_by_cuts(judge, block, records, first, last, factor):
    """Any impurity of classes: the decrease of each cut between different values by its formula."""
    left, right, label, values, best, n = block.left, block.right, block.label, block.values, NOTHING, records.shape[0]
    count_classes(records, label, block.some, block.others)
    for k in range(left.shape[0]):
        left[k], right[k] = 0.0, float(block.some[k])
    parent = impurity_by_code(judge, right, float(n))
    for i in range(last):
        k, value = class_of(records[i], label), 0.0
        left[k] += 1.0
        right[k] -= 1.0
        if i >= first:
            if differs(records[i + 1]):
                value = binary_decrease(judge, parent, left, float(i + 1), right, float(n - i - 1)) / judge.scale
            best = max(best, noted(factor * max(value, 0.0), records[i + 1], values, i))
    return best


@inner
def best_entropy(records, xlog, own, values, first, last, share):
    """The second pass of entropy: values holds the sums over classes of x log2 x on both sides."""
    n, best = records.shape[0], NOTHING
    behind, worth = piece(records, first + 1, last + 1), piece(values, first, last)
    left, right = piece(xlog, first + 1, last + 1), piece(xlog, n - last, n - first)
    for i in range(worth.shape[0]):
        value = own + worth[i] - left[i] - right[right.shape[0] - 1 - i]
        best = max(best, noted(max(value * share, 0.0), behind[i], worth, i))
    return best


@inner
def scan_entropy(records, label, count, left, xlog, values, first, last, factor):
    """Entropy in bits of any number of classes, from x log2 x of all counts. label, count, left : see scan_classes."""
    n = records.shape[0]
    a, share = 0.0, factor / n
    for k in range(count.shape[0]):
        a += xlog[count[k]]
    own = xlog[n] - a
    for i in range(last):
        k = class_of(records[i], label)
        on_left, on_right = left[k], count[k] - left[k]
        a += (xlog[on_left + 1] - xlog[on_left]) + (xlog[on_right - 1] - xlog[on_right])
        left[k] += 1
        values[i] = a
    forget(records, label, left)
    return best_entropy(records, xlog, own, values, first, last, share)


@inner
def scan_two_entropy(records, xlog, values, first, last, factor):
    """Entropy in bits of two classes."""
    n, c = records.shape[0], np.int64(0)
    for i in range(n):
        c += label_of(records[i])
    own, b = xlog[n] - (xlog[c] + xlog[n - c]), np.int64(0)
    for i in range(last):
        b += label_of(records[i])
        a = np.uint64(i + 1 - b)
        of_a, of_b = np.uint64(n - c), np.uint64(c)
        values[i] = (xlog[a] + xlog[np.uint64(b)]) + (xlog[of_a - a] + xlog[of_b - np.uint64(b)])
    return best_entropy(records, xlog, own, values, first, last, factor / n)


@inner
def scan_numbers(records, fixed, mean, place, ratio, values, first, last, factor):
    """Squared error: D^2 / (left * right), D = sum of the target on the left less what is to be expected there.

    fixed : int64 (n,) by row, the target in whole numbers, so that sums are exact. mean : int64, a number near the mean
    of the node: sums of differences from it do not cancel. factor : also from the square of the unit.
    """
    n, c = records.shape[0], np.int64(0)
    for i in range(n):
        c += fixed[row_of(records[i])] - mean
        values[i] = float(c)
    share, best = float(c) / n, NOTHING
    behind, worth = piece(records, first + 1, last + 1), piece(values, first, last)
    n_left, per_pair = piece(place, first, last), piece(ratio, first, last)
    for i in range(worth.shape[0]):
        gap = worth[i] - share * n_left[i]
        best = max(best, noted(factor * gap * gap * per_pair[i], behind[i], worth, i))
    return best


@inner
def scan_tiny_two_classes(records, share, ratio, values, first, last, factor):
    """scan_two_classes of a few records in one pass. share : of the second class in the node."""
    c, best, twice = 0.0, NOTHING, 2.0 * factor
    for i in range(last):
        c += label_of(records[i])
        if i >= first:
            gap = c - share * (i + 1.0)
            best = max(best, noted(twice * gap * gap * ratio[i], records[i + 1], values, i))
    return best


@inner
def scan_tiny_numbers(records, fixed, mean, share, ratio, values, first, last, factor):
    """scan_numbers of a few records in one pass. share : mean of the differences from `mean`."""
    c, best = np.int64(0), NOTHING
    for i in range(last):
        c += fixed[row_of(records[i])] - mean
        if i >= first:
            gap = float(c) - share * (i + 1.0)
            best = max(best, noted(factor * gap * gap * ratio[i], records[i + 1], values, i))
    return best


# The best cut of a node's sorted records where rows have weights, or rows without a value stand on one side.
#
# By two passes. Weights are whole numbers, so sums of them are exact in any order. `lefts` becomes the
# weight on the left of every cut.


class WeightedSide(NamedTuple):
    """What a scan asks for.

    first, last : cuts behind records first:last leave rows enough. least : weight that either side needs. total :
    weight of all rows to part; start : of those that stand left of every cut. factor : what values are multiplied by.
    """

    first: int
    last: int
    least: float
    total: float
    start: float
    factor: float


@inner
def noted_if(allowed, value, record, values, i):
    """Note the value of the i-th cut, in front of this record; its bits, NOTHING where it is no cut."""
    bits = bits_of(value) | (differs(record) - 1) | (np.int64(allowed) - 1)
    values[i] = number_of(bits)
    return bits


@inner
def best_by_gap(records, lefts, values, side, share):
    """D^2 / (left * right), D = values less what is to be expected. share : of the values per weight."""
    best, least, total, factor = NOTHING, side.least, side.total, side.factor
    behind = piece(records, side.first + 1, side.last + 1)
    on_left, worth = piece(lefts, side.first, side.last), piece(values, side.first, side.last)
    for i in range(worth.shape[0]):
        left = on_left[i]
        right, gap = total - left, worth[i] - share * left
        value = factor * gap * gap / (left * right)
        best = max(best, noted_if(min(left, right) >= least, value, behind[i], worth, i))
    return best


@inner
def scan_weighted_two(records, weight, lefts, values, side, start, all_second):
    """Gini of two classes; the factor is twice the usual one. start, all_second : weight of the second class that
    stands left of every cut, and of all."""
    left, c = np.int64(side.start), np.int64(start)
    for i in range(records.shape[0]):
        w = np.int64(weight[row_of(records[i])])
        left += w
        c += w * label_of(records[i])
        lefts[i], values[i] = float(left), float(c)
    return best_by_gap(records, lefts, values, side, float(all_second) / side.total)


@inner
def scan_weighted_numbers(records, weight, fixed, mean, lefts, values, side, start, rest):
    """Squared error. start, rest : weighted sums of the target less `mean`, in whole numbers, of the rows that stand
    left, and right of every cut."""
    left, c = np.int64(side.start), np.int64(start)
    for i in range(records.shape[0]):
        at = row_of(records[i])
        w = np.int64(weight[at])
        left += w
        c += w * (fixed[at] - mean)
        lefts[i], values[i] = float(left), float(c)
    return best_by_gap(records, lefts, values, side, float(c + rest) / side.total)


@inner
def scan_weighted_classes(records, weight, label, count, left, lefts, cross, values, side):
    """Gini of any number of classes. label : see class_of. count, left : int64 (K,), of all rows, and of those left of
    every cut; the latter is overwritten."""
    squares, a, b, n_left = np.int64(0), np.int64(0), np.int64(0), np.int64(side.start)
    for k in range(count.shape[0]):
        squares += count[k] * count[k]
        a += left[k] * left[k]
        b += left[k] * count[k]
    for i in range(records.shape[0]):
        k, w = class_of(records[i], label), np.int64(weight[row_of(records[i])])
        a += w * (2 * left[k] + w)
        b += w * count[k]
        left[k] += w
        n_left += w
        values[i], cross[i], lefts[i] = float(a), float(b), float(n_left)
    total, least, factor, best = side.total, side.least, side.factor, NOTHING
    share = 1.0 / total
    spread, all_squares = squares * share * share, float(squares)
    behind = piece(records, side.first + 1, side.last + 1)
    worth, products = piece(values, side.first, side.last), piece(cross, side.first, side.last)
    on_left = piece(lefts, side.first, side.last)
    for i in range(worth.shape[0]):
        small, a, b = on_left[i], worth[i], products[i]
        allowed, pairs = min(small, total - small) >= least, small * (total - small)
        if 2.0 * small > total:
            small, a, b = total - small, all_squares - 2.0 * b + a, all_squares - b
        value = (a - 2.0 * small * b * share + small * small * spread) / pairs
        best = max(best, noted_if(allowed, factor * max(value, 0.0), behind[i], worth, i))
    return best


@inner
def scan_weighted_entropy(records, weight, label, count, left, xlog, lefts, values, side):
    """Entropy in bits of any number of classes; label, count, left as above. xlog : see Block."""
    best, a, n_left, total = NOTHING, 0.0, np.int64(side.start), np.int64(side.total)
    own = xlog[total]
    for k in range(count.shape[0]):
        own -= xlog[count[k]]
        a += xlog[left[k]] + xlog[count[k] - left[k]]
    for i in range(side.last):
        k, w = class_of(records[i], label), np.int64(weight[row_of(records[i])])
        before, others = left[k], count[k] - left[k]
        a += (xlog[before + w] - xlog[before]) + (xlog[others - w] - xlog[others])
        left[k] = before + w
        n_left += w
        values[i], lefts[i] = a, float(n_left)
    for i in range(side.first, side.last):
        n_left = np.int64(lefts[i])
        value = max(own + values[i] - xlog[n_left] - xlog[total - n_left], 0.0) * side.factor / side.total
        allowed = min(lefts[i], side.total - lefts[i]) >= side.least
        best = max(best, noted_if(allowed, value, records[i + 1], values, i))
    return best


# The best two groups of the levels of a nominal feature, of two classes: cuts of the levels sorted by the share of the
# first class (Breiman et al. 1984, theorem 4.5), in whole numbers. It agrees with level_groups.scan_subsets up to
# rounding.

_ENTROPY = CRITERIA["entropy"].code


@inner
def put_group(groups, v, weight, second, n_rows):
    """Put a level among the v that are there, GROUP (v,), behind those with an equal or smaller share."""
    key, at = float(weight - second) / float(weight), v
    while at > 0 and key < groups[at - 1].key:
        groups[at] = groups[at - 1]
        at -= 1
    groups[at].key, groups[at].weight, groups[at].second, groups[at].n_rows = key, weight, second, n_rows


@inner
def best_of_groups(rows, groups, n_levels, n_rows, missing, xlog):
    """Bits of the value of the best two groups of the first n_levels groups, NOTHING where there are none.

    n_rows : that all of them have together. missing : weight of the rows at the node without a level.
    """
    rules, best, by_entropy = rows.rules[0], NOTHING, rows.judge.code == _ENTROPY
    total, second = np.int64(0), np.int64(0)
    for v in range(n_levels):
        total += groups[v].weight
        second += groups[v].second
    left, c, rows_left, share = np.int64(0), np.int64(0), np.int64(0), float(second) / float(max(total, 1))
    first, factor = total - second, float(total) / float(max(total + missing, 1))
    for v in range(n_levels - 1):
        left += groups[v].weight
        c += groups[v].second
        rows_left += groups[v].n_rows
        right = total - left
        if min(rows_left, n_rows - rows_left) < rules.min_rows_leaf or min(left, right) < rules.min_weight_leaf:
            continue
        if by_entropy:
            value = (xlog[total] - xlog[first] - xlog[second]) - (xlog[left] - xlog[left - c] - xlog[c])
            value -= xlog[right] - xlog[first - (left - c)] - xlog[second - c]
            value = max(value, 0.0) / total
        else:
            gap = float(c) - share * left
            value = 2.0 * gap * gap / (float(left) * float(right))
        best = max(best, bits_of(value * factor))
    return best
