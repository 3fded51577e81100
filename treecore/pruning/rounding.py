"""Numbers that are equal but for rounding."""

import math


def settled(number: float, threshold: float, scale: float = 0.0) -> float:
    """The threshold, or the number itself where the two differ by rounding only.

    Sums of weights carry rounding: what is compared exactly afterwards must not depend on it.
    scale : numbers below 1e-12 of it are 0.
    """
    return number if math.isclose(number, threshold, rel_tol=1e-9, abs_tol=1e-12 * abs(scale)) else threshold
