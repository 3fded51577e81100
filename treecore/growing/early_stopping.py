"""Growing until the validation error stops falling."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.tree import Tree, peak_of

FIRST_CHECK = 32


Scorer = Callable[[Tree], np.ndarray]
"""float64 (n_splits + 1,): the loss on validation rows of a tree as it was after 0, 1, ... splits."""


@dataclass
class EarlyStopping:
    """Looks now and then whether growth may end. patience : 1 or more. scorer : see Scorer.

    Trees are looked at after 32 splits or `patience`, then twice as many and so on, so that all looks together cost
    about as much as two at the end.
    """

    patience: int
    scorer: Scorer
    next_check: int = field(init=False)

    @classmethod
    def of(cls, patience: int, scorer: Scorer | None) -> "EarlyStopping":
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

    def is_past(self, tree: Tree, n_forced: int) -> bool:
        """Has the error of the tree so far not fallen for long enough? n_forced : splits at the start to be kept."""
        self.next_check = 2 * (tree.n_nodes - tree.n_leaves)
        return peak_of(self.scorer(tree), self.patience, n_forced)[1]

    def reached(self, tree: Tree, n_forced: int) -> Tree:
        """The tree as it was at the peak."""
        return tree.after(peak_of(self.scorer(tree), self.patience, n_forced)[0])
