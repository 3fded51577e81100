"""Rows on their way down a tree, a block of them at a time: little memory, and no kernel runs for long."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treecore.brief import Brief
from treecore.kernels.routing.route import HIGHEST, LANES, Routing, walk, walk_shared, walk_thresholds
from treecore.parallel import n_threads
from treecore.tree.cells import Bins, Cells
from treecore.tree.columns import TreeColumns
from treecore.tree.flat import Flat, flat_of, read_only
from treecore.tree.routing import Quick, quick_of, routing_of, routing_of_tree, slots_of
from treecore.tree.values import cells_of, n_rows_of, scaled_cells_of
from treecore.tree.walk_uncompiled import note_sent, note_walked, parts_for, walked, walks_sooner, work

KINDS = "u4", "f4", "f8"
"""Values that rows are walked by: keys, or numbers; the first kind that holds them all."""
BLOCK_VALUES = 1 << 17
"""Values of a block: they stay in the processor's cache."""
MOST_ROWS, LEAST_ROWS = 1 << 14, 1 << 8
"""Rows of a block."""
ROWS_OF_A_THREAD = 1 << 16
"""Rows for which starting a thread pays."""


@dataclass(frozen=True, eq=False, repr=False)
class RoutedRows(Brief):
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


def whole_routes(node: np.ndarray) -> RoutedRows:
    """Routes of rows that each end in one node, int64 (n_rows,)."""
    return RoutedRows(np.arange(len(node)), node, np.ones(len(node)))


def over_blocks(tree: TreeColumns, rows, take: Callable[[slice, np.ndarray | RoutedRows], None]) -> None:
    """Send the rows of a Table, DataFrame or matrix down the tree and hand every block of them to `take`.

    take : gets the rows' slice and the nodes they end in, int64, or where some row is shared among several nodes their
        Routes, with rows counted from the block's first. Blocks come in any order and from several threads; the nodes
        are gone when it returns.
    """
    n_rows = n_rows_of(rows)
    parts = parts_for(tree)
    if walks_sooner(parts, work(tree, n_rows)):
        note_sent(parts, work(tree, n_rows))
        routes = RoutedRows(*walked(*routing_of(tree, rows)))
        take(slice(0, n_rows), routes.node if routes.whole else routes)
        return
    way = _way(tree, rows)
    most = min(n_threads(), n_rows // ROWS_OF_A_THREAD)
    if most < 2:
        way.send(0, n_rows, take)
        note_walked()
        return
    bounds = np.linspace(0, n_rows, most + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(most) as pool:
        sent = [pool.submit(way.send, *part, take) for part in pairwise(bounds)]
    for part in sent:
        part.result()
    note_walked()


@dataclass(frozen=True, eq=False, repr=False)
class _Way(Brief):
    """A tree and the cells that it asks for, slot by slot.

    flat : the cells' values where they stand, None where they have to be read. kind : of the values that are read.
    n_rows : of a block.
    """

    routing: Routing
    quick: Quick
    cells: list[Cells]
    flat: Flat | None
    kind: np.dtype
    n_rows: int

    def send(self, begin: int, stop: int, take: Callable) -> None:
        """Send these rows, block by block."""
        room = _room(len(self.cells), self.n_rows, self.kind) if self.flat is None else None
        end = np.zeros(self.n_rows + LANES, np.int64)
        for first in range(begin, stop, self.n_rows):
            last = min(first + self.n_rows, stop)
            take(slice(first, last), self._ends(first, last, room, end))

    def _ends(self, first: int, last: int, room: np.ndarray | None, end: np.ndarray) -> np.ndarray | RoutedRows:
        # lanes may not lie beyond the last value: a short block begins with rows of the one before
        begin = first if self.flat is None else max(min(first, last - LANES), 0)
        end = end[: max(last - begin, LANES)]
        is_done = walk_thresholds(*self.quick, *self._values(begin, last, room), HIGHEST[self.kind], last - begin, end)
        end = end[first - begin : last - begin]
        if is_done:
            return end
        values = room if room is not None and self.kind == np.float64 else self._wide(first, last)
        return end if walk(self.routing, values, len(end), end) else _shared_routes(self.routing, values, len(end))

    def _values(self, first: int, last: int, room: np.ndarray | None) -> tuple[np.ndarray, int]:
        """(flat values, how far those of a row are behind those of the row before)."""
        if self.flat is not None:
            return self.flat.numbers[first * self.flat.stride :], self.flat.stride
        self._read(first, last, room)
        return read_only(room.reshape(-1)), 1

    def _wide(self, first: int, last: int) -> np.ndarray:
        """float64 (slots, rows): the values as the general walk wants them."""
        values = np.empty((len(self.cells), last - first))
        self._read(first, last, values)
        return values

    def _read(self, first: int, last: int, values: np.ndarray) -> None:
        for slot, cells in enumerate(self.cells):
            cells.read(first, last, values[slot, : last - first])


def _room(n_cells: int, n_rows: int, kind: np.dtype) -> np.ndarray:
    """(slots, n): for the values of a block, and of the lanes beyond it."""
    # a width that is no power of two keeps the features apart in the cache
    return np.zeros((max(n_cells, 1), n_rows + LANES), kind)


def _way(tree: TreeColumns, rows) -> _Way:
    slots = slots_of(tree)
    read = [scaled_cells_of(tree.schema, f, rows) for f in slots.features]
    scales = {slot: scale for slot, (_, scale) in enumerate(read) if scale is not None}
    cells, routing = [cells for cells, _ in read], routing_of_tree(tree, slots, scales)
    flat = flat_of([c.as_they_are for c in cells]) if n_rows_of(rows) >= LANES else None
    # surrogates by bins ask for the values themselves, and only where the quick walk has ended
    cells += [Bins(cells_of(tree.schema, f, rows), tree.schema.features[f]) for f in slots.by_bins]
    n = min(max(BLOCK_VALUES // max(len(cells), 1), LEAST_ROWS), MOST_ROWS) // LANES * LANES
    if flat is not None:
        kind = flat.numbers.dtype
        return _Way(routing, quick_of(routing.nodes, flat.offset, kind), cells, flat, kind, MOST_ROWS)
    kind = next(kind for kind in map(np.dtype, KINDS) if all(c.fits(kind) for c in cells) and (cells or kind == "f8"))
    quick = quick_of(routing.nodes, np.arange(max(len(cells), 1)) * (n + LANES), kind)
    return _Way(routing, quick, cells, None, kind, n)


def _shared_routes(routing: Routing, values: np.ndarray, n_rows: int) -> RoutedRows:
    n_nodes = len(routing.nodes)
    room = n_nodes + 4 * n_rows
    out = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    waiting, waiting_share = np.zeros(n_nodes, np.int64), np.zeros(n_nodes)
    parts, row = [], 0
    while row < n_rows:
        written, row = walk_shared(routing, values, n_rows, row, waiting, waiting_share, *out)
        parts.append([a[:written].copy() for a in out])
    return RoutedRows(*(np.concatenate(p) for p in zip(*parts, strict=True)))
