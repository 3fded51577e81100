"""The rows of one node as directions are looked for among them, and what a cut costs there, in bits."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.kernels.cut_bits import EPSILON, cut_of_classes, cut_of_numbers


@dataclass(frozen=True, eq=False)
class Cases:
    """Rows without missing numbers.

    x : float64 (n, d), features of more than one value, centred and over their deviation. target : int64 (n,) classes,
    or float64 numbers where n_classes is 0. weight : float64 (n,) > 0.
    """

    x: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    n_classes: int

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
        """These rows of it (indices)."""
        return Cases(self.x[rows], self.target[rows], self.weight[rows], self.n_classes)

    @cached_property
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
        return self._bits_of_squares(left)

    def _bits_of_squares(self, left):
        """Bits to tell numbers of which so much of the squared differences is left."""
        return 0.5 * self.total[0] * np.log2(np.maximum(left / max(self.total[2], EPSILON), EPSILON))

    def best_cut(self, place: np.ndarray, moves: np.ndarray | None = None, low: np.ndarray | None = None):
        """(bits, where): the fewest bits that a cut among these places, float64 (n,), leaves, and the middle between
        the rows that it parts; (inf, nan) where none does.

        moves : float64 (n,), what a row adds to the low side when the cut has passed it; without it its weight. low :
        float64 (S,), sums of the low side before the first row; without it nothing. Both as in kernels.cut_bits.
        """
        order = np.argsort(place)  # equal places are never parted: their order does not matter
        low = np.zeros(len(self.total)) if low is None else low
        bits, at = self._judged(order, place, self.weight if moves is None else moves, low)
        return bits, float(place[order[at]] + place[order[at + 1]]) / 2 if at >= 0 else np.nan

    def _judged(self, order: np.ndarray, place: np.ndarray, moves: np.ndarray, low: np.ndarray) -> tuple[float, int]:
        """(bits, behind which row of the order) of the best cut; (inf, -1) for none."""
        if self.n_classes:
            return cut_of_classes(order, place, self.answers, moves, low, self.total)
        squares, at = cut_of_numbers(order, place, self.answers, moves, low, self.total)
        return float(self._bits_of_squares(squares)) if at >= 0 else np.inf, at

    def cut_bits(self, place: np.ndarray) -> float:
        """The fewest bits that a threshold on these places (n,) leaves; infinite where none parts the rows."""
        return self.best_cut(place)[0]

    def cuts_bits(self, places: np.ndarray) -> np.ndarray:
        """float64 (m,): cut_bits of every column of places (n, m)."""
        lines = np.ascontiguousarray(places.T)
        orders, low = np.argsort(lines, axis=1), np.zeros((len(lines), len(self.total)))
        return np.array(
            [self._judged(*line, self.weight, none)[0] for *line, none in zip(orders, lines, low, strict=True)]
        )


def _class_bits(counts: np.ndarray) -> np.ndarray:
    """float64 (...): n H of class counts (..., K), in bits."""
    counts = np.maximum(counts, 0.0)
    return _n_log_n(counts.sum(axis=-1)) - _n_log_n(counts).sum(axis=-1)


def _n_log_n(n: np.ndarray) -> np.ndarray:
    return n * np.log2(np.where(n > 0, n, 1.0))
