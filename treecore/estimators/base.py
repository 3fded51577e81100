"""What both estimators do: from their parameters and rows to a tree that is grown, pruned and asked."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import BaseEstimator, is_regressor
from sklearn.model_selection import train_test_split
from sklearn.utils import Bunch, check_array, check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from treecore.data.matrix_table import from_arrays
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.estimators.inputs import (
    as_matrix,
    check_readable,
    columns_of,
    is_categorical,
    learned_levels,
    target_column,
)
from treecore.fit import honest, prune
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings, samples_features
from treecore.growing.settings.problem import n_features_per_split
from treecore.parallel import parallel
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS, sequence
from treecore.pruning.validation import errors_while_growing
from treecore.study.shapley import importance
from treecore.tree.node import tree_text
from treecore.tree.predict import route
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


# From the parameters of an estimator to how its tree is grown, and pruned.

CRITERIA_BY_ANOTHER_NAME = {"log_loss": "entropy", "friedman_mse": "squared_error"}
"""scikit-learn's names of criteria that have another one here."""
SPLITTERS = {"best": "all", "random": "random"}
"""scikit-learn's splitter -> the setting `cuts`."""
SCALES = {"poisson": 2.0}
"""Criterion -> our impurity over scikit-learn's: it takes half of the deviance."""
OF_EFFECTS = ("squared_effect", "honest_effect")
"""Criteria that judge by the effect of a treatment."""
AS_THEY_ARE = ("nominal", "numeric", "missing", "selector")
RENAMED = {
    "split_score": "score",
    "criterion": "criterion",
    "max_depth": "max_depth",
    "max_leaf_nodes": "max_leaves",
    "min_weight_fraction_leaf": "min_share_leaf",
    "min_impurity_decrease": "min_weighted_gain",
    "quantile": "quantile",
    "delta": "delta",
    "priors": "priors",
    "loss_matrix": "loss",
    "profit_matrix": "profit",
    "leaf_model": "leaf_model",
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
    if given["criterion"] in OF_EFFECTS and given["missing"] is None:
        given["missing"] = "majority"  # a split does not try both sides for rows without a value
    given["min_rows_split"] = _rows("min_samples_split", estimator.min_samples_split, n_rows, 2)
    given["min_rows_leaf"] = _rows("min_samples_leaf", estimator.min_samples_leaf, n_rows, 1)
    if estimator.max_leaf_nodes is not None and _at_least("max_leaf_nodes", estimator.max_leaf_nodes, 2):
        given["max_leaves"] = estimator.max_leaf_nodes
    if estimator.max_depth is not None:
        _at_least("max_depth", estimator.max_depth, 1)
    for name in ("priors", "loss_matrix", "profit_matrix"):
        value = getattr(estimator, name, None)
        given[RENAMED[name]] = None if value is None else np.asarray(value, np.float64).tolist()
    given |= _features_per_split(estimator.max_features)
    if estimator.monotonic_cst is not None and names:
        given["monotonic"] = _signs(estimator.monotonic_cst, names)
    given["cuts"] = _cuts(estimator.splitter)
    if estimator.feature_costs is not None:
        given["costs"] = tuple(dict(estimator.feature_costs).items())
    changed |= {name: value for name, value in given.items() if value is not None}
    return GrowSettings.from_dict(changed | dict(estimator.settings or {}))


def _features_per_split(max_features) -> dict:
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
        if estimator.criterion in OF_EFFECTS:
            remedy = 'Leave it at 0 and choose pruning="cost_complexity"'
            raise TreecoreError("Effects of a treatment have no impurity to prune by", where="ccp_alpha", remedy=remedy)
        steps = sequence(tree, risk="impurity")
        tree = tree.cut(steps.cuts(steps.at_alpha(float(estimator.ccp_alpha) * impurity_scale(estimator))))
    if estimator.pruning is None:
        return tree
    parameters = dict(estimator.pruning_params or {})
    return tree.cut(prune(tree, estimator.pruning, train=train, validation=validation, **parameters))


def grown_tree(estimator, train: Table, validation: Table | None) -> Tree:
    """The full tree on these rows."""
    growth = growth_of(estimator, train.n_rows, train.features)
    if samples_features(growth) and "seed" not in dict(estimator.settings or {}):
        growth = replace(growth, seed=int(check_random_state(estimator.random_state).randint(2**31 - 1)))
    scorer = None
    if validation is not None and growth.patience:
        scorer = lambda tree: errors_while_growing(tree, validation, growth.patience_measure)  # noqa: E731
    return grow_tree(train, growth, validation=scorer, any_target=True)


class BaseTree(BaseEstimator):
    """Fitting and routing; what a target is and what is answered, the two classes say."""

    def fit(self, X, y, sample_weight=None) -> "BaseTree":
        """Grow, and prune as ccp_alpha and `pruning` say.

        X : (n_rows, n_features) numbers, NaN for missing, or a frame, where columns may hold levels. y : (n_rows,).
        sample_weight : (n_rows,) >= 0; rows of weight 0 are left out. ValueError for what cannot be a table.
        """
        table, stratum = self._table(X, y, sample_weight)
        estimation = None
        if self.honest_fraction:
            table, estimation, stratum = self._parted(table, stratum, "honest_fraction")
        train, validation = self._held_back(table, stratum)
        with parallel(self.n_jobs):
            tree = pruned(self, grown_tree(self, train, validation), train, validation)
        self.tree_ = tree if estimation is None else honest(tree, estimation)
        n_features = len(train.features)
        self.max_features_ = n_features_per_split(growth_of(self, train.n_rows), n_features) or n_features
        return self

    def cost_complexity_pruning_path(self, X, y, sample_weight=None) -> Bunch:
        """ccp_alphas and impurities, float64 (n_steps,), of the nested subtrees of the tree grown on these rows."""
        steps = sequence(grown_tree(self, self._table(X, y, sample_weight)[0], None), risk="impurity")
        alphas = np.maximum.accumulate(steps.alpha)
        last = np.append(alphas[1:] > alphas[:-1], True)  # steps of the same alpha are one
        scale = impurity_scale(self)
        return Bunch(ccp_alphas=alphas[last] / scale, impurities=steps.risk[last] / scale)

    def apply(self, X: object) -> np.ndarray:
        """int64 (n_rows,): the node in which each row ends, numbered as in tree_."""
        return self._tree_of(X).apply(self._matrix(X))

    def decision_path(self, X) -> "csr_matrix":
        """Sparse (n_rows, n_nodes): 1 where a row passes a node; of a row shared among branches, all of them."""
        from scipy.sparse import csr_matrix

        tree = self._tree_of(X)
        routes = route(tree, self._matrix(X))
        row, node = [], []
        at_row, at = routes.row, routes.node
        while len(at):
            row.append(at_row)
            node.append(at)
            above = tree.parent[at]
            at_row, at = at_row[above >= 0], above[above >= 0]
        row, node = np.concatenate(row), np.concatenate(node)
        shape = (int(row.max()) + 1, tree.n_nodes)
        result = csr_matrix((np.ones(len(row), np.int64), (row, node)), shape=shape)
        result.data[:] = 1
        return result

    def get_depth(self) -> int:
        """Depth of the deepest leaf; a lone root has depth 0."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def to_text(self, depth: int | None = None) -> str:
        """One line per node: what leads there, the answer, its rows. depth : levels below the root that are shown."""
        check_is_fitted(self)
        return tree_text(self.tree_, depth)

    @property
    def feature_importances_(self) -> np.ndarray:
        """float64 (n_features_in_,): each feature's share of the summed impurity decrease; zeros for a lone root."""
        check_is_fitted(self)
        result = importance(self.tree_)
        return result / result.sum() if result.sum() > 0 else result

    def _counted(self, table: Table) -> Table:
        """The table, its target being counts where the estimator says so."""
        return table

    # rows in

    def _table(self, X, y, sample_weight) -> tuple[Table, np.ndarray | None]:
        """(the rows of weight above 0, the class of each where there are classes)."""
        X, y = self._read(X, y)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        weights = self._weights(y, weights)
        if weights is not None and not weights.all():
            if not weights.any():
                raise TreecoreError("All are 0", where="sample_weight", remedy="Give some row a weight above 0")
            X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        names = self._names()
        numbers, classes = self._target(y)
        target = _free_name(names)
        stratum = None if classes is None else numbers
        if not self.levels_:
            table = from_arrays(X, numbers, classes=classes, names=names, weights=weights, target=target)
        else:
            column = target_column(target, numbers, classes)
            table = Table((*columns_of(X, names, self.levels_), column), target, names, weights)
        return self._counted(table), stratum

    def _read(self, X, y) -> tuple[np.ndarray, np.ndarray]:
        """X as a matrix and y as a vector; what was learned of the columns is kept for rows to come."""
        self.precision_ = "float32" if growth_of(self, 1).threshold == "float32" else "float64"
        self.levels_ = {}
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        check_readable(X)
        if not is_categorical(X, self.categorical_features):
            return validate_data(self, X, y, **self._reading())
        validate_data(self, X, skip_check_array=True)
        self.levels_ = learned_levels(X, self.categorical_features)
        y = column_or_1d(y, warn=True)
        return self._checked(as_matrix(X, self.levels_), len(y)), y

    def _reading(self) -> dict:
        return {"dtype": np.dtype(self.precision_), "ensure_all_finite": "allow-nan", "y_numeric": is_regressor(self)}

    def _checked(self, matrix: np.ndarray, n_rows: int | None = None) -> np.ndarray:
        if n_rows is not None and n_rows != len(matrix):
            raise ValueError(f"X has {len(matrix)} rows and y has {n_rows}")
        return check_array(matrix, dtype=np.float64, ensure_all_finite="allow-nan")

    def _matrix(self, X) -> np.ndarray:
        """Rows to come, as the tree reads them."""
        if not self.levels_:
            reading = {"dtype": np.dtype(self.precision_), "ensure_all_finite": "allow-nan"}
            return validate_data(self, X, reset=False, **reading)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self._checked(as_matrix(X, self.levels_))

    def _asked(self, X) -> tuple[Tree, np.ndarray]:
        return self._tree_of(X), self._matrix(X)

    def _tree_of(self, X) -> Tree:
        check_is_fitted(self)
        return self.tree_

    def _names(self) -> tuple[str, ...]:
        given = tuple(getattr(self, "feature_names_in_", ()))
        return given if len(set(given)) == len(given) > 0 else tuple(f"x{j}" for j in range(self.n_features_in_))

    def _held_back(self, table: Table, stratum: np.ndarray | None) -> tuple[Table, Table | None]:
        """(rows to grow on, rows that judge), the latter None where nothing asks for them."""
        judged = self.pruning is not None and _judges(self.pruning, dict(self.pruning_params or {}))
        if not judged and not growth_of(self, table.n_rows).patience:
            return table, None
        return self._parted(table, stratum, "validation_fraction")[:2]

    def _parted(self, table: Table, stratum: np.ndarray | None, name: str) -> tuple[Table, Table, np.ndarray | None]:
        """(the other rows, the share of them that a parameter of this name says, the classes of the others)."""
        share = getattr(self, name)
        if not 0 < share < 1:
            remedy = "Give a share of the rows above 0 and below 1"
            raise TreecoreError(f"{share!r} is not possible", where=name, remedy=remedy)
        even = stratum if stratum is not None and np.bincount(stratum).min() > 1 else None
        rows = np.arange(table.n_rows)
        kept, held = train_test_split(rows, test_size=share, random_state=self.random_state, stratify=even)
        kept = np.sort(kept)
        return table.take(kept), table.take(np.sort(held)), None if stratum is None else stratum[kept]

    # scikit-learn's own questions

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def __getstate__(self):
        return super().__getstate__() | {"_treecore_version": _version()}

    def __setstate__(self, state):
        was = state.pop("_treecore_version", "unknown")
        if was != _version():
            warnings.warn(f"Pickled by treecore {was}, read by {_version()}: check its answers", stacklevel=2)
        super().__setstate__(state)


def _judges(pruner: str, parameters: dict) -> bool:
    """Does the pruner need rows that no tree was grown on?"""
    if pruner == "cost_complexity":
        return parameters.get("alpha") is None and parameters.get("choose", "validation") == "validation"
    return PRUNERS[pruner].needs_validation


def _free_name(names: tuple[str, ...]) -> str:
    name = "y"
    while name in names:
        name += "_"
    return name


def _version() -> str:
    try:
        return version("treecore")
    except PackageNotFoundError:  # run from a folder, not installed
        return "unknown"
