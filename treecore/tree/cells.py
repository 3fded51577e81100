"""The cells of one feature of some rows, read a stretch of rows at a time."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.kernels.encode.keys import numbers_of_keys
from treecore.tree.schema import FeatureSchema

SMALL = tuple(map(np.dtype, ("f4", "f2", "i2", "u2", "i1", "u1", "?")))
"""Numbers of these makes are float32 numbers too."""
ROUNDED_ONCE = tuple(map(np.dtype, ("f8", "i4", "u4")))
"""Numbers of these makes are rounded to the same float32 whether or not they are taken for float64 before."""
MOST_PLACES = 1 << 22
"""Places on a scale, and those halfway between two, that float32 can tell apart; see Scale."""


class Cells(Protocol):
    """Anything that a stretch of values can be read from."""

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        """Write the values of rows begin to stop, NaN where one is missing, into `out` of a kind that holds them."""

    def fits(self, kind: np.dtype) -> bool:
        """Does this kind hold every value? float64 always does; keys are uint32."""

    @property
    def as_they_are(self) -> np.ndarray | None:
        """All of the values, numbers or keys, if they need not be read first."""


@dataclass(frozen=True, eq=False, repr=False)
class Codes(Brief):
    """A column's codes as they are, for tests on their scale. missing : what a missing value is read as."""

    column: Column
    missing: float
    as_they_are = None

    def __post_init__(self):
        object.__setattr__(self, "_complete", self.column.n_missing == 0)

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        codes = self.column.codes[begin:stop]
        out[:] = codes
        if not self._complete:
            out[codes == self.column.n_distinct] = self.missing

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64 or (kind == np.float32 and self.column.n_distinct < MOST_PLACES)


@dataclass(frozen=True, eq=False, repr=False)
class LookedUp(Brief):
    """Codes, each read as `by_code[code]`, float64 (n_distinct + 1,)."""

    codes: np.ndarray
    by_code: np.ndarray
    as_they_are = None

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        np.take(self.by_code.astype(out.dtype, copy=False), self.codes[begin:stop], out=out, mode="clip")

    def fits(self, kind: np.dtype) -> bool:
        with np.errstate(over="ignore"):
            small = self.by_code.astype(np.float32)
        return kind == np.float64 or (kind == np.float32 and np.array_equal(small, self.by_code, equal_nan=True))


@dataclass(frozen=True, eq=False, repr=False)
class Numbers(Brief):
    """Numbers of any make, NaN where one is missing; see read_as."""

    numbers: np.ndarray
    feature: FeatureSchema
    precision: str

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        read_as(self.feature, self.precision, self.numbers[begin:stop], out)

    def fits(self, kind: np.dtype) -> bool:
        if kind == np.float64:
            return True
        made = self.numbers.dtype
        small = made in SMALL or (self.precision == "float32" and made in ROUNDED_ONCE)
        return kind == np.float32 and small and _is_plain(self.feature)

    @property
    def as_they_are(self) -> np.ndarray | None:
        made = self.numbers.dtype
        is_exact = made == np.float32 or (made == np.float64 and self.precision == "float64")
        return self.numbers if is_exact and _is_plain(self.feature) else None


@dataclass(frozen=True, eq=False, repr=False)
class Keyed(Brief):
    """A column of float32 numbers known by their keys; as keys or as numbers, see read_as."""

    column: Column
    feature: FeatureSchema
    precision: str

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        keys = self.column.keys[begin:stop]
        if out.dtype == np.uint32:
            out[:] = keys
        else:
            read_as(self.feature, self.precision, numbers_of_keys(keys), out)

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64 or _is_plain(self.feature)

    @property
    def as_they_are(self) -> np.ndarray | None:
        return self.column.keys if _is_plain(self.feature) else None


@dataclass(frozen=True, eq=False, repr=False)
class Bins(Brief):
    """The bins of the values of other cells."""

    cells: Cells
    feature: FeatureSchema
    as_they_are = None

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        self.cells.read(begin, stop, out)
        out[:] = bins_of(self.feature, out)

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64


def _is_plain(feature: FeatureSchema) -> bool:
    """Does read_as give the feature's numbers as they are, but for rounding?"""
    return feature.fill is None and not feature.branches_by_bins


def read_as(feature: FeatureSchema, precision: str, numbers: np.ndarray, out: np.ndarray) -> None:
    """Write numbers into `out`, of a kind that holds them, as a tree's tests are to read them.

    A missing one becomes the feature's fill, and all are rounded where the tree's thresholds are.
    """
    with np.errstate(over="ignore"):  # beyond every threshold, as infinity is
        out[:] = numbers
        if feature.fill is not None:
            out[np.isnan(out)] = feature.fill
        if precision != "float64" and (numbers.dtype != np.float32 or feature.fill is not None):
            out[:] = out.astype(np.float32)
    if feature.branches_by_bins:
        np.minimum(out, np.finfo(np.float64).max, out=out)  # above an infinite cut nothing is known


def bins_of(feature: FeatureSchema, numbers: np.ndarray) -> np.ndarray:
    """float64: the bin of each number, NaN where it is missing."""
    bins = np.searchsorted(np.array(feature.cuts, np.float64), numbers, side="right").astype(np.float64)
    return np.where(np.isnan(numbers), np.nan, bins)
