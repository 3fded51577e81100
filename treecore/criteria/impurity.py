"""Impurity by code, for compiled callers."""

import math

import numpy as np

from treecore.criteria import CRITERIA, N_COMPILED, CriterionArgs, by_code
from treecore.criteria import by_code as criterion_of
from treecore.criteria.entropy import entropy
from treecore.engine.jit import bits_of, call_by_code, inner, kernel, number_of
from treecore.engine.pointers import call_at

_GINI = CRITERIA["gini"].code
_NODES = [criterion_of(code).node for code in range(N_COMPILED)]
_N_INLINE = 1 + max(CRITERIA[name].code for name in ("gini", "entropy"))
"""How many criteria, from the first one on, are worth the room in every caller's loop."""
_usual = call_by_code("usual_impurity", _NODES[:_N_INLINE])
_rarer = call_by_code("rarer_impurity_by_code", _NODES[_N_INLINE:])


@inner
def impurity_by_code(judge, stats, total):
    """Impurity of a node with these statistics, under a criterion given as a Judge."""
    if judge.code < _N_INLINE:
        return judge.scale * _usual(judge.code, stats, total, judge.loss)
    return rarer_impurity(judge, stats, total)


@kernel
def rarer_impurity(judge, stats, total):
    """By the other criteria, those of other packages by their address."""
    if judge.code >= N_COMPILED:
        return judge.scale * call_at(judge.address, stats, total) if total > 0.0 else 0.0
    return judge.scale * _rarer(judge.code - _N_INLINE, stats, total, judge.loss)


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
def entropy_decrease(judge, parent, left, n_left, right, n_right):
    """The same by entropy in bits."""
    remaining = n_left * entropy(left, n_left, judge.loss) + n_right * entropy(right, n_right, judge.loss)
    return parent - remaining / (n_left + n_right)


ROUGH = 1e-9
"""More than rough_entropy_decrease is wrong by."""
_ROOT, _FRACTION, _ONE = math.sqrt(2.0), np.int64(2**52 - 1), np.int64(1023 << 52)
_SERIES = tuple(2.0 / (math.log(2.0) * i) for i in (1, 3, 5, 7, 9, 11))


@inner
def rough_log2(x):
    """log2 x, wrong by up to 3e-11: of the power of 2 in front of a number, and of the rest by the series of
    log((1 + s) / (1 - s)). Some number where x is 0."""
    bits = bits_of(x)
    rest = number_of((bits & _FRACTION) | _ONE)
    s = (rest - _ROOT) / (rest + _ROOT)
    t = s * s
    a, b, c, d, e, f = _SERIES
    return float((bits >> np.int64(52)) - 1023) + 0.5 + s * (a + t * (b + t * (c + t * (d + t * (e + t * f)))))


@inner
def rough_entropy_decrease(parent, left, n_left, known, weight):
    """entropy_decrease within ROUGH, in a third of the time. known, weight : of both sides."""
    n_right = weight - n_left
    remaining = n_left * rough_log2(n_left) + n_right * rough_log2(n_right)
    for k in range(left.shape[0]):
        right = max(known[k] - left[k], 0.0)
        remaining -= left[k] * rough_log2(left[k]) + right * rough_log2(right)
    return parent - remaining / weight


@inner
def weigh_gaps(by_entropy, known, weight, per_class):
    """per_class = what the squares of the classes' gaps count in may_exceed, of rows with these class weights."""
    for k in range(known.shape[0]):
        per_class[k] = 1.0
        if by_entropy:
            per_class[k] = weight / (known[k] * math.log(2.0)) if known[k] > 0.0 else 0.0


@inner
def may_exceed(least, left, n_left, known, weight, share, per_class):
    """May a cut decrease Gini's index, or entropy, by more than `least`? What most cuts of a scan are spared is a
    division, or logarithms.

    share : 1 / weight. A gap is what a class has on the left more than its share of the rows there. Gini's decrease is
    the sum of squared gaps over n_left n_right; that of entropy is the mean divergence of the sides from the whole,
    none of which exceeds its chi-square. Source: Gibbs & Su (2002), On choosing and bounding probability metrics,
    theorem 5.
    """
    apart, part = 0.0, n_left * share
    for k in range(known.shape[0]):
        gap = left[k] - part * known[k]
        apart += gap * gap * per_class[k]
    # more than rounding can add; what is no number, where rounding leaves no weight on the right, is not passed over
    return not apart * (1.0 + 1e-9) < (least - 1e-12) * (n_left * (weight - n_left))


@inner
def binary_decrease(judge, parent, left, n_left, right, n_right):
    """parent - (n_left i(left) + n_right i(right)) / n, for class weights."""
    if judge.code == _GINI:
        return judge.scale * gini_decrease(parent / judge.scale, left, n_left, right, n_right)
    remaining = n_left * impurity_by_code(judge, left, n_left) + n_right * impurity_by_code(judge, right, n_right)
    return parent - remaining / (n_left + n_right)


# Impurities of many nodes at once, in NumPy: of any criterion, also of one that kernels do not know.


def impurities(judge: CriterionArgs, stats, total: np.ndarray) -> np.ndarray:
    """float64: impurity of nodes with these statistics and weights, rounded as compiled code rounds; 0 if empty.

    stats : one array per statistic (class weights, or w, wy, wyy), all of the shape of `total`.
    """
    result = by_code(judge.code).of_many(stats, total, judge.loss)
    return np.where(total > 0.0, judge.scale * result, 0.0)
