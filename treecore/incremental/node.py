"""A node of a tree that is fed with rows: what is kept of it between two batches."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treecore.tree.tree import Tree

LEAF = -1


class Split(NamedTuple):
    """feature : LEAF for none. low, high : codes on either side of an ordered cut. levels : int64 (n_codes,), the
    branch of every level, -1 for one not at the node; None for a cut. gain, score : see Tree. missing : the branch of
    rows without a value; -1 for that of most rows."""

    feature: int = LEAF
    n_branches: int = 0
    low: int = -1
    high: int = -1
    levels: np.ndarray | None = None
    gain: float = 0.0
    score: float = 0.0
    missing: int = -1

    def moved(self, place: dict[int, np.ndarray]) -> "Split":
        """The same split where features have other codes. place : feature -> the new code of each former one."""
        if self.feature not in place or self.levels is not None:
            return self
        low, high = place[self.feature][[self.low, self.high]]
        return self._replace(low=int(low), high=int(high))

    def branches(self, codes: np.ndarray) -> np.ndarray:
        """int (m,): the branch of rows with these codes of the feature."""
        return (codes > self.low).astype(np.int64) if self.levels is None else self.levels[codes]


class Node:
    """rows : int32 (m,), numbers of the rows that reach it, those of a cut's node by their code of its feature.
    stats : float64 (K,). mass : its weight times its impurity when it was last searched. upper : float64 (d,), what
    the best gain of each feature, times the weight, cannot exceed; infinite where that is not known. grown : the node
    of a grown tree that it is, as long as nobody has asked for its split and children; see grafting.expand."""

    __slots__ = ("children", "depth", "grown", "mass", "rows", "split", "stats", "upper")

    def __init__(self, rows: np.ndarray, stats: np.ndarray, depth: int, n_features: int, grown: tuple | None = None):
        self.rows, self.stats, self.depth, self.grown = rows, stats, depth, grown
        self.split, self.children = Split(), []
        self.mass, self.upper = 0.0, np.full(n_features, np.inf)

    def below(self) -> Iterator["Node"]:
        """The node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children

    @property
    def is_leaf(self) -> bool:
        return self.split.feature == LEAF

    @property
    def n_splits(self) -> int:
        """Of the node and below it."""
        return sum(not node.is_leaf if node.grown is None else _n_splits(*node.grown) for node in self.below())

    def become(self, other: "Node") -> None:
        """Be the other node, in this place."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))


def _n_splits(tree: Tree, place: int) -> int:
    """Of a node of a tree, and below it."""
    inside = tree.descendants(place)
    inside[place] = True
    return int(np.count_nonzero(inside & ~tree.is_leaf))


def smaller_mean_first(split: Split, codes: np.ndarray, labels: np.ndarray) -> Split:
    """Two groups of levels have no order of their own: the one with the smaller mean class index comes first.

    codes, labels : of the node's rows that have a value.
    """
    is_first = split.levels[codes] == 0
    wrong = labels[is_first].mean() > labels[~is_first].mean()
    return split._replace(levels=_swapped(split.levels)) if wrong else split


def larger_branch(split: Split, codes: np.ndarray) -> int:
    """The branch of most rows, which have these codes; the first of equal ones."""
    return int(np.bincount(split.branches(codes), minlength=split.n_branches).argmax())


def same_branches(old: Split, new: Split, codes: np.ndarray | None) -> tuple[int, ...]:
    """The former branch that each branch of a new split of the same feature is; () if it parts the rows otherwise.

    codes : of the rows that were at the node, of those that have a value; a cut had none of them between low and high.
    """
    if old.n_branches != new.n_branches:
        return ()
    as_before = tuple(range(old.n_branches))
    if old.levels is None:
        return as_before if new.low >= old.low and new.high <= old.high else ()
    present = np.unique(codes)
    if (old.levels[present] == new.levels[present]).all():
        return as_before
    swapped = old.n_branches == 2 and (old.levels[present] == _swapped(new.levels)[present]).all()
    return (1, 0) if swapped else ()


def is_shifted(old: Split, new: Split) -> bool:
    """Is the test another one, whichever branch comes first?"""
    if old.levels is None:
        return (old.low, old.high) != (new.low, new.high)
    either = [new.levels] if old.n_branches > 2 else [new.levels, _swapped(new.levels)]
    return not any(np.array_equal(old.levels, levels) for levels in either)


def _swapped(levels: np.ndarray) -> np.ndarray:
    """The branches of levels with two branches in the other order."""
    return np.where(levels >= 0, 1 - levels, -1)
