"""A linear model whose features are the leaves of small trees."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from treecore.cross_validation import FoldProgress
from treecore.data.table import Table
from treecore.ensembles.ensemble import Additive, Ensemble
from treecore.ensembles.forest import bagging
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings

MOST_STEPS = 1000


def linear_of_leaves(
    table: Table,
    growth: GrowSettings,
    n_trees: int = 50,
    seed: int = 0,
    progress: Callable[[FoldProgress], None] | None = None,
) -> Additive:
    """Trees of bootstrap samples cut the space into leaves; a linear model says what each of them adds.

    Every leaf is a feature that is 1 for the rows in it: logistic regression for classes, ridge regression for
    numbers, by scikit-learn with its usual penalty of 1, on all rows by their weights. Coefficients are found for all
    trees together. Source: Friedman and Popescu (2008), Predictive learning via rule ensembles, has rules likewise.
    """
    trees = bagging(table, growth, n_trees, 1.0, seed, progress)
    ends = [tree.apply(trees.table) for tree in trees.trees]
    starts, coefficients = _fitted(trees, np.stack(ends))
    begin = np.cumsum([0, *(tree.n_nodes for tree in trees.trees)])
    steps = tuple(coefficients[a:b] for a, b in pairwise(begin))
    return Additive(trees.table, trees.trees, np.ones(len(ends)), steps=steps, starts=starts)


def _fitted(trees: Ensemble, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(intercepts (q,), coefficients (n_nodes of all trees, q)), float64. ends : int64 (n_trees, n_rows)."""
    linear = _linear_models()
    from scipy.sparse import csr_matrix

    rows, weights = trees.table, trees.table.case_weights
    n_nodes = np.array([tree.n_nodes for tree in trees.trees])
    column = (ends + (np.cumsum(n_nodes) - n_nodes)[:, None]).T.ravel()
    begin = np.arange(0, len(column) + 1, len(ends))
    X = csr_matrix((np.ones(len(column)), column, begin), shape=(rows.n_rows, int(n_nodes.sum())))
    if not rows.classes:
        model = linear.Ridge(solver="lsqr").fit(X, rows.target_column.values(), sample_weight=weights)
        return np.array([model.intercept_]), model.coef_[:, None]
    model = linear.LogisticRegression(max_iter=MOST_STEPS).fit(X, rows.target_column.codes, sample_weight=weights)
    starts, result = np.full(len(rows.classes), -np.inf), np.zeros((X.shape[1], len(rows.classes)))
    two = len(model.classes_) == 2
    starts[model.classes_] = [0.0, model.intercept_[0]] if two else model.intercept_
    result[:, model.classes_[1:] if two else model.classes_] = model.coef_.T
    return starts, result


def _linear_models():
    try:
        from sklearn import linear_model
    except ImportError:
        remedy = 'Install it: pip install "treecore[sklearn]"'
        raise TreecoreError(
            "A linear model of leaves needs scikit-learn", where="scikit-learn", remedy=remedy
        ) from None
    return linear_model
