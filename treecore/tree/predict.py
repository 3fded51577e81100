"""What a tree answers for rows: they are sent down the tree block by block, and end in nodes that answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.kernels.route import HIGHEST, LANES, QUICK, Routing, walk, walk_shared, walk_thresholds
from treecore.parallel import n_threads
from treecore.target import answered_by_lines
from treecore.tree.columns import TreeColumns
from treecore.tree.routing import (
    Quick,
    note_kernel_routing,
    note_numpy_routing,
    numpy_routing_is_faster,
    parts_for,
    quick_of,
    routes_in_numpy,
    routing_of,
    routing_of_tree,
    routing_work,
    slots_of,
)
from treecore.tree.values import BinnedCells, CellReader, cells_of, n_rows_of, plain_numbers, scaled_cells_of

# Columns that stand in one piece of memory, as those of a matrix do: they can be walked by without a copy.


class Flat(NamedTuple):
    """Value i of column c is numbers[offset[c] + stride * i]. numbers : read-only; offset : uint32 (columns,)."""

    numbers: np.ndarray
    offset: np.ndarray
    stride: int


def flat_of(columns: list[np.ndarray | None]) -> Flat | None:
    """Columns (n,) as they stand in memory; None where they do not stand in one piece, or a walk takes no such values.

    A None among them stands for a column that has no values that can be taken as they are.
    """
    there = [column for column in columns if column is not None]
    if not columns or len(there) < len(columns):
        return None
    whole, kind, strides = _owner(there[0]), there[0].dtype, there[0].strides
    apart = any(_owner(c) is not whole or c.dtype != kind or c.strides != strides for c in there)
    if apart or not isinstance(whole, np.ndarray) or whole.dtype != kind or kind not in QUICK:
        return None
    if not whole.flags.forc or not whole.flags.aligned or whole.size > np.iinfo(np.uint32).max or strides[0] <= 0:
        return None
    offset = np.array([_address(column) - _address(whole) for column in there]) // kind.itemsize
    return Flat(read_only(whole.ravel(order="K")), offset.astype(np.uint32), strides[0] // kind.itemsize)


def read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written to: compiled functions take both kinds of array for different types."""
    view = array.view()
    view.flags.writeable = False
    return view


def _owner(array: np.ndarray):
    """What holds the memory of an array."""
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


# Rows on their way down a tree, a block of them at a time: little memory, and no kernel runs for long.

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
    """RoutedRows of rows that each end in one node, int64 (n_rows,)."""
    return RoutedRows(np.arange(len(node)), node, np.ones(len(node)))


