"""Sending rows down a grown tree anew, where branches may have taken the places of nodes above them.

The fast version of what tests/unit/naive_raising.py does row by row.
"""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import allocating, inner, jit, kernel
from treecore.kernels.codes import SHARED, STAYS
from treecore.kernels.routing.route import Routing, branch_of

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


class Found(NamedTuple):
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
def way(routing, values, row, node):
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
def choose(ground, found, t, entry, share, branch, weight):
    """The branch of each entry at node t; weight[b] becomes branch b's share of the case weight that its test knows."""
    node, known = ground.routing.nodes[t], 0.0
    weight[: node.n_children] = 0.0
    found.missing_rows[t], found.missing_weight[t] = 0, 0.0
    for s in range(node.surrogate_start, node.surrogate_stop):
        found.surrogate_rows[s] = 0
    for b in range(node.n_children):
        found.known[ground.standing[node.first_child + b]] = 0.0
    for i in range(entry.shape[0]):
        row = ground.rows[entry[i]]
        branch[i], sender = way(ground.routing, ground.values, entry[i], node)
        if sender == OWN_TEST:
            child = ground.standing[node.first_child + branch[i]]
            add_part(found.known[child], row, share[i], ground.n_classes, ground.center[child])
            weight[branch[i]] += row.case * share[i]
            known += row.case * share[i]
        elif np.isnan(ground.values[node.slot, entry[i]]):
            found.missing_rows[t] += 1
            found.missing_weight[t] += row.case * share[i]
        if branch[i] == STAYS:
            add_part(found.ends[t], row, share[i], ground.n_classes, ground.center[t])
        if sender >= 0:
            found.surrogate_rows[sender] += 1
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
def branches(ground, found, t, entry, share):
    """(begin, entry, share): entries begin[b]:begin[b + 1] go down branch b of the inner node t."""
    node = ground.routing.nodes[t]
    branch, part = np.empty(entry.shape[0], np.int64), np.empty(node.n_children)
    begin = np.empty(node.n_children + 1, np.int64)
    choose(ground, found, t, entry, share, branch, part)
    sizes(node, branch, part, begin)
    to_entry, to_share = np.empty(begin[-1], np.int64), np.empty(begin[-1])
    deal(node, entry, share, branch, part, begin.copy(), to_entry, to_share)
    return begin, to_entry, to_share


@jit
def descend(ground, found, top, entry, share):
    """Send these parts of rows from the place `top` down; returns the ids of the nodes met, parents first.

    entry : int64 (m,), rows. share : float64 (m,), the part of each. What `found` has of the nodes met is counted
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
        count(ground, found, t, entry[start:end], share[start:end])
        if ground.leaf[t]:
            end = start
            continue
        node = ground.routing.nodes[t]
        choose(ground, found, t, entry[start:end], share[start:end], branch, part)
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
def count_more(ground, found, top, entry):
    """Count rows, each of which goes down one branch at every node, at the nodes they meet from the place `top` on.

    entry : int64 (m,). What `found` has in stats, ends and n_rows is added to; returns the ids of nodes without rows.
    """
    met = [top]
    met.pop()
    for i in range(entry.shape[0]):
        row, place, t = ground.rows[entry[i]], top, -1
        while t < 0 or not ground.leaf[t]:
            t = ground.standing[place]
            if found.n_rows[t] == 0:
                met.append(t)
            found.n_rows[t] += 1
            add_part(found.stats[t], row, 1.0, ground.n_classes, ground.center[t])
            node = ground.routing.nodes[t]
            if not ground.leaf[t]:
                place = node.first_child + way(ground.routing, ground.values, entry[i], node)[0]
        add_part(found.ends[t], row, 1.0, ground.n_classes, ground.center[t])
    return np.array(met)


@allocating
def longer(array, size):
    """The array with room for more."""
    result = np.empty(size, array.dtype)
    result[: array.shape[0]] = array
    return result


@kernel
def count(ground, found, t, entry, share):
    """Count the entries that reach node t."""
    found.stats[t], found.ends[t] = 0.0, 0.0
    found.n_rows[t], found.missing_rows[t], found.missing_weight[t] = 0, 0, 0.0
    for i in range(entry.shape[0]):
        row = ground.rows[entry[i]]
        add_part(found.stats[t], row, share[i], ground.n_classes, ground.center[t])
        found.n_rows[t] += 1
    if ground.leaf[t]:
        for s in range(found.ends.shape[1]):
            found.ends[t, s] = found.stats[t, s]
