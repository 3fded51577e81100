"""The nodes waiting to be split: last in first out, or the largest total gain first."""

from treecore.jit import kernel
from treecore.kernels.state import N_FRONTIER


@kernel
def ahead(nodes, a, b):
    """Does node a come before node b? Larger weight * gain first, then the older node."""
    ka, kb = nodes[a].weight * nodes[a].score, nodes[b].weight * nodes[b].score
    return ka > kb or (ka == kb and a < b)


@kernel
def push(nodes, frontier, counts, best_first, node):
    """Add a node; best-first keeps a binary heap."""
    at = counts[N_FRONTIER]
    counts[N_FRONTIER] += 1
    while best_first and at > 0 and ahead(nodes, node, frontier[(at - 1) // 2]):
        frontier[at] = frontier[(at - 1) // 2]
        at = (at - 1) // 2
    frontier[at] = node


@kernel
def pop(nodes, frontier, counts, best_first):
    """Take the next node to split."""
    counts[N_FRONTIER] -= 1
    size = counts[N_FRONTIER]
    last = frontier[size]
    if not best_first:
        return last
    top, at = frontier[0], 0
    while 2 * at + 1 < size:
        down = 2 * at + 1
        if down + 1 < size and ahead(nodes, frontier[down + 1], frontier[down]):
            down += 1
        if not ahead(nodes, frontier[down], last):
            break
        frontier[at] = frontier[down]
        at = down
    frontier[at] = last
    return top
