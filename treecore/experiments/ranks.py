"""Many recipes: their ranks on every fold or table, Friedman's test, and how far mean ranks must lie apart."""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.experiments.paired_t import LEVEL
from treecore.experiments.wilcoxon import shared_ranks


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Brief):
    """H0: all recipes are as good, their ranks differ by chance.

    ranks : float64 (n, k), rank of every recipe on each of n samples, 1 for the best, equal ones sharing theirs.
    mean : float64 (k,). chi_square, p : Friedman's with the correction for ties, df k - 1; NaN where all are tied.
    chi_square_plain : without that correction, as textbooks print it. f, f_p : Iman and Davenport's from it, less
    timid, degrees of freedom k - 1 and (k - 1)(n - 1).
    critical : mean ranks that lie as far apart differ at the level (Nemenyi).
    """

    ranks: np.ndarray
    mean: np.ndarray
    chi_square: float
    p: float
    chi_square_plain: float
    f: float
    f_p: float
    critical: float
    level: float = LEVEL

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Recipes that cannot be told apart, best first: the bars of a critical-difference diagram, none in another."""
        order = np.argsort(self.mean, kind="stable")
        found = []
        for i, first in enumerate(order):
            near = self.mean[order] - self.mean[first] < self.critical
            last = int(np.flatnonzero(near)[-1])
            if last > i and (not found or last > found[-1][-1]):
                found.append((i, last))
        return [tuple(order[i : last + 1].tolist()) for i, last in found]


def friedman(scores: np.ndarray, higher_is_better: bool = True, level: float = LEVEL) -> Ranks:
    """Ranks of k recipes by their scores, float64 (n, k), on n samples (tables; folds of one table overlap).

    TreecoreError for less than 3 recipes (2 have Wilcoxon's test) or 2 samples.
    Source: Friedman (1937), Iman and Davenport (1980), Nemenyi (1963); Demsar (2006), JMLR 7.
    """
    from scipy import special

    scores = np.asarray(scores, float)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 3 or not np.isfinite(scores).all():
        remedy = "Give a row of numbers per sample and a column per recipe"
        raise TreecoreError("Ranks need scores of 3 recipes or more on 2 samples", where="scores", remedy=remedy)
    ranks = np.array([shared_ranks(-row if higher_is_better else row) for row in scores])
    n, k = ranks.shape
    mean = ranks.mean(axis=0)
    between = n * float(((mean - (k + 1) / 2) ** 2).sum())
    within = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))  # k (k + 1) / 12 without ties
    plain, chi = 12 * between / (k * (k + 1)), between / within if within > 0 else nan
    rest = n * (k - 1) - plain
    f = (n - 1) * plain / rest if rest > 1e-9 else inf
    p, f_p = float(special.chdtrc(k - 1, chi)), float(special.fdtrc(k - 1, (k - 1) * (n - 1), f))
    return Ranks(ranks, mean, chi, p, plain, f, f_p, critical_difference(k, n, level), level)


def critical_difference(n_recipes: int, n_samples: int, level: float = LEVEL) -> float:
    """How far mean ranks must lie apart: q sqrt(k (k + 1) / (6 n)), q the studentized range's over sqrt(2).

    Source: Nemenyi (1963), as in Demsar (2006).
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - level, n_recipes, np.inf)) / sqrt(2)
    return q * sqrt(n_recipes * (n_recipes + 1) / (6 * n_samples))
