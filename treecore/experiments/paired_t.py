"""Two recipes on the same folds: the paired t-test, and the one that knows that folds share their training rows."""

from dataclasses import dataclass, replace
from math import copysign, inf, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.experiments.summary import differences, summary

LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class PairedT(Brief):
    """H0: on average both recipes score the same.

    differences : float64 (n,), second less first, fold by fold. mean, sd : m and S of them (n - 1 below).
    error : what m is divided by, S sqrt(1/n + overlap). t, df, p : p is two-sided.
    overlap : 0 for the plain test; test rows / training rows of a fold for the corrected one.
    low, high : the 1 - level interval of the mean difference.
    S = 0 leaves nothing to judge chance by: t and p are NaN where all differences are 0, else t is infinite and p 0.
    """

    differences: np.ndarray
    mean: float
    sd: float
    error: float
    t: float
    df: int
    p: float
    low: float
    high: float
    overlap: float = 0.0
    level: float = LEVEL

    @property
    def n(self) -> int:
        return len(self.differences)

    @property
    def turned(self) -> "PairedT":
        """The same test of the first less the second, as it is written down beside the two."""
        ends = {"low": -self.high, "high": -self.low}
        return replace(self, differences=0.0 - self.differences, mean=0.0 - self.mean, t=0.0 - self.t, **ends)

    @property
    def rejects(self) -> bool:
        """Is H0 rejected at the level? Never where S = 0: spread that is not there says nothing of chance."""
        return self.sd > 0 and self.p < self.level


def paired_t(a: np.ndarray, b: np.ndarray, level: float = LEVEL) -> PairedT:
    """The plain test of the scores of two recipes on the same folds, float64 (n,) each, n > 1.

    t = m / (S / sqrt(n)) with df n - 1. It takes folds for independent samples. They share most of their training
    rows, so S is too small and differences that are luck are called real too often (see resampled_t).
    Source: Student (1908); Dietterich (1998) on how often it is wrong.
    """
    return _paired_t(a, b, 0.0, level)


def resampled_t(a: np.ndarray, b: np.ndarray, overlap: float, level: float = LEVEL) -> PairedT:
    """The corrected test: S^2 (1/n + test rows / training rows) in place of S^2 / n.

    overlap : test rows / training rows of a fold, > 0; 1 / (k - 1) for k folds.
    Source: Nadeau and Bengio (2003), Machine Learning 52; for repeated folds Bouckaert and Frank (2004).
    """
    if not 0 < overlap < inf:
        raise TreecoreError(
            f"{overlap!r} is no ratio of test rows to training rows", where="overlap", remedy="Give a number above 0"
        )
    return _paired_t(a, b, overlap, level)


def _paired_t(a: np.ndarray, b: np.ndarray, overlap: float, level: float) -> PairedT:
    from scipy import special

    found = differences(a, b)
    if len(found) < 2:
        raise TreecoreError(
            "One fold leaves no spread to judge by", where="scores", remedy="Use two folds or more (ten are usual)"
        )
    of, df = summary(found), len(found) - 1
    error = of.sd * sqrt(1 / of.n + overlap)
    t = of.mean / error if error > 0 else copysign(inf, of.mean) if of.mean else nan
    p = 2 * float(special.stdtr(df, -abs(t)))
    half = error * float(special.stdtrit(df, 1 - level / 2))
    return PairedT(found, of.mean, of.sd, error, t, df, p, of.mean - half, of.mean + half, overlap, level)
