"""Trees of rows drawn with replacement, each of some of the features."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.table import Table
from treecore.ensembles.bootstrap import grown_on
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings, is_drawn
from treecore.tree.tree import Tree

MOST_TIMES = 255


def bagging(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    feature_share: float = 1.0,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Trees of bootstrap samples; with a feature_share below 1 each has its own part of the features, drawn at random.

    Sources: Breiman (1996), Bagging predictors; Ho (1998), The random subspace method for decision forests.
    Where growth draws features at nodes, each tree does by a seed of its own. Trees vote with the class shares of their
    leaves. progress : called with how many are done; raising ends it.
    n_jobs : how many trees grow at once, see treecore.parallel; the trees do not depend on it.
    """
    whole = table.without_missing_target()
    whole.check_trainable()
    check_trees(n_trees)
    if not 0 < feature_share <= 1:
        raise TreecoreError(
            f"{feature_share!r} is no share", where="feature_share", remedy="Give more than 0, at most 1"
        )
    rng = np.random.RandomState(seed)
    n, n_features = whole.n_rows, max(1, round(feature_share * len(whole.features)))
    draws = [np.bincount(rng.randint(0, n, n), minlength=n) for _ in range(n_trees)]
    times = np.minimum(draws, MOST_TIMES).astype(np.uint8)
    names = [_some(whole.features, n_features, rng) for _ in range(n_trees)]
    own = [with_seed(growth, rng) for _ in range(n_trees)]

    def one(i: int, look: Callable) -> tuple[Tree, int]:
        look()
        part = whole if names[i] == whole.features else whole.with_features(names[i])
        return grown_on(part, times[i], own[i], look), 0

    return Ensemble(whole, tuple(in_threads(n_trees, one, progress, n_jobs)), np.ones(n_trees), times=times)


def check_trees(n_trees: int) -> None:
    """TreecoreError unless there is a tree to grow."""
    if n_trees < 1:
        raise TreecoreError(f"{n_trees} trees answer nothing", where="n_trees", remedy="Choose one or more")


def with_seed(growth: GrowSettings, rng: np.random.RandomState) -> GrowSettings:
    """The settings with a seed of its own for what is drawn at nodes, if anything is."""
    return replace(growth, seed=int(rng.randint(2**31))) if is_drawn(growth) else growth


def _some(names: tuple[str, ...], n: int, rng: np.random.RandomState) -> tuple[str, ...]:
    chosen = set(rng.permutation(len(names))[:n].tolist())
    return tuple(name for place, name in enumerate(names) if place in chosen)
