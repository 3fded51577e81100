"""What many trees come to: the features that they ask for and need, and the one tree that comes nearest to them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treecore.brief import Brief
from treecore.cross_validation import FoldProgress, in_threads
from treecore.data.column import level_column, numeric_column
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Questions(Brief):
    """features : names of those that some tree asks for, the one that most trees ask for first. splits : int64
    (n_trees, n_features), how often each tree asks for each of them. first : int64 (n_trees,), the feature that each
    asks for at its root, -1 of a tree that asks nothing. n_leaves, depth : int64 (n_trees,)."""

    features: tuple[str, ...]
    splits: np.ndarray
    first: np.ndarray
    n_leaves: np.ndarray
    depth: np.ndarray

    @property
    def n_trees(self) -> np.ndarray:
        """int64 (n_features,): how many trees ask for each feature."""
        return (self.splits > 0).sum(axis=0)

    def of_tree(self, place: int) -> list[tuple[str, int]]:
        """(feature, how often) of one tree, most often first."""
        row = self.splits[place]
        return [(self.features[f], int(row[f])) for f in np.argsort(-row, kind="stable") if row[f]]

    def asking(self, feature: str | None) -> np.ndarray:
        """int64: the trees that ask for a feature, most often first; all in their order for None."""
        if feature not in self.features:
            return np.arange(len(self.splits))
        times = self.splits[:, self.features.index(feature)]
        return np.array([place for place in np.argsort(-times, kind="stable") if times[place]], np.int64)


def questions_of(many: Ensemble) -> Questions:
    """What the trees of an ensemble ask for."""
    names = list(dict.fromkeys(feature.name for tree in many.trees for feature in tree.schema.features))
    place = {name: f for f, name in enumerate(names)}
    splits, first = np.zeros((len(many.trees), len(names)), np.int64), np.full(len(many.trees), -1)
    for i, tree in enumerate(many.trees):
        asked = tree.splits.feature[~tree.is_leaf]
        at = np.array([place[feature.name] for feature in tree.schema.features], np.int64)
        np.add.at(splits[i], at[asked], 1)
        if len(asked):
            first[i] = at[tree.splits.feature[0]]
    order = np.lexsort((-splits.sum(axis=0), -(splits > 0).sum(axis=0)))
    order = order[splits.sum(axis=0)[order] > 0]
    new = np.full(len(names) + 1, -1)
    new[order] = np.arange(len(order))
    return Questions(
        tuple(names[f] for f in order), splits[:, order], new[first],
        np.array([tree.n_leaves for tree in many.trees]), np.array([tree.depth for tree in many.trees]),
    )  # fmt: skip


# Which features many trees need: their error where the values of one are dealt anew.


@dataclass(frozen=True, eq=False, repr=False)
class MixedUp(Brief):
    """names : of the d features. worse, sd : float64 (d,), by how much the error grows, mean and spread of the draws.
    error : of the rows as they are."""

    names: tuple[str, ...]
    worse: np.ndarray
    sd: np.ndarray
    error: float


def mixed_up(
    ensemble: Ensemble,
    rows: Table,
    n_draws: int = 5,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
    n_jobs: int | None = None,
) -> MixedUp:
    """Permutation importance: error rate or mean squared error of all trees together, less that without mixing.

    rows : best those that no tree was grown on. Source: Breiman (2001), Random forests, who takes those out of bag.
    """
    if not rows.n_rows:
        raise TreecoreError("There are no rows to judge by", where="rows", remedy="Set rows apart, or take others")
    names, before = ensemble.table.features, float(ensemble.error(rows))

    def one(i: int, look: Callable) -> tuple[list[float], int]:
        rng, result = np.random.RandomState(seed), []
        for _ in range(n_draws):
            look()
            result.append(ensemble.error(_permuted(rows, names[i], rng)) - before)
        return result, 0

    drops = np.array(in_threads(len(names), one, progress, n_jobs))
    spread = drops.std(axis=1, ddof=1) if n_draws > 1 else np.zeros(len(names))
    return MixedUp(names, drops.mean(axis=1), spread, before)


def _permuted(rows: Table, name: str, rng: np.random.RandomState) -> Table:
    """The rows with the values of one feature in another order."""
    column = rows.column(name).take(rng.permutation(rows.n_rows))
    return replace(rows, columns=tuple(column if c.name == name else c for c in rows.columns))


# The one tree that comes nearest to what many trees answer.


@dataclass(frozen=True, eq=False, repr=False)
class Distilled(Brief):
    """tree : grown on the answers of the ensemble instead of the target, so its leaves count those."""

    tree: Tree
    ensemble: Ensemble

    def agreement(self, rows: Table) -> float:
        """Share of the rows that both answer alike; of numbers R², the share of the ensemble's variance that the tree
        explains (NaN where the ensemble always says the same)."""
        one, many = self.tree.predict(rows), self.ensemble.predict(rows)
        if self.ensemble.classes:
            return float(np.mean(one == many))
        spread = float(((many - many.mean()) ** 2).sum())
        return 1 - float(((one - many) ** 2).sum()) / spread if spread > 0 else float("nan")


def distilled(ensemble: Ensemble, growth: GrowSettings) -> Distilled:
    """A tree by these settings, of the ensemble's answers for the rows that it was grown on.

    Source: Breiman and Shang (1996), Born again trees.
    """
    rows, answers = ensemble.table, ensemble.predict(ensemble.table)
    target = rows.target_column
    if ensemble.classes:
        column = level_column(target.name, target.kind, answers, target.level_names)
    else:
        column = numeric_column(target.name, answers)
    told = replace(rows, columns=tuple(column if c.name == target.name else c for c in rows.columns))
    return Distilled(grow_tree(told, growth, any_target=True), ensemble)
