"""Trees of scikit-learn read as ours answer every row as they do: gaps, ties at thresholds, numbers of any size."""

import warnings

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

import treecore as tc
from treecore.tree.node_statistics import node_statistics
from treecore.tree.tree import Tree

NUMBERS = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.floats(-1e38, 1e38),
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 2**-30, 0.1, 1e-45, 1e-300, -2.5]),
)
WITH_GAPS = st.one_of(NUMBERS, st.just(np.nan))
CLASSIFIERS = (
    DecisionTreeClassifier(max_depth=5, random_state=0),
    DecisionTreeClassifier(criterion="entropy", random_state=0),
    ExtraTreeClassifier(random_state=0),
    RandomForestClassifier(4, random_state=0),
    ExtraTreesClassifier(4, random_state=0),
)
REGRESSORS = (
    DecisionTreeRegressor(random_state=0),
    DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0),
    ExtraTreeRegressor(random_state=0),
    RandomForestRegressor(4, random_state=0),
)
WITHOUT_GAPS = (
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=4, random_state=0),
    GradientBoostingClassifier(n_estimators=3, random_state=0),
    GradientBoostingClassifier(n_estimators=3, loss="exponential", random_state=0),
)


def rows(cells):
    return st.integers(8, 30).flatmap(lambda k: arrays.arrays(np.float64, (k, 3), elements=cells))


def fitted(model, X, y, weights):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y, sample_weight=weights)


def probes(X, model):
    """The rows, and rows at, above and below the thresholds of the model's trees."""
    found = [X]
    trees = np.ravel(getattr(model, "estimators_", [model]))
    thresholds = np.unique(np.concatenate([tree.tree_.threshold for tree in trees]))
    for threshold in thresholds[np.isfinite(thresholds)][:20]:  # an infinite one parts missing values from known ones
        for value in (threshold, np.nextafter(threshold, np.inf), np.float64(np.float32(threshold))):
            found.append(np.full((1, 3), value))
    return np.concatenate(found)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
@given(X=rows(WITH_GAPS), data=st.data())
@settings(max_examples=15)
def test_classifiers(model, X, data):
    y = np.array(["no", "yes", "perhaps"])[np.arange(len(X)) % 3]
    weights = np.array(data.draw(st.lists(st.floats(0.1, 5), min_size=len(X), max_size=len(X))))
    told, X = fitted(model, X, y, weights), X
    X = probes(X, told)
    for table in (None, tc.from_arrays(X[: len(y)], np.arange(len(y)) % 3, classes=("no", "yes", "perhaps"))):
        found = tc.read_model(told, table)
        frame = X if isinstance(found, Tree) else named(X)
        assert (found.predict(frame) == told.predict(X)).all()
        assert (found.predict_proba(frame) == told.predict_proba(X)).all()


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
@given(X=rows(WITH_GAPS), data=st.data())
@settings(max_examples=15)
def test_regressors(model, X, data):
    y = np.array(data.draw(st.lists(st.floats(-1e6, 1e6), min_size=len(X), max_size=len(X))))
    told = fitted(model, np.nan_to_num(X) if "absolute" in str(model) else X, y, None)
    for table in (None, tc.from_arrays(X, y)):
        found, rows = tc.read_model(told, table), probes(X, told)
        rows = np.nan_to_num(rows) if "absolute" in str(model) else rows
        assert (found.predict(rows if isinstance(found, Tree) else named(rows)) == told.predict(rows)).all()


@pytest.mark.parametrize("model", WITHOUT_GAPS, ids=str)
@given(X=rows(st.floats(-(2.0**100), 2.0**100, width=32)))
@settings(max_examples=10)
def test_boosted_classifiers(model, X):
    y = np.arange(len(X)) % 2
    try:
        told = fitted(model, X, y, None)
    except ValueError:  # AdaBoost's first tree is no better than chance
        reject()
    X = probes(X, told)
    for table in (None, tc.from_arrays(X[: len(y)], y, classes=("0", "1"))):
        found = tc.read_model(told, table)
        assert (found.predict(named(X)) == told.predict(X).astype(str)).all()
        if hasattr(told, "loss"):
            np.testing.assert_allclose(found.predict_proba(named(X)), told.predict_proba(X), rtol=1e-12, atol=1e-15)


def test_boosted_numbers_are_added_up_in_the_same_order():
    rng = np.random.RandomState(0)
    X, y = rng.randn(200, 3), rng.randn(200)
    told = GradientBoostingRegressor(n_estimators=20, random_state=0).fit(X, y)
    assert (tc.read_model(told).predict(named(X)) == told.predict(X)).all()


