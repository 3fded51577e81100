"""The loop over nodes: Python decides which nodes come next, kernels search and split them."""

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.criteria import by_code, needs_rows
from treecore.growing.forced_splits import ForcedSplits, row_statistics
from treecore.growing.searchers import searcher_of, take_back
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.growing.tested_surrogates import TestedSurrogates
from treecore.kernels.general.partition import missing_entries
from treecore.kernels.general.split_nodes import split_nodes
from treecore.kernels.general.surrogate_search import list_surrogates
from treecore.kernels.ranked_search import node_errors
from treecore.kernels.ranks import sort_by_code
from treecore.kernels.state import N_LEVELS, N_NODES, ORDERED, GrowState, Problem, new_growing, with_entries, with_room
from treecore.kernels.sums import impurity_of
from treecore.tree.splits import ranges

# The numbers of the nodes, whatever order they were made in.


def level_by_level(first_child: np.ndarray, n_children: np.ndarray) -> np.ndarray:
    """int64 (n_nodes,): ids by depth, and within a depth in the order of their parents and branches.

    first_child, n_children : of nodes whose siblings have ids in a row; a leaf has 0 children.
    """
    levels, nodes = [], np.zeros(1, np.int64)
    while len(nodes):
        levels.append(nodes)
        inner = nodes[n_children[nodes] > 0]
        nodes = ranges(first_child[inner], n_children[inner])
    return np.concatenate(levels)


def taken(records: np.ndarray, places: np.ndarray) -> np.ndarray:
    """records[places], as rows of plain numbers: field by field, as NumPy copies records, takes many times as long."""
    numbers = records.view(np.uint32).reshape(len(records), -1)
    return np.take(numbers, places, axis=0).view(records.dtype).reshape(len(places))


def renumbered(nodes: np.ndarray, order: np.ndarray) -> np.ndarray:
    """NODE records in this order, pointing at each other by their new ids. order : int64 (n_nodes,), the old ids of
    those that are part of the tree."""
    new, nodes = np.empty(len(nodes) + 1, np.int64), taken(nodes, order)
    new[order], new[-1] = np.arange(len(order)), -1
    nodes["id"] = np.arange(len(order))
    for name in ("parent", "first_child"):
        nodes[name] = new[nodes[name]]
    return nodes


# Tables of many levels while a tree grows: each kept as the levels that go another way than most.
#
# A kernel that searches or splits a node has a branch for every level of the feature in growing.level_branch. Kept for
# every node, these would take nodes times levels of memory, most of it for levels that are not at the node.

MOST_LEVELS = 255
"""Of features whose tables are kept as they are."""
LIKELY = -1, 0, 1
"""Branches that most levels may go: none, or one of two."""


class LevelTable(NamedTuple):
    """usual : the branch of most levels. levels, branches : int32, the others and theirs. size : of the whole table."""

    usual: int
    levels: np.ndarray
    branches: np.ndarray
    size: int

    @classmethod
    def of(cls, table: np.ndarray) -> "LevelTable":
        """table : the branch of each level, -1 for none."""
        usual = max(LIKELY, key=lambda branch: np.count_nonzero(table == branch))
        levels = np.flatnonzero(table != usual)
        return cls(usual, levels.astype(np.int32), table[levels].astype(np.int32), len(table))

    def write(self, table: np.ndarray) -> None:
        """Fill the branch of each level."""
        table[:] = self.usual
        table[self.levels] = self.branches


def widest(problem: Problem) -> int:
    """Levels of the widest feature that is split by them, if its tables are too large to be kept as they are; or 0."""
    most = int(problem.features["n_codes"][problem.features["splitter"] != ORDERED].max(initial=0))
    return most if most > MOST_LEVELS else 0


