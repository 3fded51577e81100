"""Sending rows down a tree, and down a pruned tree whose branches may have taken the places of nodes above them."""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import allocating, ask_for, inner, jit, kernel
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD
from treecore.kernels.ranks import ABSENT

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

By the kind of the values: numbers, or their keys (see kernels.ranks). offset : where the values of its feature
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
def places_differ(a, b):
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
        if not places_differ(last, at):
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


# Sending rows down a grown tree anew, where branches may have taken the places of nodes above them.
#
# The fast version of what tests/unit/naive_raising.py does row by row.

OWN_TEST, NOBODY = -1, -2
"""Who sent a row: the node's split, no test at all (else the number of a surrogate)."""


class Ground(NamedTuple):
    """The rows to send, and which nodes of the grown tree they meet.

    routing : of the grown tree. values : float64 (slots, n), as Routing asks for. rows : state.ROW (n,).
    standing : int64 (n_nodes,), the node in the place of each. leaf : bool (n_nodes,), nodes without branches.
    most : the largest number of children. n_classes : 0 for a numeric target. min_share : branches with no larger
    share of the known weight get no part of a row that is shared. center : float64 (n_nodes,), what the sums of each
    node are taken around; the responses are targets as they are. entries : int64, the rows that have a target.
    """

    routing: Routing
    values: np.ndarray
    rows: np.ndarray
    standing: np.ndarray
    leaf: np.ndarray
    most: int
    n_classes: int
    min_share: float
    center: np.ndarray
    entries: np.ndarray


class PlaceCounts(NamedTuple):
    """What has been counted at the nodes, by their ids in the grown tree.

    stats, known, ends : float64 (n_nodes, S), statistics of all rows, of those that the parent's own test sent, and of
        those whose route ends here.
    n_rows : int64 (n_nodes,), rows, those of weight 0 among them. missing_rows, missing_weight : as in Tree.
    surrogate_rows : int64, of every surrogate of the tree.
    """

    stats: np.ndarray
    known: np.ndarray
    ends: np.ndarray
    n_rows: np.ndarray
    missing_rows: np.ndarray
    missing_weight: np.ndarray
    surrogate_rows: np.ndarray


@inner
def add_part(stats, row, share, n_classes, center):
    """Add a share of a row, by its case weight, to sums around this center."""
    weight = row.case * share
    if n_classes > 0:
        stats[row.label] += weight
    else:
        y = row.response - center
        stats[0] += weight
        stats[1] += weight * y
        stats[2] += weight * y * y


@inner
def branch_and_sender(routing, values, row, node):
    """(the branch a row takes at an inner node, STAYS or SHARED; who sent it)."""
    value = values[node.slot, row]
    branch = branch_of(node, routing, value)
    if branch >= 0:
        return branch, OWN_TEST
    for s in range(node.surrogate_start, node.surrogate_stop):
        test = routing.surrogates[s]
        branch = branch_of(test, routing, values[test.slot, row])
        if branch >= 0:
            return branch, s
    return (node.missing_branch if np.isnan(value) else node.unseen_branch), NOBODY


@kernel
def choose(ground, counts, t, entry, share, branch, weight):
    """The branch of each entry at node t; weight[b] becomes branch b's share of the case weight that its test knows."""
    node, known = ground.routing.nodes[t], 0.0
    weight[: node.n_children] = 0.0
    counts.missing_rows[t], counts.missing_weight[t] = 0, 0.0
    for s in range(node.surrogate_start, node.surrogate_stop):
        counts.surrogate_rows[s] = 0
    for b in range(node.n_children):
        counts.known[ground.standing[node.first_child + b]] = 0.0
    for i in range(entry.shape[0]):
        row = ground.rows[entry[i]]
        branch[i], sender = branch_and_sender(ground.routing, ground.values, entry[i], node)
        if sender == OWN_TEST:
            child = ground.standing[node.first_child + branch[i]]
            add_part(counts.known[child], row, share[i], ground.n_classes, ground.center[child])
            weight[branch[i]] += row.case * share[i]
            known += row.case * share[i]
        elif np.isnan(ground.values[node.slot, entry[i]]):
            counts.missing_rows[t] += 1
            counts.missing_weight[t] += row.case * share[i]
        if branch[i] == STAYS:
            add_part(counts.ends[t], row, share[i], ground.n_classes, ground.center[t])
        if sender >= 0:
            counts.surrogate_rows[sender] += 1
    for b in range(node.n_children):
        part = weight[b] / known if known > 0.0 else 1.0 / node.n_children
        weight[b] = part if part > ground.min_share else 0.0


@kernel
def sizes(node, branch, part, begin):
    """Let begin[b] be where branch b's entries begin, begin[n_children] where they end."""
    n_shared, begin[: node.n_children + 1] = 0, 0
    for i in range(branch.shape[0]):
        if branch[i] >= 0:
            begin[branch[i] + 1] += 1
        n_shared += branch[i] == SHARED
    for b in range(node.n_children):
        begin[b + 1] += begin[b] + (n_shared if part[b] > 0.0 else 0)