def named(X):
    import pandas as pd

    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def test_a_table_is_counted_and_the_training_counts_stay_beside():
    rng = np.random.RandomState(1)
    X, y = rng.randn(60, 2), rng.randint(0, 2, 60)
    weights = rng.rand(60)
    told = DecisionTreeClassifier(max_depth=3).fit(X, y, sample_weight=weights)
    plain = tc.read_model(told)
    np.testing.assert_allclose(plain.stats[0], np.bincount(y, weights))
    np.testing.assert_allclose(np.sort(plain.impurity), np.sort(told.tree_.impurity), atol=1e-12)
    X[::7, 0] = np.nan
    table = tc.from_arrays(X, y, classes=("0", "1"), names=("a", "b"))
    tree = tc.read_model(told, table)
    assert tree.stats[0].tolist() == np.bincount(y).tolist()
    assert (tree.stats == node_statistics(tree, table)).all()
    assert (tree.n_rows == tree.stats.sum(axis=1)).all()
    assert (tree.cover == plain.cover).all()
    paths = [tree.path(end) for end in tree.apply(X)]
    for node in np.flatnonzero(~tree.is_leaf):
        asked = tree.splits.feature[node]
        assert tree.missing_rows[node] == sum(node in path and np.isnan(X[i, asked]) for i, path in enumerate(paths))
    assert tree.missing_rows.sum() > 0
    assert tree.schema.target == "y"


def test_what_is_made_of_it_answers_as_it_does():
    rng = np.random.RandomState(2)
    X, y = rng.randn(80, 2), rng.randint(0, 3, 80)
    tree = tc.read_model(DecisionTreeClassifier(max_depth=4).fit(X, y, sample_weight=rng.rand(80)))
    again = Tree.from_dict(tree.to_dict())
    assert (again.predict_proba(X) == tree.predict_proba(X)).all()
    names: dict = {}
    exec(tc.export(tree, "python"), names)
    small = tree.pruned_at(np.arange(tree.n_nodes) == 1)
    assert (small.predict_proba(X) == small.outputs[small.apply(X)]).all()


def test_pruning_judges_the_answers_of_the_model():
    rng = np.random.RandomState(3)
    X = rng.randn(300, 2)
    y = (X[:, 0] > 0).astype(int)
    noisy = np.where(rng.rand(300) < 0.3, 1 - y, y)
    tree = tc.read_model(DecisionTreeClassifier().fit(X, noisy), tc.from_arrays(X, noisy, classes=("0", "1")))
    clean = tc.from_arrays(X, y, classes=("0", "1"))
    small = tree.cut(tc.prune(tree, "reduced_error", validation=clean))
    assert small.n_leaves < tree.n_leaves / 2
    assert np.mean(small.predict(X) == y.astype(str)) > np.mean(tree.predict(X) == y.astype(str))


@given(X=rows(WITH_GAPS), data=st.data())
@settings(max_examples=30)
def test_to_sklearn_and_back(X, data):
    """A tree of ours that compares in 32 bits, and one of theirs, there and back."""
    if data.draw(st.booleans()):
        y, classes = np.arange(len(X)) % 3, ("a", "b", "c")
    else:
        y, classes = (
            np.array(data.draw(st.lists(st.integers(-1000, 1000), min_size=len(X), max_size=len(X))), float),
            None,
        )
    with np.errstate(over="ignore"):
        tree = tc.grow(tc.from_arrays(X.astype(np.float32), y, classes=classes), "sklearn")
    told = tree.to_sklearn()
    told_rows = X.astype(np.float32)
    assert (told.predict(named(told_rows)) == tree.predict(named(told_rows))).all()
    again = tc.read_model(told)
    assert (again.predict(told_rows) == tree.predict(told_rows)).all()
    if classes:
        assert (told.predict_proba(named(told_rows)) == tree.predict_proba(told_rows)).all()
        assert (again.predict_proba(told_rows) == tree.predict_proba(told_rows)).all()


def test_a_pruned_tree_of_scikit_learn_goes_back():
    rng = np.random.RandomState(0)
    X, y = rng.randn(200, 3), rng.randint(0, 2, 200)
    told = DecisionTreeClassifier(random_state=0).fit(X, y)
    tree = tc.read_model(told, tc.from_arrays(X, y, classes=("0", "1")))
    small = tree.cut(tc.prune(tree, "pessimistic"))
    assert (small.to_sklearn().predict(named(X)) == small.predict(X)).all()
    assert (tree.to_sklearn().predict_proba(named(X)) == told.predict_proba(X)).all()


@pytest.mark.parametrize(
    ("preset", "what"), [("rpart", "surrogates|stay"), ("c4.5", "shared"), ("chaid", "branches|levels")]
)
def test_what_scikit_learn_cannot_say_is_refused(preset, what):
    from treecore.data.samples import read_sample

    frame = read_sample("titanic").to_frame()
    with pytest.raises(tc.TreecoreError, match="splits of levels"):
        tc.grow(tc.read_table(frame, target="survived"), preset, max_depth=4).to_sklearn()
    numbers = tc.read_table(frame[["age", "fare", "survived"]], target="survived")
    with pytest.raises(tc.TreecoreError, match=what):
        tc.grow(numbers, preset, max_depth=4).to_sklearn()


def test_near_values_are_parted_from_missing_ones():
    """By an infinite threshold, where all known values are within 1e-7 of each other."""
    X = np.zeros((8, 3), np.float32)
    X[0, 0], X[1, 0] = 1.17549435e-38, np.nan
    tree = tc.grow(tc.from_arrays(X, np.arange(8) % 3, classes=("a", "b", "c")), "sklearn")
    assert tree.splits.threshold[0] == np.inf
    assert tree.stats[1:].tolist() == [[3, 2, 2], [0, 1, 0]]
