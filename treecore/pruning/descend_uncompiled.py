"""Sending rows down a grown tree anew in NumPy, a level at a time: the twin of kernels.routing.descend, which takes ten
seconds to compile."""

import numpy as np

from treecore.kernels.codes import SHARED, STAYS
from treecore.kernels.routing.descend import OWN_TEST, Found, Ground
from treecore.tree.ranges import ranges
from treecore.tree.walk_uncompiled import branches_known


def descend_uncompiled(
    ground: Ground, found: Found, top: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
) -> np.ndarray:
    """As kernels.routing.descend.descend; the ids of the nodes met come level by level.

    fixed : float64 (n_nodes,), by which a row is shared among siblings, which stand in their own places; None: by the
    rows that the test knows.
    """
    t, at, met = ground.standing[[top]], np.zeros(len(entry), np.int64), []
    while True:
        met.append(t)
        _count(ground, found, t, at, entry, share)
        inner = ~ground.leaf[t]
        if not inner.any():
            return np.concatenate(met)
        going = inner[at]
        at, entry, share = (np.cumsum(inner) - 1)[at[going]], entry[going], share[going]
        at, entry, share = _dealt(ground, found, t[inner], at, entry, share, fixed)
        t = _below(ground, t[inner])


def branches_uncompiled(
    ground: Ground, found: Found, t: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
):  # fmt: skip
    """As kernels.routing.descend.branches. fixed : see descend_uncompiled."""
    at, entry, share = _dealt(ground, found, np.array([t]), np.zeros(len(entry), np.int64), entry, share, fixed)
    return np.searchsorted(at, np.arange(ground.routing.nodes["n_children"][t] + 1)), entry, share


def _below(ground: Ground, t: np.ndarray) -> np.ndarray:
    """int64: the nodes in the places of the children of the inner nodes t."""
    nodes = ground.routing.nodes[t]
    return ground.standing[ranges(nodes["first_child"], nodes["n_children"])]


def _sums(ground: Ground, nodes: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray) -> np.ndarray:
    """float64 (n, S): statistics of parts of rows at these n nodes by case weight. at : int64, the place of the node
    that each counts in."""
    rows, n = ground.rows[entry], len(nodes)
    weight = rows["case"] * share
    if ground.n_classes > 0:
        cell = at * ground.n_classes + rows["label"]
        return np.bincount(cell, weight, n * ground.n_classes).reshape(n, ground.n_classes)
    y = rows["response"] - ground.center[nodes[at]]
    parts = weight, weight * y, weight * y * y
    return np.stack([np.bincount(at, part, n) for part in parts], axis=1)


def _count(ground: Ground, found: Found, t: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray) -> None:
    """Count the entries that reach the nodes t, at[i] being the index of the node of entry i."""
    stats = _sums(ground, t, at, entry, share)
    found.stats[t], found.ends[t] = stats, np.where(ground.leaf[t][:, None], stats, 0.0)
    found.n_rows[t] = np.bincount(at, minlength=len(t))
    found.missing_rows[t], found.missing_weight[t] = 0, 0.0


def _dealt(
    ground: Ground, found: Found, t: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray,
    fixed: np.ndarray | None,
):  # fmt: skip
    """(index among the children of all inner nodes t, entry, share) of what goes on from them, child after child."""
    nodes = ground.routing.nodes[t]
    branch, sender = branches_known(ground.routing, nodes[at], ground.values, entry)
    _count_missing(ground, found, t, at, entry, share, sender)
    own, stays = sender == OWN_TEST, branch == STAYS
    found.ends[t] += _sums(ground, t, at[stays], entry[stays], share[stays])
    n_children = nodes["n_children"].astype(np.int64)
    slot, parent = np.cumsum(n_children) - n_children, np.repeat(np.arange(len(t)), n_children)
    child, below = slot[at] + branch, _below(ground, t)
    found.known[below] = _sums(ground, below, child[own], entry[own], share[own])
    if fixed is not None:
        part = fixed[below]
    else:
        weight = ground.rows["case"][entry] * share
        known = np.bincount(at[own], weight[own], len(t))[parent]
        part = np.bincount(child[own], weight[own], len(below)) / np.where(known > 0.0, known, 1.0)
        part = np.where(known > 0.0, part, 1.0 / n_children[parent])
        part[part <= ground.min_share] = 0.0
    shared = branch == SHARED
    n = np.where(shared, n_children[at], ~stays)
    to = ranges(np.where(shared, slot[at], child), n)
    index = np.repeat(np.arange(len(at)), n)
    parts = np.where(shared[index], part[to], 1.0)
    turn = np.argsort(np.where(parts > 0.0, to, len(below)), kind="stable")[: np.count_nonzero(parts)]
    return to[turn], entry[index[turn]], share[index[turn]] * parts[turn]


def _count_missing(ground: Ground, found: Found, t: np.ndarray, at, entry, share, sender: np.ndarray) -> None:
    """Count the entries without the value that the test of their node asks for, and those that surrogates sent."""
    rows, nodes = ground.rows[entry], ground.routing.nodes[t]
    lost = (sender != OWN_TEST) & np.isnan(ground.values[nodes["slot"][at], entry])
    found.missing_rows[t] = np.bincount(at[lost], minlength=len(t))
    found.missing_weight[t] = np.bincount(at[lost], (rows["case"] * share)[lost], len(t))
    tests = ranges(nodes["surrogate_start"], nodes["surrogate_stop"] - nodes["surrogate_start"])
    sent = sender[sender >= 0]
    found.surrogate_rows[tests] = np.bincount(sent, minlength=len(found.surrogate_rows))[tests]
