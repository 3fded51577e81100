"""A tree seen along one or two of its features, the others fixed: exact pieces, no grid.

A piece of a numeric axis is a half-open interval (low, end): low <= x < end. "x <= t" is "x < the next float
after t", so both closed sides are exact. A piece of an axis of levels is an integer with one bit per band of levels.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan, nan

import numpy as np

from treecore.data.level_index import level_index
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.kernels.codes import CUTS, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.target import answered_by_lines
from treecore.tree.oblique import own_parts, refuse_oblique
from treecore.tree.schema import FeatureSchema
from treecore.tree.short_text import Places, apart, shorten
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

# The sides of a picture: a feature and the range of it that is shown.

Piece = tuple[float, float] | int
"""A set of an axis's values: a half-open interval (low, end), or for levels an integer with one bit per band."""
MARGIN = 0.04  # of the range, left free on either side of the data


@dataclass(frozen=True)
class Axis:
    """One side of the plane: a feature and the range shown; level i takes the band i - 0.5 to i + 0.5.

    levels : the names of the bands. bands : the levels in each of them where they are taken together (see shown_axes);
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
            ranges[name] = padded(np.concatenate([c.numbers[c.present() > 0] for c in columns]))
    return ranges


def padded(values: np.ndarray) -> tuple[float, float]:
    """Range of the values with a margin; 0 to 1 for no values, one wide around a single value."""
    known = values[np.isfinite(values)]
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = (high - low) * MARGIN or max(0.5, abs(low) * 1e-6)
    return low - margin, high + margin


# The features that are not on a picture, held at stated values.


def default_fixed(tree: Tree, table: Table) -> dict[str, float | str | None]:
    """A typical value of every feature: the median or the most frequent level of the table's rows.

    Give it the training rows. None (missing) for a feature without any known value.
    """
    features = [tree.schema.features[f] for f in tree.schema.own]
    matrix = value_matrix(tree.schema, np.array(tree.schema.own, np.int64), table)
    return {feature.name: _typical(feature, values) for feature, values in zip(features, matrix, strict=True)}


def _typical(feature: FeatureSchema, values: np.ndarray) -> float | str | None:
    known = values[values >= 0] if not feature.numeric else values[~np.isnan(values)]
    if not len(known):
        return None
    return float(np.median(known)) if feature.numeric else feature.levels[np.bincount(known.astype(int)).argmax()]


def fixed_codes(tree: Tree, axes: tuple[Axis, ...], fixed: Mapping[str, object]) -> list[float]:
    """The fixed values as routing reads them, one per feature: numbers, level indices, NaN where missing, and for
    weighted sums, which follow from the others.

    Raises TreecoreError for a feature the tree tests that is neither an axis nor fixed, or for an unknown level.
    """
    tests = [tree.asked, tree.surrogates.feature]
    tested = own_parts(tree.schema, np.unique(np.concatenate(tests)).tolist())
    tested -= {feature_index(tree, axis.name) for axis in axes}
    codes = [nan] * len(tree.schema.features)
    for f in tested:
        feature = tree.schema.features[f]
        if feature.name not in fixed:
            remedy = "Give it a value, or None for missing; default_fixed() gives typical ones"
            raise TreecoreError("It is neither an axis nor fixed", where=f"Feature {feature.name!r}", remedy=remedy)
        codes[f] = _code(feature, fixed[feature.name], tree.schema.precision)
    return codes


def _code(feature: FeatureSchema, value, precision: str) -> float:
    if value is None or value != value:
        return nan
    if feature.numeric:
        try:
            return float(np.float32(value)) if precision == "float32" else float(value)
        except (TypeError, ValueError):
            remedy = "Give a number, or None for missing"
            where = f"Feature {feature.name!r}"
            raise TreecoreError(f"{value!r} is not a number", where=where, remedy=remedy) from None
    place = level_index(feature.levels).place(value)
    if place < 0:
        remedy = "Its levels are: " + ", ".join(map(repr, feature.levels[:12]))
        raise TreecoreError(f"There is no level {value!r}", where=f"Feature {feature.name!r}", remedy=remedy)
    return float(place)


def fixed_words(tree: Tree, axes: tuple[Axis, ...], fixed: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """(feature, value in words) of every feature the tree tests that is no axis."""
    tested = own_parts(tree.schema, tree.asked.tolist())
    names = [tree.schema.features[f].name for f in sorted(tested)]
    shown = {axis.name for axis in axes}
    return tuple((name, _words(fixed[name])) for name in names if name not in shown)


def _words(value) -> str:
    if value is None or value != value:
        return "missing"
    return value if isinstance(value, str) else number(float(value))


def low_ends(tree: Tree, splits: Splits) -> list[float]:
    """Of every threshold, the smallest float64 on its high side (NaN where there is no threshold)."""
    return _low_ends(tree, splits.threshold, splits.closed)


def _low_ends(tree: Tree, t: np.ndarray, closed: np.ndarray) -> list[float]:
    if tree.schema.precision != "float32":
        return np.where(closed, np.nextafter(t, inf), t).tolist()
    # values are rounded to float32 first: the side changes half-way to the first float32 on the high side
    high = t.astype(np.float32)
    short = np.where(closed, high <= t, high < t)
    high = np.where(short, np.nextafter(high, np.float32(inf)), high)
    middle = (high.astype(np.float64) + np.nextafter(high, np.float32(-inf))) / 2
    return np.where(middle.astype(np.float32) >= high, middle, np.nextafter(middle, inf)).tolist()


# What trees with lines answer over a plane: small rectangles, each with the answer in its middle.

TILES = 32
"""Small rectangles across the plane, and up, in which lines are painted."""


def tiles_of(axes: tuple[Axis, ...], boxed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int64 (m,), of which rectangle each tile is; float64 (m, 4)): the rectangles cut along an even grid.

    boxed : float64 (n, 4), x0, x1, y0, y1; of one axis y0 and y1 do not matter.
    """
    of, tiles = [np.empty(0, np.int64)], [np.empty((0, 4))]
    grids = [np.linspace(a.low, a.high, TILES + 1) if a.kind == "numeric" else np.empty(0) for a in axes]
    grids += [np.empty(0)] * (2 - len(axes))
    for i, (x0, x1, y0, y1) in enumerate(boxed.tolist()):
        cuts = [
            np.unique(np.concatenate([[low, high], grid[(grid > low) & (grid < high)]]))
            for grid, low, high in zip(grids, (x0, y0), (x1, y1), strict=True)
        ]
        left, below = (np.repeat(cuts[0][:-1], len(cuts[1]) - 1), np.tile(cuts[1][:-1], len(cuts[0]) - 1))
        right, above = (np.repeat(cuts[0][1:], len(cuts[1]) - 1), np.tile(cuts[1][1:], len(cuts[0]) - 1))
        tiles.append(np.stack([left, right, below, above], axis=1))
        of.append(np.full(len(left), i))
    return np.concatenate(of), np.concatenate(tiles)


