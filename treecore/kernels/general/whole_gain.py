"""REPTree: what a split gains with the rows in it that have no value, and whether its branches are large enough."""

from treecore.criteria.impurity import impurity
from treecore.criteria.split_scores import DECREASE, cut_value
from treecore.engine.jit import kernel
from treecore.kernels.rows import add_row
from treecore.kernels.state import MULTIWAY, ORDERED, SHARE

LEAST = 1e-6
"""A gain, or a weight of rows, that Weka takes for 0: in bits for classes, in squared units of a numeric target."""


@kernel
def sum_first_branch(problem, growing, node, f, n_left):
    """Sum up branch 0 of the best binary split of a feature in growing.sums[0]; returns its weight.

    n_left : that weight, of an ordered feature.
    """
    sums, levels, scan = growing.sums, growing.levels, growing.scans[f]
    for s in range(sums.shape[1]):
        sums[0, s] = 0.0
    if problem.features[f].splitter == ORDERED:
        for i in range(node.start, scan.at + 1):
            add_row(sums[0], growing.rows[growing.order[f, i]], problem.rules[0].n_classes)
        return n_left
    weight = 0.0
    for v in range(scan.n_levels):
        if levels[v].side == 0:
            weight += levels[v].weight
            for s in range(sums.shape[1]):
                sums[0, s] += growing.level_stats[v, s]
    return weight


@kernel
def whole_gain(problem, growing, node, f, weight, n_left):
    """Decrease of the impurity of the best split of a feature, and in scan.n_large its branches of enough weight.

    Where rows without a value are shared they count in every branch, by its share of the known ones; otherwise the
    decrease is that of the known rows, times their share. weight : of the known rows, summed up in growing.sums[2].
    Source: behaviour of Weka 3.6 (REPTree).
    """
    rules, scan, sums, judge = problem.rules[0], growing.scans[f], growing.sums, problem.judge
    shared, least = rules.missing == SHARE, rules.min_weight_leaf
    more = node.weight / weight if shared else 1.0
    for s in range(sums.shape[1]):
        sums[3, s] = (growing.stats[node.id, s] - sums[2, s]) if shared else 0.0
    scan.n_large, remaining = 0, 0.0
    if problem.features[f].splitter == MULTIWAY:
        for v in range(scan.n_levels):
            n = growing.levels[v].weight
            scan.n_large += n * more >= least
            for s in range(sums.shape[1]):
                sums[1, s] = growing.level_stats[v, s] + n / weight * sums[3, s]
            remaining += n / weight * impurity(judge, sums[1], n * more)
        return node.impurity - remaining if shared and weight < node.weight else scan.gain
    n_left = sum_first_branch(problem, growing, node, f, n_left)
    n_right = weight - n_left
    scan.n_large = int(n_left * more >= least) + int(n_right * more >= least)
    if not shared or weight >= node.weight:
        return scan.gain
    for s in range(sums.shape[1]):
        sums[0, s] += n_left / weight * sums[3, s]
        sums[1, s] = growing.stats[node.id, s] - sums[0, s]
    return cut_value(judge, DECREASE, node.impurity, sums[0], n_left * more, sums[1], n_right * more, None)


@kernel
def is_useful(problem, growing, node, scan):
    """Is the winner's score above 0, are two of its branches large enough, and is the node of several classes?"""
    n_classes, gained, most = problem.rules[0].n_classes, scan.score, 0.0
    if n_classes == 0:
        gained *= node.weight
    for k in range(n_classes):
        most = max(most, growing.stats[node.id, k])
    mixed = n_classes == 0 or node.weight - most >= LEAST
    return mixed and gained > LEAST and scan.n_large > 1
