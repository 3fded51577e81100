"""The best two groups of the levels of a nominal feature, of two classes: cuts of the levels sorted by the share of the
first class (Breiman et al. 1984, theorem 4.5), in whole numbers. It agrees with levels.scan_subsets up to rounding.
"""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.engine.jit import bits_of, inner
from treecore.kernels.records.cut_scans import NOTHING

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
