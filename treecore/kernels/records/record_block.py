"""The arrays of the fast kernels, and the block of sorted records in which nodes are split depth first."""

from typing import NamedTuple

import numpy as np

from treecore.criteria.criterion import CriterionArgs
from treecore.engine.jit import inner, kernel, lending, piece, row
from treecore.kernels.ranks import sort_in_range, sort_items
from treecore.kernels.records.records import fix_numbers, part_tied, part_untied, record_of, row_of

PLAIN = np.dtype([
    ("impurity", "f8"), ("gain", "f8"), ("parent", "i4"), ("first_child", "i4"), ("feature", "i4"), ("depth", "i4"),
    ("n_rows", "i4"), ("low", "u4"), ("high", "u4"), ("swapped", "i4"), ("key", "u8"),
])  # fmt: skip
"""A node: low and high are the keys on either side of its cut, first_child is -1 at a leaf. swapped : does the second
child come first, as the one with the smaller mean target? Where levels part the rows, low is where their table begins
in Nodes.tables. gain : what the split was chosen by. key : see
kernels.random_features."""
GAP = np.dtype([("gain", "f8"), ("weight", "f8"), ("rows", "i4"), ("branch", "i4")])
"""Rows of a node without the value that its split asks for, and where they go. gain : of the split with them, where
missing is a value of its own."""
WAITING = np.dtype([("node", "i8"), ("start", "i8"), ("stop", "i8"), ("side", "i8")])
"""A node to be split: start:stop of every feature's records, in the first or the second set of them (side 0 or 1)."""
GROUP = np.dtype([("key", "f8"), ("weight", "i8"), ("second", "i8"), ("n_rows", "i8")])
"""A level at a node of two classes: the share of the first class, its weight, that of the second class."""
BACKUP = np.dtype([
    ("feature", "i4"), ("low", "u4"), ("high", "u4"), ("low_branch", "i4"), ("agree", "i4"), ("n_used", "i4"),
])  # fmt: skip
"""A surrogate: low and high are the keys on either side of its cut, or low is where the table of its levels begins in
Nodes.backup_tables; it sends `agree` rows as its node's split does, and has sent n_used without that split's value."""
BACKED = np.dtype([("start", "i8"), ("count", "i8"), ("larger", "i8")])
"""Where a node's surrogates are in Nodes.backups, the one that agrees best first; zeros where none were looked for.
larger : rows with a value that went to the larger branch."""
SCALE = np.dtype([("unit", "f8"), ("mean", "f8"), ("variance", "f8"), ("n_rows", "i8")])
"""What a target in whole numbers is: the difference from a number near the mean, in this unit; variance and rows of the
node that these were chosen for."""
NEITHER = 2
"""In place of 1 or 0, where a row goes to neither branch, or it is not known to which."""
MOST_WAITING = 64
"""The smaller of two children is split first, so that no more nodes wait than the rows can be halved."""
MOST_FEW = 6
"""Rows of nodes that are split from their keys alone, see kernels.records.small_nodes."""
N_NODES, N_WAITING, N_SMALL, N_LARGE, N_TABLES, N_BACKUPS, N_BACKUP_TABLES = range(7)
"""Counts: of all nodes, of those that wait in a block, are set aside, or wait in buckets; of entries of the tables; of
surrogates, and of entries of their tables."""


class TrainingRows(NamedTuple):
    """The training rows. Nothing here changes while a tree grows.

    keys : uint32 (n, d), in the order of each feature's values; the largest, absent, stands for a missing one.
    absent : uint32 (d,). label : int32 (n,) and response : float64 (n,), the target as it is; (0,) for the other task.
        rules : RULES (1,).
    weight : int32 (n,), (0,) where every row counts once. nominal : bool (d,), features that two groups of levels part.
    """

    keys: np.ndarray
    absent: np.ndarray
    label: np.ndarray
    response: np.ndarray
    rules: np.ndarray
    judge: CriterionArgs
    weight: np.ndarray
    nominal: np.ndarray


