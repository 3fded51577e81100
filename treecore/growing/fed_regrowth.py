"""Working memory to grow nodes of a fed tree anew; see kernels.fed.regrow."""

import numpy as np

from treecore.growing.fast.fast_tree import room_for_backups
from treecore.growing.fast.working_memory import new_block
from treecore.kernels.fed.regrow import MOST_NEW, regrow
from treecore.kernels.fed.slices import FedState
from treecore.kernels.records.record_block import GAP, N_NODES, PLAIN, WAITING, FastNodes, RecordBlock, TrainingRows
from treecore.kernels.state import Problem

LEAST, MOST_KEPT = 64, 2**24
"""Rows that memory is made for; bytes of records of memory that is kept for the next node."""
Memory = tuple[TrainingRows, RecordBlock, FastNodes]


class Regrowth:
    """Grows nodes anew, whatever their size.

    Memory is made for a power of two of rows and kept by size: fresh memory is dear, and most nodes are small.
    """

    def __init__(self):
        self._kept: dict[int, Memory] = {}
        self._at_work: Memory | None = None

    def grow(self, problem: Problem, fed: FedState, i: int) -> int:
        """Grow node i anew. Returns 0, or how many nodes there must be room for when this is called again."""
        if self._at_work is None:
            node = fed.growing.nodes[i]
            self._at_work = self._memory(problem, int(node["stop"] - node["start"]))
        if regrow(problem, fed, i, *self._at_work):
            self._at_work = None
            return 0
        return int(self._at_work[-1].counts[N_NODES]) + MOST_NEW

    def _memory(self, problem: Problem, n: int) -> Memory:
        m = max(LEAST, 1 << (n - 1).bit_length())
        found = self._kept.get(m) or _new_memory(problem, m)
        _, block, nodes = found
        if block.records.nbytes <= MOST_KEPT:
            self._kept[m] = found
        nodes.counts[N_NODES] = 0
        return found


def _new_memory(problem: Problem, m: int) -> Memory:
    d, n_classes = len(problem.features), int(problem.rules["n_classes"][0])
    rows = TrainingRows(
        keys=np.empty((m, d), np.uint32), absent=problem.features["n_codes"].astype(np.uint32),
        label=np.empty(m, np.int32), response=np.empty(0), rules=problem.rules, judge=problem.judge,
        weight=np.empty(0, np.int32), nominal=np.zeros(d, bool),
    )  # fmt: skip
    nodes = FastNodes(
        of=np.empty(2 * m, PLAIN), gaps=np.zeros(0, GAP), stats=np.empty((2 * m, n_classes)),
        small=np.empty(m + 1, WAITING), members=np.empty(0, np.int32), counts=np.zeros(7, np.int64),
        tables=np.empty(0, np.int8), center=np.empty(0), **room_for_backups(rows, 0),
    )  # fmt: skip
    return rows, new_block(rows, nodes, m, False), nodes
