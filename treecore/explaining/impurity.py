"""Impurities with the counts put in."""

from collections.abc import Callable

import numpy as np

from treecore.criteria import Judge
from treecore.figures import fraction, summed, tex, weight


def substituted(criterion: str, stats: np.ndarray, judge: Judge, center: float = 0.0) -> list[str]:
    """The right-hand side of a criterion's formula, in LaTeX, as the terms of a sum.

    stats : float64 (S,), class weights or (w, wy, wyy) of the target less `center`. Absolute error is none of them:
    it needs the rows.
    """
    return _SUBSTITUTED[criterion](stats, judge, center)


def absolute(middle: float, total: float, n: float) -> list[str]:
    """Mean absolute error: the sum of distances from the median over the weight."""
    return [
        rf"\tfrac{{1}}{{{weight(n)}}} \sum \lvert y - {tex(middle, 7)} \rvert",
        rf" = \tfrac{{{tex(total, 7)}}}{{{weight(n)}}}",
    ]


def _shares(stats: np.ndarray) -> list[str]:
    """The shares of the classes that are there."""
    return [fraction(c, stats.sum()) for c in stats if c > 0]


def _gini(stats, judge, center) -> list[str]:
    return ["1", *summed((rf"\left({p}\right)^2" for p in _shares(stats)), "-")]


def _half_gini(stats, judge, center) -> list[str]:
    first, *terms = _gini(stats, judge, center)
    return [rf"\tfrac{{1}}{{2}} \big({first}", *terms[:-1], rf"{terms[-1]}\big)"]


def _two_class_variance(stats, judge, center) -> list[str]:
    return [r" \cdot ".join(fraction(c, stats.sum()) for c in stats)]


def _entropy_to(log: str) -> Callable:
    def entropy(stats, judge, center) -> list[str]:
        return summed((rf"{p} {log} {p}" for p in _shares(stats)), "-")

    return entropy


def _misclassification(stats, judge, center) -> list[str]:
    return [f"1 - {fraction(stats.max(initial=0), stats.sum())}"]


def _cost_gini(stats, judge, center) -> list[str]:
    """Only the sum of the two costs of a pair of classes matters."""
    loss, n, there = judge.loss, stats.sum(), np.flatnonzero(stats > 0)
    pairs = [(i, j) for a, i in enumerate(there) for j in there[a + 1 :] if loss[i, j] + loss[j, i] > 0]
    return summed(
        rf"({tex(loss[i, j])} + {tex(loss[j, i])}) \cdot {fraction(stats[i], n)} \cdot {fraction(stats[j], n)}"
        for i, j in pairs
    )


def _squared_error(stats, judge, center) -> list[str]:
    w, wy, wyy = stats
    squares, total = wyy + 2 * center * wy + center**2 * w, wy + center * w
    mean_square, mean = (rf"\tfrac{{{tex(amount, 8)}}}{{{weight(w)}}}" for amount in (squares, total))
    return [mean_square, rf" - \left({mean}\right)^2"]


_SUBSTITUTED = {
    "gini": _gini,
    "half_gini": _half_gini,
    "two_class_variance": _two_class_variance,
    "entropy": _entropy_to(r"\log_2"),
    "entropy_nats": _entropy_to(r"\ln"),
    "misclassification": _misclassification,
    "cost_gini": _cost_gini,
    "squared_error": _squared_error,
}
