"""Stop early, or grow and prune? A split that gains nothing may open one that gains much: who stops never sees it."""

from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.metrics import score
from treecore.pruning.sequence import sequence
from treecore.tree.tree import Tree

MOST_STOPS = 60


@dataclass(frozen=True, eq=False)
class Horizon:
    """Two families of subtrees of one grown tree, each from the grown tree to the root.

    stop_at : float64 (m,), least gain of a split, rising. stopped_leaves, stopped_error : of what is left where growth
    stops below it. pruned_leaves, pruned_error : of the nested sequence. Errors are of rows held back: rate, or mean
    squared error.
    """

    stop_at: np.ndarray
    stopped_leaves: np.ndarray
    stopped_error: np.ndarray
    pruned_leaves: np.ndarray
    pruned_error: np.ndarray

    @property
    def best(self) -> tuple[int, int]:
        """The places of the least error: of those stopped, and of those pruned; of equals that of fewest leaves."""
        families = (self.stopped_leaves, self.stopped_error), (self.pruned_leaves, self.pruned_error)
        return tuple(int(np.lexsort((leaves, error))[0]) for leaves, error in families)

    @property
    def lost(self) -> float:
        """By how much the best stopped tree is worse than the best pruned one; below 0 where it is better."""
        return float(self.stopped_error.min() - self.pruned_error.min())


def stopped(tree: Tree, least: float) -> Tree:
    """What growth with this least gain would have left: a node that gains less is a leaf, whatever lies below."""
    return tree.pruned_at(~tree.is_leaf & (np.nan_to_num(tree.score, nan=0.0) < least))


def horizon(tree: Tree, judged: Table) -> Horizon:
    """The two families beside each other. tree : grown without stopping. judged : rows held back.

    Source: Breiman et al. (1984), section 3.1, on why stopping was given up.
    """
    if not judged.n_rows:
        raise TreecoreError(
            "There are no rows to judge by", where="horizon", remedy="Set validation or test rows apart"
        )
    gains = np.unique(tree.score[~tree.is_leaf])
    gains = gains[np.unique(np.linspace(0, len(gains) - 1, min(len(gains), MOST_STOPS)).astype(int))]
    at = np.concatenate([[-np.inf], np.nextafter(gains, np.inf)])
    trees = [stopped(tree, g) for g in at]
    steps = sequence(tree)
    return Horizon(
        at, np.array([t.n_leaves for t in trees]), np.array([score(t, judged).error for t in trees]),
        steps.n_leaves, steps.curve(judged),
    )  # fmt: skip
