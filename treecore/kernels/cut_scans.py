"""The best cut of a node's presorted records, by two passes: running sums first, then values that the processor
compares several at a time.

Values are decreases of the impurity, in units of the criterion's scale. They agree with the usual formulas up to
rounding, far closer than the tolerance within which cuts count as equal. Every scan leaves the values of the cuts
first:last in `sums`, NaN where none is allowed, and returns the bits of the largest: those of non-negative numbers are
ordered as the numbers are, and the largest integer of an array is found faster than the largest number. records are
those of the node alone, (n,): where indices begin at 0, several can be taken at a time.
"""

import numpy as np

from treecore.criteria.impurity import squared_error_decrease
from treecore.jit import bits_of, inner, number_of
from treecore.kernels.records import differs, label_of, row_of

NOTHING = np.int64(-1)
"""The bits where no cut is allowed, of a NaN."""


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
def scan_two_classes(records, of_second, ratio, sums, first, last):
    """Gini: 2 D^2 / (left * right), D = rows of the second class on the left less those to be expected there."""
    n = records.shape[0]
    c = np.int64(0)  # whole numbers are added four times as fast
    for i in range(n):
        c += label_of(records[i])
        sums[i] = np.float64(c)
    share, best = of_second / n, NOTHING
    behind, values, per_pair = records[first + 1 : last + 1], sums[first:last], ratio[first:last]
    for i in range(values.shape[0]):
        gap = values[i] - share * (first + i + 1)
        best = max(best, noted(2.0 * gap * gap * per_pair[i], behind[i], values, i))
    return best


@inner
def scan_numbers(records, total, response, sums, first, last):
    """Squared error. The usual formula, digit for digit: far from the mean of all rows its sums nearly cancel, and
    another one would settle ties in another way."""
    n = records.shape[0]
    c = 0.0
    for i in range(n):
        c += response[row_of(records[i])]
        sums[i] = c
    best = NOTHING
    behind, values = records[first + 1 : last + 1], sums[first:last]
    for i in range(values.shape[0]):
        n_left = float(first + i + 1)
        value = squared_error_decrease(values[i], n_left, total - values[i], n - n_left)
        best = max(best, noted(value, behind[i], values, i))
    return best


@inner
def scan_classes(records, count, left, ratio, sums, cross, first, last):
    """Gini of any number of classes: sum of D_k^2 / (left * right).

    count : float64 (K,), of the node. left : float64 (K,), working memory. The sums of squares and products are whole
    numbers; the smaller side's are taken, so that nothing is lost when they nearly cancel.
    """
    n = records.shape[0]
    squares, a, b = 0.0, 0.0, 0.0
    for k in range(count.shape[0]):
        left[k] = 0.0
        squares += count[k] * count[k]
    for i in range(n):
        k = label_of(records[i])
        a += 2.0 * left[k] + 1.0
        b += count[k]
        left[k] += 1.0
        sums[i], cross[i] = a, b
    share, best = 1.0 / n, NOTHING
    spread = squares * share * share
    behind, values, per_pair = records[first + 1 : last + 1], sums[first:last], ratio[first:last]
    products = cross[first:last]
    for i in range(values.shape[0]):
        small, a, b = float(first + i + 1), values[i], products[i]
        if 2.0 * small > n:
            small, a, b = n - small, squares - 2.0 * b + a, squares - b
        value = (a - 2.0 * small * b * share + small * small * spread) * per_pair[i]
        best = max(best, noted(max(value, 0.0), behind[i], values, i))
    return best


@inner
def scan_entropy(records, count, own, xlog, left, sums, first, last):
    """Entropy in bits from x log2 x of all counts. own : n * entropy of the node. left : working memory."""
    n = records.shape[0]
    a = 0.0
    for k in range(count.shape[0]):
        left[k] = 0.0
        a += xlog[np.int64(count[k])]
    for i in range(n):
        k = label_of(records[i])
        on_left, on_right = np.int64(left[k]), np.int64(count[k] - left[k])
        a += (xlog[on_left + 1] - xlog[on_left]) + (xlog[on_right - 1] - xlog[on_right])
        left[k] += 1.0
        sums[i] = a
    share, best = 1.0 / n, NOTHING
    behind, values = records[first + 1 : last + 1], sums[first:last]
    for i in range(values.shape[0]):
        at = first + i + 1
        value = (own + values[i] - xlog[at] - xlog[n - at]) * share
        best = max(best, noted(max(value, 0.0), behind[i], values, i))
    return best
