"""Rows of which only a part is at a node: every part is a row of its own. The twin of kernels.general.partition and of
spread in kernels.general.partition, which keep a share beside each entry instead.
"""

import numpy as np

from treecore.growing.numpy.blocks import Rows, entries
from treecore.kernels.state import GrowState
from treecore.tree.splits import ranges


def parts_of(weight: np.ndarray, rows: np.ndarray, node: np.ndarray, least: float) -> tuple[np.ndarray, ...]:
    """(row, index of its node, branch, share of the row) of the parts of rows without a value.

    weight : float64 (q, branches), case weight of the known rows of q nodes; a branch that has no larger share of it
    than `least` gets nothing. rows, node : int64 (n,), those without a value and the index of the node of each.
    """
    share = weight / np.cumsum(weight, axis=1)[:, -1:]
    taken = share > least
    branches = np.argsort(~taken, axis=1, kind="stable")
    n = taken.sum(axis=1)[node]
    entry = np.repeat(np.arange(len(node)), n)
    branch = branches[node[entry], ranges(np.zeros_like(n), n)]
    return rows[entry], node[entry], branch, share[node[entry], branch]


def spread(
    given: Rows, growing: GrowState, ids: np.ndarray, waiting: np.ndarray, rows: np.ndarray, child: np.ndarray,
    part: np.ndarray,
) -> tuple[Rows, GrowState]:  # fmt: skip
    """Let every part of a row that goes to a child be a row of its own, behind those of the nodes that wait.

    ids : int64 (q,), the nodes that were split. waiting : ids of those that wait to be; no others keep their rows.
    rows, child, part : (n,), the rows that are still needed, the id of the child that each goes to and how much of it.
    """
    turn = np.argsort(rows, kind="stable")  # the parts of a row one after the other
    n = np.bincount(rows, minlength=len(given.row))
    order = np.take(growing.order, entries(growing, ids)[0], axis=1)
    order = _sorted_apart(_repeated(order, n), child[turn])
    center = growing.nodes["center"]
    new = given.of(given.row[rows[turn]], (given.share[rows] * part)[turn], center[child[turn]])
    given, growing = _waiting_only(given, growing, waiting)
    first, nodes = len(given.row), growing.nodes
    kept, size = np.unique(child, return_counts=True)
    below = ranges(nodes["first_child"][ids], nodes["n_children"][ids])
    nodes["start"][below] = nodes["stop"][below] = 0
    nodes["stop"][kept] = first + np.cumsum(size)
    nodes["start"][kept] = nodes["stop"][kept] - size
    return given.joined(new), growing._replace(order=np.concatenate([growing.order, order + np.int32(first)], axis=1))


def _waiting_only(given: Rows, growing: GrowState, waiting: np.ndarray) -> tuple[Rows, GrowState]:
    """Without the rows of nodes that do not wait, if there are many of them: each copy is paid for by them."""
    place, size = entries(growing, waiting)[0], growing.nodes["stop"][waiting] - growing.nodes["start"][waiting]
    if len(given.row) <= 2 * len(place):
        return given, growing
    rows = growing.order[0, place]
    number = np.zeros(len(given.row), np.int32)
    number[rows] = np.arange(len(rows))
    growing.nodes["stop"][waiting] = np.cumsum(size)
    growing.nodes["start"][waiting] = growing.nodes["stop"][waiting] - size
    order = number[np.take(growing.order, place, axis=1)]
    center = np.repeat(growing.nodes["center"][waiting], size)
    return given.of(given.row[rows], given.share[rows], center), growing._replace(order=order)


def _repeated(order: np.ndarray, n: np.ndarray) -> np.ndarray:
    """int32 (d, m): every row as often as n says, by its new numbers, which are in a row."""
    first = np.cumsum(n) - n
    return ranges(first[order].ravel(), n[order].ravel()).astype(np.int32).reshape(len(order), -1)


def _sorted_apart(order: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Each feature's order with the rows of each node together, the nodes by their ids. node : int64 (n,), ids."""
    key = node - node.min(initial=0)
    small = np.uint16 if key.max(initial=0) < 1 << 16 else np.int64
    return np.take_along_axis(order, np.argsort(key.astype(small)[order], axis=1, kind="stable"), axis=1)
