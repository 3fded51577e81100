"""Run scikit-learn's own tests of trees, as installed, against TreeClassifier and TreeRegressor.

python tests/sklearn_trees.py [arguments of pytest]
"""

import sys
from pathlib import Path

import pytest
import sklearn.tree
from sklearn.utils.validation import check_is_fitted

from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.estimators.arrays import arrays_of

DESELECTED_WORDS = {
    "Extra": "extremely randomised trees, which ours are not",
    "random": "the random splitter, which is not offered",
    "sparse": "sparse matrices, which are refused with a message",
    "csc": "sparse matrices",
    "csr": "sparse matrices",
    "multilabel": "several targets, which MultiOutputClassifier and MultiOutputRegressor fit one by one",
    "multioutput": "several targets",
    "poisson": "the criterion poisson, which is not offered",
    "friedman": "the criterion friedman_mse, deprecated in scikit-learn",
}
"""What a test's name with its parameters contains -> why it is left out."""
DESELECTED = {
    "test_error": "asks for the criterion poisson; what else it refuses, test_estimators.py tests",
    "test_missing_value_errors": "asks for sparse matrices and the random splitter",
    "test_min_sample_split_1_error": "the wording of a message; that 1.5 is refused, test_estimators.py tests",
    "test_pickle": "internals of the compiled tree (capacity)",
    "test_arrays_persist": "internals of the compiled tree (its arrays outlive it)",
    "test_huge_allocations": "internals of the compiled tree (memory of its builder)",
    "test_build_pruned_tree_py": "internals of the compiled tree",
    "test_build_pruned_tree_infinite_loop": "internals of the compiled tree",
    "test_classes_shape": "several targets",
    "test_class_weights": "several targets; classes' weights alone, test_estimators.py compares",
    "test_class_weight_errors": "several targets",
    "test_memory_layout": "sparse matrices; dense ones of any layout are in check_estimator",
}
"""A test's name -> why it is left out."""


class StandIn:
    """Takes the splitter, of which the best split is the one choice here, and shows the tree in scikit-learn's arrays,
    as many tests look at it."""

    def __init__(self, *, splitter="best", monotonic_cst=None, **parameters):
        super().__init__(**parameters)
        self.splitter, self.monotonic_cst = splitter, monotonic_cst

    @classmethod
    def _get_param_names(cls):
        return sorted({*super()._get_param_names.__func__(cls.__mro__[2]), "splitter", "monotonic_cst"})

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
    tests = Path(sklearn.tree.__file__).parent / "tests" / "test_tree.py"
    quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "-q", "--rootdir", str(tests.parent), "-c", "/dev/null"]
    return pytest.main([str(tests), *quiet, *arguments], plugins=[Instead()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
