"""A tree seen along one or two of its features, the others fixed: exact pieces, no grid.

A piece of a numeric axis is a half-open interval (low, end): low <= x < end. "x <= t" is "x < the next float
after t", so both closed sides are exact. A piece of an axis of levels is an integer with one bit per band of levels.
"""

from collections.abc import Iterator
from math import inf, isnan

import numpy as np

from treecore.errors import TreecoreError
from treecore.evaluation.axes import Axis, Piece, feature_index
from treecore.kernels.codes import CUTS, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.tree.oblique import refuse_oblique
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree


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
        done, waiting = [], [box]
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
