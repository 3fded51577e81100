"""The gaps between neighbouring values that thresholds lie in, and the decimals that thresholds are printed as."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.figures import exact

FEW_DIGITS = 6
"""A threshold of so many significant digits is printed as it is."""
NEAR = 0.05
"""Another one is printed as a number within this share of the way to either of its neighbours, if FEW_DIGITS can say
it: 2.449999988 between 1.9 and 3 is 2.45, not 2. Not if it has more than one place more than the neighbours have:
66.5202 says no more than 66.521 between 66.52 and 66.53."""
EXACT_HALVES = 2**52
"""Below it float64 has a number half way between two whole ones."""
MOST_DIGITS = 17
"""So many tell all numbers of 64 bits apart."""


@dataclass(frozen=True)
class Gap:
    """The numbers that part the same values as one threshold does.

    low, high : the largest value on the low side and the smallest one on the high side; infinite where there is none.
    closed : the low side is x ≤ threshold, so that the gap holds `low`; else it is x < threshold, and it holds `high`.
    """

    low: float
    high: float
    closed: bool

    def __contains__(self, number: float) -> bool:
        return self.low <= number < self.high if self.closed else self.low < number <= self.high

    def decimal(self, near: float, digits: int = 1) -> float:
        """The number of so many significant digits that is nearest to `near` in the gap; of more where these are too
        few. An end, which is one of the values, only where `near` is that end or no number lies in between."""
        near = near if near in self else self._inside
        for n in range(digits, MOST_DIGITS + 1):
            among = [d for d in _neighbouring_decimals(near, n) if self.low < d < self.high or d == near]
            if among:
                return min(among, key=lambda d: abs(d - near))
        return near

    def in_digits(self, near: float, digits: int) -> float | None:
        """The number of at most so many significant digits that is nearest to `near` in the gap, be it an end; None
        where there is none."""
        among = [d for d in _neighbouring_decimals(near, digits) if d in self]
        return min(among, key=lambda d: abs(d - near)) if among else None

    def printed(self, threshold: float) -> float:
        """The number that stands for a threshold of this gap in print; see FEW_DIGITS and NEAR. It is the shortest one
        of the gap where these do not say another."""
        threshold = threshold if threshold in self else self._inside
        if _has_few_digits(threshold):
            return threshold
        low = min(threshold * (1 - NEAR) + self.low * NEAR, threshold)
        high = max(threshold * (1 - NEAR) + self.high * NEAR, threshold)
        number = Gap(low, high, self.closed).decimal(threshold) if low < high else threshold
        return number if number in self and self._is_short(number) else self.decimal(threshold)

    def _is_short(self, number: float) -> bool:
        """Has it few digits, and at most one decimal place more than the values that end the gap?"""
        ends = [_last_place(end) for end in (self.low, self.high) if np.isfinite(end)]
        return _has_few_digits(number) and (not ends or _last_place(number) >= min(ends) - 1)

    @property
    def _inside(self) -> float:
        """A number in the gap, half way where it has two ends."""
        ends = [end for end in (self.low, self.high) if np.isfinite(end)]
        middle = sum(end / len(ends) for end in ends)
        return middle if middle in self else self.low if self.closed else self.high


def _has_few_digits(number: float) -> bool:
    return float(f"{number:.{FEW_DIGITS}g}") == number


def _last_place(number: float) -> int:
    """The power of ten of its last digit that is not 0: -2 for 66.52."""
    return int(Decimal(repr(number)).normalize().as_tuple().exponent)


def _neighbouring_decimals(number: float, digits: int) -> tuple[float, ...]:
    """The decimals of so many significant digits below and above a number; for one digit also 0."""
    if number == 0.0:
        return (0.0,)
    of = Decimal(number)
    unit = Decimal((0, (1,), of.adjusted() - digits + 1))
    beside = tuple(float(of.quantize(unit, way)) for way in (ROUND_FLOOR, ROUND_CEILING))
    return (0.0, *beside) if digits == 1 else beside


@dataclass(frozen=True, eq=False, repr=False)
class Gaps(Brief):
    """The gaps of the thresholds on one feature, where they are known.

    threshold, low, high : float64 (k,), closed : bool (k,), read-only; see Gap. in_float32 : all values are numbers of
    32 bits, and so every threshold lies between two of these at least.
    """

    threshold: np.ndarray
    closed: np.ndarray
    low: np.ndarray
    high: np.ndarray
    in_float32: bool = field(default_factory=bool)  # no default of the class, which would hide what is not made yet

    @classmethod
    def between(cls, values: np.ndarray, threshold: np.ndarray, closed: np.ndarray, at=None) -> "Gaps":
        """Of thresholds between ascending values. at : other (threshold, closed) that part the values as these do."""
        if not len(values):
            return cls(threshold, closed, np.full(len(threshold), -np.inf), np.full(len(threshold), np.inf))
        place, is_low = (threshold, closed) if at is None else at
        n = values.searchsorted(place, "right" if is_low.all() else "left")
        if is_low.any() and not is_low.all():
            n[is_low] = values.searchsorted(place[is_low], "right")
        low, high = values.take(n - 1, mode="clip"), values.take(n, mode="clip")
        low[n == 0], high[n == len(values)] = -np.inf, np.inf
        return cls(threshold, closed, low, high)

    @classmethod
    def when_asked(cls, make: Callable[[], "Gaps"]) -> "Gaps":
        """What `make` gives, made when anything of it is asked for; pickled and copied as if it were there."""
        gaps = object.__new__(cls)
        gaps.__dict__["_make"] = make
        return gaps

    def __getattr__(self, name: str):
        make = self.__dict__.get("_make")  # absent once it was called, by another thread perhaps
        if make is not None and name in _COLUMNS:
            self.__dict__.update(make().__dict__)
            self.__dict__.pop("_make", None)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getstate__(self) -> dict:
        return {name: getattr(self, name) for name in _COLUMNS}

    def __post_init__(self):
        for ends in (self.threshold, self.closed, self.low, self.high):
            ends.setflags(write=False)

    def known(self, threshold: float, closed: bool) -> Gap | None:
        """The gap of a threshold between values that were seen; None where there were none."""
        i = self._places.get((threshold, closed))
        return None if i is None else Gap(float(self.low[i]), float(self.high[i]), closed)

    def around(self, threshold: float, closed: bool) -> Gap | None:
        """The gap of a threshold; None where it is not known."""
        gap = self.known(threshold, closed)
        if gap is not None:
            return gap
        return _float32_gap(threshold, closed) if self.in_float32 else None

    def holding(self, number: float, closed: bool) -> Gap | None:
        """The gap in which a number lies that parts the values as one of the thresholds does; None where it is not
        known."""
        held = (self.low <= number) & (number < self.high) if closed else (self.low < number) & (number <= self.high)
        for i in np.flatnonzero(held):
            return Gap(float(self.low[i]), float(self.high[i]), closed)
        return _float32_gap(number, closed) if self.in_float32 else None

    @cached_property
    def _places(self) -> dict[tuple[float, bool], int]:
        pairs = zip(self.threshold.tolist(), self.closed.tolist(), strict=True)
        return {pair: i for i, pair in enumerate(pairs)}

    def rounded(self, threshold: float, closed: bool, digits: int | None = None) -> float:
        """A number with few digits that parts the values as the threshold does; itself where its gap is not known.

        digits : how many, more where they are too few; None for the number that is printed.
        """
        gap = self.around(threshold, closed)
        if gap is None:
            return threshold
        number = _rounded(gap, threshold, digits)
        beside = self.threshold[
            (self.low == gap.low) & (self.high == gap.high) & (self.threshold != threshold)
        ].tolist()
        # cuts with an empty bin between them stay two
        return threshold if any(_rounded(gap, other, digits) == number for other in beside) else number

    def printed(self, threshold: float, closed: bool) -> str:
        """That number as text."""
        return exact(self.rounded(threshold, closed))


_COLUMNS = tuple(Gaps.__dataclass_fields__)


def _rounded(gap: Gap, threshold: float, digits: int | None) -> float:
    return gap.printed(threshold) if digits is None else gap.decimal(threshold, digits)


def _unknown(in_float32: bool) -> Gaps:
    return Gaps(np.zeros(0), np.zeros(0, bool), np.zeros(0), np.zeros(0), in_float32)


NO_GAPS, FLOAT32 = _unknown(False), _unknown(True)


def _float32_gap(threshold: float, closed: bool) -> Gap:
    """Where a number is printed for a threshold of numbers that are rounded to 32 bits: between two neighbouring ones.

    A threshold that is one of them is often a value of the data, as XGBoost's are. Unless it has few digits, as
    that value then has, the gap ends where other numbers round to it. Where rounding takes whole numbers for one, they
    are on its two sides.
    """
    with np.errstate(over="ignore"):
        low = np.float32(threshold)
        if float(low) > threshold or (float(low) == threshold and not closed):  # as float32 they might be equal
            low = np.nextafter(low, np.float32(-np.inf))
        gap = Gap(float(low), float(np.nextafter(low, np.float32(np.inf))), closed)
        middle = gap.low / 2 + gap.high / 2
        is_low = float(np.float32(middle)) == gap.low
    if not np.isfinite(middle):
        return gap
    if gap.high - gap.low >= 2 and abs(middle) < EXACT_HALVES:
        return Gap(middle, middle + 1, closed) if is_low else Gap(middle - 1, middle, closed)
    is_value = threshold == (gap.low if closed else gap.high)
    if not is_value or _has_few_digits(gap.decimal(threshold)):
        return gap
    return replace(gap, low=middle) if closed else replace(gap, high=middle)
