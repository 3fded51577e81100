"""Medians and absolute errors of nodes whose rows are others than those they grew on."""

import itertools

import numpy as np

from treecore.kernels.codes import LEVELS
from treecore.kernels.routing.descend import Ground
from treecore.pruning.ground import all_entries, nothing_found, send_on
from treecore.tree.missing import own_branch
from treecore.tree.tree import Tree


def absolute_errors(
    tree: Tree, ground: Ground, fixed: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(impurity, gain, median), float64 (n_nodes,): of the nodes that the rows meet, NaN for others.

    Impurity is the mean absolute error around the weighted median; gain its decrease over the rows whose value is
    known (all, where missing is a value of its own), times their share. fixed : see descend_uncompiled.
    """
    impurity, gain, median = (np.full(tree.n_nodes, np.nan) for _ in range(3))
    entry = all_entries(ground)
    waiting, scratch = [(0, entry, np.ones(len(entry)))], nothing_found(tree)
    while waiting:
        place, entry, share = waiting.pop()
        t, weight = int(ground.standing[place]), ground.rows["case"][entry] * share
        middle, error = median_and_error(ground.rows["response"][entry], weight)
        total = max(weight.sum(), 1e-300)
        impurity[t], median[t] = error / total, middle
        if ground.leaf[t]:
            continue
        begin, entry, share = send_on(ground, scratch, t, entry, share, fixed)
        parts = [slice(a, b) for a, b in itertools.pairwise(begin)]
        waiting += [(child, entry[s], share[s]) for child, s in zip(tree.children(t), parts, strict=True)]
        counts = np.ones(len(entry), bool) if own_branch(tree, t) is not None else _known(tree, ground, t, entry)
        gain[t] = _decrease(ground, entry, share * counts, parts) / total
    return impurity, gain, median


def _known(tree: Tree, ground: Ground, t: int, entry: np.ndarray) -> np.ndarray:
    """bool (m,): entries whose branch the node's own test knows."""
    value = ground.values[ground.routing.nodes["slot"][t], entry]
    if tree.splits.kind[t] != LEVELS:
        return ~np.isnan(value)
    branch = np.append(tree.splits.levels(t), -1)
    return branch[np.where(value >= 0, value, -1).astype(np.int64)] >= 0


def _decrease(ground: Ground, entry: np.ndarray, share: np.ndarray, parts: list[slice]) -> float:
    """By how much the branches' errors are less than the error of all their rows together."""
    weight, response = ground.rows["case"][entry] * share, ground.rows["response"][entry]
    apart = sum(median_and_error(response[s], weight[s])[1] for s in parts)
    return median_and_error(response, weight)[1] - apart


def median_and_error(response: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Weighted median (the mean of two at exactly half the weight) and sum of w |y - median|; (0, 0) without weight."""
    order = np.argsort(response, kind="stable")
    order = order[weight[order] > 0]
    if not len(order):
        return 0.0, 0.0
    y, w = response[order], weight[order]
    below, half = np.cumsum(w), w.sum() / 2
    at = int(np.searchsorted(below, half * (1 - 1e-12)))
    split = at + 1 < len(y) and below[at] <= half * (1 + 1e-12)
    middle = (y[at] + y[at + 1]) / 2 if split else y[at]
    return float(middle), float((w * np.abs(y - middle)).sum())