def at_middles(tree: Tree, axes: tuple[Axis, ...], fixed: Mapping, node: np.ndarray, boxed: np.ndarray) -> np.ndarray:
    """What these nodes answer in the middle of their rectangles, float64 (n, 2 * axes), x0, x1, ...: float64 (n,), or
    class shares (n, n_classes) of lines of classes, or the class indices of other trees of classes."""
    if tree.lines is None:
        return tree.value[node]
    return lines_at(tree, {a.name: boxed[:, 2 * i : 2 * i + 2].mean(axis=1) for i, a in enumerate(axes)}, fixed, node)


def lines_at(tree: Tree, along: Mapping[str, np.ndarray], fixed: Mapping, node: np.ndarray) -> np.ndarray:
    """float64 (n,), or class shares (n, n_classes): what these nodes answer by their lines.

    along : feature -> float64 (n,) of those that are axes, numbers; other places do not matter to lines. fixed : the
    values of the others.
    """
    values = np.empty((len(tree.lines.used), len(node)))
    for slot, f in enumerate(tree.lines.used.tolist()):
        feature = tree.schema.features[f]
        value = along.get(feature.name, fixed.get(feature.name))
        values[slot] = np.nan if value is None else value
        if feature.fill is not None:
            values[slot, np.isnan(values[slot])] = feature.fill
    lines = tree.lines.answers(values, np.arange(len(node)), tree.answer[node].astype(np.int64))
    return answered_by_lines(tree.classes).answers_of_lines(lines)


