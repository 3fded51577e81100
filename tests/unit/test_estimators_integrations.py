"""What of scikit-learn's house the estimators work in: a table, one test each."""

import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metadata_routing import get_routing_for_object

from treecore.estimators import TreeClassifier, TreeRegressor

X, Y = load_iris(return_X_y=True, as_frame=True)
NUMBERS = load_diabetes(return_X_y=True)
SMALL = TreeClassifier(max_depth=3)


def scored(model, least: float, X=X, y=Y):
    assert model.fit(X, y).score(X, y) >= least
    return model


def pipeline():
    model = scored(make_pipeline(StandardScaler().set_output(transform="pandas"), SMALL), 0.95)
    assert model[-1].feature_names_in_.tolist() == X.columns.tolist()


def column_transformer():
    scaler = make_column_transformer((StandardScaler(), list(X.columns[:2])), remainder="passthrough")
    scored(make_pipeline(scaler, SMALL), 0.95)


def grid_search():
    grid = {"max_depth": [1, 3], "preset": ["sklearn", "c4.5"]}
    assert scored(GridSearchCV(TreeClassifier(), grid, cv=3), 0.95).best_params_["max_depth"] == 3


def cross_validation():
    assert cross_validate(SMALL, X, Y, cv=3)["test_score"].mean() > 0.9
    assert cross_validate(TreeRegressor(max_depth=3), *NUMBERS, cv=3)["test_score"].mean() > 0.2


def calibration():
    scored(CalibratedClassifierCV(SMALL, cv=3), 0.9)


def bagging():
    scored(BaggingClassifier(SMALL, n_estimators=5, random_state=0), 0.9)
    scored(BaggingRegressor(TreeRegressor(), n_estimators=5, random_state=0), 0.7, *NUMBERS)


def boosting():
    scored(AdaBoostClassifier(TreeClassifier(max_depth=1), n_estimators=10, random_state=0), 0.9)
    scored(AdaBoostRegressor(TreeRegressor(max_depth=3), n_estimators=5, random_state=0), 0.4, *NUMBERS)


def voting_and_stacking():
    members = [("a", SMALL), ("b", TreeClassifier(preset="c4.5"))]
    scored(VotingClassifier(members, voting="soft"), 0.95)
    scored(StackingClassifier(members, final_estimator=TreeClassifier(max_depth=2), cv=3), 0.9)


def one_against_the_rest():
    scored(OneVsRestClassifier(SMALL), 0.95)


def several_targets():
    both = np.column_stack([Y, Y == 1])
    assert (MultiOutputClassifier(SMALL).fit(X, both).predict(X) == both).mean() > 0.95


def selection_of_features():
    assert SelectFromModel(SMALL).fit(X, Y).get_support().tolist()[:2] == [False, False]


def importance_by_permutation():
    found = permutation_importance(SMALL.fit(X, Y), X, Y, n_repeats=3, random_state=0).importances_mean
    assert found[2:].max() > 0.3


def dependence():
    found = partial_dependence(clone(SMALL).fit(X, Y), X, [2], grid_resolution=5)["average"]
    assert found.shape == (3, 5)
    assert found[0, 0] > found[0, -1]


def metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        model = TreeClassifier(max_depth=1)
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        assert get_routing_for_object(model).consumes("fit", ["sample_weight"]) == {"sample_weight"}
        weights = np.where(Y == 0, 1e-9, 1.0)
        found = cross_validate(model, X, Y, cv=3, params={"sample_weight": weights}, return_estimator=True)
        assert all(len(e.classes_) == 3 and e.tree_.value[0] != 0 for e in found["estimator"])


def cloning():
    fitted = clone(SMALL).fit(X, Y)
    assert clone(fitted).get_params() == SMALL.get_params()
    assert not hasattr(clone(fitted), "tree_")


def pickling(tmp_path):
    fitted = clone(SMALL).fit(X, Y)
    joblib.dump(fitted, tmp_path / "tree.joblib")
    for again in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "tree.joblib")):
        np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    state = fitted.__getstate__()
    with pytest.warns(UserWarning, match=r"Pickled by treecore 0\.0"):
        TreeClassifier().__setstate__(state | {"_treecore_version": "0.0"})
    with warnings.catch_warnings(action="error"):
        TreeClassifier().__setstate__(state)


def names_of_features():
    fitted = clone(SMALL).fit(X, Y)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(X.rename(columns={X.columns[0]: "other"}))
    levels = pd.DataFrame({"a": ["u", "v"] * 5, "b": range(10)})
    with pytest.raises(ValueError, match="feature names"):
        TreeClassifier().fit(levels, [0, 1] * 5).predict(levels[["b", "a"]])


INTEGRATIONS = [
    pipeline, column_transformer, grid_search, cross_validation, calibration, bagging, boosting, voting_and_stacking,
    one_against_the_rest, several_targets, selection_of_features, importance_by_permutation, dependence,
    metadata_routing, cloning, pickling, names_of_features,
]  # fmt: skip


@pytest.mark.parametrize("works", INTEGRATIONS, ids=lambda works: works.__name__)
def test_works_with(works, tmp_path):
    works(tmp_path) if "tmp_path" in works.__code__.co_varnames else works()
