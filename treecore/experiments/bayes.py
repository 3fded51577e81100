"""How probable is it that one recipe is better, and by more than what matters?"""

from dataclasses import dataclass

import numpy as np

from treecore.errors import TreecoreError
from treecore.experiments.paired_t import resampled_t

MATTERS = 0.01
"""Differences up to one per cent are no difference in practice."""


@dataclass(frozen=True)
class Posterior:
    """What is believed of the mean difference (second less first) after the folds: a t distribution.

    mean, scale, df : of it. matters : the least difference that counts. worse, same, better : the probabilities that
    the second recipe's score is lower by more than that, within it, higher by more than that; they add up to 1.
    """

    mean: float
    scale: float
    df: int
    matters: float
    worse: float
    same: float
    better: float


def correlated_t(a: np.ndarray, b: np.ndarray, overlap: float, matters: float = MATTERS) -> Posterior:
    """The Bayesian correlated t-test of scores on the same folds, float64 (n,) each, n > 1.

    overlap : test rows / training rows of a fold; the correlation of the folds' scores is taken to be
    test rows / all rows, which makes the scale that of the corrected resampled t-test. matters : >= 0, in the unit
    of the scores. Where all differences are the same the distribution is that one number.
    Source: Corani and Benavoli (2015), Machine Learning 100.
    """
    from scipy import special

    if not matters >= 0:
        raise TreecoreError(f"{matters!r} is no least difference", where="matters", remedy="Give 0 or a number above")
    found = resampled_t(a, b, overlap)
    if found.error > 0:
        low, high = special.stdtr(found.df, (np.array([-matters, matters]) - found.mean) / found.error)
    else:
        low, high = float(found.mean < -matters), float(found.mean <= matters)
    return Posterior(found.mean, found.error, found.df, matters, float(low), float(high - low), float(1 - high))
