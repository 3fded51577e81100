"""From the parameters of an estimator to how its tree is grown, and pruned."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.fit import prune
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings, is_drawn
from treecore.presets import PRESETS
from treecore.pruning import sequence
from treecore.pruning.validation import errors_while_growing
from treecore.tree.tree import Tree

CRITERIA_BY_ANOTHER_NAME = {"log_loss": "entropy", "friedman_mse": "squared_error"}
"""scikit-learn's names of criteria that have another one here."""
SPLITTERS = {"best": "all", "random": "random"}
"""scikit-learn's splitter -> the setting `cuts`."""
SCALES = {"poisson": 2.0}
"""Criterion -> our impurity over scikit-learn's: it takes half of the deviance."""
AS_THEY_ARE = ("nominal", "numeric", "missing", "selector")
RENAMED = {
    "split_score": "score",
    "criterion": "criterion",
    "max_depth": "max_depth",
    "max_leaf_nodes": "max_leaves",
    "min_weight_fraction_leaf": "min_share_leaf",
    "min_impurity_decrease": "min_weighted_gain",
    "priors": "priors",
    "loss_matrix": "loss",
    "profit_matrix": "profit",
}


def growth_of(estimator, n_rows: int, names: tuple[str, ...] = ()) -> GrowSettings:
    """The preset's settings with what the parameters say besides; None leaves a setting to the preset.

    n_rows : of training, of which a fraction is taken. names : of the features; without them no answer is bound.
    TreecoreError for what is not possible.
    """
    changed = dict(PRESETS[estimator.preset].growth.to_dict())
    given = {name: getattr(estimator, name) for name in AS_THEY_ARE}
    given |= {ours: getattr(estimator, name, None) for name, ours in RENAMED.items()}
    given["criterion"] = CRITERIA_BY_ANOTHER_NAME.get(given["criterion"], given["criterion"])
    given["min_rows_split"] = _rows("min_samples_split", estimator.min_samples_split, n_rows, 2)
    given["min_rows_leaf"] = _rows("min_samples_leaf", estimator.min_samples_leaf, n_rows, 1)
    if estimator.max_leaf_nodes is not None and _at_least("max_leaf_nodes", estimator.max_leaf_nodes, 2):
        given["max_leaves"] = estimator.max_leaf_nodes
    if estimator.max_depth is not None:
        _at_least("max_depth", estimator.max_depth, 1)
    for name in ("priors", "loss_matrix", "profit_matrix"):
        value = getattr(estimator, name, None)
        given[RENAMED[name]] = None if value is None else np.asarray(value, np.float64).tolist()
    given |= _drawn(estimator.max_features)
    if estimator.monotonic_cst is not None and names:
        given["monotonic"] = _signs(estimator.monotonic_cst, names)
    given["cuts"] = _cuts(estimator.splitter)
    if estimator.feature_costs is not None:
        given["costs"] = tuple(dict(estimator.feature_costs).items())
    changed |= {name: value for name, value in given.items() if value is not None}
    return GrowSettings.from_dict(changed | dict(estimator.settings or {}))


def _drawn(max_features) -> dict:
    """The settings that say how many features are drawn at every node; none where the preset does."""
    if max_features is None:
        return {}
    if isinstance(max_features, str) and max_features in ("sqrt", "log2"):
        return {"max_features": max_features}
    number = isinstance(max_features, Real) and not isinstance(max_features, bool)
    if number and isinstance(max_features, Integral) and max_features >= 1:
        return {"max_features": "count", "n_features": int(max_features)}
    if number and not isinstance(max_features, Integral) and 0 < max_features <= 1:
        return {"max_features": "share", "share_features": float(max_features)}
    remedy = 'Give a whole number of at least 1, a share above 0 and up to 1.0, "sqrt" or "log2"'
    raise TreecoreError(f"{max_features!r} is not possible", where="max_features", remedy=remedy)


def _cuts(splitter) -> str | None:
    """The setting that stands for scikit-learn's splitter; None leaves it to the preset."""
    if splitter is None or (isinstance(splitter, str) and splitter in SPLITTERS):
        return SPLITTERS.get(splitter)
    remedy = 'Give "best" or "random"'
    raise TreecoreError(f"{splitter!r} is not possible", where="splitter", remedy=remedy)


def _signs(given, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """(feature, sign) pairs of one sign for each feature, or of a mapping of names."""
    if isinstance(given, Mapping):
        return tuple(given.items())
    signs = np.asarray(given)
    if signs.shape != (len(names),):
        shape = " x ".join(map(str, signs.shape)) or "of one value"
        raise TreecoreError(
            f"monotonic_cst has shape {shape} but the input data X has {len(names)} features",
            where="monotonic_cst", remedy="Give 1, -1 or 0 for each feature",
        )  # fmt: skip
    if not np.isin(signs, (-1, 0, 1)).all():
        raise TreecoreError(
            f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {np.unique(signs)}",
            where="monotonic_cst", remedy="Give 1 where the answer rises with the feature, -1 where it falls, else 0",
        )  # fmt: skip
    return tuple(zip(names, signs.tolist(), strict=True))


def _at_least(name: str, value, least: int) -> bool:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise TreecoreError(f"{value!r} is not possible", where=name, remedy=f"Give a whole number of at least {least}")
    return True


def _rows(name: str, value: float | None, n_rows: int, least: int) -> int | None:
    """A count as it is; of a fraction of the training rows the least whole number that is not smaller."""
    if value is None:
        return None
    if isinstance(value, Integral) and _at_least(name, value, least):
        return int(value)
    if not 0 < value <= 1:
        remedy = f"Give a whole number of at least {least}, or a fraction of the rows above 0 and up to 1.0"
        raise TreecoreError(f"{value!r} is not possible", where=name, remedy=remedy)
    return max(least, int(np.ceil(value * n_rows)))


def impurity_scale(estimator) -> float:
    """Our impurity over scikit-learn's of the same name, in which ccp_alpha is given."""
    return SCALES.get(estimator.criterion, 1.0) if isinstance(estimator.criterion, str) else 1.0


def pruned(estimator, tree: Tree, train: Table, validation: Table | None) -> Tree:
    """The tree as ccp_alpha and then `pruning` leave it."""
    if not estimator.ccp_alpha >= 0:
        remedy = "Give a number of at least 0"
        raise TreecoreError(f"{estimator.ccp_alpha!r} is not possible", where="ccp_alpha", remedy=remedy)
    if estimator.ccp_alpha > 0:
        steps = sequence(tree, risk="impurity")
        tree = tree.cut(steps.cuts(steps.at_alpha(float(estimator.ccp_alpha) * impurity_scale(estimator))))
    if estimator.pruning is None:
        return tree
    parameters = dict(estimator.pruning_params or {})
    return tree.cut(prune(tree, estimator.pruning, train=train, validation=validation, **parameters))


def grown_tree(estimator, train: Table, validation: Table | None) -> Tree:
    """The full tree on these rows."""
    growth = growth_of(estimator, train.n_rows, train.features)
    if is_drawn(growth) and "seed" not in dict(estimator.settings or {}):
        growth = replace(growth, seed=int(check_random_state(estimator.random_state).randint(2**31 - 1)))
    scorer = None
    if validation is not None and growth.patience:
        scorer = lambda tree: errors_while_growing(tree, validation, growth.patience_measure)  # noqa: E731
    return grow_tree(train, growth, validation=scorer, any_target=True)
