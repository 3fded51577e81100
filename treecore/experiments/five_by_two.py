"""Five times two folds: a test whose training sets do not overlap within a repetition."""

from dataclasses import dataclass
from math import copysign, inf, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.experiments.summary import differences


@dataclass(frozen=True, eq=False, repr=False)
class FiveByTwo(Brief):
    """H0: both recipes score the same.

    differences : float64 (5, 2), second less first. variances : float64 (5,), s_i^2 = sum_j (d_ij - mean of i)^2.
    t, p : Dietterich's, d_11 / sqrt(mean of s_i^2), df 5, two-sided. f, f_p : Alpaydin's, which no order of the folds
    changes: sum d_ij^2 / (2 sum s_i^2), degrees of freedom 10 and 5. NaN where no difference is there at all.
    """

    differences: np.ndarray
    variances: np.ndarray
    t: float
    p: float
    f: float
    f_p: float


def five_by_two(a: np.ndarray, b: np.ndarray) -> FiveByTwo:
    """The test of scores of two recipes, float64 (5, 2) each: row i has those of the two halves of repetition i.

    Source: Dietterich (1998), Neural Computation 10; Alpaydin (1999), Neural Computation 11.
    """
    from scipy import special

    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != (5, 2) or b.shape != (5, 2):
        remedy = "Draw two folds five times: folds.repeated_folds(table, 2, 5)"
        raise TreecoreError("The test needs 5 repetitions of 2 folds", where="scores", remedy=remedy)
    d = differences(a.ravel(), b.ravel()).reshape(5, 2)
    # of two numbers: (d1 - m)^2 + (d2 - m)^2 = (d1 - d2)^2 / 2
    variances = (d[:, 0] - d[:, 1]) ** 2 / 2
    spread = float(variances.sum())
    t, f = _over(float(d[0, 0]), sqrt(spread / 5)), _over(float((d**2).sum()), 2 * spread)
    return FiveByTwo(d, variances, t, 2 * float(special.stdtr(5, -abs(t))), f, float(special.fdtrc(10, 5, f)))


def _over(above: float, below: float) -> float:
    """above / below; infinite over nothing, and NaN where both are 0."""
    return above / below if below > 0 else copysign(inf, above) if above else nan
