"""Numbers that are 0 but for rounding, and are told and judged as 0."""

import numpy as np

OF_SUMS = 1e-14
"""Share of the largest number on the way below which a difference of sums is rounding."""
OF_GAINS = 1e-12
"""The same for gains, as share of the impurity: they are differences of differences."""
OF_VALUES = 1e-13
"""The same for two values of a target, one of them a mean that was summed around another mean."""


def settled(numbers, scale, share: float = OF_SUMS) -> np.ndarray:
    """The numbers, 0 where they are at most this share of the scale; NaN and infinite ones stay.

    numbers, scale : float64 arrays (or numbers) that can be broadcast against each other.
    """
    return np.where(np.abs(numbers) <= share * np.abs(scale), 0.0, numbers)


def distances(truth: np.ndarray, answer) -> np.ndarray:
    """float64 (n,): how far answers are off; 0 where they are the same number but for rounding."""
    return settled(np.abs(truth - answer), np.maximum(np.abs(truth), np.abs(answer)), OF_VALUES)
