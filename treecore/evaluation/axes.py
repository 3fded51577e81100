"""The sides of a picture: a feature and the range of it that is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.tree import Tree

Piece = tuple[float, float] | int
"""A set of an axis's values: a half-open interval (low, end), or for levels an integer with one bit per band."""
MARGIN = 0.04  # of the range, left free on either side of the data


@dataclass(frozen=True)
class Axis:
    """One side of the plane: a feature and the range shown; level i takes the band i - 0.5 to i + 0.5.

    levels : the names of the bands. bands : the levels in each of them where they are taken together (`bands.py`);
    () where every level has a band of its own. left_out : levels in none of them.
    """

    name: str
    kind: str
    low: float
    high: float
    levels: tuple[str, ...] = ()
    bands: tuple[tuple[int, ...], ...] = ()
    left_out: int = 0

    @property
    def whole(self) -> Piece:
        """Every value the feature can have."""
        return (-inf, inf) if self.kind == "numeric" else (1 << len(self.levels)) - 1

    @cached_property
    def codes(self) -> np.ndarray:
        """int64 (n bands,): a level of each band; the tree sends all levels of a band the same way."""
        return np.array([band[0] for band in self.bands] if self.bands else range(len(self.levels)), np.int64)

    def places(self, values: np.ndarray) -> np.ndarray:
        """float64: where values of the feature (numbers, level indices) stand; NaN where they have no place."""
        if self.kind == "numeric":
            return values
        if not self.bands:
            return np.where(values < 0, np.nan, values)
        place = np.full(max(map(max, self.bands)) + 2, np.nan)
        for band, levels in enumerate(self.bands):
            place[list(levels)] = band
        return place[np.clip(np.nan_to_num(values, nan=-1).astype(np.int64), -1, len(place) - 1)]

    def spans(self, piece: Piece) -> list[tuple[float, float]]:
        """The piece as intervals of the axis, clipped to the range shown."""
        runs = [piece] if self.kind == "numeric" else _runs(piece)
        clipped = [(max(a, self.low), min(b, self.high)) for a, b in runs]
        return [(a, b) for a, b in clipped if a < b]


def _runs(mask: int) -> list[tuple[float, float]]:
    """Bands of neighbouring levels."""
    runs, start = [], None
    for i in range(mask.bit_length() + 1):
        if mask >> i & 1:
            start = i if start is None else start
        elif start is not None:
            runs.append((start - 0.5, i - 0.5))
            start = None
    return runs


def feature_index(tree: Tree, name: str) -> int:
    """Where the tree has this feature; TreecoreError naming its features."""
    names = [feature.name for feature in tree.schema.features]
    if name not in names:
        shown = ", ".join(map(repr, names[:12])) + (" ..." if len(names) > 12 else "")
        raise TreecoreError(f"The tree has no feature {str(name)!r}", remedy=f"Its features are: {shown}")
    return names.index(name)


def axis_of(tree: Tree, name: str | Axis, ranges: Mapping[str, tuple[float, float]] | None = None) -> Axis:
    """The axis of a feature: all of its levels, or `ranges[name]`, or a range around the tree's thresholds.

    name : an axis that is made already stays as it is.
    """
    if isinstance(name, Axis):
        return name
    f = feature_index(tree, name)
    feature = tree.schema.features[f]
    if not feature.numeric:
        return Axis(name, feature.kind, -0.5, len(feature.levels) - 0.5, feature.levels)
    low, high = (ranges or {}).get(name) or padded(_thresholds(tree, f))
    if not -inf < low < high < inf:
        remedy = "Give two finite numbers, the smaller one first"
        raise TreecoreError(f"{low:g} to {high:g} is not a range", where=f"Axis {name!r}", remedy=remedy)
    return Axis(name, feature.kind, float(low), float(high))


def _thresholds(tree: Tree, f: int) -> np.ndarray:
    """float64, of all tests of a feature; NaN and infinite ones may be among them."""
    splits, here = tree.splits, tree.splits.feature == f
    return np.concatenate([splits.threshold[here], splits.cuts[np.repeat(here, np.diff(splits.cut_start))]])


def plot_ranges(names: Iterable[str], *tables: Table) -> dict[str, tuple[float, float]]:
    """(low, high) of each of these columns that is numeric, over all rows of the tables, with a margin."""
    ranges = {}
    for name in names:
        columns = [table.column(name) for table in tables]
        if all(column.kind == "numeric" for column in columns):
            # a subset of the rows shares the encoding of the whole table: only codes that occur count
            ranges[name] = padded(np.concatenate([c.distinct[c.present() > 0] for c in columns]))
    return ranges


def padded(values: np.ndarray) -> tuple[float, float]:
    """Range of the values with a margin; 0 to 1 for no values, one wide around a single value."""
    known = values[np.isfinite(values)]
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = (high - low) * MARGIN or max(0.5, abs(low) * 1e-6)
    return low - margin, high + margin
