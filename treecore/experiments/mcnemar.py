"""McNemar's test: of the rows on which just one of two recipes is right, is it one of them more often?"""

from dataclasses import dataclass

import numpy as np

from treecore.evaluation.agreement import mcnemar


@dataclass(frozen=True)
class McNemar:
    """Rows by who is right. first_only, second_only : b and c, all that the test looks at.

    p : exact two-sided. chi_square, p_chi_square : (|b - c| - 1)^2 / (b + c) with one degree of freedom; 0 and 1
    where b + c = 0. It is good from b + c = 25 on or so.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p: float
    chi_square: float
    p_chi_square: float


def mcnemar_of(first_right: np.ndarray, second_right: np.ndarray) -> McNemar:
    """The test for two recipes, bool (n_rows,) each: which rows are answered rightly.

    Source: McNemar (1947), the correction by Edwards (1948).
    """
    from scipy import special

    first, second = np.asarray(first_right, bool), np.asarray(second_right, bool)
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    chi_square = (abs(b - c) - 1) ** 2 / (b + c) if b + c else 0.0
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    return McNemar(both, b, c, neither, mcnemar(c, b), chi_square, float(special.chdtrc(1, chi_square)))
