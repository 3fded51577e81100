"""The cells of one feature of some rows, read a stretch of rows at a time."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.data.column import Column
from treecore.tree.schema import FeatureSchema


class Cells(Protocol):
    """Anything that a stretch of values can be read from."""

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        """Write the values of rows begin to stop, float64, NaN where one is missing, into `out`."""


@dataclass(frozen=True, eq=False)
class Codes:
    """A column's codes as they are, for tests on their scale. missing : what a missing value is read as."""

    column: Column
    missing: float

    def __post_init__(self):
        object.__setattr__(self, "_complete", self.column.n_missing == 0)

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        out[:] = self.column.codes[begin:stop]
        if not self._complete:
            out[out == self.column.n_distinct] = self.missing


@dataclass(frozen=True, eq=False)
class LookedUp:
    """Codes, each read as `by_code[code]`, float64 (n_distinct + 1,)."""

    codes: np.ndarray
    by_code: np.ndarray

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        np.take(self.by_code, self.codes[begin:stop], out=out, mode="clip")


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers of any make, NaN where one is missing; see read_as."""

    numbers: np.ndarray
    feature: FeatureSchema
    precision: str

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        read_as(self.feature, self.precision, self.numbers[begin:stop], out)


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of the values of other cells."""

    cells: Cells
    feature: FeatureSchema

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        self.cells.read(begin, stop, out)
        out[:] = bins_of(self.feature, out)


def read_as(feature: FeatureSchema, precision: str, numbers: np.ndarray, out: np.ndarray) -> None:
    """Write numbers into `out`, float64, as a tree's tests are to read them.

    A missing one becomes the feature's fill, and all are rounded where the tree's thresholds are.
    """
    out[:] = numbers
    if feature.fill is not None:
        out[np.isnan(out)] = feature.fill
    if precision != "float64" and (numbers.dtype != np.float32 or feature.fill is not None):
        with np.errstate(over="ignore"):  # beyond every threshold, as infinity is
            out[:] = out.astype(np.float32)
    if feature.branches_by_bins:
        np.minimum(out, np.finfo(np.float64).max, out=out)  # above an infinite cut nothing is known


def bins_of(feature: FeatureSchema, numbers: np.ndarray) -> np.ndarray:
    """float64: the bin of each number, NaN where it is missing."""
    bins = np.searchsorted(np.array(feature.cuts, np.float64), numbers, side="right").astype(np.float64)
    return np.where(np.isnan(numbers), np.nan, bins)
