"""The rows of one node as directions are looked for among them, and what a cut costs there, in bits."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.kernels.hill_climb import (
    EPSILON,
    climb_of_classes,
    climb_of_numbers,
    cuts_of_classes,
    cuts_of_numbers,
    line_of_classes,
)


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Brief):
    """Rows without missing numbers.

    x : float64 (n, d), features of more than one value, centred and over their deviation; quickest where those of a
    feature lie side by side. target : int64 (n,) classes, or float64 numbers where n_classes is 0. weight : float64
    (n,) > 0. price : of a coefficient, over its length.
    """

    x: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    n_classes: int
    price: float = 1.0

    @cached_property
    def answers(self) -> np.ndarray:
        """(n,): int64 classes, or float64 numbers around their mean."""
        if self.n_classes:
            return self.target.astype(np.int64)
        return self.target - np.average(self.target, weights=self.weight)

    @cached_property
    def sums(self) -> np.ndarray:
        """float64 (n, S), what is added up of each row: its weight by class, or w, wy and wy² around the mean."""
        if self.n_classes:
            return np.eye(self.n_classes)[self.target] * self.weight[:, None]
        y = self.answers
        return self.weight[:, None] * np.stack([np.ones(len(y)), y, y * y], axis=1)

    @cached_property
    def total(self) -> np.ndarray:
        if self.n_classes:
            return np.bincount(self.target, self.weight, self.n_classes)
        return self.sums.sum(axis=0)

    @cached_property
    def responses(self) -> np.ndarray:
        """float64 (n, m), centred: one column for two classes or a numeric target, else one for each class."""
        raw = np.eye(self.n_classes)[self.target] if self.n_classes else self.target[:, None].astype(float)
        raw = raw[:, 1:] if self.n_classes == 2 else raw
        return raw - np.average(raw, axis=0, weights=self.weight)

    @property
    def square(self) -> np.ndarray:
        """float64 (d, d), products of the features, added up over the weighted rows."""
        once = (self.weight == 1.0).all()
        return self.x.T @ (self.x if once else self.x * self.weight[:, None])

    def some(self, rows: np.ndarray) -> "Cases":
        """These rows of it (indices): they save their share of the bits, so that a coefficient costs as much less."""
        part = Cases(self.x.T.take(rows, axis=1).T, self.target[rows], self.weight[rows], self.n_classes)
        share = part.weight.sum() / self.weight.sum()
        return replace(part, price=share * self.coefficient_bits / part._length)

    @cached_property
    def coefficient_bits(self) -> float:
        """The price of what a coefficient takes to be told: bits that it must save."""
        return self.price * self._length

    @property
    def _length(self) -> float:
        """Half the logarithm of the weight, and which of the features it is of.

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

    def best_cuts(self, lines: np.ndarray) -> np.ndarray:
        """float64 (m, 2): (bits, where), the fewest bits that a cut leaves in each of these lines, float64 (m, n), of
        places, and the middle between the rows that it parts; (inf, nan) where none does."""
        lines = np.ascontiguousarray(lines)
        if self.n_classes:
            return cuts_of_classes(lines, self.answers, self.weight, self.total)
        order = np.argsort(lines, axis=1)  # equal places are never parted: their order does not matter
        return cuts_of_numbers(order, lines, self.answers, self.weight, self.total)

    def cuts_bits(self, lines: np.ndarray) -> np.ndarray:
        """float64 (m,): the fewest bits that a threshold leaves on each of these lines; infinite without any."""
        return self.best_cuts(lines)[:, 0]

    def cut_bits(self, place: np.ndarray) -> float:
        """The same of one line, float64 (n,)."""
        return float(self.best_cuts(place[None])[0, 0])

    def best_feature(self) -> tuple[float, int]:
        """(bits, f): the fewest bits that a cut leaves on a single feature, and on which; (inf, -1) without any."""
        return self.best_line(self.x.T, np.zeros(self.x.shape[1]), np.inf)

    def best_line(self, lines: np.ndarray, prices: np.ndarray, limit: float) -> tuple[float, int]:
        """(bits, j): the fewest bits that a cut leaves with the price of its line, if fewer than `limit`, and on which.

        lines : float64 (m, n), places. prices : float64 (m,), bits. (inf, -1) where no line leaves so few.
        """
        if self.n_classes:
            lines = np.ascontiguousarray(lines)
            return line_of_classes(lines, prices, limit, self.answers, self.weight, self.total)
        told = self.cuts_bits(lines) + prices
        j = int(told.argmin()) if len(told) else -1
        return (float(told[j]), j) if j >= 0 and told[j] < limit else (np.inf, -1)

    @cached_property
    def columns(self) -> np.ndarray:
        """float64 (d + 1, n): the features, and 1, as the threshold is one coefficient more."""
        return np.ascontiguousarray(np.vstack([self.x.T, np.ones(len(self.x))]))  # vstack keeps the order of x

    @cached_property
    def prices(self) -> np.ndarray:
        """float64 (d + 1,): bits that the coefficients cost; the threshold's nothing."""
        return np.append(np.full(self.x.shape[1], self.coefficient_bits), 0.0)

    def climb(self, features: np.ndarray, rounds: int, w: np.ndarray) -> float:
        """The bits left after so many rounds of kernels.hill_climb over these columns; w (d + 1,) is written on."""
        climb = climb_of_classes if self.n_classes else climb_of_numbers
        return climb(self.columns, features, rounds, w, self.prices, self.answers, self.weight, self.total)


def _class_bits(counts: np.ndarray) -> np.ndarray:
    """float64 (...): n H of class counts (..., K), in bits."""
    counts = np.maximum(counts, 0.0)
    return _n_log_n(counts.sum(axis=-1)) - _n_log_n(counts).sum(axis=-1)


def _n_log_n(n: np.ndarray) -> np.ndarray:
    return n * np.log2(np.where(n > 0, n, 1.0))