class RecordBlock(NamedTuple):
    """Records of some rows, numbered from 0 on, and the working memory to grow what is below them.

    records : uint32 (2 * d * m,), feature after feature, m apart, twice: a split moves a node's from one set to the
        other. rows : int32 (m,), the number that each row has among all. fixed : int64 (m,), the target of each row in
        whole numbers; (0,) for classes. scale : SCALE (MOST_WAITING + 1,), of the rows of each waiting node. label :
        int32 (m,), the class of each row; (0,) where its records have it.
    waiting : WAITING (MOST_WAITING + 1 + MOST_FEW,), at the end those of few rows. tied : bool (MOST_WAITING + 1, d),
        do records of the waiting nodes have equal values? known : int64, as large, records with a value. best : int64
        (d,), bits of the value of every feature's best cut at the node at work.
    goes_left : uint8 (m,), 1 or 0, or NEITHER. sums : uint32 (m,), cross, values, ratio : float64 (m,). place : float64
        (m,), 1, 2, 3 ...
    xlog : float64, x log2 x of 0 to the rows or to their weight, for entropy; else (0,). left, right, whole : float64
        (S,), statistics of the sides of a cut and of both. some, others : int64 (S,), counts. counts : int64 (5,), how
        many nodes wait, at N_WAITING.
    weight : int32 (m,), lefts : float64 (m,), levels : LEVEL (v,), level_stats : float64 (v, S), level_sums : float64
        (4, S), groups : GROUP (v,), for what kernels.records.record_cuts does; empty if nobody asks for it.
    sample : int32 (2, d), see kernels.sample.open_drawn.
    """

    records: np.ndarray
    rows: np.ndarray
    fixed: np.ndarray
    label: np.ndarray
    scale: np.ndarray
    waiting: np.ndarray
    best: np.ndarray
    tied: np.ndarray
    known: np.ndarray
    goes_left: np.ndarray
    sums: np.ndarray
    cross: np.ndarray
    values: np.ndarray
    ratio: np.ndarray
    place: np.ndarray
    xlog: np.ndarray
    left: np.ndarray
    right: np.ndarray
    whole: np.ndarray
    some: np.ndarray
    others: np.ndarray
    counts: np.ndarray
    weight: np.ndarray
    lefts: np.ndarray
    levels: np.ndarray
    level_stats: np.ndarray
    level_sums: np.ndarray
    groups: np.ndarray
    sample: np.ndarray


class FastNodes(NamedTuple):
    """The nodes grown so far.

    of : PLAIN (capacity,). gaps : GAP (capacity,), zeros where no row lacks a value; (0,) where none can. stats :
    float64 (capacity, S). small : WAITING (capacity,), nodes left for a block of their own; their rows are
    members[start:stop], int32 (n,). counts : int64 (7,): see N_NODES. tables : int8, the side of each level of the
    nodes that levels part, -1 for one that is not there. center : float64 (capacity,), what the sums of each node are
    taken around, see kernels.sums; (0,) for classes.
    backups : BACKUP (m,), backed : BACKED (capacity,), backup_tables : int8, as tables; (0,) where no surrogates are
    listed.
    """

    of: np.ndarray
    gaps: np.ndarray
    stats: np.ndarray
    small: np.ndarray
    members: np.ndarray
    counts: np.ndarray
    tables: np.ndarray
    center: np.ndarray
    backups: np.ndarray
    backed: np.ndarray
    backup_tables: np.ndarray


# A block of sorted records: what waits in it to be split, depth first, and how records are parted.


@lending
def records_of(block, side, f, start, n):
    """The n records of feature f from `start` on, in this set of them."""
    m, d = block.goes_left.shape[0], block.best.shape[0]
    begin = (side * d + f) * m + start
    return piece(block.records, begin, begin + n)


@lending
def all_records(block, place, f):
    """All records of the waiting node, of one feature."""
    waiting = block.waiting[place]
    return records_of(block, waiting.side, f, waiting.start, waiting.stop - waiting.start)


@inner
def n_records(block, place):
    """Records of the node at this place, of all features together."""
    return (block.waiting[place].stop - block.waiting[place].start) * block.best.shape[0]


@inner
def mark(block, records, goes_left):
    """Write which way the rows of these records go: 1 for left, 0 for right, or NEITHER."""
    marks = block.goes_left
    for i in range(records.shape[0]):
        marks[row_of(records[i])] = goes_left