class Plane:
    """A tree along some axes: which pieces of them each node's test sends down each branch.

    codes : values of the features that are no axes (fixed_codes), or None to leave them open.
    """

    slanted = False
    """Does it know what oblique splits ask?"""

    def __init__(self, tree: Tree, axes: tuple[Axis, ...], codes: list[float] | None):
        if not self.slanted:
            refuse_oblique(tree, "the picture")
        self.tree, self.codes = tree, codes
        self.axes = {feature_index(tree, axis.name): i for i, axis in enumerate(axes)}
        self.numeric = [axis.kind == "numeric" for axis in axes]
        self.splits = tree.splits, tree.surrogates
        self.ends = low_ends(tree, tree.splits), low_ends(tree, tree.surrogates)
        self.whole = tuple(axis.whole for axis in axes)
        self.codes_shown = [axis.codes for axis in axes]

    def ends_in(self, leaf: np.ndarray) -> Iterator[tuple[int, tuple[Piece, ...], bool]]:
        """Every node the plane reaches: (node, its piece of each axis, True where routes end there).

        leaf : bool (n_nodes,), nodes to take as leaves. A node may come with several pieces.
        """
        is_leaf, first = leaf.tolist(), self.tree.first_child.tolist()
        stack = [(0, self.whole)]
        while stack:
            node, box = stack.pop()
            yield node, box, is_leaf[node]
            if is_leaf[node]:
                continue
            for branch, part in self.branches(node, box):
                if branch == STAYS:
                    yield node, part, True
                elif branch == SHARED:
                    raise _shared(self.tree, node)
                else:
                    stack.append((first[node] + branch, part))

    def branches(self, node: int, box: tuple[Piece, ...]) -> list[tuple[int, tuple[Piece, ...]]]:
        """(branch, STAYS or SHARED; part of the box) for the parts into which a node divides a box."""
        done: list = []
        waiting = [box]
        for which, entry in self.tests(node):
            f = int(self.splits[which].feature[entry])
            if f not in self.axes:
                branch = self._fixed_branch(which, entry, self.codes[f])
                if branch >= 0:
                    return done + [(branch, part) for part in waiting]
                continue
            parts = [found for part in waiting for found in self.divide(which, entry, part)]
            done += [found for found in parts if found[0] >= 0]
            waiting = [part for branch, part in parts if branch < 0]
        f, last = int(self.tree.splits.feature[node]), self.tree.splits.unseen_branch
        if f not in self.axes and isnan(self.codes[f]):
            last = self.tree.splits.missing_branch
        return done + [(int(last[node]), part) for part in waiting]

    def tests(self, node: int) -> list[tuple[int, int]]:
        """The node's own test, then the surrogates that are asked: (0, node), (1, entry) ..."""
        if not self.tree.surrogates_asked:
            return [(0, node)]
        start, stop = self.tree.surrogate_start[node], self.tree.surrogate_start[node + 1]
        return [(0, node), *((1, s) for s in range(start, stop))]

    def divide(self, which: int, entry: int, box: tuple[Piece, ...]) -> list[tuple[int, tuple[Piece, ...]]]:
        """(branch, part of the box) by a test on one of the axes; branch -1 for levels the test does not know."""
        splits = self.splits[which]
        axis = self.axes[int(splits.feature[entry])]
        piece = box[axis]
        if self.numeric[axis]:
            a, b = piece
            runs = ((branch, max(a, low), min(b, high)) for branch, low, high in self._runs(which, entry))
            parts = [(branch, (low, high)) for branch, low, high in runs if low < high]
        else:
            masks = _level_masks(self.tree, splits, entry, self.codes_shown[axis])
            parts = [(branch, piece & mask) for branch, mask in masks.items()]
        return [(branch, (*box[:axis], part, *box[axis + 1 :])) for branch, part in parts if part]

    def _runs(self, which: int, entry: int) -> Iterator[tuple[int, float, float]]:
        """(branch, low, end) of the half-open intervals of a number that a test sends somewhere."""
        splits, branches = self.splits[which], [int(self.splits[which].low_branch[entry])]
        branches.append(1 - branches[0])
        ends = [self.ends[which][entry]]
        if splits.kind[entry] != THRESHOLD:
            cuts, closed = _cuts(self.tree, splits, entry)
            branches, ends = range(len(cuts) + 1), _low_ends(self.tree, cuts, np.full(len(cuts), closed))
        if splits.kind[entry] == LEVELS:
            branches = splits.levels(entry).tolist()
        return zip(branches, [-inf, *ends], [*ends, inf], strict=True)

    def _fixed_branch(self, which: int, entry: int, value: float) -> int:
        """The branch of a fixed value, -1 when the test does not know it."""
        splits = self.splits[which]
        if isnan(value):
            return -1
        feature = self.tree.schema.features[splits.feature[entry]]
        if splits.kind[entry] == CUTS or (splits.kind[entry] == LEVELS and feature.branches_by_bins):
            cuts, closed = _cuts(self.tree, splits, entry)
            value = int(np.searchsorted(cuts, value, "left" if closed else "right"))
        if splits.kind[entry] != THRESHOLD:
            return int(splits.levels(entry)[int(value)]) if splits.kind[entry] == LEVELS else value
        low = value <= splits.threshold[entry] if splits.closed[entry] else value < splits.threshold[entry]
        return int(splits.low_branch[entry]) if low else 1 - int(splits.low_branch[entry])


def _cuts(tree: Tree, splits: Splits, entry: int) -> tuple[np.ndarray, bool]:
    """(ascending cuts, do values equal to one lie below it) of a test with several, or by the bins of a feature."""
    if splits.kind[entry] == CUTS:
        return splits.cuts[splits.cut_start[entry] : splits.cut_start[entry + 1]], bool(splits.closed[entry])
    return np.array(tree.schema.features[splits.feature[entry]].cuts), False


