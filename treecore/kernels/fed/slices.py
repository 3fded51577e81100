"""A tree that is fed with rows: its arrays, each node's rows in every feature's order, and bounds of their blocks."""

import math
from typing import NamedTuple

import numpy as np

from treecore.criteria.impurity import impurity_by_code
from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.state import N_ENTRIES, N_LEVELS, N_NODES, ORDERED, GrowState

N_BLOCKS = 16
"""Parts of the rows of a node, in the order of a feature, whose cuts are passed over together."""
MOST_LATE = 32
"""Single rows that a node has before they are put among the others in every feature's order."""
N_WAITING, N_FREE, GROWN, UPDATED, SHIFTED, REPLACED, REGROWN = range(7)
"""Places in Fed.counts: nodes that wait for new rows; slots that are free; the first node that a growth has not looked
at, -1 if none is under way; what the rows changed, see incremental.step.Step."""

SLICE = np.dtype([("slot", "i8"), ("room", "i8"), ("n_late", "i8")])
"""Of a node: where its blocks stand, -1 for one whose rows are not kept, as it was not visited yet; entries of `order`
from its start that are its own; its rows in Fed.late."""


class FedState(NamedTuple):
    """growing : the tree; start:stop is what a node with a slot keeps of `order`, with N_ENTRIES as the first entry
        that is free. Nodes that were replaced stay where they are, with no parent that points at them.
    slices : KEPT, parallel to growing.nodes.
    gains : float64 (nodes, d), what each feature can gain at a node, times its weight, when its rows are slices.
    left : int32 (slots, d, N_BLOCKS, K), the classes of the rows before each block, late ones among them.
    edge : int32 (slots, d, N_BLOCKS), the first row of each block, -1 for an empty one. Rows with its value that come
        later stand behind it, those with smaller ones before it; the first block begins with whatever comes first.
    upper : float64 (slots, d, N_BLOCKS), what the gain of the cuts in a block, up to that before the next block's first
        row, cannot exceed, times the weight of the node. Levels have one block.
    late : int32 (slots, MOST_LATE), the last rows of a node. merged : int64 (slots, d), how many of them are in the
        order of each feature; the entries of the others are free. A feature that cannot win is
        not put in order for a single row.
    free : int64 (slots,), slots that nobody has.
    waiting : int64 (rows of the batch + 1, 3), a node and its part of `batch`, its new rows. batch, ordered : int32, of
        that many.
    before : int32 (rows,), the branch of each row of the node at work until now. stack : int64, as many as nodes.
    was : NODE (2,), the node at work as it was, and spare : KEPT (1,), room to exchange nodes. counts : int64 (7,).
    """

    growing: GrowState
    slices: np.ndarray
    gains: np.ndarray
    left: np.ndarray
    edge: np.ndarray
    upper: np.ndarray
    late: np.ndarray
    merged: np.ndarray
    free: np.ndarray
    waiting: np.ndarray
    batch: np.ndarray
    ordered: np.ndarray
    before: np.ndarray
    stack: np.ndarray
    was: np.ndarray
    spare: np.ndarray
    counts: np.ndarray


# What the cuts of each block can gain at most, once more rows are at a node.
#
# Let F be a node's weight times its impurity. The gain of a split, times the weight, is F(node) less the sum of
# F(branch). F is concave, and in proportion to the number of rows mixed alike, so that F(a + b) >= F(a) + F(b): no
# F(branch) falls by new rows. So no gain, times the weight, rises by more than F(node) does.
#
# Of two classes more is known: by a row of one class F(branch) rises the less, the more rows of this class are there
# (F is concave) and the fewer of the other (then their mixed derivative is not negative). The counts left of the cuts
# of a block lie between those at its ends; so a corner of these has the least rise, and what F(node) rises by more
# than that is all that a gain can have won by the row.

ROUNDING = 4e-15
"""What a rise is wrong by at most, in parts of the node's weight."""


@inner
def mass(judge, stats, total):
    """F of these rows."""
    return total * impurity_by_code(judge, stats, total) if total > 0.0 else 0.0


@inner
def rise(judge, stats, label, mine, other):
    """F(mine + 1, other) - F(mine, other). stats : room for two numbers."""
    stats[label], stats[1 - label] = mine, other
    before = mass(judge, stats, mine + other)
    stats[label] = mine + 1.0
    return mass(judge, stats, mine + other + 1.0) - before


