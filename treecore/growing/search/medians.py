"""Weighted medians, and distances from them, of the rows themselves: absolute error does not follow from sums."""

import numpy as np


def weighted_median(y: np.ndarray, weight: np.ndarray) -> float:
    """The value with half of the weight on either side; half way between two where both are.

    y, weight : float64 (n,); the weights sum up to more than 0.
    """
    order = np.argsort(y, kind="stable")
    order = order[weight[order] > 0]
    y, below = y[order], np.cumsum(weight[order])
    half = below[-1] / 2
    low, high = (int(np.searchsorted(below, half * (1 + s * 1e-12), "left")) for s in (-1, 1))
    return float(y[low] + y[min(high, len(y) - 1)]) / 2


def absolute_error(y: np.ndarray, weight: np.ndarray) -> float:
    """Sum of weight |y - weighted median|; 0 without weight."""
    if not weight.sum() > 0:
        return 0.0
    return float(weight @ np.abs(y - weighted_median(y, weight)))
