"""Surrogates: splits of other features that send the rows of a node like its own split does.

Everywhere weights are case weights, and the rows those whose value is known for both features.
Source: Breiman et al. (1984), section 5.3; what rpart 4.1 counts.
"""

import numpy as np

from treecore.engine.jit import allocating, inner, jit, kernel
from treecore.kernels.general.partition import branch_of
from treecore.kernels.state import N_LEVELS, N_SURROGATES, ORDERED
from treecore.kernels.sums import add_row, in_wrong_order

LEAST_ADJUSTED = 1e-10
LEAST_ROWS = 2
"""Rows of positive weight that a surrogate must send either way."""


@jit
def list_surrogates(problem, growing, ids):
    """Give the nodes with these ids, whose split was found, their surrogates. There must be room for them."""
    for i in ids:
        node = growing.nodes[i]
        node.surrogate_start, node.n_surrogates = growing.counts[N_SURROGATES], 0
        if node.n_children == 2:
            find_surrogates(problem, growing, node, mark_sides(problem, growing, node))


@jit
def mark_known(problem, growing, i):
    """Let growing.side have the branch of each row that the split found for node i knows. Returns the position of the
    first row without a value, in the order of the split's feature."""
    return mark_sides(problem, growing, growing.nodes[i])


@allocating
def mark_sides(problem, growing, node):
    """growing.side = the branch of each known row; growing.levels[b].weight = the case weight that each gets.

    Returns the position of the first row without a value.
    """
    codes, order = problem.codes[node.feature], growing.order[node.feature]
    sums, levels, n_classes = growing.sums, growing.levels, problem.rules[0].n_classes
    weights, at = np.zeros(2), node.start
    for b in range(2):
        levels[b].weight = 0.0
        for s in range(sums.shape[1]):
            sums[b, s] = 0.0
    while at < node.stop and codes[order[at]] != problem.features[node.feature].n_codes:
        row = order[at]
        b = max(branch_of(problem, growing, node, codes[row]), 0)
        growing.side[row] = b
        add_row(sums[b], growing.rows[row], n_classes)
        weights[b] += growing.rows[row].weight
        levels[b].weight += growing.rows[row].case
        at += 1
    if in_wrong_order(problem, node, sums[0], weights[0], sums[1], weights[1]):
        levels[0].weight, levels[1].weight = levels[1].weight, levels[0].weight
        for i in range(node.start, at):
            growing.side[order[i]] = 1 - growing.side[order[i]]
    return at


@kernel
def find_surrogates(problem, growing, node, first_missing):
    """Write the node's surrogates, best agreement first, then in feature order; growing.side holds the known rows'."""
    scans, side, order = growing.scans, growing.side, growing.order[node.feature]
    for i in range(first_missing, node.stop):
        side[order[i]] = -1
    left, right = growing.levels[0].weight, growing.levels[1].weight
    for f in range(scans.shape[0]):
        scans[f].value = -1.0
        if f == node.feature:
            continue
        agree, known = agreement(problem, growing, node, f, -1)
        whole, most = left + right, max(left, right)
        if problem.rules[0].surrogate_style == 1:
            whole, most = known, max(growing.scans[f].gain, known - growing.scans[f].gain)
        if whole <= 0.0 or whole <= most:
            continue
        adjusted = (agree - most) / (whole - most)
        if adjusted > LEAST_ADJUSTED:
            scans[f].value, scans[f].score = agree / whole, adjusted
    while node.n_surrogates < problem.rules[0].max_surrogates:
        best = 0
        for f in range(scans.shape[0]):
            if scans[f].value > scans[best].value:
                best = f
        if scans[best].value < 0.0:
            break
        at = growing.counts[N_SURROGATES]
        growing.surrogates[at].agree, growing.surrogates[at].adjusted = scans[best].value, scans[best].score
        growing.surrogates[at].n_used = 0
        agreement(problem, growing, node, best, at)
        scans[best].value = -1.0
        growing.counts[N_SURROGATES] += 1
        node.n_surrogates += 1