@inner
def block_of(codes, edge, row):
    """The block that a row comes to. edge : int32 (N_BLOCKS,), see Fed."""
    b = 0
    while b + 1 < N_BLOCKS and edge[b + 1] >= 0 and codes[row] >= codes[edge[b + 1]]:
        b += 1
    return b


@kernel
def enter_blocks(problem, fed, slot, row):
    """Count a row into the rows before the blocks behind its own."""
    label = fed.growing.rows[row].label
    for f in range(fed.left.shape[1]):
        for b in range(block_of(problem.codes[f], fed.edge[slot, f], row) + 1, N_BLOCKS):
            fed.left[slot, f, b, label] += 1


@kernel
def raise_blocks(judge, stats, label, whole, place, left, node, upper):
    """Raise the bounds of one feature by a row, which has been counted, of the block `place`. node, left : rows of
    each class, of all and before each block. whole : by how much F(node) rose."""
    mine, other = node[label], node[1 - label]
    for b in range(N_BLOCKS):
        if upper[b] == math.inf:
            continue
        begin, end = left[b], left[b + 1] if b + 1 < N_BLOCKS else left[b]
        last_mine = mine if b + 1 == N_BLOCKS else float(end[label])
        last_other = other if b + 1 == N_BLOCKS else float(end[1 - label])
        least = math.inf
        if place <= b:
            least = rise(judge, stats, label, last_mine, float(begin[1 - label]))
        if place >= b:
            least = min(least, rise(judge, stats, label, mine - begin[label], other - last_other))
        upper[b] = max(0.0, upper[b] + whole - least)


@kernel
def raise_bounds(problem, fed, node, first, stop, mass_before):
    """Raise the bounds of a node that keeps its rows, by fed.batch[first:stop], which have been counted."""
    growing, slot = fed.growing, fed.slices[node.id].slot
    stats, row = growing.stats[node.id], fed.batch[first]
    label = growing.rows[row].label
    whole = node.weight * node.impurity - mass_before + ROUNDING * node.weight
    for f in range(fed.upper.shape[1]):
        upper = fed.upper[slot, f]
        if stop - first == 1 and stats.shape[0] == 2 and problem.features[f].splitter == ORDERED:
            place = block_of(problem.codes[f], fed.edge[slot, f], row)
            raise_blocks(problem.judge, growing.sums[0], label, whole, place, fed.left[slot, f], stats, upper)
        else:
            for b in range(N_BLOCKS):
                upper[b] += whole


@inner
def room_for(n):
    """Entries of a slice of n rows, so that it need not move soon."""
    return n + n // 8 + 8


@inner
def begin_of(left):
    """The place of a block's first row. left : int32 (K,)."""
    n = 0
    for k in range(left.shape[0]):
        n += left[k]
    return n


@inner
def largest(upper):
    """What the cuts of a feature can gain at most. upper : float64 (N_BLOCKS,)."""
    most = upper[0]
    for b in range(1, N_BLOCKS):
        most = max(most, upper[b])
    return most


@kernel
def set_blocks(fed, node, slot):
    """Part the rows of a node into blocks anew; each may gain what any of the feature could."""
    growing, n = fed.growing, node.stop - node.start
    so_far, label = growing.sums[0], growing.spare  # which is free: the records of rows lie far apart
    for at in range(node.start, node.stop):
        label[growing.order[0, at]] = growing.rows[growing.order[0, at]].label
    for f in range(growing.order.shape[0]):
        order, left, most = growing.order[f], fed.left[slot, f], largest(fed.upper[slot, f])
        for k in range(so_far.shape[0]):
            so_far[k] = 0.0
        for b in range(N_BLOCKS):
            first, stop = node.start + b * n // N_BLOCKS, node.start + (b + 1) * n // N_BLOCKS
            fed.edge[slot, f, b] = order[first] if n > 0 else -1
            fed.upper[slot, f, b] = most
            for k in range(so_far.shape[0]):
                left[b, k] = so_far[k]
            for at in range(first, stop):
                so_far[label[order[at]]] += 1.0


@inner
def forget_late(fed, i):
    """No row of the node is late any more."""
    fed.slices[i].n_late = 0
    for f in range(fed.merged.shape[1]):
        fed.merged[fed.slices[i].slot, f] = 0