class WideTables:
    """All tables of a growing tree whose levels are many. The fields `level_start` of nodes and surrogates say which
    of them is theirs; only while they are taken out, where their table begins in growing.level_branch.

    width : entries of a table; 0 where no feature has that many levels, and growing.level_branch keeps all tables.
    """

    def __init__(self, problem: Problem):
        self.width = widest(problem)
        self._n_codes = problem.features["n_codes"]
        self._kept: list[LevelTable | None] = []

    def put_away(self, growing: GrowState, nodes: np.ndarray) -> None:
        """Keep the tables of these nodes (ids), and of their surrogates: no others may be in growing.level_branch."""
        if not self.width:
            return
        for tests in self._with_tables(growing, nodes):
            for test, size in zip(tests, self._sizes(tests), strict=True):
                begin = int(test["level_start"])
                self._kept.append(LevelTable.of(growing.level_branch[begin : begin + size]))
                test["level_start"] = len(self._kept) - 1
        growing.counts[N_LEVELS] = 0

    def take_out(self, growing: GrowState, nodes: np.ndarray) -> GrowState:
        """Write the tables of these nodes (ids), which have no surrogates yet, to growing.level_branch."""
        if not self.width:
            return growing
        tests, _ = self._with_tables(growing, nodes)
        kept = [self._kept[test["level_start"]] for test in tests]
        growing = with_room(growing, levels=sum(table.size for table in kept))
        for test, table in zip(tests, kept, strict=True):
            begin = int(growing.counts[N_LEVELS])
            table.write(growing.level_branch[begin : begin + table.size])
            self._kept[test["level_start"]] = None
            test["level_start"] = begin
            growing.counts[N_LEVELS] += table.size
        return growing

    def __getitem__(self, level_start: int) -> LevelTable:
        table = self._kept[level_start]
        assert table is not None
        return table

    def _with_tables(self, growing: GrowState, nodes: np.ndarray):
        """(records of these nodes, those of their surrogates) that have tables, one by one: written to, they change."""
        own = [growing.nodes[i] for i in nodes[growing.nodes["level_start"][nodes] >= 0]]
        backed = nodes[growing.nodes["n_surrogates"][nodes] > 0]
        first, n = (growing.nodes[name][backed] for name in ("surrogate_start", "n_surrogates"))
        spans = [growing.surrogates[i] for s, k in zip(first, n, strict=True) for i in range(s, s + k)]
        return own, [test for test in spans if test["level_start"] >= 0]

    def _sizes(self, tests: list) -> list[int]:
        """Entries of the tables of these records."""
        names = tests[0].dtype.names if tests else ()
        cuts = [int(test["n_cuts"]) if "n_cuts" in names else 0 for test in tests]
        return [n or int(self._n_codes[test["feature"]]) for n, test in zip(cuts, tests, strict=True)]


BUDGET = 10_000_000
"""(row, feature) pairs split between two calls of the progress callback: a fraction of a second."""
CACHED_ROWS = 16_384
"""Rows whose codes and orders stay in the cache while a part of the tree is finished."""
MOST_AT_ONCE = 8_192
"""Nodes split in one step: finding them in a long frontier costs time too."""


@dataclass(frozen=True)
class Progress:
    """How far a fit has come."""

    n_nodes: int
    n_waiting: int


@dataclass(frozen=True, eq=False, repr=False)
class GrowResult(Brief):
    """Nodes that have been searched; those that have no children yet are leaves so far.

    medians : float64 (n_nodes,) in parts, less the nodes' centers, for a criterion that answers with them; else none.
    n_splits : made so far. n_forced : of these, the first ones, made because somebody wants them or one below.
    tables : where wide tables of levels are; None where all are in growing.level_branch.
    """

    growing: GrowState
    medians: list[np.ndarray]
    n_splits: int
    n_forced: int
    tables: WideTables | None = None


