"""What both estimators do: rows in, a tree grown and pruned, and what is asked of it."""

import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import BaseEstimator, is_regressor
from sklearn.model_selection import train_test_split
from sklearn.utils import Bunch, check_array
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from treecore.data.matrix_table import from_arrays
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.estimators.grown import grown_tree, growth_of, impurity_scale, pruned
from treecore.estimators.inputs import (
    as_matrix,
    check_readable,
    columns_of,
    is_categorical,
    learned_levels,
    target_column,
)
from treecore.fit import honest
from treecore.growing.settings.problem import n_features_per_split
from treecore.parallel import parallel
from treecore.pruning import PRUNERS, sequence
from treecore.study.shapley import importance
from treecore.tree.node import tree_text
from treecore.tree.predict import route
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


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
        found = csr_matrix((np.ones(len(row), np.int64), (row, node)), shape=shape)
        found.data[:] = 1
        return found

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
        found = importance(self.tree_)
        return found / found.sum() if found.sum() > 0 else found

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