@inner
def take_slot(fed, i):
    """Let the node have a slot."""
    fed.counts[N_FREE] -= 1
    slot = fed.free[fed.counts[N_FREE]]
    fed.slices[i].slot = slot
    forget_late(fed, i)
    for f in range(fed.gains.shape[1]):
        for b in range(N_BLOCKS):
            fed.upper[slot, f, b] = fed.gains[i, f]


@kernel
def keep_rows(fed, parent, i, branch):
    """Keep the rows of node i, those of its parent that growing.side sends to this branch."""
    growing, node = fed.growing, fed.growing.nodes[i]
    take_slot(fed, i)
    start, side = growing.counts[N_ENTRIES], growing.side
    to = start
    for f in range(growing.order.shape[0]):
        order, to = growing.order[f], start
        for at in range(parent.start, parent.stop):
            order[to] = order[at]  # nothing is lost: it is free there
            to += side[order[at]] == branch
    node.start, node.stop, fed.slices[i].room = start, to, room_for(to - start)
    growing.counts[N_ENTRIES] += fed.slices[i].room
    set_blocks(fed, node, fed.slices[i].slot)


@kernel
def copy_rows(growing, start, stop, to):
    """Copy these entries of every feature's order."""
    for f in range(growing.order.shape[0]):
        order = growing.order[f]
        for at in range(stop - start):
            order[to + at] = order[start + at]


@inner
def place_above(codes, order, start, stop, code):
    """Where rows with a larger code begin."""
    while start < stop:
        middle = (start + stop) // 2
        if codes[order[middle]] <= code:
            start = middle + 1
        else:
            stop = middle
    return start


@kernel
def order_new(codes, new, first, stop, rows):
    """rows = new[first:stop] by ascending code (Shell's sort)."""
    n = stop - first
    for j in range(n):
        rows[j] = new[first + j]
    gap = n // 2
    while gap > 0:
        for j in range(gap, n):
            row, at = rows[j], j
            while at >= gap and codes[rows[at - gap]] > codes[row]:
                rows[at] = rows[at - gap]
                at -= gap
            rows[at] = row
        gap //= 2


@kernel
def merge(codes, order, spare, start, stop, rows, n):
    """Put n more rows, which are in order, among order[start:stop]."""
    for j in range(n - 1, -1, -1):
        place = place_above(codes, order, start, stop, codes[rows[j]])
        size = stop - place
        for k in range(size):
            spare[k] = order[place + k]
        for k in range(size):
            order[place + j + 1 + k] = spare[k]
        order[place + j] = rows[j]
        stop = place


@kernel
def put_in_order(problem, fed, node, f, new, first, stop, size):
    """Put new[first:stop] among the first `size` rows that a node keeps, in the order of one feature."""
    growing, n = fed.growing, stop - first
    order_new(problem.codes[f], new, first, stop, fed.ordered)
    merge(problem.codes[f], growing.order[f], growing.spare, node.start, node.start + size, fed.ordered, n)


@kernel
def catch_up(problem, fed, node, f):
    """Put the late rows of a node in the order of this feature."""
    slot, n_late = fed.slices[node.id].slot, fed.slices[node.id].n_late
    n_merged = fed.merged[slot, f]
    if n_merged < n_late:
        size = node.stop - node.start - (n_late - n_merged)
        put_in_order(problem, fed, node, f, fed.late[slot], n_merged, n_late, size)
        fed.merged[slot, f] = n_late


@kernel
def catch_up_all(problem, fed, node):
    """Put the late rows of a node in every feature's order."""
    if fed.slices[node.id].n_late > 0:
        for f in range(fed.merged.shape[1]):
            catch_up(problem, fed, node, f)
        forget_late(fed, node.id)


@kernel
def insert(problem, fed, i, first, stop):
    """Let a node keep the new rows fed.batch[first:stop], too; a single one may be late."""
    growing, own, node, n = fed.growing, fed.slices[i], fed.growing.nodes[i], stop - first
    size = node.stop - node.start
    for at in range(first, stop):
        enter_blocks(problem, fed, own.slot, fed.batch[at])
    if n == 1 and own.n_late < MOST_LATE and size < own.room:
        fed.late[own.slot, own.n_late] = fed.batch[first]
        own.n_late += 1
        node.stop += 1
        return
    catch_up_all(problem, fed, node)
    moves = size + n > own.room
    if moves:
        to = growing.counts[N_ENTRIES]
        copy_rows(growing, node.start, node.stop, to)
        node.start, node.stop, own.room = to, to + size, room_for(size + n)
        growing.counts[N_ENTRIES] += own.room
    for f in range(growing.order.shape[0]):
        put_in_order(problem, fed, node, f, fed.batch, first, stop, size)
    node.stop += n
    if moves:
        set_blocks(fed, node, own.slot)


