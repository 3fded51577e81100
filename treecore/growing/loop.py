"""The loop over nodes: Python decides which nodes come next, kernels search and split them."""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from treecore.growing.imposed import Wishes, row_statistics
from treecore.growing.settings import Growth
from treecore.kernels.node_impurity import impurity_of
from treecore.kernels.order import sort_by_code
from treecore.kernels.search import search_nodes
from treecore.kernels.split import split_nodes
from treecore.kernels.state import N_NODES, ORDERED, Growing, Problem, new_growing, with_room

BUDGET = 10_000_000
"""(row, feature) pairs between two calls of the progress callback: a fraction of a second."""
CACHED_ROWS = 8_192
"""Rows whose codes and orders stay in the cache while a part of the tree is finished."""
MOST_AT_ONCE = 8_192
"""Nodes split in one step: finding them in a long frontier costs time too."""


@dataclass(frozen=True)
class Progress:
    """How far a fit has come."""

    n_nodes: int
    n_waiting: int


def grow_nodes(problem: Problem, growth: Growth, wishes: Wishes, progress: Callable | None) -> Growing:
    """Grow until no node is left to split: level by level, or best-first where the leaves are limited.

    progress : called every fraction of a second; an exception it raises ends the fit.
    """
    growing = _root(problem)
    frontier = _BestFirst(growth.max_leaves) if growth.max_leaves is not None else _LevelByLevel()
    searched = 0
    while True:
        n_nodes = int(growing.counts[N_NODES])
        growing = wishes.meet(growing, searched, n_nodes)
        growing = _search(problem, growing, np.arange(searched, n_nodes), len(frontier), progress)
        frontier.add(growing.nodes, searched, n_nodes)
        searched = n_nodes
        ids = frontier.take(growing.nodes)
        if not len(ids):
            return growing
        growing = with_room(growing, nodes=int(growing.nodes["n_children"][ids].sum()))
        for part in _within_budget(growing.nodes, ids, problem):
            split_nodes(problem, growing, part)
            _report(progress, growing, len(frontier) + len(ids))


def _root(problem: Problem) -> Growing:
    """Node 0 with all rows, and every feature's rows in order."""
    d, n = problem.codes.shape
    order = np.empty((d, n), np.int32)
    for f in range(d):
        begin = np.zeros(problem.features["n_codes"][f] + 2, np.int64)
        sort_by_code(problem.codes[f], begin, order[f])
    nominal = problem.features["splitter"] != ORDERED
    widest = int(problem.features["n_codes"][nominal].max(initial=0))
    n_classes, criterion = int(problem.rules["n_classes"][0]), int(problem.rules["criterion"][0])
    growing = new_growing(order, n_classes or 3, widest, capacity=max(64, n // 8, 2 * widest))
    growing.stats[0] = row_statistics(problem.rows, n_classes)
    root = growing.nodes[0]
    root["parent"], root["first_child"], root["feature"], root["level_start"] = -1, -1, -1, -1
    root["stop"], root["n_rows"] = n, np.count_nonzero(problem.rows["weight"] > 0)
    root["weight"] = problem.rows["weight"].sum()
    root["impurity"] = impurity_of(criterion, growing.stats[0], float(root["weight"]))
    growing.counts[N_NODES] = 1
    return growing


def _search(problem: Problem, growing: Growing, ids: np.ndarray, n_waiting: int, progress) -> Growing:
    """Search the nodes with these (consecutive) ids, making room for tables of levels on the way."""
    for part in _within_budget(growing.nodes, ids, problem):
        first, stop = int(part[0]), int(part[-1]) + 1
        while (first := search_nodes(problem, growing, first, stop)) < stop:
            growing = with_room(growing, levels=len(growing.levels))
        _report(progress, growing, n_waiting)
    return growing


def _within_budget(nodes: np.ndarray, ids: np.ndarray, problem: Problem) -> Iterator[np.ndarray]:
    """The ids in parts that take a fraction of a second each."""
    work = np.cumsum(nodes["stop"][ids] - nodes["start"][ids]) * problem.codes.shape[0]
    return (part for part in np.split(ids, np.flatnonzero(np.diff(work // BUDGET)) + 1) if len(part))


def _report(progress: Callable | None, growing: Growing, n_waiting: int) -> None:
    if progress is not None:
        progress(Progress(int(growing.counts[N_NODES]), n_waiting))


class _LevelByLevel:
    """Nodes to split: a whole level at a time, of a part of the tree whose rows fit into the processor's cache."""

    def __init__(self):
        self._ids = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, nodes: np.ndarray, first: int, stop: int) -> None:
        found = first + np.flatnonzero(nodes["n_children"][first:stop] > 0)
        self._ids = np.concatenate([self._ids, found])

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """The newest nodes, as many as have CACHED_ROWS rows together, but at least one."""
        newest = self._ids[: -MOST_AT_ONCE - 1 : -1]
        rows = np.cumsum(nodes["stop"][newest] - nodes["start"][newest])
        n = max(int(np.searchsorted(rows, CACHED_ROWS, side="right")), 1)
        taken, self._ids = self._ids[-n:], self._ids[:-n]
        return taken


class _BestFirst:
    """Nodes to split: one at a time, the largest weight * gain first, then the older node."""

    def __init__(self, max_leaves: int):
        self._heap: list[tuple[float, int]] = []
        self._leaves_left = max_leaves - 1

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, nodes: np.ndarray, first: int, stop: int) -> None:
        for node in first + np.flatnonzero(nodes["n_children"][first:stop] > 0):
            heapq.heappush(self._heap, (-float(nodes["weight"][node] * nodes["score"][node]), int(node)))

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """The next node; one whose branches exceed the leaves that are left stays a leaf for good."""
        while self._heap:
            _, node = heapq.heappop(self._heap)
            more = int(nodes["n_children"][node]) - 1
            if more <= self._leaves_left:
                self._leaves_left -= more
                return np.array([node])
            nodes["n_children"][node], nodes["feature"][node], nodes["level_start"][node] = 0, -1, -1
        return np.empty(0, np.int64)
