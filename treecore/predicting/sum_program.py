"""Weighted sums brought into spans at the least price: a linear program, of whole numbers a mixed one.

The numbers x of the features that the sums share, and d >= |x - value|, by how much each is changed: least price · d
where every sum and every x lies in its span.
"""

import math
from dataclasses import dataclass

import numpy as np

from treecore.predicting.leaf_boxes import Span, nice_number, some_number

WIDE, NARROW = 1e-3, 1e-6
"""How far inside of limits the numbers lie, in units: the first leaves room for few digits, of leaves thinner than the
second there are no numbers. The solver is exact to a tenth of it."""
SAME = 1e-9
"""Units by which a number that stays may be off."""


@dataclass(frozen=True)
class SharedFeature:
    """A feature that sums share.

    value : None where it is not known. spans : where it may lie, in one of them. unit : it is counted in such steps.
    price : of a unit's change, or of any number where it is not known. whole : must it be a whole number?
    """

    feature: int
    value: float | None
    spans: tuple[Span, ...]
    unit: float
    price: float
    whole: bool

    @property
    def start(self) -> float:
        """The number from which units are counted; a whole one where it has to stay so."""
        start = some_number(self.spans[0]) if self.value is None else self.value
        return float(round(start)) if self.whole else start

    @property
    def off(self) -> float:
        """Units from the start to the value."""
        return 0.0 if self.value is None else (self.value - self.start) / self.unit

    def ends(self, span: Span, margin: float) -> tuple[float, float]:
        """(lowest, highest) in units from the start; a single number has no margin."""
        low, high = (span.low - self.start) / self.unit, (span.high - self.start) / self.unit
        if span.single:
            return low, high
        if not self.whole:
            return low + margin, high - margin
        return (low if math.isinf(low) else math.ceil(low) if span.low_in else math.floor(low) + 1.0,
                high if math.isinf(high) else math.floor(high) if span.high_in else math.ceil(high) - 1.0)  # fmt: skip


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum of them. weights : float64 (n_moved,), 0 for those that it lacks. rest : what it has besides.
    spans : where it may lie, in one of them."""

    weights: np.ndarray
    rest: float
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class SumProgram:
    """spans : of each moved feature. sum_spans : of each sum."""

    moved: tuple[SharedFeature, ...]
    sums: tuple[WeightedSum, ...]
    spans: tuple[Span, ...]
    sum_spans: tuple[Span, ...]

    def solved(self, margin: float) -> tuple[float, np.ndarray | None]:
        """(the least price, float64 (n_moved,) numbers); None where nothing lies so far inside of all limits."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        n, known = len(self.moved), np.array([one.value is not None for one in self.moved])
        price, off = np.array([one.price for one in self.moved]), np.array([one.off for one in self.moved])
        low, high = np.array([m.ends(s, margin) for m, s in zip(self.moved, self.spans, strict=True)]).T
        weights, least, most = self._sums_in_units(margin)
        whole = [m.whole and not s.single for m, s in zip(self.moved, self.spans, strict=True)]
        if (low > high).any() or (least > most).any():
            return math.inf, None
        unit, no_limit = np.eye(n), np.full(2 * n, np.inf)
        left = np.block([[-unit, unit], [unit, unit], [weights, np.zeros_like(weights)]])
        solution = milp(
            np.concatenate([np.zeros(n), np.where(known, price, 0.0)]),
            constraints=LinearConstraint(left, np.concatenate([-off, off, least]), np.concatenate([no_limit, most])),
            bounds=Bounds(np.concatenate([low, np.zeros(n)]), np.concatenate([high, np.full(n, np.inf)])),
            integrality=np.array([*whole, *[False] * n]).astype(int),
            options={"mip_rel_gap": 0.0},
        )
        if solution.x is None:
            return math.inf, None
        return float(solution.fun + price[~known].sum()), self._numbers(solution.x[:n])

    def _sums_in_units(self, margin: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(float64 (n_sums, n_moved) weights that add up to 1, lowest, highest sum), all counted from the starts."""
        units, start = np.array([one.unit for one in self.moved]), np.array([one.start for one in self.moved])
        weights = np.array([one.weights for one in self.sums])
        at_start = weights @ start + [one.rest for one in self.sums]
        whole = np.abs(weights * units).sum(axis=1)
        low, high = np.array([(span.low, span.high) for span in self.sum_spans]).T
        inside = self._margins(weights, margin)
        least, most = (low - at_start) / whole + inside[0], (high - at_start) / whole - inside[1]
        return weights * units / whole[:, None], least, most

    def _margins(self, weights: np.ndarray, margin: float) -> np.ndarray:
        """float64 (2, n_sums): how far above its lower and below its upper end each sum has to lie.

        A sum that goes in steps only may lie on an end that belongs to the span, and has to leave one that does not.
        """
        steps = [one.whole or span.single for one, span in zip(self.moved, self.spans, strict=True)]
        between = (weights[:, ~np.array(steps)] != 0).any(axis=1)
        outside = np.array([(not span.low_in, not span.high_in) for span in self.sum_spans]).T
        return np.where(between, margin, NARROW * outside)

    def _numbers(self, units: np.ndarray) -> np.ndarray:
        """float64 (n_moved,): the numbers themselves; a feature that stays has its own."""
        numbers = []
        for one, x in zip(self.moved, units.tolist(), strict=True):
            number = float(round(one.start + x)) if one.whole else one.start + x * one.unit
            numbers.append(one.value if one.value is not None and abs(x - one.off) <= SAME else number)
        return np.array(numbers)

    def with_few_digits(self, numbers: np.ndarray) -> np.ndarray:
        """The numbers, one after the other as near to where they were as the others let them, and with few digits."""
        rounded = numbers.copy()
        for i, one in enumerate(self.moved):
            if not one.whole and rounded[i] != one.value:
                near = nice_number(self._left_to(i, rounded), one.value)
                rounded[i] = rounded[i] if near is None else near
        return rounded

    def _left_to(self, i: int, numbers: np.ndarray) -> Span:
        """Where one number may lie, the others being what they are."""
        left = self.spans[i]
        for one, span in zip(self.sums, self.sum_spans, strict=True):
            weight = float(one.weights[i])
            if weight:
                rest = float(one.weights @ numbers) - weight * float(numbers[i]) + one.rest
                ends = ((span.low - rest) / weight, span.low_in), ((span.high - rest) / weight, span.high_in)
                (low, low_in), (high, high_in) = ends if weight > 0 else reversed(ends)
                left = left.meet(Span(low, high, low_in, high_in))
        return left