@jit
def move_down(order, start, stop, to):
    """Copy the slices start[i]:stop[i] of every feature's order to to[i], in turn: int64 (m,), ascending, none of them
    upwards."""
    for f in range(order.shape[0]):
        here = order[f]
        for i in range(start.shape[0]):
            for at in range(stop[i] - start[i]):
                here[to[i] + at] = here[start[i] + at]


@jit
def keep_root(fed):
    """Keep the rows of the root, which stand first in every feature's order."""
    root = fed.growing.nodes[0]
    take_slot(fed, 0)
    fed.slices[0].room = root.stop
    fed.growing.counts[N_ENTRIES] = root.stop
    set_blocks(fed, root, fed.slices[0].slot)


# Nodes that come, go and change places; room for them.


@inner
def has_room_to_grow(growing):
    """Is there room for the branches of a node, and the tables of two?"""
    widest = growing.levels.shape[0]
    enough = growing.counts[N_LEVELS] + 2 * widest <= growing.level_branch.shape[0]
    return enough and growing.counts[N_NODES] + widest <= growing.nodes.shape[0]


@inner
def entries_for(growing, n):
    """Entries that mending a node of n rows may take: a copy, and its children's rows."""
    return 3 * room_for(n) + 8 * growing.levels.shape[0]


@inner
def has_room(fed, node):
    """Is there room to mend a node that keeps its rows?"""
    growing, n = fed.growing, node.stop - node.start
    enough = growing.counts[N_ENTRIES] + entries_for(growing, n) <= growing.order.shape[1]
    return enough and fed.counts[N_FREE] >= growing.levels.shape[0] and has_room_to_grow(growing)


@kernel
def drop(fed, first, n):
    """Give up these siblings and all below them, with their slots; how many splits that were."""
    nodes, stack, n_stack, n_splits = fed.growing.nodes, fed.stack, n, 0
    for b in range(n):
        stack[b] = first + b
    while n_stack > 0:
        n_stack -= 1
        i = stack[n_stack]
        if fed.slices[i].slot >= 0:
            fed.free[fed.counts[N_FREE]] = fed.slices[i].slot
            fed.counts[N_FREE] += 1
            fed.slices[i].slot = -1
        n_splits += nodes[i].n_children > 0
        for b in range(nodes[i].n_children):
            stack[n_stack] = nodes[i].first_child + b
            n_stack += 1
    return n_splits


@kernel
def discard(growing, first, n):
    """Let the last n nodes not have been made."""
    for i in range(first, first + n):
        node = growing.nodes[i]
        node.n_children, node.n_rows, node.start, node.stop, node.weight = 0, 0, 0, 0, 0.0
        node.missing_rows, node.missing_weight, node.low_branch, node.n_cuts = 0, 0.0, 0, 0
        for s in range(growing.stats.shape[1]):
            growing.stats[i, s] = 0.0
    growing.counts[N_NODES] = first


@kernel
def exchange(fed, first):
    """Let two siblings change places."""
    growing, nodes, slices, second = fed.growing, fed.growing.nodes, fed.slices, first + 1
    fed.was[1], fed.spare[0] = nodes[first], slices[first]
    nodes[first], slices[first] = nodes[second], slices[second]
    nodes[second], slices[second] = fed.was[1], fed.spare[0]
    for f in range(fed.gains.shape[1]):
        fed.gains[first, f], fed.gains[second, f] = fed.gains[second, f], fed.gains[first, f]
    for s in range(growing.stats.shape[1]):
        mine = growing.stats[first, s]
        growing.stats[first, s], growing.stats[second, s] = growing.stats[second, s], mine
    for i in range(first, first + 2):
        nodes[i].id = i
        for child in range(nodes[i].first_child, nodes[i].first_child + nodes[i].n_children):
            nodes[child].parent = i
