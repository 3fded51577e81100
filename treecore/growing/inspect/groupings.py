"""Groupings of levels into two: of few levels as a table of both, of many told by orders of the levels."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief


@dataclass(frozen=True, eq=False, repr=False)
class Groupings(Brief):
    """Which levels are in branch 0: in an order of them, all up to a place, or the one in that place alone.

    As an array, bool (n, v), they would take the square of the levels. They are asked like one: [i] is the row of one
    grouping, bool (v,), [positions] these groupings.

    place : int (k, v), of every level in each of k orders. order, last : int (n,), the order and the place in it.
    """

    place: np.ndarray
    order: np.ndarray
    last: np.ndarray
    alone: bool = False

    def __len__(self) -> int:
        return len(self.last)

    def __getitem__(self, chosen):
        if np.ndim(chosen):
            return replace(self, order=self.order[chosen], last=self.last[chosen])
        return self._has(self.place[self.order[chosen]], self.last[chosen])

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[i] for i in range(len(self)))

    def has(self, level: int) -> np.ndarray:
        """See has."""
        return self._has(self.place[self.order, level], self.last)

    def sums(self, of: np.ndarray) -> np.ndarray:
        """See sums."""
        by_place = of[np.argsort(self.place, axis=1)]
        return (by_place if self.alone else np.cumsum(by_place, axis=1))[self.order, self.last]

    def _has(self, place: np.ndarray, last: np.ndarray) -> np.ndarray:
        return place == last if self.alone else place <= last


def up_to_each(place: np.ndarray) -> Groupings:
    """In each of these orders, int (k, v), all levels up to a place, for every place but the last."""
    k, v = place.shape
    return Groupings(place, np.repeat(np.arange(k), v - 1), np.tile(np.arange(v - 1), k))


def each_alone(v: int) -> Groupings:
    """Every level apart from all others."""
    return Groupings(np.arange(v)[None], np.zeros(v, np.int64), np.arange(v), alone=True)


def sums(first: np.ndarray | Groupings, of: np.ndarray) -> np.ndarray:
    """(n, ...), for each grouping the sum of what the levels in branch 0 have. of : (v, ...)."""
    return first.sums(of) if isinstance(first, Groupings) else first.astype(of.dtype) @ of


def has(first: np.ndarray | Groupings, level: int) -> np.ndarray:
    """bool (n,): has each grouping this level in branch 0?"""
    return first.has(level) if isinstance(first, Groupings) else first[:, level]