@kernel
def deal(node, entry, share, branch, part, begin, to_entry, to_share):
    """Write the entries of every branch to their place; begin[b] becomes where branch b's end."""
    for i in range(entry.shape[0]):
        if branch[i] == STAYS:
            continue
        first, last = (branch[i], branch[i] + 1) if branch[i] >= 0 else (0, node.n_children)
        for b in range(first, last):
            if branch[i] >= 0 or part[b] > 0.0:
                to_entry[begin[b]] = entry[i]
                to_share[begin[b]] = share[i] * (1.0 if branch[i] >= 0 else part[b])
                begin[b] += 1


@jit
def branches(ground, counts, t, entry, share):
    """(begin, entry, share): entries begin[b]:begin[b + 1] go down branch b of the inner node t."""
    node = ground.routing.nodes[t]
    branch, part = np.empty(entry.shape[0], np.int64), np.empty(node.n_children)
    begin = np.empty(node.n_children + 1, np.int64)
    choose(ground, counts, t, entry, share, branch, part)
    sizes(node, branch, part, begin)
    to_entry, to_share = np.empty(begin[-1], np.int64), np.empty(begin[-1])
    deal(node, entry, share, branch, part, begin.copy(), to_entry, to_share)
    return begin, to_entry, to_share


@jit
def descend(ground, counts, top, entry, share):
    """Send these parts of rows from the place `top` down; returns the ids of the nodes met, parents first.

    entry : int64 (m,), rows. share : float64 (m,), the part of each. What `counts` has of the nodes met is counted
    anew; it keeps the rest.
    """
    n, part, begin = entry.shape[0], np.empty(ground.most), np.empty(ground.most + 1, np.int64)
    entry, share, branch = entry.copy(), share.copy(), np.empty(n, np.int64)
    to_entry, to_share = np.empty(n, np.int64), np.empty(n)
    met, waiting, end = [top], [(top, 0)], n
    met.pop()
    while len(waiting) > 0:
        place, start = waiting.pop()  # its entries stand last
        t = ground.standing[place]
        met.append(t)
        count(ground, counts, t, entry[start:end], share[start:end])
        if ground.leaf[t]:
            end = start
            continue
        node = ground.routing.nodes[t]
        choose(ground, counts, t, entry[start:end], share[start:end], branch, part)
        sizes(node, branch[: end - start], part, begin)
        total = begin[node.n_children]
        if total > to_entry.shape[0]:
            to_entry, to_share = np.empty(2 * total, np.int64), np.empty(2 * total)
        for b in range(node.n_children):
            waiting.append((node.first_child + b, start + begin[b]))
        deal(node, entry[start:end], share[start:end], branch, part, begin, to_entry, to_share)
        end = start + total
        if end > entry.shape[0]:
            entry, share = longer(entry, 2 * end), longer(share, 2 * end)
            branch = np.empty(2 * end, np.int64)
        for i in range(total):
            entry[start + i], share[start + i] = to_entry[i], to_share[i]
    return np.array(met)


@jit
def count_more(ground, counts, top, entry):
    """Count rows, each of which goes down one branch at every node, at the nodes they meet from the place `top` on.

    entry : int64 (m,). What `counts` has in stats, ends and n_rows is added to; returns the ids of nodes without rows.
    """
    met = [top]
    met.pop()
    for i in range(entry.shape[0]):
        row, place, t = ground.rows[entry[i]], top, -1
        while t < 0 or not ground.leaf[t]:
            t = ground.standing[place]
            if counts.n_rows[t] == 0:
                met.append(t)
            counts.n_rows[t] += 1
            add_part(counts.stats[t], row, 1.0, ground.n_classes, ground.center[t])
            node = ground.routing.nodes[t]
            if not ground.leaf[t]:
                place = node.first_child + branch_and_sender(ground.routing, ground.values, entry[i], node)[0]
        add_part(counts.ends[t], row, 1.0, ground.n_classes, ground.center[t])
    return np.array(met)


@allocating
def longer(array, size):
    """The array with room for more."""
    result = np.empty(size, array.dtype)
    result[: array.shape[0]] = array
    return result


@kernel
def count(ground, counts, t, entry, share):
    """Count the entries that reach node t."""
    counts.stats[t], counts.ends[t] = 0.0, 0.0
    counts.n_rows[t], counts.missing_rows[t], counts.missing_weight[t] = 0, 0, 0.0
    for i in range(entry.shape[0]):
        row = ground.rows[entry[i]]
        add_part(counts.stats[t], row, share[i], ground.n_classes, ground.center[t])
        counts.n_rows[t] += 1
    if ground.leaf[t]:
        for s in range(counts.ends.shape[1]):
            counts.ends[t, s] = counts.stats[t, s]
