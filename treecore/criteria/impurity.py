"""Impurity by code, for compiled callers; the one place besides the registry that lists the criteria."""

from treecore.criteria.cost_gini import COST_GINI, cost_gini
from treecore.criteria.entropy import ENTROPY, entropy
from treecore.criteria.gini import GINI, gini
from treecore.criteria.misclassification import MISCLASSIFICATION, misclassification
from treecore.criteria.squared_error import squared_error
from treecore.jit import inner, kernel

_ENTROPY, _GINI, _MISCLASSIFICATION, _COST_GINI = ENTROPY.code, GINI.code, MISCLASSIFICATION.code, COST_GINI.code


@inner
def impurity(judge, stats, total):
    """Impurity of a node with these statistics, under a criterion given as a Judge."""
    if judge.code == _GINI:
        return judge.scale * gini(stats, total)
    if judge.code == _ENTROPY:
        return judge.scale * entropy(stats, total)
    return rarer_impurity(judge, stats, total)


@kernel
def rarer_impurity(judge, stats, total):
    """The criteria that are not worth the room in every caller's loop."""
    if judge.code == _MISCLASSIFICATION:
        return judge.scale * misclassification(stats, total)
    if judge.code == _COST_GINI:
        return judge.scale * cost_gini(stats, total, judge.loss)
    return judge.scale * squared_error(stats, total)


@inner
def squared_error_decrease(sum_left, n_left, sum_right, n_right):
    """The drop of the mean squared error, from the two sums of the target: no large sums cancel."""
    total = n_left + n_right
    gap = sum_left * n_right - sum_right * n_left
    return gap * gap / (n_left * n_right * total * total)


@inner
def gini_decrease(parent, left, n_left, right, n_right):
    """parent - (n_left i(left) + n_right i(right)) / n by the Gini index, with a single division."""
    mixed_left, mixed_right = n_left * n_left, n_right * n_right
    for k in range(left.shape[0]):
        mixed_left -= left[k] * left[k]
        mixed_right -= right[k] * right[k]
    return parent - (mixed_left * n_right + mixed_right * n_left) / (n_left * n_right * (n_left + n_right))


@inner
def entropy_decrease(parent, left, n_left, right, n_right):
    """The same by entropy in bits."""
    remaining = n_left * entropy(left, n_left) + n_right * entropy(right, n_right)
    return parent - remaining / (n_left + n_right)


@inner
def binary_decrease(judge, parent, left, n_left, right, n_right):
    """parent - (n_left i(left) + n_right i(right)) / n, for class weights."""
    if judge.code == _GINI:
        return judge.scale * gini_decrease(parent / judge.scale, left, n_left, right, n_right)
    remaining = n_left * impurity(judge, left, n_left) + n_right * impurity(judge, right, n_right)
    return parent - remaining / (n_left + n_right)