def grow_nodes(
    problem: Problem,
    growth: GrowSettings,
    forced_splits: ForcedSplits,
    progress: Callable | None,
    is_enough: Callable[[GrowResult], bool] | None = None,
) -> GrowResult:
    """Grow until no node is left to split: level by level, or best-first where the leaves are limited.

    progress : called every fraction of a second; an exception it raises ends the fit.
    is_enough : asked before every split, which come best-first then, wished ones before all others.
    """
    growing, searcher = root_of(problem), searcher_of(problem, growth)
    is_tested = MISSING_STRATEGIES[growth.missing].tested and problem.rules["max_surrogates"][0] > 0
    by_tests = TestedSurrogates(problem, growth) if is_tested else None
    wished_first = is_enough is not None
    best_first = wished_first or growth.max_leaves is not None
    frontier = BestFirst(growth.max_leaves, wished_first) if best_first else _LevelByLevel()
    searched, n_splits, medians, tables = 0, 0, [], WideTables(problem)
    width_of_all = tables.width * (1 + int(problem.rules["max_surrogates"][0]))
    while True:
        n_nodes = int(growing.counts[N_NODES])
        if not additive(problem):
            medians.append(node_errors(problem, growing, searched, n_nodes))
        growing = forced_splits.meet(growing, searched, n_nodes)
        new = growing.nodes[searched:n_nodes]
        wished = (new["n_children"] > 0) | (new["sort_rows"] > 0)
        tables.put_away(growing, searched + np.flatnonzero(new["n_children"] > 0))
        for part in _within_budget(growing, np.arange(searched, n_nodes), searcher.budget, tables.width):
            is_open = growing.nodes["n_children"][part] == 0
            growing = searcher(growing, int(part[0]), int(part[-1]) + 1)
            tables.put_away(growing, part[is_open])
            _report(progress, growing, len(frontier))
        frontier.add(growing.nodes, searched, n_nodes, wished)
        searched = n_nodes
        grown = GrowResult(growing, medians, n_splits, frontier.n_forced, tables)
        if is_enough is not None and is_enough(grown):
            return grown
        ids = frontier.take(growing.nodes)
        n_splits += len(ids)
        if not len(ids):
            return grown
        growing = with_room(growing, nodes=int(growing.nodes["n_children"][ids].sum()))
        for part in _within_budget(growing, ids, BUDGET, width_of_all):
            new = np.arange(n_nodes, growing.counts[N_NODES])
            growing = tables.take_out(growing, part)
            growing = _split(problem, growing, part, np.concatenate([frontier.ids, ids, new]), by_tests)
            tables.put_away(growing, part)
            _report(progress, growing, len(frontier) + len(ids))


def additive(problem: Problem) -> bool:
    """Does a node's impurity follow from its statistics?"""
    return not needs_rows(problem.judge)


def reads_rows(problem: Problem) -> bool:
    """Is more asked of a node's rows than the kernels sum up: their median, the deviance of counts, or arms?"""
    return not additive(problem) or by_code(problem.judge.code).task in ("counts", "effects")


def _split(
    problem: Problem,
    growing: GrowState,
    ids: np.ndarray,
    waiting: np.ndarray,
    tested_surrogates: TestedSurrogates | None,
) -> GrowState:
    """Split these nodes; waiting : ids of all nodes whose rows are still needed. tested_surrogates : who lists their
    surrogates where tests find them."""
    most = int(problem.rules["max_surrogates"][0])
    # leaves too need their rows: for their medians, or to be counted where parts of rows stand in several nodes
    if reads_rows(problem) or (problem.has_weightless and len(growing.share)):
        growing.nodes["sort_rows"][ids] = 1
    if most > 0:
        tables = most * len(ids) * len(growing.levels)
        growing = with_room(growing, surrogates=most * len(ids), levels=tables if problem.has_nominal else 0)
    if len(growing.share):
        # children need at most the node's entries once more for each branch
        size = growing.nodes["stop"][ids] - growing.nodes["start"][ids]
        entries = int((missing_entries(problem, growing, ids) * (growing.nodes["n_children"][ids] - 1) + size).sum())
        growing = with_entries(growing, waiting, entries)
    if tested_surrogates is not None:
        tested_surrogates(growing, ids)
    elif most > 0:
        list_surrogates(problem, growing, ids)
    split_nodes(problem, growing, ids, problem.special_split)
    return growing


