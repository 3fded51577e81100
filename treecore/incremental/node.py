"""A node of a tree that is fed with rows: what is kept of it between two batches."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

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
    """rows : int (m,), numbers of the rows that reach it. stats : float64 (K,)."""

    __slots__ = ("children", "depth", "rows", "split", "stats")

    def __init__(self, rows: np.ndarray, stats: np.ndarray, depth: int):
        self.rows, self.stats, self.depth = rows, stats, depth
        self.split, self.children = Split(), []

    def below(self) -> Iterator["Node"]:
        """The node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children


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


def _swapped(levels: np.ndarray) -> np.ndarray:
    """The branches of levels with two branches in the other order."""
    return np.where(levels >= 0, 1 - levels, -1)
