"""Rows sorted apart: each child's rows together, in every feature's order."""

from treecore.engine.jit import inner, kernel
from treecore.kernels.codes import SHARED


@kernel
def partition(growing, node, staying, special):
    """Reorder every feature's slice of the node so that each child's rows are together, still sorted.

    staying : rows that go to no child; they end up behind those of the last one.
    """
    side, moved, nodes = growing.side, growing.moved, growing.nodes
    for f in range(growing.order.shape[0]):
        order = growing.order[f]
        if node.n_children == 2 and staying == 0 and (f > 0 or growing.share.shape[0] == 0):
            partition_two(order, side, moved, node.start, node.stop)
            continue
        for b in range(node.n_children):
            growing.levels[b].order = nodes[node.first_child + b].start
        growing.levels[node.n_children].order = node.stop - staying
        if special is not None:
            if f == 0 and growing.share.shape[0] > 0:
                sort_shares(growing, node)
        for i in range(node.start, node.stop):
            b = side[order[i]]
            moved[growing.levels[b].order - node.start] = order[i]
            growing.levels[b].order += 1
        for i in range(node.start, node.stop):
            order[i] = moved[i - node.start]


@kernel
def sort_shares(growing, node):
    """The shares, which stand beside order[0], in the order its rows are about to have."""
    for i in range(node.start, node.stop):
        growing.part[i - node.start] = growing.share[i]
        growing.moved[i - node.start] = growing.levels[growing.side[growing.order[0, i]]].order
        growing.levels[growing.side[growing.order[0, i]]].order += 1
    for i in range(node.stop - node.start):
        growing.share[growing.moved[i]] = growing.part[i]
    for b in range(node.n_children):
        growing.levels[b].order = growing.nodes[node.first_child + b].start
    growing.levels[node.n_children].order = node.stop


@kernel
def partition_two(order, side, moved, start, stop):
    """Stable partition into two, without a branch on the side."""
    left, right = start, 0
    for i in range(start, stop):
        row = order[i]
        s = side[row]
        order[left] = row
        moved[right] = row
        left += 1 - s
        right += s
    for i in range(right):
        order[left + i] = moved[i]


@kernel
def spread(problem, growing, node):
    """Write every feature's slice of each child behind all entries in use: rows that are shared stand in several.

    growing.levels[b].key holds the case weight of the rows that branch b got for their value.
    """
    nodes, levels, first, known = growing.nodes, growing.levels, node.first_child, 0.0
    for b in range(node.n_children):
        known += levels[b].key
    for f in range(growing.order.shape[0]):
        for b in range(node.n_children):
            levels[b].order = nodes[first + b].start
        for i in range(node.start, node.stop):
            branch = growing.side[growing.order[f, i]]
            if branch != SHARED:
                put_entry(growing, f, i, branch, 1.0)
                continue
            for b in range(node.n_children):
                if levels[b].key / known > problem.rules[0].min_share:
                    put_entry(growing, f, i, b, levels[b].key / known)


@inner
def put_entry(growing, f, i, branch, part):
    """Append the row at position i of a feature's order, or a part of it, to a branch."""
    to = growing.levels[branch].order
    growing.order[f, to] = growing.order[f, i]
    if f == 0:
        growing.share[to] = growing.share[i] * part
    growing.levels[branch].order += 1
