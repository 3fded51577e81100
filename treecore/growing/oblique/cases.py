"""The rows of one node as directions are looked for among them, and what a cut costs there, in bits."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

EPSILON = 1e-12


@dataclass(frozen=True, eq=False)
class Cases:
    """Rows without missing numbers.

    x : float64 (n, d), features of more than one value, centred and over their deviation. target : int64 (n,) classes,
    or float64 numbers where n_classes is 0. weight : float64 (n,) > 0. least : rows that either side must have.
    """

    x: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    n_classes: int
    least: int = 1

    @cached_property
    def sums(self) -> np.ndarray:
        """float64 (n, S), what is added up of each row: its weight by class, or w, wy and wy² around the mean."""
        if self.n_classes:
            return np.eye(self.n_classes)[self.target] * self.weight[:, None]
        y = self.target - np.average(self.target, weights=self.weight)
        return self.weight[:, None] * np.stack([np.ones(len(y)), y, y * y], axis=1)

    @cached_property
    def total(self) -> np.ndarray:
        return self.sums.sum(axis=0)

    @cached_property
    def responses(self) -> np.ndarray:
        """float64 (n, m), centred: one column for two classes or a numeric target, else one for each class."""
        raw = np.eye(self.n_classes)[self.target] if self.n_classes else self.target[:, None].astype(float)
        raw = raw[:, 1:] if self.n_classes == 2 else raw
        return raw - np.average(raw, axis=0, weights=self.weight)

    @property
    def coefficient_bits(self) -> float:
        """What a coefficient costs to be told: half the logarithm of the weight, and which of the features it is of.

        Source: Rissanen (1978), Modeling by shortest data description.
        """
        return 0.5 * float(np.log2(max(self.weight.sum(), 2.0))) + float(np.log2(self.x.shape[1]))

    @property
    def whole_bits(self) -> float:
        """Bits to tell the classes without a cut."""
        return float(_class_bits(self.total))

    def bits_of_sides(self, low: np.ndarray) -> np.ndarray:
        """float64 (...), bits to tell the target on both sides. low : float64 (..., S), sums of the low side."""
        both = low, self.total - low
        if self.n_classes:
            return _class_bits(both[0]) + _class_bits(both[1])
        left = sum(np.maximum(s[..., 2] - s[..., 1] ** 2 / np.maximum(s[..., 0], EPSILON), 0.0) for s in both)
        return 0.5 * self.total[0] * np.log2(np.maximum(left / max(self.total[2], EPSILON), EPSILON))

    def cut_bits(self, place: np.ndarray) -> float:
        """The fewest bits that a threshold on these places (n,) leaves; infinite where none parts the rows."""
        return float(self.cuts_bits(place[:, None])[0])

    def cuts_bits(self, places: np.ndarray) -> np.ndarray:
        """float64 (m,): cut_bits of every column of places (n, m)."""
        order = np.argsort(places, axis=0, kind="stable")
        ahead = np.take_along_axis(places, order, axis=0)
        n, at = len(places), np.arange(1, len(places))[:, None]
        gap = ahead[1:] - ahead[:-1] > EPSILON * (np.abs(ahead[1:]) + np.abs(ahead[:-1]))
        allowed = gap & (at >= self.least) & (n - at >= self.least)
        low = np.cumsum(self.sums[order], axis=0)[:-1]
        return np.where(allowed, self.bits_of_sides(low), np.inf).min(axis=0, initial=np.inf)


def _class_bits(counts: np.ndarray) -> np.ndarray:
    """float64 (...): n H of class counts (..., K), in bits."""
    counts = np.maximum(counts, 0.0)
    return _n_log_n(counts.sum(axis=-1)) - _n_log_n(counts).sum(axis=-1)


def _n_log_n(n: np.ndarray) -> np.ndarray:
    return n * np.log2(np.where(n > 0, n, 1.0))
