"""What a node and its split must keep: purity, limits on size and gain, and the order of answers."""

import math

from treecore.engine.jit import inner, jit, kernel


@inner
def may_split(rules, node):
    """Do purity and the limits allow a search at this node?"""
    size = node.stop - node.start
    return size >= rules.min_rows_split and split_allowed(rules, node.impurity, node.weight, node.n_rows, node.depth)


@inner
def split_allowed(rules, impurity, weight, n_rows, depth):
    """The same from a node's numbers. n_rows : rows of positive weight.

    Equal targets have an impurity of exactly 0, see own_mean.
    """
    return (
        impurity > 0.0
        and impurity >= rules.min_impurity
        and depth < rules.max_depth
        and n_rows >= 2 * rules.min_rows_leaf
        and weight >= rules.min_weight_split
    )


@inner
def good_enough(rules, node, root_weight, score):
    """Does the best gain at the node allow a split at all?"""
    return gain_allowed(rules, node.impurity, node.weight, root_weight, score)


@inner
def gain_allowed(rules, impurity, weight, root_weight, score):
    """The same from the node's numbers."""
    rounding = rules.tolerance * impurity  # a gain of exactly 0 may compute as -3e-17
    if score == -math.inf or score < rules.min_gain - rounding:
        return False
    if score <= rounding and rules.split_at_zero == 0:
        return False
    # the slack is scikit-learn's: a gain that equals the limit up to rounding is enough
    weighted = score * weight / root_weight + 2.3e-16
    return weighted >= rules.min_weighted_gain or rules.min_weighted_gain <= 0.0


# Purity and the limits, for searches outside the kernels.


@jit
def mark_searchable(problem, growing, first, stop, searchable):
    """searchable[i - first] = may node i be searched, and has it no split yet? searchable : bool (stop - first,)."""
    for i in range(first, stop):
        node = growing.nodes[i]
        searchable[i - first] = node.n_children == 0 and may_split(problem.rules[0], node)


@jit
def gain_is_enough(problem, growing, i, gain):
    """Is this gain worth a split of node i?"""
    return good_enough(problem.rules[0], growing.nodes[i], growing.nodes[0].weight, gain)


# Answers that only rise, or only fall, with a feature.
#
# A constraint is on the mean target, or on the share of the first of two classes: 1 where it must not fall with the
# feature, -1 where it must not rise, 0 for none. A cut of such a feature must have its sides in that order; and no
# answer below them may pass the middle between the two: every node has a lowest and a highest answer that its branches
# may give, whichever feature parts it. So every node answers with what its own rows say.
#
# Source: scikit-learn 1.9 (monotonic_cst). It lets splits of features without a constraint pass the bounds and moves
# the answers of leaves back to them; where all features have one, the trees are the same.

BOUNDS = 4
"""The row of growing.sums that holds the lowest and the highest answer around the center of the node at work."""
ROUNDING = 1e-12
"""Of an answer, relative to the numbers that it is made of."""


@inner
def answer(n_classes, stats, weight):
    """The mean target around the center of these statistics, or the share of the first class."""
    return (stats[0] if n_classes > 0 else stats[1]) / weight


@inner
def slack_of(bound, center):
    """By how much an answer may pass a bound that it equals but for rounding."""
    return ROUNDING * (abs(bound) + abs(center))


@inner
def load_bounds(rules, growing, node):
    """Let growing.sums hold the node's bounds, where answers have any: there are two statistics or more then.

    An answer on a bound is within it, whichever sums it was computed from: they differ by their rounding.
    """
    if rules.monotonic != 0:
        growing.sums[BOUNDS, 0] = node.lowest - slack_of(node.lowest, node.center) - node.center
        growing.sums[BOUNDS, 1] = node.highest + slack_of(node.highest, node.center) - node.center


@inner
def keeps_order(constraint, bounds, low, high):
    """May these be the answers below and above a cut of a feature with this constraint?"""
    return min(low, high) >= bounds[0] and max(low, high) <= bounds[1] and (low - high) * constraint <= 0.0


@kernel
def bound_children(problem, growing, node):
    """Tell the node's children which answers their branches may give."""
    nodes, first, n_classes = growing.nodes, node.first_child, problem.rules[0].n_classes
    for i in range(first, first + node.n_children):
        nodes[i].lowest, nodes[i].highest = node.lowest, node.highest
    constraint = problem.features[node.feature].monotonic
    if constraint == 0:
        return
    low, high = nodes[first + node.low_branch], nodes[first + 1 - node.low_branch]
    below = low.center + answer(n_classes, growing.stats[low.id], low.weight)
    above = high.center + answer(n_classes, growing.stats[high.id], high.weight)
    middle = below / 2 + above / 2
    if constraint > 0:
        low.highest, high.lowest = middle, middle
    else:
        low.lowest, high.highest = middle, middle
