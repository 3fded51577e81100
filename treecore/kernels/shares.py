"""Rows of which only a part is at a node."""

from treecore.jit import kernel


@kernel
def load_shares(problem, growing, node):
    """Let growing.rows weigh what is at this node of its rows; nothing to do where rows are whole."""
    if growing.share.shape[0] == 0:
        return
    for i in range(node.start, node.stop):
        row, share = growing.order[0, i], growing.share[i]
        growing.rows[row].weight = problem.rows[row].weight * share
        growing.rows[row].case = problem.rows[row].case * share
