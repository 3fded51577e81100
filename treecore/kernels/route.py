"""Sending rows down a tree."""

from typing import NamedTuple

import numpy as np

from treecore.jit import inner, jit
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD

TEST = np.dtype([
    ("threshold", "f8"), ("level_start", "i8"), ("kind", "i4"), ("slot", "i4"), ("closed", "i4"),
    ("low_branch", "i4"), ("missing_branch", "i4"), ("unseen_branch", "i4"),
    ("first_child", "i4"), ("n_children", "i4"), ("surrogate_start", "i4"), ("surrogate_stop", "i4"),
    ("cut_start", "i8"), ("cut_stop", "i8"),
])  # fmt: skip
"""A test to route by; `slot` is the row of the matrix of values that holds its feature."""


QUICK = np.dtype([("limit", "f8"), ("slot", "i4"), ("low", "i4"), ("high", "i4")])
"""A test by a threshold in the fewest words: known values up to `limit` go to node `low`, others to `high`.

slot : as in TEST; -1 for a leaf and for every other kind of test.
"""
BLOCK = 16
"""Rows that walk down side by side: while one waits for memory the others go on."""


class Routing(NamedTuple):
    """A tree as the routing kernels want it.

    nodes, surrogates : TEST records. level_branch : int32, of both, one after the other. cuts : float64, of the nodes.
    share : float64 (n_nodes,), weight of each node over that of its parent's children together.
    """

    nodes: np.ndarray
    surrogates: np.ndarray
    level_branch: np.ndarray
    cuts: np.ndarray
    share: np.ndarray


@inner
def branch_of(test, routing, value):
    """The branch a value takes, -1 when the test does not know it."""
    if test.kind == THRESHOLD:
        if np.isnan(value):
            return -1
        low = value <= test.threshold if test.closed else value < test.threshold
        return test.low_branch if low else 1 - test.low_branch
    if test.kind == CUTS:
        return -1 if np.isnan(value) else branch_between(test, routing.cuts, value)
    if not value >= 0.0:
        return -1
    return int(routing.level_branch[test.level_start + int(value)])


@inner
def branch_between(test, cuts, value):
    """How many of the cuts the value is above."""
    branch = 0
    for c in range(test.cut_start, test.cut_stop):
        branch += value > cuts[c] if test.closed else value >= cuts[c]
    return branch


@inner
def step(routing, values, row, node):
    """The branch a row takes at an inner node, STAYS, or SHARED."""
    value = values[node.slot, row]
    branch = branch_of(node, routing, value)
    if branch >= 0:
        return branch
    for s in range(node.surrogate_start, node.surrogate_stop):
        test = routing.surrogates[s]
        branch = branch_of(test, routing, values[test.slot, row])
        if branch >= 0:
            return branch
    return node.missing_branch if np.isnan(value) else node.unseen_branch


@jit
def walk(routing, quick, values, end):
    """end[row] = the node where the row's route ends; False if a row is shared among branches."""
    walk_thresholds(quick, values, end)
    for row in range(values.shape[1]):
        at = end[row]
        while routing.nodes[at].n_children > 0:
            branch = step(routing, values, row, routing.nodes[at])
            if branch == SHARED:
                return False
            if branch == STAYS:
                break
            at = routing.nodes[at].first_child + branch
        end[row] = at
    return True


@inner
def walk_thresholds(quick, values, end):
    """end[row] = the node as far down as known values and tests by thresholds lead."""
    limit, slot, low, high = quick["limit"], quick["slot"], quick["low"], quick["high"]
    n_rows = values.shape[1]
    for begin in range(0, n_rows, BLOCK):
        stop = min(begin + BLOCK, n_rows)
        end[begin:stop] = 0
        moved = True
        while moved:
            moved = False
            for row in range(begin, stop):
                at = end[row]
                if slot[at] < 0:
                    continue
                value = values[slot[at], row]
                if value == value:
                    # a choice of two numbers, not of two ways to go on, which the processor could not foresee
                    end[row], moved = low[at] if value <= limit[at] else high[at], True


@jit
def walk_shared(routing, values, first_row, waiting, waiting_share, out_row, out_node, out_share):
    """Like walk, but a row may end in several nodes.

    waiting, waiting_share : working memory, one entry per node.
    Returns (entries written, next row): stops before a row that might not fit into the output.
    """
    n_nodes, written, row = routing.nodes.shape[0], 0, first_row
    while row < values.shape[1] and written + n_nodes <= out_row.shape[0]:
        waiting[0], waiting_share[0], size = 0, 1.0, 1
        while size > 0:
            size -= 1
            at, share = waiting[size], waiting_share[size]
            node = routing.nodes[at]
            branch = step(routing, values, row, node) if node.n_children > 0 else STAYS
            if branch == STAYS:
                out_row[written], out_node[written], out_share[written] = row, at, share
                written += 1
                continue
            last = node.n_children if branch == SHARED else branch + 1
            for b in range(0 if branch == SHARED else branch, last):
                child = node.first_child + b
                part = routing.share[child] if branch == SHARED else 1.0
                if part > 0.0:
                    waiting[size], waiting_share[size] = child, share * part
                    size += 1
        row += 1
    return written, row
