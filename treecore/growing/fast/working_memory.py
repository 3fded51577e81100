"""The working memory of the fast kernels, for blocks of sorted records and for large nodes in buckets."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.kernels.buckets.class_cuts import CUT, BucketSearch, Singles
from treecore.kernels.buckets.histogram import N_BUCKETS, Buckets, WholeNumbers
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
from treecore.kernels.records.small_nodes import Few
from treecore.kernels.state import LEVEL

MOST_IDLE = 2**22
"""Bytes of working memory that a thread keeps for its next tree of the same size."""
ARRAYS_OF_ROWS = 9
"""Arrays of a block and a sorter, besides the records, that are as large as block.values, about."""
_idle_block = threading.local()


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
    of_rows = m, rows.keys.shape[1], nodes.stats.shape[1], len(rows.label) > 0, len(rows.response) > 0, rows.judge.code
    shape = *of_rows, rows.rules["n_sampled"][0] > 0
    idle, _idle_block.memory = (
        getattr(_idle_block, "memory", None),
        None,
    )  # nobody else has it meanwhile, also within a callback
    fits = idle is not None and idle[0] == shape
    block, sorter = idle[1] if idle is not None and fits else (new_block(rows, nodes, m, special), _new_sorter(m))
    yield block, sorter
    # what is not finished is not kept, so nothing waits in the block
    if block.records.nbytes + block.values.nbytes * ARRAYS_OF_ROWS <= MOST_IDLE:
        _idle_block.memory = shape, (block, sorter)


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


# The working memory of the kernels that grow large nodes from buckets.

AT_ONCE = 2048
"""Rows in buckets that are parted at a time: a list of them stays in the processor's cache."""
MOST_IDLE_LARGE = 2000
"""Rows of a table whose memory a thread keeps for its next tree of the same size: below, to make it takes longer than
to grow some of the nodes."""
_idle_large = threading.local()


class LargeMemory(NamedTuple):
    """words, members : as in Buckets, working memory. The rest as in buckets.large_nodes.grow_large."""

    words: np.ndarray
    members: np.ndarray
    search: BucketSearch
    numbers: WholeNumbers | None
    by_class: bool | None
    counts: np.ndarray
    large: np.ndarray


@contextmanager
def large_memory(rows: TrainingRows, buckets: Buckets, n_stats: int) -> Iterator[LargeMemory]:
    """Memory to grow the nodes of a table in these buckets, whose nodes have so many statistics."""
    n, few = len(rows.keys), len(rows.keys) <= MOST_IDLE_LARGE
    single = _has_singles(rows, buckets, n_stats)
    drawing = bool(rows.rules["n_sampled"][0])
    asked = drawing, buckets.words.shape, n_stats, rows.judge.code, single, few and buckets.first.tobytes()
    idle, _idle_large.memory = (
        getattr(_idle_large, "memory", None),
        None,
    )  # nobody else has it meanwhile, also within a callback
    memory = idle[1] if few and idle is not None and idle[0] == asked else _new_memory(rows, buckets, n_stats, single)
    memory.large[0] = (0, 0, n, 0)
    yield memory
    if few:
        _idle_large.memory = asked, memory


def _new_memory(rows: TrainingRows, buckets: Buckets, n_stats: int, single: bool) -> LargeMemory:
    (n, d), n_buckets = rows.keys.shape, int(buckets.first[-1])
    sample = np.zeros((2, d), np.int32)
    search = BucketSearch(
        upto=np.empty((d, n_stats, N_BUCKETS + 1), np.int32), total=np.empty((d, n_stats), np.int64),
        value=np.empty((d, N_BUCKETS)), inside=np.empty((d, N_BUCKETS), bool), best=np.empty(d),
        bound=np.empty(N_BUCKETS), corner=np.empty(N_BUCKETS), n_left=np.empty(N_BUCKETS),
        left=np.empty(n_stats, np.int64), other=np.empty(n_stats, np.int64), items=np.empty(n, np.uint64),
        spare=np.empty(n, np.uint64), sorted_items=np.empty(n, np.uint64), sorted_of=np.empty(2, np.int64),
        counters=np.empty(COUNTERS, np.uint32), cut=np.empty(1, CUT),
        xlog=xlog_of(n, rows), wanted=np.empty(N_BUCKETS, bool), sides=np.empty((2, n_stats)),
        lefts=np.empty(AT_ONCE, np.int32), rights=np.empty(AT_ONCE, np.int32), goes_left=np.empty(N_BUCKETS, np.uint8),
        groups=np.empty(N_BUCKETS, GROUP), levels=np.empty(N_BUCKETS, LEVEL),
        level_stats=np.empty((N_BUCKETS, n_stats)), level_sums=np.empty((4, n_stats)),
        singles=_new_singles(buckets, single), few=_new_few(n_stats, sample), sample=sample,
    )  # fmt: skip
    by_class = len(rows.label) > 0 or None
    counts = (MOST_WAITING, n_stats, n_buckets) if by_class else (MOST_WAITING, n_buckets, 2)
    return LargeMemory(
        words=np.empty_like(buckets.words), members=np.empty_like(buckets.members), search=search,
        numbers=None if by_class else _new_numbers(n, d), by_class=by_class,
        counts=np.empty(counts, np.int32 if by_class else np.int64), large=np.empty(MOST_WAITING, WAITING),
    )  # fmt: skip


def _new_few(n_stats: int, sample: np.ndarray) -> Few:
    return Few(
        rows=np.empty(2 * MOST_FEW, np.uint32), values=np.empty(2**MOST_FEW), sums=np.empty(2**MOST_FEW),
        left=np.empty(n_stats), right=np.empty(n_stats), waiting=np.empty(MOST_FEW, WAITING), sample=sample,
    )  # fmt: skip


def _new_numbers(n: int, d: int) -> WholeNumbers:
    bounds = d, N_BUCKETS + 1
    return WholeNumbers(
        scale=np.empty(MOST_WAITING, SCALE), n_left=np.empty(bounds, np.int32), sums=np.empty(bounds, np.int64),
        gap=np.empty(bounds), targets=np.empty(n), center=np.empty(2),
    )  # fmt: skip


def _has_singles(rows: TrainingRows, buckets: Buckets, n_classes: int) -> bool:
    """Does each bucket hold one value, where two classes are judged by Gini's index, by all features?"""
    by_gini = n_classes == 2 and rows.judge.code == CRITERIA["gini"].code and not rows.rules["n_sampled"][0]
    return by_gini and not buckets.any_mixed.any() and not rows.nominal.any()


def _new_singles(buckets: Buckets, asked: bool) -> Singles:
    """Room for all buckets; none where they are not looked at together."""
    used = buckets.n_used if asked else buckets.n_used[:0]
    n = int(used.sum())
    feature = np.repeat(np.arange(len(used), dtype=np.uint32), used)
    return Singles(feature, np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n), np.empty(2, np.int64))
