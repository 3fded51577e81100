"""Nodes that come, go and change places; room for them."""

from treecore.engine.jit import inner, kernel
from treecore.kernels.fed.slices import room_for
from treecore.kernels.fed.state import N_FREE
from treecore.kernels.state import N_ENTRIES, N_LEVELS, N_NODES


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
        if fed.kept[i].slot >= 0:
            fed.free[fed.counts[N_FREE]] = fed.kept[i].slot
            fed.counts[N_FREE] += 1
            fed.kept[i].slot = -1
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
    growing, nodes, kept, second = fed.growing, fed.growing.nodes, fed.kept, first + 1
    fed.was[1], fed.spare[0] = nodes[first], kept[first]
    nodes[first], kept[first] = nodes[second], kept[second]
    nodes[second], kept[second] = fed.was[1], fed.spare[0]
    for f in range(fed.gains.shape[1]):
        fed.gains[first, f], fed.gains[second, f] = fed.gains[second, f], fed.gains[first, f]
    for s in range(growing.stats.shape[1]):
        mine = growing.stats[first, s]
        growing.stats[first, s], growing.stats[second, s] = growing.stats[second, s], mine
    for i in range(first, first + 2):
        nodes[i].id = i
        for child in range(nodes[i].first_child, nodes[i].first_child + nodes[i].n_children):
            nodes[child].parent = i
