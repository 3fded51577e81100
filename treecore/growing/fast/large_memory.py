"""The working memory of the kernels that grow large nodes from buckets."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.growing.fast.arrays import xlog_of
from treecore.kernels.buckets.class_cuts import CUT, BucketSearch, Singles
from treecore.kernels.buckets.histogram import N_BUCKETS, Buckets, WholeNumbers
from treecore.kernels.ranks import COUNTERS
from treecore.kernels.records.record_block import GROUP, MOST_FEW, MOST_WAITING, SCALE, WAITING, TrainingRows
from treecore.kernels.records.small_nodes import Few
from treecore.kernels.state import LEVEL

AT_ONCE = 2048
"""Rows in buckets that are parted at a time: a list of them stays in the processor's cache."""
MOST_KEPT = 2000
"""Rows of a table whose memory a thread keeps for its next tree of the same size: below, to make it takes longer than
to grow some of the nodes."""
_idle = threading.local()


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
    n, few = len(rows.keys), len(rows.keys) <= MOST_KEPT
    single = _has_singles(rows, buckets, n_stats)
    drawing = bool(rows.rules["n_sampled"][0])
    asked = drawing, buckets.words.shape, n_stats, rows.judge.code, single, few and buckets.first.tobytes()
    idle, _idle.memory = getattr(_idle, "memory", None), None  # nobody else has it meanwhile, also within a callback
    memory = idle[1] if few and idle is not None and idle[0] == asked else _new_memory(rows, buckets, n_stats, single)
    memory.large[0] = (0, 0, n, 0)
    yield memory
    if few:
        _idle.memory = asked, memory


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
