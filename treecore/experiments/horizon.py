"""Stop early, or grow and prune? A split that gains nothing may open one that gains much: who stops never sees it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.cross_validation import FoldProgress
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.metrics import score
from treecore.experiments.mcnemar import mcnemar_of
from treecore.experiments.paired_t import paired_t
from treecore.judging.answers import answers_of
from treecore.pruning.sequence import sequence
from treecore.tree.tree import Tree

MOST_STOPS = 60


@dataclass(frozen=True, eq=False)
class Horizon:
    """Two families of subtrees of one grown tree, each from the grown tree to the root.

    stop_at : float64 (m,), least gain of a split, rising. stopped_leaves, stopped_error : of what is left where growth
    stops below it. pruned_leaves, pruned_error : of the nested sequence. Errors are of rows held back: rate, or mean
    squared error. p : two-sided, that the best of the two families differ by chance on these rows; NaN where they do
    not differ at all.
    """

    stop_at: np.ndarray
    stopped_leaves: np.ndarray
    stopped_error: np.ndarray
    pruned_leaves: np.ndarray
    pruned_error: np.ndarray
    p: float = np.nan

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


def horizon(tree: Tree, judged: Table, progress: Callable | None = None) -> Horizon:
    """The two families beside each other. tree : grown without stopping. judged : rows held back.

    p : of McNemar's test, of numbers of the paired t-test of squared errors. It knows nothing of the choice of the
    two. progress : called with cross_validation.FoldProgress.
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
    errors = np.zeros(len(trees))
    for i, small in enumerate(trees):
        errors[i] = score(small, judged).error
        if progress is not None:
            progress(FoldProgress(0, len(trees) - i - 1, len(trees)))
    steps = sequence(tree)
    found = Horizon(at, np.array([t.n_leaves for t in trees]), errors, steps.n_leaves, steps.curve(judged))
    one, other = found.best
    return replace(found, p=_by_chance(trees[one], tree.cut(steps.cuts(other)), judged))


def _by_chance(one: Tree, other: Tree, judged: Table) -> float:
    """The p-value of a paired test of their answers; NaN where there is none."""
    a, b = (answers_of(tree, judged) for tree in (one, other))
    if a.classes:
        return mcnemar_of(a.right, b.right).p if (a.right != b.right).any() else np.nan
    off = [(found.said - found.truth) ** 2 for found in (a, b)]
    return paired_t(*off).p if len(a) > 1 and (off[0] != off[1]).any() else np.nan