@inner
def part_records(block, place, other, n_left):
    """Part the records of the node at this place: those of the n_left rows that go left come first.

    tied and known of `place` and `other` then tell of the first and of the second part.
    """
    waiting, d = block.waiting[place], block.best.shape[0]
    start, n, side = waiting.start, waiting.stop - waiting.start, waiting.side
    goes_left, tied, known = block.goes_left, block.tied, block.known
    for f in range(d):
        here, there = records_of(block, side, f, start, n), records_of(block, 1 - side, f, start, n)
        tied_left, tied_right, k = False, False, known[place, f]
        if tied[place, f]:
            end, tied_left, tied_right = part_tied(piece(here, 0, k), there, 0, n_left, goes_left)
        else:
            end = part_untied(piece(here, 0, k), there, 0, n_left, goes_left)
        if k < n:
            part_untied(piece(here, k, n), there, end, n_left + k - end, goes_left)
        tied[place, f], tied[other, f] = tied_left, tied_right
        known[place, f], known[other, f] = end, k - end


@inner
def wait(block, place, node, start, stop, side):
    """Let a node wait at this place."""
    waiting = block.waiting[place]
    waiting.node, waiting.start, waiting.stop, waiting.side = node, start, stop, side


@inner
def exchange(block, a, b):
    """Exchange two waiting nodes that are not scanned yet, siblings, whose scale is the same."""
    first, second = block.waiting[a], block.waiting[b]
    node, start, stop = first.node, first.start, first.stop
    wait(block, a, second.node, second.start, second.stop, second.side)
    wait(block, b, node, start, stop, second.side)
    tied, known = block.tied, block.known
    for f in range(tied.shape[1]):
        tied[a, f], tied[b, f] = tied[b, f], tied[a, f]
        known[a, f], known[b, f] = known[b, f], known[a, f]


@kernel
def drop_records(block, place):
    """Leave those rows of the node at this place out that go to neither side."""
    goes_left, waiting, size = block.goes_left, block.waiting[place], 0
    for f in range(block.best.shape[0]):
        here, k, since = all_records(block, place, f), block.known[place, f], np.uint32(0)
        size, block.known[place, f] = 0, 0
        for i in range(here.shape[0]):
            since |= here[i] & np.uint32(1)
            if goes_left[row_of(here[i])] != NEITHER:
                here[size] = here[i] | since  # it differs from its new predecessor if one of those between them did
                since = np.uint32(0)
                size += 1
                block.known[place, f] += i < k
    waiting.stop = waiting.start + size


@inner
def split_children(block, place, child, n_left, n_right, left_too, right_too):
    """Put the children that may be split in the place of their parent, the smaller one on top. block.goes_left says
    which rows are whose."""
    waiting = block.waiting[place]
    if n_left + n_right < waiting.stop - waiting.start:
        drop_records(block, place)
    start, stop, side = waiting.start, waiting.stop, 1 - waiting.side
    part_records(block, place, place + 1, n_left)
    block.scale[place + 1] = block.scale[place]
    wait(block, place, child, start, start + n_left, side)
    wait(block, place + 1, child + 1, start + n_left, stop, side)
    if not left_too or (right_too and 2 * n_left <= stop - start):
        exchange(block, place, place + 1)
    block.counts[N_WAITING] = place + 1 + int(left_too and right_too)


@inner
def set_aside(block, nodes, place):
    """Leave a node for a block of its own."""
    waiting, small = block.waiting[place], nodes.small[nodes.counts[N_SMALL]]
    small.node, small.start, small.stop, small.side = waiting.node, waiting.start, waiting.stop, 0
    nodes.counts[N_SMALL] += 1
    here = all_records(block, place, 0)
    for i in range(here.shape[0]):
        nodes.members[waiting.start + i] = block.rows[row_of(here[i])]


@inner
def next_place(block, nodes, smallest):
    """The place of the node that waits on top, which waits no longer; -1 for none. Nodes with fewer than `smallest`
    rows are set aside."""
    while block.counts[N_WAITING] > 0:
        place = block.counts[N_WAITING] - 1
        block.counts[N_WAITING] = place
        if block.waiting[place].stop - block.waiting[place].start >= smallest:
            return place
        set_aside(block, nodes, place)
    return -1


# Blocks of sorted records of any rows: their keys are gathered feature after feature and sorted.


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
