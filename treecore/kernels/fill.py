"""Blocks of sorted records: of any rows by sorting their keys, or of a node of a larger block as it stands there."""

import math
from typing import NamedTuple

import numpy as np

from treecore.jit import jit, kernel
from treecore.kernels.block import begin, grow_block, records_of
from treecore.kernels.fast_state import N_SMALL, N_WAITING
from treecore.kernels.ranks import sort_in_range, sort_items
from treecore.kernels.records import record_of


class Sorter(NamedTuple):
    """Working memory to sort m keys. items, spare : uint64 (m,). counters : uint64 (ranks.COUNTERS,)."""

    items: np.ndarray
    spare: np.ndarray
    counters: np.ndarray


@kernel
def take_rows(rows, block, sorter, members):
    """Number these rows, int32 (k,), from 0 on. Sums of a target depend on the order: theirs is that of the table."""
    n = members.shape[0]
    if rows.response.shape[0] > 0:
        items = sorter.items[:n]
        for i in range(n):
            items[i] = np.uint64(members[i]) << np.uint64(32)
        if sort_items(items, sorter.spare[:n], sorter.counters):
            items = sorter.spare[:n]
        for i in range(n):
            members[i] = np.int32(items[i] >> np.uint64(32))
        fix_numbers(rows, block, members)
    block.rows[:n] = members


@kernel
def fix_numbers(rows, block, members):
    """The target of these rows in whole numbers, as fine as sums of all of them allow."""
    mean, size, n = 0.0, 0.0, members.shape[0]
    for i in range(n):
        mean += rows.response[members[i]]
    mean /= n
    for i in range(n):
        size = max(size, abs(rows.response[members[i]] - mean))
    bits = 60 - math.frexp(size)[1]
    while n > 0:
        n >>= 1
        bits -= 1
    unit = 2.0 ** -min(bits, 1000)
    for i in range(members.shape[0]):
        block.fixed[i] = np.int64(np.rint((rows.response[members[i]] - mean) / unit))
    block.unit[0], block.unit[1] = unit, mean


@kernel
def list_items(rows, block, sorter, f, members):
    """Fill sorter.items with key and record of every row; returns (rows with a value, least key, largest key)."""
    items, n, absent = sorter.items, members.shape[0], rows.absent[f]
    known, low, high, label = np.int64(0), np.uint32(0xFFFFFFFF), np.uint32(0), block.sums
    for i in range(n):
        key = rows.keys[members[i], f]
        is_known = key != absent
        known += is_known
        low, high = min(low, key), max(high, key if is_known else np.uint32(0))
        items[i] = (np.uint64(key) << np.uint64(32)) | np.uint64(label[i])
    return known, np.uint64(low), np.uint64(high)


@kernel
def sort_records(rows, block, sorter, f, members):
    """Write the records of one feature in order."""
    n = members.shape[0]
    items, spare = sorter.items[:n], sorter.spare[:n]
    known, low, high = list_items(rows, block, sorter, f, members)
    if not sort_in_range(items, spare, sorter.counters, low, max(low, high)):
        list_items(rows, block, sorter, f, members)
        if sort_items(items, spare, sorter.counters):
            items = spare
    records, tied, last = records_of(block, 0, f, 0, n), False, ~np.uint64(0)
    for i in range(n):
        key = items[i] >> np.uint64(32)
        is_new = key != last
        tied |= not is_new
        last = key
        records[i] = np.uint32(items[i]) | np.uint32(is_new)
    block.known[0, f] = known
    block.tied[0, f] = tied


@kernel
def fill_by_keys(rows, block, sorter, members):
    """The block of these rows, int32 (k,)."""
    take_rows(rows, block, sorter, members)
    has_label = rows.label.shape[0] > 0
    for i in range(members.shape[0]):
        block.sums[i] = record_of(i, rows.label[members[i]] if has_label else 0, 0)
    for f in range(block.best.shape[1]):
        sort_records(rows, block, sorter, f, members)


@jit
def start_block(rows, block, nodes, sorter, smallest):
    """Let the root wait in a block of all rows."""
    fill_by_keys(rows, block, sorter, nodes.members)
    begin(rows, block, nodes, 0, nodes.members.shape[0], smallest)


@jit
def go_on(rows, block, nodes, smallest, budget):
    """Split waiting nodes of a block; see grow_block."""
    grow_block(rows, block, nodes, smallest, budget)


@jit
def grow_small(rows, block, nodes, sorter, budget):
    """Grow the nodes that were set aside, one in a block after the other, until about `budget` records were parted."""
    while budget > 0:
        budget = grow_block(rows, block, nodes, 0, budget)
        if block.counts[N_WAITING] > 0 or nodes.counts[N_SMALL] == 0:
            return
        nodes.counts[N_SMALL] -= 1
        small = nodes.small[nodes.counts[N_SMALL]]
        node, start, n = small.node, small.start, small.stop - small.start
        fill_by_keys(rows, block, sorter, nodes.members[start : start + n])
        begin(rows, block, nodes, node, n, 0)
        budget -= n * block.best.shape[1]
