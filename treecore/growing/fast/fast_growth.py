"""Growing by the fast kernels where they apply: the same tree, many times faster.

Nodes grow from sorted records, those of small nodes in blocks of their own that stay in the processor's cache; large
nodes from buckets before that, if every row counts once and no value is missing.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import Event
from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.data.column import frozen
from treecore.data.table import Keys, Table
from treecore.data.table_like import TableSlot, cached_with_table
from treecore.growing.fast.fast_tree import depth_limited, fast_tree, keep_best, listed, room_for_backups, with_backups
from treecore.growing.fast.values_apart import GrownApart, grow_apart, put_back, rows_at
from treecore.growing.fast.working_memory import large_memory, memory_for, most_levels, put_aside
from treecore.growing.loop import Progress
from treecore.growing.settings.engine_plan import EnginePlan, nominal_levels, plan_for
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.problem import check_size, targets_of
from treecore.kernels.buckets.histogram import N_BUCKETS, Buckets, fill_buckets
from treecore.kernels.buckets.large_nodes import grow_large
from treecore.kernels.records.grow_records import grow_blocks
from treecore.kernels.records.nodes import have_few_values, plant_root
from treecore.kernels.records.record_block import (
    GAP,
    N_LARGE,
    N_NODES,
    N_SMALL,
    N_WAITING,
    PLAIN,
    WAITING,
    FastNodes,
    RecordBlock,
    TrainingRows,
)
from treecore.kernels.state import MAJORITY, OWN_VALUE, STAY, SURROGATES
from treecore.parallel import n_threads_of_tree
from treecore.tree.columns import LARGEST_MEAN
from treecore.tree.tree import Tree

DEEP = 64
"""Large nodes below so many levels are left for a block. Of a table that is halved again and again no node has
many rows there: they are links of a chain, and a block parts a few rows from many sooner than buckets do."""
BUDGET = 10_000_000
"""Records parted between two calls of the progress callback: a small fraction of a second."""
ROWS_OF_A_THREAD = 20_000
"""Rows of small nodes for which a thread pays."""
PATIENCE = 0.1
"""Seconds between two of these calls while threads grow."""


class Sizes(NamedTuple):
    """From how many rows on which kernels are used; the tree is the same.

    whole : of a table up to which all is one block: to sort parts of it anew would take longer than a cache too small
    for it does. local : of a larger table, nodes with fewer get a block of their own. buckets, entropy : nodes with
    fewer are too small for buckets, the latter where entropy judges, whose bounds take longer, numbers those of a
    numeric target; near the greatest depth fewer are enough (see buckets.large_nodes.least_large). table : of a table
    for which buckets pay. exact, exact_entropy, exact_numbers, exact_table : as buckets, entropy, numbers and table,
    where each bucket holds a single value.
    """

    whole: int = 20_000
    local: int = 3_000
    buckets: int = 4_000
    entropy: int = 6_000
    numbers: int = 3_000
    table: int = 20_000
    exact: int = 2
    exact_entropy: int = 300
    exact_numbers: int = 300
    exact_table: int = 500

    def least(self, few_values: bool) -> int:
        """Rows of a table for which buckets pay. few_values : have all features few values?"""
        return min(self.table, self.exact_table) if few_values else self.table

    def block(self, n_rows: int) -> int:
        """Nodes with fewer rows, of a table of so many, are left for a block of their own."""
        return self.whole if n_rows <= self.whole else self.local

    def smallest(self, criterion: int, mixed: bool) -> int:
        """Rows of the smallest node that is grown from buckets. criterion : its code, which half of Gini's index
        shares with all of it. mixed : are there buckets of several values?"""
        if criterion == CRITERIA["squared_error"].code:
            return self.numbers if mixed else self.exact_numbers
        if criterion == CRITERIA["gini"].code:
            return self.buckets if mixed else self.exact
        return self.entropy if mixed else self.exact_entropy


SIZES = Sizes()


def grow_fast(
    table: Table,
    growth: GrowSettings,
    progress: Callable[[Progress], None] | None = None,
    sizes: Sizes = SIZES,
    plan: EnginePlan | None = None,
    may_bucket: Callable[[], bool] = lambda: True,
) -> Tree | None:
    """The full tree; None where too many values are so near each other that the threshold rule counts them as one.

    plan : of these settings on this table, if they are known. may_bucket : asked where buckets would pay; without them
    the tree is the same. Raises what `progress` raises.
    """
    plan = plan or plan_for(table, growth)
    grow = lambda keys: _grown(table, growth, plan, keys, progress, sizes, may_bucket)  # noqa: E731
    if THRESHOLD_RULES[growth.threshold].min_gap:
        return grow_apart(table, growth, grow)
    return grow(table.keys).tree()


def _grown(
    table: Table, growth: GrowSettings, plan: EnginePlan, keys: Keys, progress: Callable | None, sizes: Sizes,
    may_bucket: Callable[[], bool],
) -> GrownApart:  # fmt: skip
    """The nodes of the tree. keys : the table's, or others in which some values are one."""
    rows, n_classes, own = _rows(table, growth, plan, keys), len(table.classes), keys is table.keys
    bucketed = plan.counted and table.n_rows >= sizes.least(_has_few_values(table)) and may_bucket()
    buckets = _take_buckets(table, rows, own) if bucketed else None
    try:
        nodes, worth_a_search = _planted(table, rows, n_classes, buckets, _most_nodes(table, growth))
        report = _reporter(nodes, progress)
        smallest = sizes.block(table.n_rows)
        if not worth_a_search:
            pass
        elif buckets is not None:
            smallest = sizes.smallest(rows.judge.code, bool(buckets.any_mixed.any()))
            _grow_large_nodes(rows, nodes, buckets, smallest, report)
        else:
            put_aside(nodes, table.n_rows)
        # tables of levels and surrogates are written one behind the other, and the best leaves chosen from a list
        alone = len(nodes.backups) or rows.nominal.any() or growth.max_leaves is not None
        n_lost = _grow_aside(rows, nodes, smallest if buckets is None else 0, smallest, plan.special, report, not alone)
    finally:
        if buckets is not None and own:
            BUCKETS.put(table, buckets)
    order = None if growth.max_leaves is None else keep_best(rows, nodes, growth.max_leaves)
    if rows.rules["max_surrogates"][0] > 0 and rows.rules["missing"][0] == MAJORITY:
        result = listed(table, growth, plan, nodes, order, n_lost)
        nodes = with_backups(rows, nodes, sizes.block(table.n_rows), BUDGET, report)
        return GrownApart(result, lambda found: fast_tree(table, growth, plan, nodes, found, report))
    return _mendable(table, growth, plan, rows, nodes, order, sizes, report, n_lost)


