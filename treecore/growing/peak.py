"""Growing until the validation error stops falling."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from treecore.errors import TreecoreError
from treecore.growing.steps import split_order
from treecore.tree.tree import Tree

ROUNDING = 1e-12
"""An error lower by less than this share of the largest one has not fallen."""
FIRST_CHECK = 32


@dataclass(frozen=True, eq=False)
class Losses:
    """What a tree's nodes get wrong on validation rows.

    through : float64 (n_nodes,), each node as a leaf, on all rows that reach it. ends : on those whose route ends
        there. weight : of all rows.
    """

    through: np.ndarray
    ends: np.ndarray
    weight: float


Scorer = Callable[[Tree], Losses]


def errors_after(tree: Tree, losses: Losses) -> np.ndarray:
    """float64 (n_splits + 1,): the error of `tree.after(k)` for every k.

    A split changes it by what it does to the rows of its node; some of them may stay there.
    """
    order = split_order(tree)
    change = np.bincount(tree.parent[1:], losses.through[1:], tree.n_nodes) + losses.ends - losses.through
    return (losses.through[0] + np.concatenate([[0.0], np.cumsum(change[order])])) / losses.weight


def peak_of(errors: np.ndarray, patience: int, least: int = 0) -> tuple[int, bool]:
    """(the number of splits to keep, whether growth stops within these errors).

    errors : float64, after 0, 1, ... splits. Growth stops when the error has not fallen for `patience` splits; kept
    are those up to the lowest error. least : splits that are made and kept in any case.
    """
    best, slack = least, ROUNDING * float(np.max(errors, initial=0.0))
    for k in range(least, len(errors)):
        if errors[k] < errors[best] - slack:
            best = k
        elif k - best >= patience:
            return best, True
    return best, False


@dataclass
class Peak:
    """Looks now and then whether growth may end. patience : 1 or more. scorer : a tree's losses on validation rows.

    Trees are looked at after 32 splits or `patience`, then twice as many and so on, so that all looks together cost
    about as much as two at the end.
    """

    patience: int
    scorer: Scorer
    next_check: int = field(init=False)

    @classmethod
    def of(cls, patience: int, scorer: Scorer | None) -> "Peak":
        """TreecoreError without a scorer."""
        if scorer is None:
            raise TreecoreError(
                "Growing until the validation error stops falling needs validation rows",
                where="patience",
                remedy="Give validation rows, or set patience to 0",
            )
        return cls(patience, scorer)

    def __post_init__(self):
        self.next_check = max(FIRST_CHECK, self.patience)

    def is_due(self, n_splits: int) -> bool:
        """Should the tree be looked at after so many splits?"""
        return n_splits >= self.next_check

    def is_past(self, tree: Tree, n_wished: int) -> bool:
        """Has the error of the tree so far not fallen for long enough? n_wished : splits at the start to be kept."""
        self.next_check = 2 * (tree.n_nodes - tree.n_leaves)
        return peak_of(errors_after(tree, self.scorer(tree)), self.patience, n_wished)[1]

    def reached(self, tree: Tree, n_wished: int) -> Tree:
        """The tree as it was at the peak."""
        return tree.after(peak_of(errors_after(tree, self.scorer(tree)), self.patience, n_wished)[0])
