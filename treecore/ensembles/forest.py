"""Trees of random samples: bagging, random forests and extremely randomised trees."""

from collections.abc import Callable, Container
from dataclasses import replace

import numpy as np

from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.engine_plan import is_fast
from treecore.growing.settings.grow_settings import GrowSettings, samples_features
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.tree.tree import Tree

# The tree of rows that were drawn, some of them several times.


def grown_on(table: Table, times: np.ndarray, growth: GrowSettings, progress: Callable | None = None) -> Tree:
    """The tree of the table's rows, each there as often as `times`, uint8 (n_rows,), says. progress : see grow_tree.

    A row that was drawn k times is one of weight k where the tree is the same and grows sooner; it is counted k times
    all the same.
    """
    drawn = np.flatnonzero(times)
    if table.weights is None and not _counts_rows(growth):
        weighted = _weighted(table, drawn, times[drawn].astype(np.float64))
        if is_fast(weighted, growth):
            return _counted(grow_tree(weighted, growth, progress, any_target=True))
    repeated = table.take(np.repeat(np.arange(table.n_rows), times))
    return grow_tree(repeated, growth, progress, any_target=True)


def _counts_rows(growth: GrowSettings) -> bool:
    """Does anything make a difference between a row that is there twice and one of weight 2: limits, or a larger branch
    that is the one of more rows? Of two equal rows alone a node is pure."""
    strategy = MISSING_STRATEGIES[growth.missing]
    by_rows = strategy.by_rows or strategy.later_by_rows
    return by_rows or growth.min_rows_split > 2 or growth.min_rows_leaf > 1


def _weighted(table: Table, rows: np.ndarray, weights: np.ndarray) -> Table:
    """These rows, with the keys that the fast kernels read: those of the whole table, found once."""
    taken, keys = table.take(rows).with_weights(weights), table.keys
    if keys.n_absent.any():
        n_absent = np.array([column.n_missing for column in taken.feature_columns], np.int64)
        keys = keys._replace(n_absent=n_absent)
    taken.keep_keys(keys._replace(matrix=frozen(keys.matrix.take(rows, axis=0))))
    return taken


def _counted(tree: Tree) -> Tree:
    """The tree with every row counted as often as its weight says."""
    n_rows, missing = np.rint(tree.weight).astype(np.int64), np.rint(tree.missing_weight).astype(np.int64)
    return replace(tree, n_rows=n_rows, missing_rows=missing)


# Trees of rows drawn with replacement, each of some of the features.

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
    whole = trainable_rows(table, n_trees)
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
        return grown_on(part, times[i], _for_features(own[i], names[i]), look), 0

    return Ensemble(whole, tuple(in_threads(n_trees, one, progress, n_jobs)), np.ones(n_trees), times=times)


def trainable_rows(table: Table, n_trees: int) -> Table:
    """The rows with a target. TreecoreError where none can be trained on, for a target that no ensemble answers, and
    unless there is a tree to grow."""
    refuse_counts_in(table, "an ensemble")
    whole = table.without_missing_target()
    whole.check_trainable()
    if n_trees < 1:
        raise TreecoreError(f"{n_trees} trees answer nothing", where="n_trees", remedy="Choose one or more")
    return whole


def with_seed(growth: GrowSettings, rng: np.random.RandomState) -> GrowSettings:
    """The settings with a seed of its own for what is drawn at nodes, if anything is."""
    return replace(growth, seed=int(rng.randint(2**31))) if samples_features(growth) else growth


def _some(names: tuple[str, ...], n: int, rng: np.random.RandomState) -> tuple[str, ...]:
    chosen = set(rng.permutation(len(names))[:n].tolist())
    return tuple(name for place, name in enumerate(names) if place in chosen)


def _for_features(growth: GrowSettings, names: Container[str]) -> GrowSettings:
    """The settings without what they say of other features than these."""
    return replace(
        growth,
        costs=tuple(pair for pair in growth.costs if pair[0] in names),
        edges=tuple(pair for pair in growth.edges if pair[0] in names),
        monotonic=tuple(pair for pair in growth.monotonic if pair[0] in names),
    )


SHARE_OF_NUMBERS = 1 / 3
"""Of the features, drawn for a numeric target; for classes it is their square root."""


def random_forest(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Trees of bootstrap samples; at each node of each tree some features are drawn, and the best split is of these.

    How many features growth.max_features says; where it says all, the square root of their number for classes and a
    third for numbers. The rest as in bagging. Source: Breiman (2001), Random forests.
    """
    return bagging(table, drawing(growth, table.task), n_trees, 1.0, seed, progress, n_jobs)


def extra_trees(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 100,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> Ensemble:
    """Trees of all rows; at each node one threshold of each feature is drawn, and the best split is of these.

    For classes some features are drawn as well, as in random_forest. Levels of words are grouped by a full search.
    Source: Geurts, Ernst and Wehenkel (2006), Extremely randomized trees.
    """
    whole = trainable_rows(table, n_trees)
    rng = np.random.RandomState(seed)
    growth = replace(drawing(growth, whole.task) if whole.task == "classification" else growth, cuts="random")
    own = [with_seed(growth, rng) for _ in range(n_trees)]

    def one(i: int, look: Callable) -> tuple[Tree, int]:
        look()
        return grow_tree(whole, own[i], look, any_target=True), 0

    return Ensemble(whole, tuple(in_threads(n_trees, one, progress, n_jobs)), np.ones(n_trees))


def drawing(growth: GrowSettings, task: str) -> GrowSettings:
    """The settings with features drawn at every node: as many as they say, or as many as is usual for this task."""
    if growth.max_features != "all":
        return growth
    if task == "classification":
        return replace(growth, max_features="sqrt")
    return replace(growth, max_features="share", share_features=SHARE_OF_NUMBERS)
