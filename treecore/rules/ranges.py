"""What a condition admits of one feature: an interval of numbers (or of places in an order), or a set of levels."""

import math
from dataclasses import dataclass

import numpy as np

from treecore.tree.schema import FeatureSchema
from treecore.tree.text import number_at

ANYTHING = "anything"


@dataclass(frozen=True)
class Interval:
    """The values from `low` to `high`; a closed side admits its own end. Infinite and closed: no limit there.

    Of an ordinal feature the values are the indices of its levels, and the ends lie between two of them.
    An infinite `high` that is open admits every known value; an infinite `low`: no known value.
    """

    low: float = -math.inf
    high: float = math.inf
    low_closed: bool = True
    high_closed: bool = True

    def admits(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value; never for NaN."""
        above = values >= self.low if self.low_closed else values > self.low
        return above & (values <= self.high if self.high_closed else values < self.high)

    def decides(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value: every value that is known."""
        return ~np.isnan(values)

    def meet(self, other: "Interval") -> "Interval":
        """The values that both admit."""
        low, low_open = max(self._bottom, other._bottom)
        high, high_closed = min(self._top, other._top)
        return Interval(low, high, not low_open, high_closed)

    def within(self, other: "Interval") -> bool:
        """Does the other one admit all that this one admits?"""
        return self.is_empty or (self._bottom >= other._bottom and self._top <= other._top)

    @property
    def is_empty(self) -> bool:
        """Does it admit nothing?"""
        return self.low > self.high or (self.low == self.high and not (self.low_closed and self.high_closed))

    # compared as pairs, an open end is the stricter one: above a closed bottom, below a closed top
    @property
    def _bottom(self) -> tuple[float, bool]:
        return self.low, not self.low_closed

    @property
    def _top(self) -> tuple[float, bool]:
        return self.high, self.high_closed

    def text(self, feature: FeatureSchema) -> str:
        """In words: "x < 5", "2 ≤ x < 5", "size ≥ M"."""
        if self.low == math.inf:
            return f"{feature.name} is missing"
        if self.low == -math.inf and self.high == math.inf:
            return f"{feature.name} is {ANYTHING if self.high_closed else 'known'}"
        if self.is_empty:
            return f"{feature.name} is no value at all"
        numeric = feature.by_number
        return self._by_number(feature) if numeric else self._by_order(feature)

    def _by_number(self, feature: FeatureSchema) -> str:
        low_closed, high_closed = (self.low_closed, self.high_closed) if feature.numeric else (True, False)
        low, high = number_at(feature, self.low), number_at(feature, self.high)
        low, high = feature.printed(low, not low_closed), feature.printed(high, high_closed)
        low, high = feature.in_unit(low), feature.in_unit(high)
        if self.low == -math.inf:
            return f"{feature.name} {'≤' if high_closed else '<'} {high}"
        if self.high == math.inf:
            return f"{feature.name} {'≥' if low_closed else '>'} {low}"
        return f"{low} {'≤' if low_closed else '<'} {feature.name} {'≤' if high_closed else '<'} {high}"

    def _by_order(self, feature: FeatureSchema) -> str:
        inside = [v for v in range(len(feature.levels)) if self.admits(np.array([float(v)]))[0]]
        if not inside:
            return f"{feature.name} is no level at all"
        first, last = feature.levels[inside[0]], feature.levels[inside[-1]]
        if self.low == -math.inf:
            return f"{feature.name} ≤ {last}"
        if self.high == math.inf:
            return f"{feature.name} ≥ {first}"
        return f"{feature.name} = {first}" if first == last else f"{feature.name} from {first} to {last}"


@dataclass(frozen=True)
class LevelSet:
    """Some levels, by index. decided : the levels that the test knows at all; one it does not know is not decided."""

    admitted: frozenset[int]
    decided: frozenset[int]

    def admits(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value; never for NaN and unknown levels."""
        return np.isin(values, list(self.admitted))

    def decides(self, values: np.ndarray) -> np.ndarray:
        """bool, one per value."""
        return np.isin(values, list(self.decided))

    def meet(self, other: "LevelSet") -> "LevelSet":
        """The levels that at least one admits and none refuses."""
        refused = (self.decided - self.admitted) | (other.decided - other.admitted)
        return LevelSet((self.admitted | other.admitted) - refused, self.decided | other.decided)

    def text(self, feature: FeatureSchema) -> str:
        """In words: "color = red", "color ∈ {red, blue}"."""
        levels = [feature.level_names[v] for v in sorted(self.admitted)]
        if not levels:
            return f"{feature.name} ∈ {{}}"
        if len(levels) > 1:
            return f"{feature.name} ∈ {{{', '.join(levels)}}}"
        return f"{feature.name} {'' if feature.cuts is not None else '= '}{levels[0]}"  # bins say "2 to 4"


Range = Interval | LevelSet


def meet(a: Range, b: Range, feature: FeatureSchema) -> Range:
    """What both admit, also of an ordinal feature that one of them cuts and the other groups."""
    if isinstance(a, LevelSet) != isinstance(b, LevelSet):
        a, b = (_as_levels(r, feature) for r in (a, b))
    return a.meet(b)


def _as_levels(asked: Range, feature: FeatureSchema) -> LevelSet:
    if isinstance(asked, LevelSet):
        return asked
    every = np.arange(len(feature.levels), dtype=float)
    return LevelSet(frozenset(np.flatnonzero(asked.admits(every)).tolist()), frozenset(range(len(every))))
