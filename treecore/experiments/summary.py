"""Scores of folds in three numbers, and differences of scores of the same folds."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from treecore.errors import TreecoreError
from treecore.target.rounding import settled

ROUNDING = 1e-12
"""Share of the larger of two scores below which their difference is rounding."""


@dataclass(frozen=True)
class Summary:
    """Scores in short. sd : how far single scores are from their mean, n - 1 below; standard_error : sd / sqrt(n),
    how far this mean would be from that of other folds, were they independent. Both NaN of one score."""

    n: int
    mean: float
    sd: float
    standard_error: float


def summary(scores: np.ndarray) -> Summary:
    """Mean, standard deviation and standard error of scores, float64 (n,), n > 0."""
    scores = checked_scores(scores)
    n, mean = len(scores), float(scores.mean())
    # a mean of equal numbers may be off by rounding
    off = settled(scores - mean, np.abs(scores).max(), ROUNDING)
    sd = sqrt(float(off @ off) / (n - 1)) if n > 1 else nan
    return Summary(n, mean, sd, sd / sqrt(n))


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """float64 (n,): b - a fold by fold, 0 where they are equal but for rounding.

    TreecoreError unless both have as many scores, all of them numbers.
    """
    a, b = checked_scores(a), checked_scores(b)
    if len(a) != len(b):
        raise TreecoreError(
            f"{len(a)} scores cannot be paired with {len(b)}", where="scores", remedy="Use the same folds for both"
        )
    return settled(b - a, np.maximum(np.abs(a), np.abs(b)), ROUNDING)


def checked_scores(scores: np.ndarray) -> np.ndarray:
    """float64 (n,); TreecoreError without any, or where one is no finite number."""
    scores = np.asarray(scores, float)
    if scores.ndim != 1 or not len(scores):
        raise TreecoreError("There are no scores", where="scores", remedy="Give one number per fold")
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise TreecoreError(
            f"The score of fold {bad[0] + 1} is not a number",
            where="scores",
            remedy="Choose another measure, or fewer folds: this one cannot be computed on every fold",
        )
    return scores
