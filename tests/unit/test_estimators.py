"""TreeClassifier and TreeRegressor: scikit-learn's contract, its trees and ours."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

import treecore as tc
from treecore.data.matrix_table import from_arrays
from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.estimators.adapted import arrays_of

ESTIMATORS = [
    TreeClassifier(), TreeRegressor(), TreeClassifier(preset="cart", max_depth=3), TreeClassifier(preset="c4.5"),
    TreeClassifier(max_features=0.5, random_state=0),
    TreeRegressor(preset="cart", max_leaf_nodes=5),
]  # fmt: skip
IRIS, DIABETES = load_iris(return_X_y=True), load_diabetes(return_X_y=True)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_contract(estimator):
    """All of scikit-learn's checks, but for one that asks for a variable of SciPy's and then for GPU arrays."""
    found = check_estimator(estimator, on_fail=None, on_skip=None)
    assert len(found) > 50
    failed = [f"{c['check_name']}: {c['exception']!r}" for c in found if c["status"] not in ("passed", "skipped")]
    assert not failed, "\n".join(failed)
    assert {c["check_name"] for c in found if c["status"] == "skipped"} <= {"check_array_api_input"}


@pytest.mark.parametrize(
    "parameters",
    [
        {}, {"max_depth": 3}, {"max_leaf_nodes": 7}, {"min_samples_leaf": 0.05}, {"min_samples_split": 20},
        {"min_impurity_decrease": 0.02}, {"min_weight_fraction_leaf": 0.1}, {"criterion": "log_loss"},
        {"ccp_alpha": 0.01}, {"class_weight": {0: 3, 1: 1, 2: 1}}, {"criterion": "entropy", "max_depth": 2},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer, load_wine])
def test_classes_as_scikit_learn(load, parameters):
    """Where splits are equal its tree depends on random_state; the sizes and what training rows are told do not."""
    X, y = load(return_X_y=True)
    ours = TreeClassifier(**parameters).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **parameters).fit(X, y)
    assert (ours.get_n_leaves(), ours.get_depth()) == (theirs.get_n_leaves(), theirs.get_depth())
    np.testing.assert_allclose(np.sort(ours.predict_proba(X), axis=0), np.sort(theirs.predict_proba(X), axis=0))


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_depth": 4, "min_samples_leaf": 9},
        {"min_samples_leaf": 20, "max_leaf_nodes": 9},
        {"max_depth": 3, "criterion": "friedman_mse"},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_numbers_as_scikit_learn(parameters):
    X, y = np.random.default_rng(0).normal(size=(300, 4)), np.random.default_rng(1).normal(size=300)
    X[::7, 1] = np.nan
    weights = np.random.default_rng(2).integers(0, 4, 300)
    ours = TreeRegressor(**parameters).fit(X, y, sample_weight=weights)
    theirs = DecisionTreeRegressor(random_state=0, **parameters).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    assert ours.decision_path(X).sum() == theirs.decision_path(X).sum()


def test_path_of_alphas_as_scikit_learn():
    X, y = np.random.default_rng(0).normal(size=(300, 3)), np.random.default_rng(1).normal(size=300)
    ours = TreeRegressor(min_samples_leaf=5).cost_complexity_pruning_path(X, y)
    theirs = DecisionTreeRegressor(min_samples_leaf=5, random_state=0).cost_complexity_pruning_path(X, y)
    assert len(ours.ccp_alphas) > 20
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, rtol=1e-8)
    np.testing.assert_allclose(ours.impurities, theirs.impurities)


@pytest.mark.parametrize("preset", [name for name, preset in tc.PRESETS.items() if preset.task != "regression"])
def test_tree_is_that_of_the_preset(preset):
    X, y = IRIS
    found = TreeClassifier(preset=preset).fit(X, y)
    X = X.astype(np.float32) if preset == "sklearn" else X
    grown = tc.grow(from_arrays(X, y, classes=["0", "1", "2"]), preset)
    assert found.tree_.to_dict() == grown.to_dict()
    np.testing.assert_array_equal(found.predict(X), grown.predict(X).astype(int))


def frame_of(kind: str):
    data = {"size": ["S", "M", "L", "M", "S", "L"] * 5, "shade": ["red", "blue", None] * 10, "n": list(range(30))}
    frame = pd.DataFrame(data)
    frame["size"] = pd.Categorical(frame["size"], ["S", "M", "L"], ordered=True)
    if kind == "polars":
        return pl.DataFrame(data, schema_overrides={"size": pl.Enum(["S", "M", "L"])})
    return pa.table(data) if kind == "pyarrow" else frame


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_levels_come_straight_from_frames(kind):
    frame, y = frame_of(kind), np.array(["a", "b", "a"] * 10)
    model = TreeClassifier().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["size", "shade", "n"]
    assert [f.kind for f in model.tree_.schema.features] == [
        "nominal" if kind == "pyarrow" else "ordinal", "nominal", "numeric",
    ]  # fmt: skip
    assert model.get_n_leaves() == 2
    np.testing.assert_array_equal(model.predict(frame), y)
    assert "blue" in model.to_text()


def test_levels_by_names_numbers_and_masks():
    X, y = np.array([[1, 5], [2, 5], [3, 6], [1, 6]] * 5), [0, 1, 0, 0] * 5
    for wanted in ([0], [True, False]):
        model = TreeClassifier(categorical_features=wanted).fit(X, y)
        assert model.tree_.schema.features[0].levels == ("1", "2", "3")
        assert model.get_n_leaves() == 2
        np.testing.assert_array_equal(model.predict(np.array([[2, 0], [9, 0]])), [1, 0])  # 9 was never seen
    named = TreeClassifier(categorical_features=["n"]).fit(frame_of("pandas")[["n"]], [0, 1] * 15)
    assert named.tree_.schema.features[0].kind == "nominal"
    for wanted in (["n"], [2], [True]):
        with pytest.raises(tc.TreecoreError, match="categorical_features"):
            TreeClassifier(categorical_features=wanted).fit(X, y)


def test_pruning_by_rows_held_back():
    X, y = load_breast_cancer(return_X_y=True)
    full = TreeClassifier(preset="cart").fit(X, y).get_n_leaves()
    for pruning in ("reduced_error", "cost_complexity", "pessimistic"):
        model = TreeClassifier(preset="cart", pruning=pruning, random_state=0).fit(X, y)
        assert 1 < model.get_n_leaves() < full
        assert model.tree_.n_rows[0] == (569 if pruning == "pessimistic" else 455)
        again = TreeClassifier(preset="cart", pruning=pruning, random_state=0).fit(X, y)
        assert again.to_text() == model.to_text()


def test_costs_and_priors():
    X, y = load_breast_cancer(return_X_y=True)
    dear = TreeClassifier(max_depth=2, loss_matrix=[[0, 1], [50, 0]]).fit(X, y)
    assert (dear.predict(X) == 1).sum() > (TreeClassifier(max_depth=2).fit(X, y).predict(X) == 1).sum()
    np.testing.assert_allclose(TreeClassifier(max_depth=1, priors=[0.5, 0.5]).fit(X, y).tree_.priors, 0.5)


def test_profits_are_costs_turned_over_in_the_estimator_too():
    X, y = load_breast_cancer(return_X_y=True)
    by_cost = TreeClassifier(max_depth=3, loss_matrix=[[0, 1], [50, 0]]).fit(X, y)
    by_profit = TreeClassifier(max_depth=3, profit_matrix=[[7, 6], [-10, 40]]).fit(X, y)
    assert (by_cost.predict(X) == by_profit.predict(X)).all()
    assert by_profit.tree_.earns
    assert clone(by_profit).get_params()["profit_matrix"] == [[7, 6], [-10, 40]]


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"preset": "x"}, "preset"), ({"max_depth": 0}, "max_depth"), ({"max_leaf_nodes": 1}, "max_leaf_nodes"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"), ({"min_samples_split": 1.5}, "min_samples_split"),
        ({"ccp_alpha": -1}, "ccp_alpha"), ({"criterion": "x"}, "criterion"), ({"class_weight": "x"}, "class_weight"),
        ({"pruning": "x"}, "pruner"), ({"settings": {"x": 1}}, "x"), ({"max_features": 0}, "max_features"),
        ({"max_features": 1.5}, "max_features"), ({"max_features": True}, "max_features"),
        ({"max_features": "auto"}, "max_features"),
    ],
)  # fmt: skip
def test_parameters_that_cannot_be(parameters, named):
    with pytest.raises(ValueError, match=named):
        TreeClassifier(**parameters).fit(*IRIS)


def test_random_state_says_which_features_are_drawn():
    fitted = lambda seed: TreeClassifier(max_features=1, random_state=seed).fit(*load_breast_cancer(return_X_y=True))  # noqa: E731
    first, again, other = (fitted(seed).tree_.to_dict() for seed in (0, 0, 1))
    assert first == again
    assert first["splits"] != other["splits"]
    assert TreeClassifier(max_features="log2").fit(*IRIS).max_features_ == 2
    assert TreeRegressor().fit(*DIABETES).max_features_ == 10


@pytest.mark.parametrize("preset", ["sklearn", "rpart"])  # x <= c and x < c
def test_arrays_by_scikit_learns_names(preset):
    X, y = load_breast_cancer(return_X_y=True)
    tree = TreeClassifier(preset=preset, max_depth=4).fit(X, y).tree_
    arrays = arrays_of(tree)
    at = np.zeros(len(X), np.int64)
    for _ in range(arrays.max_depth):
        inner = arrays.children_left[at] >= 0
        low = X[np.arange(len(X)), arrays.feature[at]].astype(np.float32 if preset == "sklearn" else float)
        below = np.where(low <= arrays.threshold[at], arrays.children_left[at], arrays.children_right[at])
        at = np.where(inner, below, at)
    np.testing.assert_array_equal(at, tree.apply(X))
    np.testing.assert_allclose(arrays.value[at, 0], tree.predict_proba(X))
    assert arrays.n_leaves == tree.n_leaves


def test_arrays_cannot_say_levels():
    model = TreeClassifier().fit(frame_of("pandas")[["shade"]], ["a", "b", "a"] * 10)
    with pytest.raises(tc.TreecoreError, match="splits of levels"):
        arrays_of(model.tree_)


def test_one_class_and_classes_of_one_row():
    """Folds and samples drawn by others may be like that."""
    assert TreeClassifier().fit([[0], [1]], [4, 4]).predict([[3]]) == [4]
    assert TreeClassifier().fit([[0], [1], [2]], list("abc")).predict([[3]]) == ["c"]
    assert TreeRegressor().fit([[0], [1]], [4, 4]).predict([[3]]) == [4]


def test_no_answer_is_that_of_the_root():
    X = pd.DataFrame({"a": pd.Categorical(["p", "q", "q"] * 4, ["p", "q", "r"])})
    model = TreeClassifier(preset="weka-id3").fit(X, [0, 1, 1] * 4)
    rows = pd.DataFrame({"a": ["r"]})
    assert model.predict(rows) == [1]
    np.testing.assert_allclose(model.predict_proba(rows), [[1 / 3, 2 / 3]])
