"""Tables of many levels while a tree grows: each kept as the levels that go another way than most.

A kernel that searches or splits a node has a branch for every level of the feature in growing.level_branch. Kept for
every node, these would take nodes times levels of memory, most of it for levels that are not at the node.
"""

from typing import NamedTuple

import numpy as np

from treecore.kernels.state import N_LEVELS, ORDERED, GrowState, Problem, with_room

MOST_LEVELS = 255
"""Of features whose tables are kept as they are."""
LIKELY = -1, 0, 1
"""Branches that most levels may go: none, or one of two."""


class Listed(NamedTuple):
    """usual : the branch of most levels. levels, branches : int32, the others and theirs. size : of the whole table."""

    usual: int
    levels: np.ndarray
    branches: np.ndarray
    size: int

    @classmethod
    def of(cls, table: np.ndarray) -> "Listed":
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
        self._kept: list[Listed | None] = []

    def put_away(self, growing: GrowState, nodes: np.ndarray) -> None:
        """Keep the tables of these nodes (ids), and of their surrogates: no others may be in growing.level_branch."""
        if not self.width:
            return
        for tests in self._with_tables(growing, nodes):
            for test, size in zip(tests, self._sizes(tests), strict=True):
                begin = int(test["level_start"])
                self._kept.append(Listed.of(growing.level_branch[begin : begin + size]))
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

    def __getitem__(self, level_start: int) -> Listed:
        return self._kept[level_start]

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
