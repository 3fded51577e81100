"""The working memory of the fast kernels."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

from treecore.criteria import CRITERIA
from treecore.kernels.ranks import COUNTERS
from treecore.kernels.records.record_block import (
    GROUP,
    MOST_FEW,
    MOST_WAITING,
    N_SMALL,
    SCALE,
    WAITING,
    FastNodes,
    RecordBlock,
    Sorter,
    TrainingRows,
)
from treecore.kernels.records.records import MOST_CLASSES
from treecore.kernels.state import LEVEL

MOST_KEPT = 2**22
"""Bytes of working memory that a thread keeps for its next tree of the same size."""
ARRAYS_OF_ROWS = 9
"""Arrays of a block and a sorter, besides the records, that are as large as block.values, about."""
_idle = threading.local()


def put_aside(nodes: FastNodes, n: int, node: int = 0) -> None:
    """Leave the root, or another node, of the first n members, for a block of its own."""
    nodes.small[0] = (node, 0, n, 0)
    nodes.counts[N_SMALL] = 1


@contextmanager
def memory_for(
    rows: TrainingRows, nodes: FastNodes, m: int, special: bool = False
) -> Iterator[tuple[RecordBlock, Sorter]]:
    """Working memory to grow nodes of up to m rows. special : see kernels.records.grow_records."""
    if special:
        yield new_block(rows, nodes, m, special), _new_sorter(m)
        return
    shape = m, rows.keys.shape[1], nodes.stats.shape[1], len(rows.label) > 0, len(rows.response) > 0, rows.judge.code
    shape = *shape, rows.rules["n_sampled"][0] > 0
    idle, _idle.memory = getattr(_idle, "memory", None), None  # nobody else has it meanwhile, also within a callback
    fits = idle is not None and idle[0] == shape
    block, sorter = idle[1] if fits else (new_block(rows, nodes, m, special), _new_sorter(m))
    yield block, sorter
    # what is not finished is not kept, so nothing waits in the block
    if block.records.nbytes + block.values.nbytes * ARRAYS_OF_ROWS <= MOST_KEPT:
        _idle.memory = shape, (block, sorter)


def _new_sorter(m: int) -> Sorter:
    return Sorter(np.empty(m, np.uint64), np.empty(m, np.uint64), np.empty(COUNTERS, np.uint32))


def new_block(rows: TrainingRows, nodes: FastNodes, m: int, special: bool) -> RecordBlock:
    """A block for up to m rows in which nothing waits."""
    d, n_stats = rows.keys.shape[1], nodes.stats.shape[1]
    widest = most_levels(rows) + 1
    # an odd number of cache lines, so that the features do not compete for the same places in the cache
    m = 16 * (-(-max(m, 2**MOST_FEW) // 16) | 1)
    places = MOST_WAITING + 1
    return RecordBlock(
        records=np.empty(2 * d * m, np.uint32), rows=np.empty(m, np.int32),
        fixed=np.empty(m * bool(len(rows.response)), np.int64), scale=np.empty(places, SCALE),
        label=np.empty(m * bool(len(rows.label) and n_stats > MOST_CLASSES), np.int32),
        waiting=np.empty(places + MOST_FEW, WAITING), best=np.empty(d, np.int64), tied=np.empty((places, d), bool),
        known=np.empty((places, d), np.int64), goes_left=np.empty(m, np.uint8), sums=np.empty(m, np.uint32),
        cross=np.empty(m), values=np.empty(m), ratio=np.empty(m), place=np.arange(1.0, m + 1.0),
        xlog=xlog_of(_total_weight(rows) if special else m, rows), left=np.empty(n_stats), right=np.empty(n_stats),
        whole=np.empty(n_stats), some=np.empty(n_stats, np.int64), others=np.empty(n_stats, np.int64),
        counts=np.zeros(5, np.int64), weight=np.empty(m * special, np.int32), lefts=np.empty(m * special),
        levels=np.empty(widest * special, LEVEL), level_stats=np.empty((widest * special, n_stats)),
        level_sums=np.empty((4 * special, n_stats)), groups=np.empty(widest * special, GROUP),
        sample=np.zeros((2, d), np.int32),
    )  # fmt: skip


def most_levels(rows: TrainingRows) -> int:
    """Of a nominal feature; 0 if there is none."""
    return int(rows.absent[rows.nominal].max()) if rows.nominal.any() else 0


def _total_weight(rows: TrainingRows) -> int:
    """Of all rows."""
    return int(rows.weight.sum(dtype=np.int64)) if len(rows.weight) else len(rows.keys)


def xlog_of(n: int, rows: TrainingRows) -> np.ndarray:
    """x log2 x of 0 to n, where the criterion asks for it."""
    return _logarithms(n) if rows.judge.code == CRITERIA["entropy"].code else np.empty(0)


@lru_cache(maxsize=4)
def _logarithms(n: int) -> np.ndarray:
    x = np.arange(1.0, n + 1.0)
    return np.append(0.0, x * np.log2(x))
