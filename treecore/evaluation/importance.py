"""Which features a tree leans on."""

import numpy as np

from treecore.tree.tree import Tree


def importance(tree: Tree) -> np.ndarray:
    """float64 (n_features,): summed gain of a feature's splits, each times its node's share of the weight.

    In the unit of the criterion, not scaled to 1. Source: Breiman et al. (1984), without surrogates.
    """
    inner = ~tree.is_leaf
    total = np.maximum(tree.gain[inner], 0.0) * tree.weight[inner] / tree.weight[0]
    return np.bincount(tree.splits.feature[inner], total, len(tree.schema.features))


def leading_features(tree: Tree) -> list[str]:
    """Names of all features, those the tree leans on most first, of a weighted sum its terms; the rest in order."""
    features = tree.schema.features
    order = np.argsort(-importance(tree), kind="stable").tolist()
    parts = [name for f in order for name in [name for name, _ in features[f].terms] or [features[f].name]]
    return list(dict.fromkeys(parts))
