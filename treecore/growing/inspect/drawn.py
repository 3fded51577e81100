"""Which features were drawn at a node, where a tree draws some at every node."""

from itertools import pairwise

import numpy as np

from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import n_features_per_split
from treecore.kernels.random_features import are_open, key_at, random_threshold
from treecore.tree.tree import Tree


def key_of(tree: Tree, node: int, growth: GrowSettings) -> int:
    """By which features are drawn at the node; see kernels.random_features."""
    way = pairwise(tree.path(node))
    return key_at(growth.seed, tuple(int(below - tree.first_child[above]) for above, below in way))


def undrawn_at(tree: Tree, node: int, growth: GrowSettings, offering: tuple[str, ...]) -> frozenset[str]:
    """Names of the features not drawn at the node. offering : those that offer a split there."""
    names = [feature.name for feature in tree.schema.features]
    n = n_features_per_split(growth, len(names))
    if not n:
        return frozenset()
    offers = np.array([[name in offering] for name in names])
    is_open = are_open(np.array([key_of(tree, node, growth)], np.uint64), n, offers)[:, 0]
    return frozenset(name for name, drawn in zip(names, is_open, strict=True) if not drawn)


def drawn_at(tree: Tree, node: int, growth: GrowSettings, feature: str, values: np.ndarray) -> float:
    """The number that is drawn between the feature's values at the node, float64 (v,), ascending."""
    f = [described.name for described in tree.schema.features].index(feature)
    return random_threshold(key_of(tree, node, growth), f, float(values[0]), float(values[-1]))
