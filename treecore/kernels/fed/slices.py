"""The rows of a node in the order of every feature, and their blocks."""

from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.fed.bounds import enter_blocks
from treecore.kernels.fed.state import MOST_LATE, N_BLOCKS, N_FREE
from treecore.kernels.state import N_ENTRIES


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
    so_far, label = growing.sums[0], growing.moved  # which is free: the records of rows lie far apart
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
    fed.kept[i].n_late = 0
    for f in range(fed.merged.shape[1]):
        fed.merged[fed.kept[i].slot, f] = 0


@inner
def take_slot(fed, i):
    """Let the node have a slot."""
    fed.counts[N_FREE] -= 1
    slot = fed.free[fed.counts[N_FREE]]
    fed.kept[i].slot = slot
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
    node.start, node.stop, fed.kept[i].room = start, to, room_for(to - start)
    growing.counts[N_ENTRIES] += fed.kept[i].room
    set_blocks(fed, node, fed.kept[i].slot)


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
def merge(codes, order, moved, start, stop, rows, n):
    """Put n more rows, which are in order, among order[start:stop]."""
    for j in range(n - 1, -1, -1):
        place = place_above(codes, order, start, stop, codes[rows[j]])
        size = stop - place
        for k in range(size):
            moved[k] = order[place + k]
        for k in range(size):
            order[place + j + 1 + k] = moved[k]
        order[place + j] = rows[j]
        stop = place


@kernel
def put_in_order(problem, fed, node, f, new, first, stop, size):
    """Put new[first:stop] among the first `size` rows that a node keeps, in the order of one feature."""
    growing, n = fed.growing, stop - first
    order_new(problem.codes[f], new, first, stop, fed.ordered)
    merge(problem.codes[f], growing.order[f], growing.moved, node.start, node.start + size, fed.ordered, n)


@kernel
def catch_up(problem, fed, node, f):
    """Put the late rows of a node in the order of this feature."""
    slot, n_late = fed.kept[node.id].slot, fed.kept[node.id].n_late
    n_merged = fed.merged[slot, f]
    if n_merged < n_late:
        size = node.stop - node.start - (n_late - n_merged)
        put_in_order(problem, fed, node, f, fed.late[slot], n_merged, n_late, size)
        fed.merged[slot, f] = n_late


@kernel
def catch_up_all(problem, fed, node):
    """Put the late rows of a node in every feature's order."""
    if fed.kept[node.id].n_late > 0:
        for f in range(fed.merged.shape[1]):
            catch_up(problem, fed, node, f)
        forget_late(fed, node.id)


@kernel
def insert(problem, fed, i, first, stop):
    """Let a node keep the new rows fed.batch[first:stop], too; a single one may be late."""
    growing, kept, node, n = fed.growing, fed.kept[i], fed.growing.nodes[i], stop - first
    size = node.stop - node.start
    for at in range(first, stop):
        enter_blocks(problem, fed, kept.slot, fed.batch[at])
    if n == 1 and kept.n_late < MOST_LATE and size < kept.room:
        fed.late[kept.slot, kept.n_late] = fed.batch[first]
        kept.n_late += 1
        node.stop += 1
        return
    catch_up_all(problem, fed, node)
    moves = size + n > kept.room
    if moves:
        to = growing.counts[N_ENTRIES]
        copy_rows(growing, node.start, node.stop, to)
        node.start, node.stop, kept.room = to, to + size, room_for(size + n)
        growing.counts[N_ENTRIES] += kept.room
    for f in range(growing.order.shape[0]):
        put_in_order(problem, fed, node, f, fed.batch, first, stop, size)
    node.stop += n
    if moves:
        set_blocks(fed, node, kept.slot)


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
    fed.kept[0].room = root.stop
    fed.growing.counts[N_ENTRIES] = root.stop
    set_blocks(fed, root, fed.kept[0].slot)