def _mendable(
    table: Table, growth: GrowSettings, plan: EnginePlan, rows: TrainingRows, nodes: FastNodes,
    order: np.ndarray | None, sizes: Sizes,
    report: Callable, n_lost: int = 0,
) -> GrownApart:  # fmt: skip
    """The nodes, of which some can be grown anew with all that is below them. n_lost : of them, no more in the tree."""
    result = listed(table, growth, plan, nodes, order, n_lost)

    def mended(keys: Keys, of: np.ndarray) -> GrownApart | None:
        whole = rows._replace(keys=keys.matrix)
        again = put_back(whole, nodes, result.order[of]) if order is None else None
        if again is None:
            return None
        members, n_more = again
        smallest = sizes.block(table.n_rows)
        for node, own in members.items():
            put_aside(nodes, len(own), node)
            _grow_aside(whole, nodes._replace(members=own), smallest, smallest, plan.special, report)
        return _mendable(table, growth, plan, whole, nodes, None, sizes, report, n_lost + n_more)

    made = lambda found: fast_tree(table, growth, plan, nodes, found, report)  # noqa: E731
    return GrownApart(result, made, mended, lambda node: rows_at(rows, nodes, int(result.order[node])))


def _rows(table: Table, growth: GrowSettings, plan: EnginePlan, keys: Keys) -> TrainingRows:
    rules = depth_limited(plan.rules, growth)
    label, response = _target(table)
    judge = plan.criterion.judge(None)
    weight = np.empty(0) if table.weights is None else table.weights
    nominal = nominal_levels(table) > 0
    return TrainingRows(keys.matrix, keys.absent, label, response, rules, judge, weight.astype(np.int32), nominal)


