"""Purity and the limits: which nodes are searched, which gains are worth a split."""

import math

from treecore.engine.jit import inner


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
