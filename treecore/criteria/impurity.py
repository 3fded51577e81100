"""Impurity by code, for compiled callers; the one place besides the registry that lists the criteria."""

from treecore.criteria.entropy import ENTROPY, entropy
from treecore.criteria.gini import GINI, gini
from treecore.criteria.misclassification import misclassification
from treecore.criteria.squared_error import SQUARED_ERROR, squared_error
from treecore.jit import inner

_ENTROPY, _GINI, _SQUARED_ERROR = ENTROPY.code, GINI.code, SQUARED_ERROR.code


@inner
def impurity(code, stats, total):
    """Impurity of a node with these statistics, under the criterion with this code."""
    if code == _GINI:
        return gini(stats, total)
    if code == _ENTROPY:
        return entropy(stats, total)
    if code == _SQUARED_ERROR:
        return squared_error(stats, total)
    return misclassification(stats, total)


@inner
def squared_error_decrease(sum_left, n_left, sum_right, n_right):
    """The drop of the mean squared error, from the two sums of the target: no large sums cancel."""
    total = n_left + n_right
    gap = sum_left * n_right - sum_right * n_left
    return gap * gap / (n_left * n_right * total * total)


@inner
def binary_decrease(code, parent, left, n_left, right, n_right):
    """parent - (n_left i(left) + n_right i(right)) / n.

    Gini in a form with a single division.
    """
    total = n_left + n_right
    if code == _SQUARED_ERROR:
        return squared_error_decrease(left[1], n_left, right[1], n_right)
    if code == _GINI:
        mixed_left, mixed_right = n_left * n_left, n_right * n_right
        for k in range(left.shape[0]):
            mixed_left -= left[k] * left[k]
            mixed_right -= right[k] * right[k]
        return parent - (mixed_left * n_right + mixed_right * n_left) / (n_left * n_right * total)
    return parent - (n_left * impurity(code, left, n_left) + n_right * impurity(code, right, n_right)) / total
