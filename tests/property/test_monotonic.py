"""Answers that only rise, or only fall, with a feature."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc
from tests.property.naive import Sample
from treecore.estimators import TreeClassifier, TreeRegressor

LIMITS = [{}, {"max_depth": 4}, {"max_leaf_nodes": 12}, {"min_samples_leaf": 4}]


def drawn_rows(seed: int, gaps: float):
    """Numbers, signs and weights whose sums are exact, so that no two splits tie by rounding."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 150)), 3
    X = rng.normal(size=(n, d)).astype(np.float32)
    score = X.sum(axis=1) + rng.normal(size=n)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, np.round(score * 2**16) / 2**16, rng.choice([-1, 1], d).tolist(), rng.integers(1, 2**20, n) / 2**10


@given(st.integers(0, 10**6), st.sampled_from(LIMITS), st.sampled_from([0.0, 0.1]))
@settings(max_examples=25)
def test_where_every_feature_is_bound_the_trees_are_those_of_scikit_learn(seed, limits, gaps):
    X, score, signs, weights = drawn_rows(seed, gaps)
    ours = TreeRegressor(monotonic_cst=signs, **limits).fit(X, score, weights)
    theirs = DecisionTreeRegressor(monotonic_cst=signs, random_state=0, **limits).fit(X, score, weights)
    assert ours.predict(X) == pytest.approx(theirs.predict(X), rel=1e-9, abs=1e-9)
    labels = (score > 0) * 1
    if labels.min() < labels.max():
        ours = TreeClassifier(monotonic_cst=signs, **limits).fit(X, labels, weights)
        theirs = DecisionTreeClassifier(monotonic_cst=signs, random_state=0, **limits).fit(X, labels, weights)
        assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), rel=1e-9, abs=1e-9)


SETTINGS = [
    {}, {"max_leaves": 9}, {"cuts": "random", "seed": 3}, {"max_features": "sqrt", "seed": 1},
    {"nominal": "one_level"}, {"nominal": "multiway"}, {"min_rows_leaf": 3}, {"branch_order": "mean"},
]  # fmt: skip
OF_CLASSES = [{"score": "gain_ratio"}, {"priors": (0.25, 0.75)}, {"criterion": "entropy", "score": "chi_square"}]


def mixed_table(seed: int, k: int) -> tc.Table:
    """A number, an order, words and another number; k classes or, at 0, numbers. The target falls as often as it
    rises."""
    rng, n = np.random.default_rng(seed), 60
    values = [rng.integers(0, 12, n), rng.integers(0, 5, n), rng.integers(0, 4, n), rng.integers(0, 6, n) / 2]
    target = rng.integers(0, 2, n) if k else rng.integers(0, 32, n) / 4
    return Sample(
        ["numeric", "ordinal", "nominal", "numeric"], [v.tolist() for v in values], [0, 5, 4, 0], target.tolist(), k
    ).table()


def answers_of(tree: tc.Tree, table: tc.Table) -> np.ndarray:
    return tree.predict_proba(table)[:, 1] if tree.classes else tree.predict(table)


@given(st.data(), st.integers(0, 10**6), st.sampled_from([0, 2]))
@settings(max_examples=40)
def test_no_answer_goes_the_other_way_whatever_else_is_asked_for(data, seed, k):
    table, signs = mixed_table(seed, k), {"x0": data.draw(st.sampled_from([1, -1])), "x1": 1}
    chosen = data.draw(st.sampled_from([*SETTINGS, *(OF_CLASSES if k else [])]))
    tree = tc.grow(table, "cart", monotonic=signs, missing="majority", **chosen)
    frame = table.to_frame()
    for name in signs:
        values = sorted(frame[name].unique(), key=lambda v: v if name == "x0" else int(str(v).split("=")[1]))
        along = np.stack([answers_of(tree, frame.assign(**{name: [v] * len(frame)})) for v in values])
        assert (np.diff(along, axis=0) * signs[name] >= -1e-12).all()


@given(st.sampled_from(SETTINGS), st.integers(0, 10**6), st.sampled_from([0, 2]))
@example({}, 1000, 0)  # an answer that lies on its bound but for rounding
@settings(max_examples=25)
def test_the_split_is_the_best_of_those_that_keep_the_order(chosen, seed, k):
    """The candidates are listed in NumPy, from the tree alone."""
    table = mixed_table(seed, k)
    tree = tc.grow(table, "cart", monotonic={"x0": 1, "x3": -1}, missing="majority", **chosen)
    for node in np.flatnonzero(tree.n_children > 0):
        listed = [c for c in tc.candidates(tree, int(node), table, limit=1000).ranked if c.eligible]
        assert tree.gain[node] == pytest.approx(listed[0].gain, abs=1e-9)
        assert tree.node(node).feature in {c.feature for c in listed if c.gain == pytest.approx(listed[0].gain)}


def test_without_the_constraint_answers_go_both_ways():
    x = np.arange(40.0)[:, None]
    y = np.abs(x[:, 0] - 20)
    table = tc.from_arrays(x, y)
    free, bound = tc.grow(table, "cart"), tc.grow(table, "cart", missing="majority", monotonic={"x0": 1})
    assert (np.diff(free.predict(x)) < 0).any()
    assert (np.diff(bound.predict(x)) >= 0).all()
    assert bound.n_nodes > 1


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"monotonic": {"x0": 2}}, "monotonic"),
        ({"monotonic": {"nothing": 1}}, "no such feature"),
        ({"monotonic": {"x2": 1}}, "no order"),
        ({"monotonic": {"x0": 1}, "numeric": "equal_width"}, "no order"),
        ({"monotonic": {"x0": 1}, "criterion": "absolute_error"}, "medians"),
        ({"monotonic": {"x0": 1}, "missing": "surrogates"}, "surrogate"),
    ],
)
def test_what_cannot_be_kept_in_order_is_refused(settings, what):
    with pytest.raises(tc.TreecoreError, match=what):
        tc.grow(mixed_table(0, 0), "cart", **{"missing": "majority"} | settings)


def test_classes_without_an_order_are_refused_and_tests_of_every_feature():
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(tc.TreecoreError, match="3 classes"):
        tc.grow(tc.from_arrays(X, np.arange(30) % 3, classes=["a", "b", "c"]), "cart", monotonic={"x0": 1})
    with pytest.raises(tc.TreecoreError, match="monotonic"):
        tc.grow(tc.from_arrays(X, X[:, 0]), "ctree", monotonic={"x0": 1})


def test_rows_that_follow_a_branch_later_are_refused():
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = X[:, 0].copy()
    X[3, 1] = np.nan
    with pytest.raises(tc.TreecoreError, match="x1"):
        tc.grow(tc.from_arrays(X, y), "cart", monotonic={"x0": 1}, missing="majority")
    assert tc.grow(tc.from_arrays(X, y), "cart", monotonic={"x0": 1}, missing="own_value").n_nodes > 1


@pytest.mark.parametrize("given", [[1], [1, 0, 0], [2, 0], [[1, 0]], "up"])
def test_an_estimator_refuses_what_scikit_learn_refuses(given):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match="monotonic_cst"):
        TreeRegressor(monotonic_cst=given).fit(X, X[:, 0])


def test_an_estimator_takes_signs_by_name():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.abs(X[:, 0])
    by_name = TreeRegressor(monotonic_cst={"x0": 1}).fit(X, y).tree_
    by_place = TreeRegressor(monotonic_cst=[1, 0]).fit(X, y).tree_
    assert by_name.to_dict() == by_place.to_dict()
