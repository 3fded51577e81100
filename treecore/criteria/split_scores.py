"""What is maximised over the splits of a feature, by code: the decrease of the impurity, or a score of its own."""

import math

from treecore.criteria import CRITERIA
from treecore.criteria.chi_square_tail import log_tail
from treecore.criteria.criterion import CriterionArgs
from treecore.criteria.impurity import binary_decrease, squared_error_decrease
from treecore.engine.jit import inner, kernel

DECREASE, GAIN_RATIO, MDL_GAIN_RATIO, TWOING, CHI_SQUARE, G_TEST = range(6)
_SQUARED_ERROR = CRITERIA["squared_error"].code


@kernel
def cut_value(judge: CriterionArgs, score, parent, left, n_left, right, n_right, special):
    """What the cuts of one feature are compared by: a test's statistic, twoing, else the decrease.

    special : None where the score is known to be the decrease; keeps the rest out of what is compiled.
    """
    if special is not None:
        if score >= TWOING:
            return test_value(score, left, n_left, right, n_right)
    if judge.code == _SQUARED_ERROR:
        return squared_error_decrease(left[1], n_left, right[1], n_right)
    return binary_decrease(judge, parent, left, n_left, right, n_right)


@kernel
def test_value(score, left, n_left, right, n_right):
    """Twoing, Pearson's chi-square or G of a table of two branches by classes."""
    if score == TWOING:
        return twoing(left, n_left, right, n_right)
    total, value = n_left + n_right, 0.0
    for k in range(left.shape[0]):
        n = left[k] + right[k]
        if n > 0.0:
            value += cell_value(score, left[k], n * n_left / total) + cell_value(score, right[k], n * n_right / total)
    return value


@inner
def cell_value(score, observed, expected):
    """One cell's part of chi-square, or of G."""
    if score == CHI_SQUARE:
        return (observed - expected) * (observed - expected) / expected if expected > 0.0 else 0.0
    return 2.0 * observed * math.log(observed / expected) if observed > 0.0 else 0.0


@inner
def twoing(left, n_left, right, n_right):
    """P_L P_R / 4 (sum |p_kL - p_kR|)^2. Source: Breiman et al. (1984), section 4.3."""
    total, apart = n_left + n_right, 0.0
    for k in range(left.shape[0]):
        apart += abs(left[k] / n_left - right[k] / n_right)
    return n_left * n_right / (total * total) * apart * apart / 4.0


@inner
def minus_log10_p(statistic, df):
    """-log10 of the chi-square probability of more than `statistic` with df degrees of freedom; 0 if df is 0."""
    return -log_tail(statistic, df) / math.log(10.0)