def root_of(problem: Problem, capacity: int = 0) -> GrowState:
    """Node 0 with all rows, and every feature's rows in order. capacity : room for so many nodes from the start; memory
    that is not touched costs nothing."""
    d, n = problem.codes.shape
    order = np.empty((d, n), np.int32)
    for f in range(d):
        begin = np.zeros(problem.features["n_codes"][f] + 2, np.int64)
        sort_by_code(problem.codes[f], begin, order[f])
    n_classes = int(problem.rules["n_classes"][0])
    growing = new_growing(problem, order, capacity=max(64, n // 8, capacity))
    growing.stats[0] = row_statistics(problem.rows, n_classes)
    root = growing.nodes[0]
    root["center"] = problem.center
    root["parent"], root["first_child"], root["feature"], root["level_start"] = -1, -1, -1, -1
    root["stop"], root["n_rows"] = n, np.count_nonzero(problem.rows["weight"] > 0)
    root["weight"] = problem.rows["weight"].sum()
    root["impurity"] = impurity_of(problem.judge, growing.stats[0], float(root["weight"]))
    growing.counts[N_NODES] = 1
    return growing


def _within_budget(growing: GrowState, ids: np.ndarray, budget: int, more: int = 0) -> Iterator[np.ndarray]:
    """The ids in parts that take a fraction of a second each. more : work for each node, besides its rows."""
    rows = growing.nodes["stop"][ids] - growing.nodes["start"][ids]
    work = np.cumsum(rows * len(growing.order) + more)
    return (part for part in np.split(ids, np.flatnonzero(np.diff(work // budget)) + 1) if len(part))


def _report(progress: Callable | None, growing: GrowState, n_waiting: int) -> None:
    if progress is not None:
        progress(Progress(int(growing.counts[N_NODES]), n_waiting))


class _LevelByLevel:
    """Nodes to split: a whole level at a time, of a part of the tree whose rows fit into the processor's cache."""

    n_forced = 0

    def __init__(self):
        self.ids = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, nodes: np.ndarray, first: int, stop: int, wished: np.ndarray) -> None:
        result = first + np.flatnonzero(nodes["n_children"][first:stop] > 0)
        self.ids = np.concatenate([self.ids, result])

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """The newest nodes, as many as have CACHED_ROWS rows together, but at least one."""
        newest = self.ids[: -MOST_AT_ONCE - 1 : -1]
        rows = np.cumsum(nodes["stop"][newest] - nodes["start"][newest])
        n = max(int(np.searchsorted(rows, CACHED_ROWS, side="right")), 1)
        taken, self.ids = self.ids[-n:], self.ids[:-n]
        return taken


class BestFirst:
    """Nodes to split: one at a time, the largest weight * gain first, then the older node.

    max_leaves : None for any number. wished_first : nodes that somebody wants split come before all others.
    n_forced : such nodes taken so far.
    """

    def __init__(self, max_leaves: int | None, wished_first: bool):
        self._heap: list[tuple[float, int]] = []
        self._leaves_left = math.inf if max_leaves is None else max_leaves - 1
        self._wished_first, self.n_forced = wished_first, 0

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def ids(self) -> np.ndarray:
        return np.array([node for _, node in self._heap], np.int64)

    def add(self, nodes: np.ndarray, first: int, stop: int, wished: np.ndarray) -> None:
        for i in np.flatnonzero(nodes["n_children"][first:stop] > 0):
            gain = float(nodes["weight"][first + i] * nodes["gain"][first + i])
            first_of_all = self._wished_first and wished[i]
            heapq.heappush(self._heap, (-math.inf if first_of_all else -gain, int(first + i)))

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """The next node; one whose branches exceed the leaves that are left stays a leaf for good."""
        while self._heap:
            key, node = heapq.heappop(self._heap)
            more = int(nodes["n_children"][node]) - 1
            if more <= self._leaves_left:
                self._leaves_left -= more
                self.n_forced += key == -math.inf
                return np.array([node])
            take_back(nodes, node)
        return np.empty(0, np.int64)