@cached_with_table
def _target(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """(label, response), see Rows."""
    response = targets_of(table)
    if table.task == "classification":
        return table.target_column.codes, response
    # the labels are read-only as codes are: that is part of the type for which kernels are compiled
    check_size(response - table.target_center, LARGEST_MEAN, where=f"Target {table.target!r}")
    return frozen(np.empty(0, np.int32)), response


@cached_with_table
def _has_few_values(table: Table) -> bool:
    """Have all features few values, as a sample of the rows shows?"""
    return have_few_values(table.keys.matrix, table.keys.absent)


BUCKETS: TableSlot[Buckets] = TableSlot()
"""The rows of a table in buckets, for the next tree of it."""


def _take_buckets(table: Table, rows: TrainingRows, own: bool) -> Buckets:
    """The table's rows in buckets. They leave the table while a fit puts them in order: another one makes its own.
    own : by the keys of the table?"""
    kept = BUCKETS.take(table) if own else None
    if kept is not None:
        return kept if len(rows.label) else _in_order(kept)
    n, d = rows.keys.shape
    buckets = Buckets(
        words=np.empty((n, (d + 8) // 8), np.uint64), members=np.empty(n, np.int32),
        begin=np.empty((d, N_BUCKETS + 1), np.uint32), n_used=np.empty(d, np.int64), first=np.empty(d + 1, np.int64),
        mixed=np.empty((d, N_BUCKETS), bool), any_mixed=np.empty(d, bool),
    )  # fmt: skip
    fill_buckets(rows.keys, rows.absent, rows.nominal, rows.label, buckets)
    return buckets


def _in_order(buckets: Buckets) -> Buckets:
    """The rows in the order of the table: sums of numbers depend on it."""
    words = np.empty_like(buckets.words)
    words[buckets.members] = buckets.words
    return buckets._replace(words=words, members=np.arange(len(words), dtype=np.int32))


def _most_nodes(table: Table, growth: GrowSettings) -> int:
    """As many as a tree can have, and more where some may be grown again."""
    return (3 if THRESHOLD_RULES[growth.threshold].min_gap else 2) * table.n_rows


def _planted(
    table: Table, rows: TrainingRows, n_classes: int, buckets: Buckets | None, most: int
) -> tuple[FastNodes, bool]:  # fmt: skip
    """(the root alone, is it worth a search). Memory that is not touched costs nothing, so there is room for as many
    nodes as there can be, `most`."""
    n = rows.keys.shape[0]
    nodes = FastNodes(
        of=np.empty(most, PLAIN), gaps=np.zeros(most * _can_have_gaps(table, rows), GAP),
        stats=np.empty((most, n_classes or 3)), small=np.empty(n + 1, WAITING),
        members=np.arange(n, dtype=np.int32) if buckets is None else buckets.members, counts=np.zeros(7, np.int64),
        tables=np.empty(n * most_levels(rows), np.int8), center=np.empty(most * bool(len(rows.response))),
        **room_for_backups(rows, most * (rows.rules["missing"][0] in (SURROGATES, STAY))),
    )  # fmt: skip
    nodes.stats[0], weight = _all_stats(table, rows)
    nodes.center[:1] = table.target_center
    return nodes, plant_root(rows, nodes, weight)


def _can_have_gaps(table: Table, rows: TrainingRows) -> bool:
    """Does any row lack a value, or is missing a value of its own?"""
    return bool(table.keys.n_absent.any() or rows.rules["missing"][0] == OWN_VALUE)


def _all_stats(table: Table, rows: TrainingRows) -> tuple[np.ndarray, float]:
    """(statistics of all rows, their weight)."""
    w = table.weights
    weight = float(table.n_rows if w is None else w.sum())
    if len(rows.label):
        return table.target_column.present() if w is None else np.bincount(rows.label, w, len(table.classes)), weight
    y = rows.response - table.target_center
    weighted = y if w is None else w * y
    return np.array([weight, weighted.sum(), (weighted * y).sum()]), weight


def _reporter(nodes: FastNodes, progress: Callable | None) -> Callable[[RecordBlock | None], None]:
    """Tells `progress` how far growing is."""

    def report(block: RecordBlock | None = None) -> None:
        if progress is not None:
            waiting = nodes.counts[N_SMALL] + nodes.counts[N_LARGE] + (0 if block is None else block.counts[N_WAITING])
            progress(Progress(int(nodes.counts[N_NODES]), int(waiting)))

    return report


def _grow_large_nodes(rows: TrainingRows, nodes: FastNodes, buckets: Buckets, smallest: int, report: Callable) -> None:
    with large_memory(rows, buckets, nodes.stats.shape[1]) as memory:
        words, members, *rest = memory
        spare = buckets._replace(words=words, members=members)
        nodes.counts[N_LARGE] = 1
        while nodes.counts[N_LARGE]:
            grow_large(rows, nodes, buckets, spare, *rest, smallest, BUDGET)
            _leave_chains(nodes, memory.large)
            report()


def _leave_chains(nodes: FastNodes, large: np.ndarray) -> None:
    """Set waiting large nodes that are links of a chain aside."""
    waiting = large[: nodes.counts[N_LARGE]]
    deep = nodes.of["depth"][waiting["node"]] > DEEP
    for node in waiting[deep]:
        nodes.small[nodes.counts[N_SMALL]] = (node["node"], node["start"], node["stop"], 0)
        nodes.counts[N_SMALL] += 1
    nodes.counts[N_LARGE] -= deep.sum()
    waiting[: nodes.counts[N_LARGE]] = waiting[~deep]


def _most_aside(nodes: FastNodes) -> int:
    """Rows of the largest node that is set aside."""
    aside = nodes.small[: nodes.counts[N_SMALL]]
    return int((aside["stop"] - aside["start"]).max(initial=0))


def _grow_aside(
    rows: TrainingRows, nodes: FastNodes, whole: int, smallest: int, special: bool, report: Callable,
    may_part: bool = False,
) -> int:  # fmt: skip
    """Grow all that is set aside; where a node has more than `whole` rows, first those down to `smallest`, whose own
    blocks then stay in the cache: it has to be the only one, and its rows the first members.

    whole : 0 where none is that large. may_part : may threads grow the small nodes? Returns how many places without a
    node there are among the nodes then.
    """
    if (most := _most_aside(nodes)) > whole > 0:
        _grow_blocks(rows, nodes, most, smallest, special, report)
    aside = nodes.small[: nodes.counts[N_SMALL]]
    n_threads = min(n_threads_of_tree(), int((aside["stop"] - aside["start"]).sum()) // ROWS_OF_A_THREAD)
    if may_part and n_threads > 1:
        return _grow_in_threads(rows, nodes, n_threads, smallest, special, report)
    _grow_small(rows, nodes, smallest, special, report)
    return 0


def _grow_small(rows: TrainingRows, nodes: FastNodes, smallest: int, special: bool, report: Callable) -> None:
    """Grow all that is set aside to its leaves, one node after the other."""
    _grow_blocks(rows, nodes, max(min(smallest, len(rows.keys)), _most_aside(nodes)), 0, special, report)


def _grow_in_threads(
    rows: TrainingRows, nodes: FastNodes, n_threads: int, smallest: int, special: bool, report: Callable
) -> int:  # fmt: skip
    """_grow_small in threads, each with nodes of its own; returns how many places were left between them.

    What is below one node depends on no other, so that it does not matter who grows it. Of m rows there are at most
    2 m - 2 nodes more.
    """
    aside = nodes.small[: nodes.counts[N_SMALL]].copy()
    begin, parts, stop = int(nodes.counts[N_NODES]), [], Event()
    for own in _evenly(aside, n_threads):
        counts = np.zeros_like(nodes.counts)
        counts[N_NODES], counts[N_SMALL] = begin, len(own)
        small = np.empty(int((own["stop"] - own["start"]).sum()) + 1, WAITING)
        small[: len(own)] = own
        parts.append((begin, nodes._replace(counts=counts, small=small)))
        begin += int((2 * (own["stop"] - own["start"]) - 2).sum())

    def look(block: RecordBlock | None = None) -> None:
        if stop.is_set():
            raise _GrowthStoppedError

    with ThreadPoolExecutor(n_threads) as pool:
        left = {pool.submit(_grow_small, rows, part, smallest, special, look) for _, part in parts}
        try:
            while left:
                done, left = wait(left, PATIENCE, FIRST_COMPLETED)
                for future in done:
                    future.result()
                report()
        finally:
            stop.set()
    made = sum(int(part.counts[N_NODES]) - first for first, part in parts)
    before = int(nodes.counts[N_NODES])
    nodes.counts[N_NODES], nodes.counts[N_SMALL] = max(int(part.counts[N_NODES]) for _, part in parts), 0
    return int(nodes.counts[N_NODES]) - before - made


def _evenly(aside: np.ndarray, n: int) -> list[np.ndarray]:
    """The nodes dealt to n parts of about as many rows, the largest ones first."""
    rows = [0] * n
    parts: list[list[int]] = [[] for _ in range(n)]
    for i in np.argsort(aside["start"] - aside["stop"], kind="stable").tolist():
        part = rows.index(min(rows))
        parts[part].append(i)
        rows[part] += int(aside["stop"][i] - aside["start"][i])
    return [aside[np.sort(part)] for part in map(np.array, parts) if len(part)]


class _GrowthStoppedError(Exception):
    """Ends the other threads of a tree when one has failed or the caller has had enough."""


def _grow_blocks(
    rows: TrainingRows, nodes: FastNodes, most: int, smallest: int, special: bool, report: Callable
) -> None:
    """Grow what was set aside. most : rows of the largest such node. smallest : those with fewer stay aside."""
    if not nodes.counts[N_SMALL]:
        return
    with memory_for(rows, nodes, most, special) as (block, sorter):
        while grow_blocks(rows, block, nodes, sorter, special or None, smallest, BUDGET):
            report(block)
