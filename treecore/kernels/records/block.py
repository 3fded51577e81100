"""A block of sorted records: what waits in it to be split, depth first, and how records are parted."""

import numpy as np

from treecore.engine.jit import inner, kernel, lending, piece
from treecore.kernels.records.records import part_tied, part_untied, row_of
from treecore.kernels.records.state import N_SMALL, N_WAITING, NEITHER


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
    goes_left, waiting, kept = block.goes_left, block.waiting[place], 0
    for f in range(block.best.shape[0]):
        here, k, since = all_records(block, place, f), block.known[place, f], np.uint32(0)
        kept, block.known[place, f] = 0, 0
        for i in range(here.shape[0]):
            since |= here[i] & np.uint32(1)
            if goes_left[row_of(here[i])] != NEITHER:
                here[kept] = here[i] | since  # it differs from its new predecessor if one of those between them did
                since = np.uint32(0)
                kept += 1
                block.known[place, f] += i < k
    waiting.stop = waiting.start + kept


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
