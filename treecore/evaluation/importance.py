"""Which features a tree leans on."""

import numpy as np

from treecore.data.table import Table
from treecore.tree.tree import Tree


def importance(tree: Tree) -> np.ndarray:
    """float64 (n_features,): summed gain of a feature's splits, each times its node's share of the weight.

    In the unit of the criterion, not scaled to 1. Source: Breiman et al. (1984), without surrogates.
    """
    inner = ~tree.is_leaf
    total = np.maximum(tree.gain[inner], 0.0) * tree.weight[inner] / tree.weight[0]
    return np.bincount(tree.splits.feature[inner], total, len(tree.schema.features))


def own_importance(tree: Tree, table: Table) -> np.ndarray:
    """float64 (len(schema.own),): importance of the features that rows have themselves.

    The gain of a weighted sum is shared among its terms by |weight| times the feature's standard deviation among the
    rows of the table: as regression coefficients are compared once the features are standardised. What is shared adds
    up to the whole.
    """
    whole, place = importance(tree), {tree.schema.features[f].name: i for i, f in enumerate(tree.schema.own)}
    found = whole[list(tree.schema.own)]
    for feature, gain in zip(tree.schema.features, whole.tolist(), strict=True):
        if feature.terms:
            spread = np.array([abs(weight) * _deviation(table, name) for name, weight in feature.terms])
            part = spread / spread.sum() if spread.sum() > 0 else np.full(len(spread), 1 / len(spread))
            np.add.at(found, [place[name] for name, _ in feature.terms], gain * part)
    return found


def _deviation(table: Table, name: str) -> float:
    """Standard deviation of a column's known numbers; 0 without any."""
    values = table.column(name).values()
    known = values[~np.isnan(values)]
    return float(known.std()) if len(known) else 0.0


def leading_features(tree: Tree) -> list[str]:
    """Names of all features, those the tree leans on most first, of a weighted sum its terms; the rest in order."""
    features = tree.schema.features
    order = np.argsort(-importance(tree), kind="stable").tolist()
    parts = [name for f in order for name in [name for name, _ in features[f].terms] or [features[f].name]]
    return list(dict.fromkeys(parts))