def over_blocks(tree: TreeColumns, rows, take: Callable[[slice, np.ndarray | RoutedRows], None]) -> None:
    """Send the rows of a Table, DataFrame or matrix down the tree and hand every block of them to `take`.

    take : gets the rows' slice and the nodes they end in, int64, or where some row is shared among several nodes their
        RoutedRows, with rows counted from the block's first. Blocks come in any order, from several threads; the nodes
        are gone when it returns.
    """
    n_rows = n_rows_of(rows)
    parts = parts_for(tree)
    if numpy_routing_is_faster(parts, routing_work(tree, n_rows)):
        note_numpy_routing(parts, routing_work(tree, n_rows))
        routes = RoutedRows(*routes_in_numpy(*routing_of(tree, rows)))
        take(slice(0, n_rows), routes.node if routes.whole else routes)
        return
    way = _block_router(tree, rows)
    most = min(n_threads(), n_rows // ROWS_OF_A_THREAD)
    if most < 2:
        way.send(0, n_rows, take)
        note_kernel_routing()
        return
    bounds = np.linspace(0, n_rows, most + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(most) as pool:
        sent = [pool.submit(way.send, *part, take) for part in pairwise(bounds)]
    for part in sent:
        part.result()
    note_kernel_routing()


@dataclass(frozen=True, eq=False, repr=False)
class _BlockRouter(Brief):
    """A tree and the cells that it asks for, slot by slot.

    flat : the cells' values where they stand, None where they have to be read. kind : of the values that are read.
    n_rows : of a block.
    """

    routing: Routing
    quick: Quick
    cells: list[CellReader]
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
        assert room is not None
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


def _block_router(tree: TreeColumns, rows) -> _BlockRouter:
    slots = slots_of(tree)
    read = [scaled_cells_of(tree.schema, f, rows) for f in slots.features]
    scales = {slot: scale for slot, (_, scale) in enumerate(read) if scale is not None}
    cells, routing = [cells for cells, _ in read], routing_of_tree(tree, slots, scales)
    flat = flat_of([c.as_they_are for c in cells]) if n_rows_of(rows) >= LANES else None
    # surrogates by bins ask for the values themselves, and only where the quick walk has ended
    cells += [BinnedCells(cells_of(tree.schema, f, rows), tree.schema.features[f]) for f in slots.by_bins]
    n = min(max(BLOCK_VALUES // max(len(cells), 1), LEAST_ROWS), MOST_ROWS) // LANES * LANES
    if flat is not None:
        kind = flat.numbers.dtype
        return _BlockRouter(routing, quick_of(routing.nodes, flat.offset, kind), cells, flat, kind, MOST_ROWS)
    kind = next(kind for kind in map(np.dtype, KINDS) if all(c.fits(kind) for c in cells) and (cells or kind == "f8"))
    quick = quick_of(routing.nodes, np.arange(max(len(cells), 1)) * (n + LANES), kind)
    return _BlockRouter(routing, quick, cells, None, kind, n)


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


def route(tree: TreeColumns, rows) -> RoutedRows:
    """Send the rows of a Table, DataFrame or matrix down the tree."""
    node, shared = _ends(tree, rows)
    if not shared:
        return whole_routes(node)
    parts, at = [], 0
    for begin in [*sorted(shared), len(node)]:
        parts.append((np.arange(at, begin), node[at:begin], np.ones(begin - at)))
        if begin < len(node):
            routes = shared[begin]
            parts.append((routes.row + begin, routes.node, routes.share))
            at = begin + int(routes.row[-1]) + 1
    return RoutedRows(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _ends(tree: TreeColumns, rows) -> tuple[np.ndarray, dict[int, RoutedRows]]:
    """(int64 (n_rows,), first row -> RoutedRows): the nodes rows end in, and the blocks in which some row is shared."""
    node, shared = np.empty(n_rows_of(rows), np.int64), {}

    def take(here: slice, ends: np.ndarray | RoutedRows) -> None:
        if isinstance(ends, RoutedRows):
            shared[here.start] = ends
        else:
            node[here] = ends

    over_blocks(tree, rows, take)
    return node, shared


def end_nodes(tree: TreeColumns, rows) -> np.ndarray:
    """int64 (n_rows,): the node each row ends in; the one of largest share where there are several."""
    node, shared = _ends(tree, rows)
    for begin, routes in shared.items():
        largest = np.lexsort((routes.node, -routes.share, routes.row))
        first = np.flatnonzero(np.diff(routes.row[largest], prepend=-1))
        node[begin : begin + len(first)] = routes.node[largest][first]
    return node


def probabilities(tree: TreeColumns, rows) -> np.ndarray:
    """float64 (n_rows, n_classes): class shares of the end nodes, averaged by share."""
    if not tree.classes:
        remedy = "Use predict, which gives the means"
        raise TreecoreError("A tree that predicts numbers has no class shares", where="predict_proba", remedy=remedy)
    if tree.lines is not None:
        return _by_lines(tree, rows)
    return answered_with(tree, rows, tree.proba)


def _by_lines(tree: TreeColumns, rows) -> np.ndarray:
    """What the lines of the nodes that rows end in answer, float64 (n_rows,) or class shares (n_rows, n_classes),
    averaged for rows that are shared among several."""
    routes = route(tree, rows)
    answers = answers_at(tree, rows)(routes.row, routes.node)
    if answers.ndim == 1:
        return np.bincount(routes.row, routes.share * answers)
    return np.stack([np.bincount(routes.row, routes.share * part) for part in answers.T], axis=1)


def answered_with(tree: TreeColumns, rows, shares: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): these shares, float64 (n_nodes, n_classes), of the nodes that rows end in, averaged
    for rows that are shared among several."""
    return _answers(tree, rows, shares, lambda _, routes: _averaged(routes, shares))


def predictions(tree: TreeColumns, rows) -> np.ndarray:
    """Class labels (object; None where no node answers) or float64 numbers."""
    names = np.array([*tree.classes, None], object)
    if tree.lines is not None:
        return names[predicted_labels(tree, rows)] if tree.classes else _by_lines(tree, rows)
    if not tree.classes:
        return _answers(tree, rows, tree.value, _mixed)
    return _answers(tree, rows, names[tree.value], lambda tree, routes: names[_mixed_labels(tree, routes)])


def answers_at(tree: TreeColumns, rows) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """(row, node), int64 (m,) each -> what these nodes answer for these rows: float64 (m,), or class shares (m, K)."""
    if tree.lines is not None:
        lines, answer, kind = tree.lines, tree.answer, answered_by_lines(tree.classes)
        values = plain_numbers(tree.schema, lines.used, rows)
        return lambda row, node: kind.answers_of_lines(lines.answers(values, row, answer[node]))
    value = tree.proba if tree.classes else tree.value
    return lambda row, node: value[node]


def predictions_at(tree: TreeColumns, rows) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """(row, node), int64 (m,) each -> what is said of these rows at these nodes: float64 numbers or int64 class indices
    (-1: nothing), by its line where a node has one."""
    if tree.lines is None:
        value = tree.value
        return lambda row, node: value[node]
    answers = answers_at(tree, rows)
    if not tree.classes:
        return answers
    return lambda row, node: tree.target_kind.labels_of_shares(tree, answers(row, node))


def predicted_labels(tree: TreeColumns, rows) -> np.ndarray:
    """int64 (n_rows,): index of the class that answers for each row; -1 where nothing does.

    A row that is shared among several nodes, and one that a line answers, gets the class of least expected cost by its
    probabilities.
    """
    if tree.lines is not None:
        return tree.target_kind.labels_of_shares(tree, _by_lines(tree, rows))
    return _answers(tree, rows, np.asarray(tree.value, np.int64), _mixed_labels)


def _answers(tree: TreeColumns, rows, answer: np.ndarray, mixed) -> np.ndarray:
    """(n_rows, ...): what the nodes answer. answer : (n_nodes, ...), of each. mixed : (tree, RoutedRows) -> answers of
    rows of which some are shared."""
    result = np.empty((n_rows_of(rows), *answer.shape[1:]), answer.dtype)

    def take(here: slice, ends: np.ndarray | RoutedRows) -> None:
        if isinstance(ends, RoutedRows):
            result[here] = mixed(tree, ends)
        else:
            np.take(answer, ends, axis=0, out=result[here], mode="clip")  # other modes fill a copy first

    over_blocks(tree, rows, take)
    return result


def _mixed(tree: TreeColumns, routes: RoutedRows) -> np.ndarray:
    """float64 (n_rows, n_classes) or (n_rows,): shares of classes, or means, averaged by share."""
    if not tree.classes:
        return np.bincount(routes.row, routes.share * tree.value[routes.node])
    return _averaged(routes, tree.proba)


def _averaged(routes: RoutedRows, shares: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): shares of the nodes, averaged by the parts of each row."""
    weighted = routes.share[:, None] * shares[routes.node]
    return np.stack([np.bincount(routes.row, part) for part in weighted.T], axis=1)


def _mixed_labels(tree: TreeColumns, routes: RoutedRows) -> np.ndarray:
    """int64 (n_rows,): see predicted_labels. A row that is not shared has its node's label."""
    best = tree.target_kind.labels_of_shares(tree, _mixed(tree, routes))
    alone = np.bincount(routes.row)[routes.row] == 1
    best[routes.row[alone]] = tree.value[routes.node[alone]]
    return best
