"""Numbers of nodes, level by level."""

from treecore.jit import jit


@jit
def binary_levels(nodes, order):
    """order = node ids by depth, and within a depth in the order of their parents and branches, int64 (n_nodes,).

    nodes : PLAIN records, whose inner ones have two children.
    """
    order[0], last = 0, 1
    for i in range(order.shape[0]):
        child = nodes[order[i]].first_child
        if child >= 0:
            swapped = nodes[order[i]].swapped
            order[last], order[last + 1] = child + swapped, child + 1 - swapped
            last += 2