def _level_masks(tree: Tree, splits: Splits, entry: int, codes: np.ndarray) -> dict[int, int]:
    """Branch -> bands (bits) that a test sends there. codes : int64, a level of each band."""
    masks: dict[int, int] = {}
    for band, branch in enumerate(level_branches(tree, splits, entry)[codes].tolist()):
        masks[branch] = masks.get(branch, 0) | 1 << band
    return masks


def level_branches(tree: Tree, splits: Splits, entry: int) -> np.ndarray:
    """int (n levels,): the branch down which a test sends every level of its feature; -1 where it knows none."""
    feature = tree.schema.features[splits.feature[entry]]
    levels = np.arange(len(feature.levels))
    if splits.kind[entry] == THRESHOLD:
        t, low = splits.threshold[entry], int(splits.low_branch[entry])
        return np.where(levels <= t if splits.closed[entry] else levels < t, low, 1 - low)
    if splits.kind[entry] == CUTS:
        cuts, closed = _cuts(tree, splits, entry)
        return np.searchsorted(cuts, levels, "left" if closed else "right")
    return splits.levels(entry)


def _shared(tree: Tree, node: int) -> TreecoreError:
    return TreecoreError(
        "A missing value or unseen level is shared among the branches here, so no single region shows the answer",
        where=f"Node {node}, feature {tree.node(node).feature!r}",
        remedy="Fix this feature at a value",
    )


# Many levels on a side of a picture: those that the trees never tell apart share a band, and few bands are drawn.

MOST = 24
"""Bands that can be read; up to as many levels have a band each."""
NAMED = 14
"""Letters of the level that a band is named after."""


def shown_axes(trees: Iterable[Tree], names: Iterable[str], *tables: Table) -> tuple[Axis, ...]:
    """Axes of these features for a picture of the trees: numbers over the range of the tables, levels in bands.

    trees : with the same features and levels. tables : the rows that say which levels are drawn where not all can be.
    """
    trees, names = tuple(trees), tuple(names)
    ranges = plot_ranges(names, *tables)
    return tuple(_banded(axis_of(trees[0], name, ranges), trees, tables) for name in names)


def _banded(axis: Axis, trees: tuple[Tree, ...], tables: tuple[Table, ...]) -> Axis:
    """The axis with at most MOST bands: of more, those with most rows."""
    if axis.kind == "numeric" or len(axis.levels) <= MOST:
        return axis
    group, rows = _groups_of_levels(axis, trees), _rows(axis, trees[0], tables)
    if axis.kind == "ordinal":  # in the order of the levels; else in the order of the branches
        first = np.unique(group, return_index=True)[1]
        group = np.argsort(np.argsort(first))[group]
    weight = np.bincount(group, rows)
    kept = np.sort(np.argsort(-weight, kind="stable")[:MOST])
    bands = [np.flatnonzero(group == k) for k in kept]
    bands = [band[np.argsort(-rows[band], kind="stable")] if axis.kind == "nominal" else band for band in bands]
    places = apart(axis.levels)
    labels = tuple(_label([axis.levels[level] for level in band], places) for band in bands)
    left_out = len(axis.levels) - sum(map(len, bands))
    return Axis(axis.name, axis.kind, -0.5, len(bands) - 0.5, labels, tuple(map(tuple, map(_ints, bands))), left_out)


def _ints(band: np.ndarray) -> list[int]:
    return band.tolist()


def _label(names: list[str], places: Places) -> str:
    short = shorten(names[0], NAMED, places)
    return short if len(names) == 1 else f"{short} +{len(names) - 1:,}"


def _groups_of_levels(axis: Axis, trees: tuple[Tree, ...]) -> np.ndarray:
    """int64 (n levels,): equal for levels that every test of the trees sends the same way; ascending by branches."""
    group = np.zeros(len(axis.levels), np.int64)
    for tree in trees:
        f = feature_index(tree, axis.name)
        for splits in (tree.splits, tree.surrogates):
            for entry in np.flatnonzero(splits.feature == f).tolist():
                branch = level_branches(tree, splits, entry).astype(np.int64)
                group = np.unique(group * (branch.max() + 2) + branch + 1, return_inverse=True)[1]
    return group


def _rows(axis: Axis, tree: Tree, tables: tuple[Table, ...]) -> np.ndarray:
    """int64 (n levels,): how many rows of the tables have each level."""
    f = np.array([feature_index(tree, axis.name)])
    values = np.concatenate([np.empty(0), *(value_matrix(tree.schema, f, table)[0] for table in tables)])
    return np.bincount(values[values >= 0].astype(np.int64), minlength=len(axis.levels))
