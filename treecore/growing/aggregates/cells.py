"""Sums of rows by node, feature and code, as the rows that the grower in NumPy searches and splits."""

from dataclasses import dataclass

import numpy as np

from treecore.growing.numpy.blocks import Block, Rows
from treecore.kernels.state import GrowState, Problem


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Rows):
    """Every cell (feature, node, code) is a row that weighs as much as the rows it stands for.

    n : int64 (cells,), how many these are. Cells of one node and feature stand side by side, one per code; those that
    a feature does not have are empty, and missing.
    """

    n: np.ndarray = None

    @property
    def tally(self) -> np.ndarray:
        """int64 (cells,)."""
        return self.n

    def size_of(self, rows: np.ndarray) -> np.ndarray:
        """int64, of these cells."""
        return self.n[rows]


def cells_of(problem: Problem, sums: np.ndarray, factors: np.ndarray | None) -> Cells:
    """sums : float64 (q, d, m, S), as a Counter gives them. factors : of the classes' weights, None for a number."""
    q, d, m, n_stats = sums.shape
    by_cell = np.ascontiguousarray(sums.transpose(3, 1, 0, 2)).reshape(n_stats, -1)
    n = by_cell[0] if factors is None else by_cell.sum(axis=0)
    parts = by_cell if factors is None else by_cell * factors[:, None]
    case = n.astype(np.float64)
    weight = case if factors is None else parts.sum(axis=0)
    code = np.minimum(np.arange(m), problem.features["n_codes"][:, None, None]).astype(np.int32)
    codes = np.broadcast_to(np.broadcast_to(code, (d, q, m)).reshape(-1), (d, d * q * m))
    whole = np.ones(codes.shape[1])
    return Cells(
        problem, np.arange(codes.shape[1]), whole, codes, parts, weight, case, weight > 0.0, False, n.astype(np.int64)
    )


def order_of(d: int, q: int, m: int) -> np.ndarray:
    """int32 (d, q * m): the cells of each feature, node after node."""
    return np.arange(d * q * m, dtype=np.int32).reshape(d, q * m)


def block_of(cells: Cells, growing: GrowState, ids: np.ndarray) -> Block:
    """The nodes with these ids, whose cells these are, as the search takes them."""
    d = len(cells.codes)
    rows = np.arange(cells.codes.shape[1]).reshape(d, len(ids), -1)
    size = np.full(len(ids), rows.shape[2])
    return Block(cells, growing, ids, size, rows, cells.codes[0][rows])
