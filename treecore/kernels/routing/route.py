"""Sending rows down a tree."""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import ask_for, inner, jit
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD
from treecore.kernels.encode.keys import ABSENT

TEST = np.dtype([
    ("threshold", "f8"), ("level_start", "i8"), ("kind", "i4"), ("slot", "i4"), ("closed", "i4"),
    ("low_branch", "i4"), ("missing_branch", "i4"), ("unseen_branch", "i4"),
    ("first_child", "i4"), ("n_children", "i4"), ("surrogate_start", "i4"), ("surrogate_stop", "i4"),
    ("cut_start", "i8"), ("cut_stop", "i8"), ("level_stop", "i8"), ("usual_branch", "i8"),
])  # fmt: skip
"""A test to route by; `slot` is the row of the matrix of values that holds its feature. level_stop, usual_branch :
where a list of levels ends, and where all go that are not in it."""


QUICK = {
    np.dtype(kind): np.dtype([("limit", kind), ("offset", "u4"), ("first", "u4")]) for kind in ("f8", "f4", "u4")
}  # fmt: skip
"""A test by a threshold in the fewest words: known values up to `limit` go to `first`, others next to it.

By the kind of the values: numbers, or their keys (see kernels.encode.keys). offset : where the values of its feature
begin in a flat block of values. A leaf and every other kind of test point at themselves: `first` is their own place and
`limit` is above everything.
"""
HIGHEST = {np.dtype("f8"): np.inf, np.dtype("f4"): np.float32(np.inf), np.dtype("u4"): np.uint32(ABSENT - 1)}
"""By the kind of the values, the highest that is known: no missing one is at most this."""
LANES = 8
"""Rows that walk down side by side: while one waits for memory the others go on."""
AHEAD = 4 * LANES
"""So many rows before their turn, values are asked for from memory."""
MOST_ASKED = 2048
"""Bytes of a row up to which it is asked for: of a longer one too little is looked at."""


class Routing(NamedTuple):
    """A tree as the routing kernels want it.

    nodes, surrogates : TEST records. level_branch : int32, of both, one after the other. level_id : int32, as large,
    the levels these are of, ascending within a test; (0,) where every test has a branch for each of its levels. cuts :
    float64, of the nodes. share : float64 (n_nodes,), weight of each node over that of its parent's children together.
    """

    nodes: np.ndarray
    surrogates: np.ndarray
    level_branch: np.ndarray
    level_id: np.ndarray
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
    return branch_of_level(test, routing, int(value))


@inner
def branch_of_level(test, routing, level):
    """The branch of a level that the feature has, -1 for one not seen at the node."""
    if routing.level_id.shape[0] == 0:
        return int(routing.level_branch[test.level_start + level])
    first, stop = test.level_start, test.level_stop
    while first < stop:
        middle = (first + stop) // 2
        if routing.level_id[middle] < level:
            first = middle + 1
        else:
            stop = middle
    listed = first < test.level_stop and routing.level_id[first] == level
    return int(routing.level_branch[first]) if listed else int(test.usual_branch)


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


@inner
def place_below(quick, highest, values, begin, at):
    """The place after the one at which a row is, whose values begin there; the same one where it stays."""
    test = quick[at]
    value = values[begin + np.uint64(test.offset)]
    # choices of a number, not of a way to go on, which the processor could not foresee
    below = np.uint64(test.first) + np.uint64(value > test.limit)
    return below if value <= highest else at


@inner
def places_below(quick, highest, values, begin, stride, at):
    """place_below of LANES rows whose values begin `stride` apart. at : a tuple, which needs no memory."""
    return (
        place_below(quick, highest, values, begin, at[0]),
        place_below(quick, highest, values, begin + stride, at[1]),
        place_below(quick, highest, values, begin + np.uint64(2) * stride, at[2]),
        place_below(quick, highest, values, begin + np.uint64(3) * stride, at[3]),
        place_below(quick, highest, values, begin + np.uint64(4) * stride, at[4]),
        place_below(quick, highest, values, begin + np.uint64(5) * stride, at[5]),
        place_below(quick, highest, values, begin + np.uint64(6) * stride, at[6]),
        place_below(quick, highest, values, begin + np.uint64(7) * stride, at[7]),
    )


@inner
def has_moved(a, b):
    """Do these places of LANES rows differ?"""
    left, right = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]), (a[3] ^ b[3]) | (a[4] ^ b[4]) | (a[5] ^ b[5])
    return (left | right | (a[6] ^ b[6]) | (a[7] ^ b[7])) != 0


@inner
def leaves_below(quick, highest, values, begin, stride):
    """Where LANES rows end."""
    top = np.uint64(0)
    at = (top, top, top, top, top, top, top, top)
    while True:
        # two steps before it is asked whether some row still moves
        last = places_below(quick, highest, values, begin, stride, at)
        at = places_below(quick, highest, values, begin, stride, last)
        if not has_moved(last, at):
            return at


@jit
def walk_thresholds(quick, names, values, stride, highest, n_rows, end):
    """end[row] = the node as far down as known values and tests by thresholds lead; are all of these leaves?

    quick : QUICK (n_nodes,), of every place; siblings are neighbours, the one that gets low values first. names : int64
    (n_nodes,), the node in each place, -1 - node for an inner node. values : of a kind that QUICK has, flat: a row's
    are `stride` behind those of the row before, LANES rows at least. highest : see HIGHEST. end : int64, for n_rows and
    LANES rows at least.
    """
    # unsigned numbers: an index that may be negative would be looked at twice
    stride, last, stuck = np.uint64(stride), max(n_rows - LANES, 0), np.int64(0)
    line, asked = 64 // values.itemsize, np.int64(stride) * LANES
    if np.int64(stride) * values.itemsize > MOST_ASKED:
        asked = 0
    for first in range(0, n_rows, LANES):
        row = np.uint64(min(first, last))
        begin, ahead = row * stride, (row + np.uint64(AHEAD)) * stride
        for value in range(0, asked, line):
            ask_for(values, ahead + np.uint64(value))
        at = leaves_below(quick, highest, values, begin, stride)
        for lane in range(LANES):
            end[row + np.uint64(lane)] = np.int64(at[lane])
    for row in range(n_rows):
        name = names[np.uint64(end[row])]
        stuck |= name
        end[row] = name ^ (name >> 63)
    return stuck >= 0


@jit
def walk(routing, values, n_rows, end):
    """Go on from the nodes in end[row] to where the rows' routes end; False if a row is shared among branches."""
    for row in range(n_rows):
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


@jit
def walk_shared(routing, values, n_rows, first_row, waiting, waiting_share, out_row, out_node, out_share):
    """Like walk, but a row may end in several nodes.

    waiting, waiting_share : working memory, one entry per node.
    Returns (entries written, next row): stops before a row that might not fit into the output.
    """
    n_nodes, written, row = routing.nodes.shape[0], 0, first_row
    while row < n_rows and written + n_nodes <= out_row.shape[0]:
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
