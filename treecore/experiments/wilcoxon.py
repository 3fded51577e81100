"""Wilcoxon's signed ranks: is one recipe better more often, and by more, whatever the scale of the scores?"""

from dataclasses import dataclass
from math import erfc, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.experiments.summary import differences

EXACT_UP_TO = 50
"""So many differences that are not 0 have an exact p."""
SAME = 1e-9
"""Sizes of differences that are closer, as a share of the largest, are the same but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Wilcoxon(Brief):
    """H0: differences are as likely above 0 as as far below it.

    differences : float64 (n,), second less first. ranks : float64 (n,), of their sizes from 1, equal ones sharing the
    mean of their places; 0 for differences of 0, which are left out. plus, minus : sums of the ranks of those above
    and below 0. p : exact two-sided, NaN for more than EXACT_UP_TO. p_normal : by the normal distribution with the
    correction for ties; NaN where all differences are 0.
    """

    differences: np.ndarray
    ranks: np.ndarray
    plus: float
    minus: float
    p: float
    p_normal: float

    @property
    def statistic(self) -> float:
        """The smaller sum, as tables list it."""
        return min(self.plus, self.minus)


def wilcoxon(a: np.ndarray, b: np.ndarray, same: float = SAME) -> Wilcoxon:
    """The signed-rank test of scores on the same folds, float64 (n,) each.

    same : share of the largest difference by which two may be apart and still share a rank. 0 as in scipy, where
    4/114 and 4/114 are two sizes if they come from other subtractions.
    Source: Wilcoxon (1945).
    """
    found = differences(a, b)
    ranks = np.zeros(len(found))
    ranks[found != 0] = shared_ranks(np.abs(found[found != 0]), same)
    plus, minus = float(ranks[found > 0].sum()), float(ranks[found < 0].sum())
    used = ranks[ranks > 0]
    return Wilcoxon(found, ranks, plus, minus, _exact(used, min(plus, minus)), _normal(used, plus))


def shared_ranks(values: np.ndarray, same: float = SAME) -> np.ndarray:
    """float64 (n,): ranks from 1 for the lowest; values that are equal but for rounding share the mean of theirs.

    same : share of the largest by which neighbours in order may be apart.
    """
    order = np.argsort(values, kind="stable")
    scale = np.abs(values).max(initial=0.0)
    new = np.diff(values[order], prepend=-np.inf) > same * scale
    group = np.cumsum(new) - 1
    places = np.bincount(group, np.arange(1.0, len(values) + 1)) / np.bincount(group)
    ranks = np.empty(len(values))
    ranks[order] = places[group]
    return ranks


def _exact(ranks: np.ndarray, least: float) -> float:
    """Two-sided p: the share of all 2^n choices of signs whose smaller sum is at most this one, at most 1."""
    if len(ranks) > EXACT_UP_TO:
        return nan
    doubled = np.rint(2 * ranks).astype(np.int64)  # mean ranks are halves
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[: len(ways) - rank].copy()
    return min(1.0, 2 * float(ways[: round(2 * least) + 1].sum() / ways.sum()))


def _normal(ranks: np.ndarray, plus: float) -> float:
    """Two-sided p by the normal distribution: variance sum of r^2 / 4, which is that corrected for ties."""
    spread = float((ranks**2).sum()) / 4
    return erfc(abs(plus - ranks.sum() / 2) / sqrt(2 * spread)) if spread > 0 else nan
