"""Run scikit-learn's own tests of trees, as installed, against TreeClassifier and TreeRegressor.

python tests/sklearn_trees.py [arguments of pytest]
"""

import sys
from pathlib import Path

import pytest
import sklearn.ensemble  # of the trees that it has, before ours stand in for them
import sklearn.tree
from sklearn.utils.validation import check_is_fitted

from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.estimators.adapted import arrays_of

DESELECTED_WORDS = {
    "sparse": "sparse matrices, which are refused with a message",
    "csc": "sparse matrices",
    "csr": "sparse matrices",
    "multilabel": "several targets, which MultiOutputClassifier and MultiOutputRegressor fit one by one",
    "multioutput": "several targets",
    "poisson-ExtraRegressor": "drawn thresholds, which a target of counts does not know",
    "poisson-ExtraTreeRegressor": "drawn thresholds of counts",
    "poisson_deviance-ExtraRegressor": "drawn thresholds of counts",
    "ExtraRegressor-poisson": "drawn thresholds of counts",
    "poisson[ExtraRegressor": "drawn thresholds of counts",
    "no_missing[poisson": "drawn thresholds of counts",
    "poisson-X": "drawn thresholds of counts",
    "decrease[42-Regressor-poisson": "min_impurity_decrease, which a target of counts does not know",
    "nodes_values[42-absolute_error": "medians held in order, which are refused with a message",
    "single-non-missing": "the threshold between known values and missing ones, which is infinite here",
    "friedman": "the criterion friedman_mse, deprecated in scikit-learn",
}
"""What a test's name with its parameters contains -> why it is left out."""
DESELECTED = {
    "test_error": "the order of refusals; what is refused, test_estimators.py and test_estimators_counts.py test",
    "test_poisson_zero_nodes": "a branch may be without events here, where scikit-learn makes none",
    "test_poisson_vs_mse": "a branch may be without events here",
    "test_missing_value_errors": "asks for sparse matrices",
    "test_min_sample_split_1_error": "the wording of a message; that 1.5 is refused, test_estimators.py tests",
    "test_pickle": "internals of the compiled tree (capacity)",
    "test_arrays_persist": "internals of the compiled tree (its arrays outlive it)",
    "test_huge_allocations": "internals of the compiled tree (memory of its builder)",
    "test_build_pruned_tree_py": "internals of the compiled tree",
    "test_build_pruned_tree_infinite_loop": "internals of the compiled tree",
    "test_classes_shape": "several targets",
    "test_class_weights": "several targets; classes' weights alone, test_estimators.py compares",
    "test_class_weight_errors": "several targets",
    "test_multiclass_raises": "the wording of a message; that three classes are refused, test_monotonic.py tests",
    "test_multiple_output_raises": "several targets",
    "test_1d_opposite_monotonicity_cst_data": "a mean of exactly 0, which is 0 up to rounding here",
    "test_memory_layout": "sparse matrices; dense ones of any layout are in check_estimator",
}
"""A test's name -> why it is left out."""


class StandIn:
    """Shows the tree in scikit-learn's arrays, as many tests look at it."""

    @classmethod
    def _get_param_names(cls):
        return super()._get_param_names.__func__(cls.__mro__[2])

    def fit(self, X, y, sample_weight=None, check_input=True):
        super().fit(X, y, sample_weight)
        self.grown_, self.tree_ = self.tree_, arrays_of(self.tree_)
        vars(self.tree_)["apply"] = self.grown_.apply
        return self

    def _tree_of(self, X):
        super()._tree_of(X)
        return self.grown_

    def get_depth(self):
        return self.tree_.max_depth

    @property
    def feature_importances_(self):
        check_is_fitted(self)
        shown = self.tree_
        try:
            self.tree_ = self.grown_
            return super().feature_importances_
        finally:
            self.tree_ = shown


class Classifier(StandIn, TreeClassifier):
    """A TreeClassifier for scikit-learn's tests."""


class Regressor(StandIn, TreeRegressor):
    """A TreeRegressor for scikit-learn's tests."""


class Extra:
    """Draws thresholds and features unless it is told otherwise."""

    def __init__(self, *, splitter="random", max_features="sqrt", **parameters):
        super().__init__(splitter=splitter, max_features=max_features, **parameters)

    @classmethod
    def _get_param_names(cls):
        return super()._get_param_names.__func__(cls.__mro__[2])


class ExtraClassifier(Extra, Classifier):
    """ExtraTreeClassifier."""


class ExtraRegressor(Extra, Regressor):
    """ExtraTreeRegressor."""


class Instead:
    """The plug-in: ours under scikit-learn's names, and without the tests that are deselected."""

    def pytest_collection_modifyitems(self, config, items):
        kept = [item for item in items if item.originalname not in DESELECTED and not _words_of(item.name)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _words_of(name: str) -> set[str]:
    return {word for word in DESELECTED_WORDS if word in name}


def main(arguments: list[str]) -> int:
    sklearn.tree.DecisionTreeClassifier, sklearn.tree.DecisionTreeRegressor = Classifier, Regressor
    sklearn.tree.ExtraTreeClassifier, sklearn.tree.ExtraTreeRegressor = ExtraClassifier, ExtraRegressor
    folder = Path(sklearn.tree.__file__).parent / "tests"
    tests = [str(folder / name) for name in ("test_tree.py", "test_monotonic_tree.py")]
    quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--rootdir", str(folder), "-c", "/dev/null"]
    return pytest.main([*tests, *quiet, *arguments], plugins=[Instead()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
