"""Which of many trees asks for what."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.ensembles.ensemble import Ensemble


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
