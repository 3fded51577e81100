"""Rows of which only a part is at a node."""

import numpy as np

from treecore.engine.jit import jit, kernel


@kernel
def load_shares(problem, growing, node):
    """Let growing.rows weigh what is at this node of its rows, and have its responses; nothing to do where rows are
    whole."""
    if growing.share.shape[0] == 0:
        return
    by_numbers = problem.targets.shape[0] > 0
    for i in range(node.start, node.stop):
        row, share = growing.order[0, i], growing.share[i]
        growing.rows[row].weight = problem.rows[row].weight * share
        growing.rows[row].case = problem.rows[row].case * share
        if by_numbers:
            growing.rows[row].response = problem.targets[row] - node.center


@jit
def missing_entries(problem, growing, ids):
    """int64 (len(ids),): entries of each node without a value for its split; they stand last."""
    found = np.zeros(ids.shape[0], np.int64)
    for i in range(ids.shape[0]):
        node = growing.nodes[ids[i]]
        codes, order, missing = problem.codes[node.feature], growing.order[node.feature], node.stop
        while missing > node.start and codes[order[missing - 1]] == problem.features[node.feature].n_codes:
            missing -= 1
        found[i] = node.stop - missing
    return found