@inner
def agreement(problem, growing, node, f, at):
    """(weight that the best split of feature f sends like the node's own, weight of the rows); -1 if there is none.

    growing.scans[f].gain becomes the weight of the rows that the node's split sends left. at : the entry of
    growing.surrogates to write the split to, -1 for none.
    """
    if problem.features[f].splitter == ORDERED:
        return best_cut(problem, growing, node, f, at)
    return best_grouping(problem, growing, node, f, at)


@kernel
def best_cut(problem, growing, node, f, at):
    """The cut, with either side on the left, that agrees best; it must beat sending all rows one way.

    Values of rows that the node's split does not know are places to cut at, too, and those of rows of weight 0.
    """
    codes, order, side, rows = problem.codes[f], growing.order[f], growing.side, growing.rows
    stop, total_left, total_right, n_rows = node.start, 0.0, 0.0, 0
    while stop < node.stop and codes[order[stop]] != problem.features[f].n_codes:
        row = order[stop]
        stop += 1
        if side[row] >= 0:
            total_left += rows[row].case * (1 - side[row])
            total_right += rows[row].case * side[row]
            n_rows += rows[row].case > 0.0
    growing.scans[f].gain = total_left
    agree, is_better = max(total_left, total_right), False
    low_left, low_right, n_low, last = 0.0, 0.0, 0, -1
    for i in range(node.start, stop):
        row = order[i]
        if n_rows - n_low < LEAST_ROWS:
            break
        if n_low >= LEAST_ROWS and codes[row] != last:
            for low_branch in range(2):
                same = low_left + total_right - low_right if low_branch == 0 else low_right + total_left - low_left
                if same > agree:
                    agree, is_better = same, True
                    if at >= 0:
                        test = growing.surrogates[at]
                        test.feature, test.low, test.high, test.low_branch = f, last, codes[row], low_branch
                        test.level_start = -1
        last = codes[row]
        if side[row] < 0:
            continue
        low_left += rows[row].case * (1 - side[row])
        low_right += rows[row].case * side[row]
        n_low += rows[row].case > 0.0
    return (agree if is_better else -1.0), total_left + total_right


@kernel
def best_grouping(problem, growing, node, f, at):
    """Each level goes where most of its weight goes; of equal weights, where most of all levels' weight goes, right if
    that is equal; a level whose rows weigh nothing, nowhere.

    It must send LEAST_ROWS either way; for rpart instead rules.errs_on of them otherwise than the node's split does.
    """
    codes, order, side, rows = problem.codes[f], growing.order[f], growing.side, growing.rows
    n_codes, begin = problem.features[f].n_codes, growing.counts[N_LEVELS]
    if at >= 0:
        test = growing.surrogates[at]
        test.feature, test.level_start, test.low, test.high, test.low_branch = f, begin, 0, 0, 0
        growing.counts[N_LEVELS] += n_codes
        for v in range(n_codes):
            growing.level_branch[begin + v] = -1
    agree, total_left, total_right, n_left, n_right, n_unlike, i = 0.0, 0.0, 0.0, 0, 0, 0, node.start
    while i < node.stop and codes[order[i]] != n_codes:
        row = order[i]
        i += 1
        if side[row] >= 0:
            total_left += rows[row].case * (1 - side[row])
            total_right += rows[row].case * side[row]
    i, left_is_larger = node.start, total_left > total_right
    while i < node.stop and codes[order[i]] != n_codes:
        code, left, right, n, from_left = codes[order[i]], 0.0, 0.0, 0, 0
        while i < node.stop and codes[order[i]] == code:
            row = order[i]
            i += 1
            if side[row] >= 0:
                left += rows[row].case * (1 - side[row])
                right += rows[row].case * side[row]
                n += rows[row].case > 0.0
                from_left += rows[row].case > 0.0 and side[row] == 0
        goes_left = left > right or (left == right and left_is_larger)
        agree += left if goes_left else right
        n_left += n if goes_left else 0
        n_right += 0 if goes_left else n
        n_unlike += n - from_left if goes_left else from_left
        if at >= 0 and n > 0:
            growing.level_branch[begin + code] = 0 if goes_left else 1
    growing.scans[f].gain = total_left
    least = problem.rules[0].errs_on
    enough = n_unlike >= least if least > 0 else min(n_left, n_right) >= LEAST_ROWS
    return (agree if enough else -1.0), total_left + total_right
