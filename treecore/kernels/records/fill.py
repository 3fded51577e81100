"""Blocks of sorted records of any rows: their keys are gathered feature after feature and sorted."""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, kernel, piece, row
from treecore.kernels.encode.ranks import sort_in_range, sort_items
from treecore.kernels.records.block import records_of, wait
from treecore.kernels.records.records import record_of
from treecore.kernels.records.state import N_SMALL, N_WAITING
from treecore.kernels.records.whole_targets import fix_numbers


class Sorter(NamedTuple):
    """Working memory to sort m keys. items, spare : uint64 (m,). counters : uint32 (ranks.COUNTERS,)."""

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
    row_among_all, label = block.rows, block.label
    for i in range(n):
        row_among_all[i] = members[i]
    for i in range(min(n, label.shape[0])):
        label[i] = rows.label[members[i]]
    has_weight, weight = rows.weight.shape[0] > 0, block.weight
    for i in range(min(n, weight.shape[0])):
        weight[i] = rows.weight[members[i]] if has_weight else 1


@inner
def gather_keys(rows, block, members):
    """Write the keys of these rows, feature after feature, where their records go when the node is split."""
    m, d, keys = block.goes_left.shape[0], block.best.shape[0], rows.keys
    there = piece(block.records, d * m, 2 * d * m)
    for i in range(members.shape[0]):
        own = row(keys, members[i])
        for f in range(d):
            there[f * m + i] = own[f]


@inner
def range_of(keys, absent):
    """(how many are not absent, the least, the largest of those)."""
    low, high = absent, np.uint32(0)
    for i in range(keys.shape[0]):
        low, high = min(low, keys[i]), max(high, keys[i])
    if high < absent:
        return np.int64(keys.shape[0]), low, high
    known, high = np.uint32(0), low
    for i in range(keys.shape[0]):
        known += np.uint32(keys[i] != absent)
        high = max(high, keys[i] if keys[i] != absent else np.uint32(0))
    return np.int64(known), low, high


@inner
def write_records(items, records):
    """Sorted items become records; returns whether some have equal values."""
    equal, last = np.uint32(0), ~items[0]
    for i in range(records.shape[0]):
        item = items[i]
        differs = np.uint32((item >> np.uint64(32)) != (last >> np.uint64(32)))
        equal |= differs ^ np.uint32(1)
        last = item
        records[i] = np.uint32(item) | differs
    return equal != 0


@kernel
def sort_records(rows, block, sorter, f, n):
    """Write the records of one feature in order."""
    items, spare = piece(sorter.items, 0, n), piece(sorter.spare, 0, n)
    keys, records, low_bits = records_of(block, 1, f, 0, n), records_of(block, 0, f, 0, n), piece(block.sums, 0, n)
    known, low, high = range_of(keys, rows.absent[f])
    in_spare = sort_in_range(keys, low_bits, items, spare, records, sorter.counters, low, high)
    block.tied[0, f] = write_records(spare if in_spare else items, records)
    block.known[0, f] = known


@kernel
def fill_by_keys(rows, block, sorter, members):
    """The block of these rows, int32 (k,)."""
    take_rows(rows, block, sorter, members)
    has_label, low_bits = rows.label.shape[0] > 0 and block.label.shape[0] == 0, block.sums
    for i in range(members.shape[0]):
        low_bits[i] = record_of(i, rows.label[members[i]] if has_label else 0, 0)
    gather_keys(rows, block, members)
    for f in range(block.best.shape[0]):
        sort_records(rows, block, sorter, f, members.shape[0])


@kernel
def take_aside(rows, block, nodes, sorter, smallest):
    """Fill the block with the node that was set aside last, if it has at least so many rows; returns how many."""
    if nodes.counts[N_SMALL] == 0:
        return 0
    small = nodes.small[nodes.counts[N_SMALL] - 1]
    n = small.stop - small.start
    if n < smallest:
        return 0
    nodes.counts[N_SMALL] -= 1
    node = small.node
    fill_by_keys(rows, block, sorter, piece(nodes.members, small.start, small.stop))
    wait(block, 0, node, 0, n, 0)
    if rows.response.shape[0] > 0:
        fix_numbers(rows, block, 0, records_of(block, 0, 0, 0, n), nodes.of[node].impurity)
    block.counts[N_WAITING] = 1
    return n
