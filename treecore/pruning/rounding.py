"""Numbers that are equal but for rounding."""

import math

import numpy as np

ROUNDING = 1e-12
"""Of a node's risk: branches that save no larger share of it save nothing."""


def snapped_threshold(number: float, threshold: float, scale: float = 0.0) -> float:
    """The threshold, or the number itself where the two differ by rounding only.

    Sums of weights carry rounding: what is compared exactly afterwards must not depend on it.
    scale : numbers below ROUNDING of it are 0. What is far away must not make it large: a node's own numbers.
    """
    return number if math.isclose(number, threshold, rel_tol=1e-9, abs_tol=ROUNDING * scale) else threshold


def last_of_least(error: np.ndarray, same: float = 1e-9) -> tuple[int, float]:
    """(the last of the steps of least error, by how much an error may be more and count as equal).

    error : float64 (n_steps,), along a nested sequence, not NaN everywhere. Errors are sums along it: they carry
    rounding of what was added up before, not of larger errors behind them. same : share of the least error.
    """
    least = int(np.nanargmin(error))
    slack = same * abs(error[least]) + ROUNDING / 10 * np.nanmax(np.abs(error[: least + 1]))
    return int(np.flatnonzero(error <= error[least] + slack)[-1]), float(slack)
