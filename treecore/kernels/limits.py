"""Purity and the limits: which nodes are searched, which gains are worth a split."""

import math

from treecore.jit import inner


@inner
def may_split(rules, stats, node):
    """Do purity and the limits allow a search at this node?

    A regression node is pure up to what sums around the training mean can resolve.
    """
    pure = node.impurity <= 0.0
    if rules.n_classes == 0:
        pure = node.impurity * node.weight <= 1e-14 * stats[node.id, 2]
    return (
        not pure
        and node.impurity >= rules.min_impurity
        and node.depth < rules.max_depth
        and node.stop - node.start >= rules.min_rows_split
        and node.n_rows >= 2 * rules.min_rows_leaf
        and node.weight >= rules.min_weight_split
    )


@inner
def good_enough(rules, node, root_weight, score):
    """Does the best gain at the node allow a split at all?"""
    rounding = rules.tolerance * node.impurity  # a gain of exactly 0 may compute as -3e-17
    if score == -math.inf or score < rules.min_gain - rounding:
        return False
    if score <= rounding and rules.split_at_zero == 0:
        return False
    # the slack is scikit-learn's: a gain that equals the limit up to rounding is enough
    weighted = score * node.weight / root_weight + 2.3e-16
    return weighted >= rules.min_weighted_gain or rules.min_weighted_gain <= 0.0
