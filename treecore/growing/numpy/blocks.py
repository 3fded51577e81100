"""Nodes side by side: their rows in every feature's order, as rectangles of nodes of about the same size."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.kernels.state import GrowState, Problem
from treecore.tree.splits import ranges


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Brief):
    """The rows, or parts of rows, that nodes have, and what each of them counts.

    row : int64 (n,), training row. share : float64 (n,), how much of it. codes : int32 (d, n), as in Problem.
    parts : float64 (S, n), what it adds to the statistics of a node. weight, case : float64 (n,), of ROW records.
    positive : bool (n,), is the weight above 0? unit : is every weight 1?
    """

    problem: Problem
    row: np.ndarray
    share: np.ndarray
    codes: np.ndarray
    parts: np.ndarray
    weight: np.ndarray
    case: np.ndarray
    positive: np.ndarray
    unit: bool

    @property
    def tally(self) -> np.ndarray:
        """(n,), how many rows of positive weight each one is: itself, if it weighs anything."""
        return self.positive

    def size_of(self, rows: np.ndarray) -> np.ndarray:
        """(m,), how many rows each of these is, whatever they weigh."""
        return np.ones(len(rows))

    def of(self, row: np.ndarray, share: np.ndarray, center: np.ndarray) -> "Rows":
        """These shares of these training rows. center : float64, of the node that each is at."""
        # not [:, row], whose rows would stand side by side
        return _counted(self.problem, row, share, np.take(self.problem.codes, row, axis=1), center)

    def joined(self, more: "Rows") -> "Rows":
        """These and more of the same problem."""
        if not len(self.row):
            return more
        both = zip(vars(self).values(), vars(more).values(), strict=True)
        arrays = (np.concatenate([a, b], axis=-1) for a, b in both if isinstance(a, np.ndarray))
        return Rows(self.problem, *arrays, self.unit and more.unit)


def rows_of(problem: Problem) -> Rows:
    """All rows of a problem, each of them whole."""
    n = len(problem.rows)
    return _counted(problem, np.arange(n), np.ones(n), problem.codes, problem.center)


def _counted(problem: Problem, row: np.ndarray, share: np.ndarray, codes: np.ndarray, center) -> Rows:
    rows, n_classes = problem.around(row, center), int(problem.rules["n_classes"][0])
    w, y = rows["weight"] * share, rows["response"]
    by_class = np.where(rows["label"] == np.arange(n_classes)[:, None], w, 0.0)
    parts = by_class if n_classes else np.stack([w, w * y, w * y * y])
    return Rows(problem, row, share, codes, parts, w, rows["case"] * share, w > 0.0, bool((w == 1.0).all()))


def last_counted(codes: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """The code of the last counted entry before each entry, -1 where there is none; codes ascend."""
    found = np.full(codes.shape, -1, codes.dtype)
    np.maximum.accumulate(np.where(counted, codes, -1)[..., :-1], axis=-1, out=found[..., 1:])
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Block(Brief):
    """Some nodes; arrays of the shape (d, q, m) hold d features, q nodes and m entries, known values first.

    ids : int64 (q,). size : int64 (q,), entries of each node. rows : int64 (d, q, m), in each feature's order; what
    is beyond the size of a node is some other row. codes : of these.
    """

    given: Rows
    growing: GrowState
    ids: np.ndarray
    size: np.ndarray
    rows: np.ndarray
    codes: np.ndarray

    @property
    def problem(self) -> Problem:
        """What is to be grown on."""
        return self.given.problem

    @cached_property
    def inside(self) -> np.ndarray:
        """bool (q, m): is it an entry of the node?"""
        return np.arange(self.rows.shape[2]) < self.size[:, None]

    @cached_property
    def known(self) -> np.ndarray:
        """bool (d, q, m): is it an entry of the node with a value?"""
        return self.inside & (self.codes < self.problem.features["n_codes"][:, None, None])

    @cached_property
    def all_weigh(self) -> bool:
        """Has every row a weight above 0?"""
        return bool(self.given.positive.all())

    @cached_property
    def counted(self) -> np.ndarray:
        """bool (d, q, m): is it an entry of the node with a value and a weight above 0?"""
        return self.known if self.all_weigh else self.known & self.given.positive[self.rows]

    @cached_property
    def nodes(self) -> np.ndarray:
        """NODE records (q,)."""
        return self.growing.nodes[self.ids]

    @cached_property
    def stats(self) -> np.ndarray:
        """float64 (S, q): statistics of the nodes."""
        return np.ascontiguousarray(self.growing.stats[self.ids].T)


def blocks(given: Rows, growing: GrowState, ids: np.ndarray) -> Iterator[Block]:
    """The nodes with these ids in blocks; in one, the largest node is less than twice as large as the smallest."""
    start = growing.nodes["start"][ids]
    size = growing.nodes["stop"][ids] - start
    width = np.frexp(size.astype(np.float64))[1]
    begin = np.arange(len(growing.order))[:, None, None] * len(given.row)
    for w in np.unique(width):
        here = np.flatnonzero(width == w)
        at = start[here, None] + np.arange(size[here].max())
        rows = growing.order[:, np.minimum(at, growing.order.shape[1] - 1)]
        codes = given.codes.ravel().take(rows + begin)  # twice as soon as by two indices
        yield Block(given, growing, ids[here], size[here], rows, codes)


def entries(growing: GrowState, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(place in `order`, index of its node in ids) of all entries of these nodes, node after node."""
    start = growing.nodes["start"][ids]
    size = growing.nodes["stop"][ids] - start
    return ranges(start, size), np.repeat(np.arange(len(ids)), size)


def sums_by(cell: np.ndarray, numbers: np.ndarray, n: int) -> np.ndarray:
    """float64 (n,): the numbers summed up by cell, in their order; bincount of nothing counts in integers."""
    return np.bincount(cell, numbers, n).astype(np.float64, copy=False)
