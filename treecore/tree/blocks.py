"""Rows on their way down a tree, a block of them at a time: little memory, and no kernel runs for long."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treecore.kernels.route import LANES, Routing, walk, walk_shared, walk_thresholds
from treecore.tree.cells import Bins, Cells
from treecore.tree.routing import Quick, quick_of, routing_of, routing_of_tree, slots_of
from treecore.tree.tree import Tree
from treecore.tree.values import cells_of, n_rows_of, scaled_cells_of
from treecore.tree.walk_uncompiled import is_sooner, note_walked, walked

BLOCK_VALUES = 1 << 18
"""Values of a block: they stay in the processor's cache."""
MOST_ROWS, LEAST_ROWS = 1 << 14, 1 << 8
"""Rows of a block."""
ROWS_OF_A_THREAD = 1 << 16
"""Rows for which starting a thread pays."""


@dataclass(frozen=True, eq=False)
class Routes:
    """Where rows end: entry i says that `share[i]` of row `row[i]` ends in node `node[i]`.

    row, node : int64; share : float64, sums to 1 for every row. Sorted by row.
    """

    row: np.ndarray
    node: np.ndarray
    share: np.ndarray

    def of_rows(self, amount: np.ndarray) -> np.ndarray:
        """An amount per row, (n_rows,), for every entry."""
        return amount if self.whole else amount[self.row]

    @property
    def whole(self) -> bool:
        """Does every row end in one node?"""
        return not len(self.row) or len(self.row) == self.row[-1] + 1


def whole_routes(node: np.ndarray) -> Routes:
    """Routes of rows that each end in one node, int64 (n_rows,)."""
    return Routes(np.arange(len(node)), node, np.ones(len(node)))


def over_blocks(tree: Tree, rows, take: Callable[[slice, np.ndarray | Routes], None]) -> None:
    """Send a Table's or DataFrame's rows down the tree and hand every block of them to `take`.

    take : gets the rows' slice and the nodes they end in, int64, or where some row is shared among several nodes their
        Routes, with rows counted from the block's first. Blocks come in any order and from several threads; the nodes
        are gone when it returns.
    """
    n_rows = n_rows_of(rows)
    found = walked(*routing_of(tree, rows)) if is_sooner(n_rows) else None
    if found is not None:
        take(slice(0, n_rows), found)
        return
    way = _way(tree, rows)
    n_threads = min(os.cpu_count() or 1, n_rows // ROWS_OF_A_THREAD)
    if n_threads < 2:
        way.send(0, n_rows, take)
        note_walked()
        return
    bounds = np.linspace(0, n_rows, n_threads + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(n_threads) as pool:
        parts = [pool.submit(way.send, *part, take) for part in pairwise(bounds)]
    for part in parts:
        part.result()
    note_walked()


@dataclass(frozen=True, eq=False)
class _Way:
    """A tree and the cells that it asks for, slot by slot. stride : room for the rows of a block."""

    routing: Routing
    quick: Quick
    cells: list[Cells]
    stride: int

    def send(self, begin: int, stop: int, take: Callable) -> None:
        """Send these rows, block by block."""
        values, end = np.zeros((max(len(self.cells), 1), self.stride)), np.zeros(self.stride, np.int64)
        n = self.stride - LANES
        for first in range(begin, stop, n):
            last = min(first + n, stop)
            take(slice(first, last), self._ends(first, last, values, end))

    def _ends(self, first: int, last: int, values: np.ndarray, end: np.ndarray) -> np.ndarray | Routes:
        n_rows = last - first
        for slot, cells in enumerate(self.cells):
            cells.read(first, last, values[slot, :n_rows])
        if walk_thresholds(*self.quick, values.reshape(-1), n_rows, end) or walk(self.routing, values, n_rows, end):
            return end[:n_rows]
        return _shared_routes(self.routing, values, n_rows)


def _way(tree: Tree, rows) -> _Way:
    slots = slots_of(tree)
    read = [scaled_cells_of(tree.schema, f, rows) for f in slots.features]
    scales = {slot: scale for slot, (_, scale) in enumerate(read) if scale is not None}
    # surrogates by bins ask for the values themselves
    cells = [cells for cells, _ in read]
    cells += [Bins(cells_of(tree.schema, f, rows), tree.schema.features[f]) for f in slots.by_bins]
    n = min(max(BLOCK_VALUES // max(len(cells), 1), LEAST_ROWS), MOST_ROWS) // LANES * LANES
    routing = routing_of_tree(tree, slots, scales)
    # a stride that is no power of two keeps the features apart in the cache
    return _Way(routing, quick_of(routing.nodes, n + LANES), cells, n + LANES)


def _shared_routes(routing: Routing, values: np.ndarray, n_rows: int) -> Routes:
    n_nodes = len(routing.nodes)
    room = n_nodes + 4 * n_rows
    out = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    waiting, waiting_share = np.zeros(n_nodes, np.int64), np.zeros(n_nodes)
    parts, row = [], 0
    while row < n_rows:
        written, row = walk_shared(routing, values, n_rows, row, waiting, waiting_share, *out)
        parts.append([a[:written].copy() for a in out])
    return Routes(*(np.concatenate(p) for p in zip(*parts, strict=True)))
