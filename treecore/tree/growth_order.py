"""A tree as it was while it grew: the order of its splits, and the error on other rows after each of them."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.tree.tree import Tree

ROUNDING = 1e-12
"""An error lower by no larger share has not fallen."""


def split_order(tree: Tree) -> np.ndarray:
    """int64 (n_splits,): the node split first, second and so on; `tree.after(k)` has the first k of them."""
    inner = np.flatnonzero(~tree.is_leaf)
    return inner[np.argsort(tree.first_child[inner])]


@dataclass(frozen=True, eq=False, repr=False)
class Losses(Brief):
    """What a tree's nodes get wrong on validation rows.

    through : float64 (n_nodes,), each node as a leaf, on all rows that reach it. ends : on those whose route ends
        there. weight : of all rows.
    """

    through: np.ndarray
    ends: np.ndarray
    weight: float


def errors_after(tree: Tree, losses: Losses) -> np.ndarray:
    """float64 (n_splits + 1,): the error of `tree.after(k)` for every k.

    A split changes it by what it does to the rows of its node; some of them may stay there.
    """
    order = split_order(tree)
    branches = np.bincount(tree.parent[1:], losses.through[1:], tree.n_nodes)
    change = branches[order] + losses.ends[order] - losses.through[order]
    if not np.isfinite(change).all():
        return (losses.through[0] + np.concatenate([[0.0], np.cumsum(change)])) / losses.weight
    # from the last split on: the first ones change it the most, and their rounding would stay
    grown = losses.through[tree.is_leaf].sum() + losses.ends[~tree.is_leaf].sum()
    return (grown - np.append(np.cumsum(change[::-1])[::-1], 0.0)) / losses.weight


def peak_of(errors: np.ndarray, patience: float, least: int = 0) -> tuple[int, bool]:
    """(the number of splits to keep, whether growth stops within these errors).

    errors : float64, after 0, 1, ... splits. Growth stops when the error has not fallen for `patience` splits
    (infinite: never); kept are those up to the lowest error. least : splits that are made and kept in any case.
    """
    best = least
    for k in range(least, len(errors)):
        if errors[k] < errors[best] * (1 - ROUNDING):
            best = k
        elif k - best >= patience:
            return best, True
    return best, False
