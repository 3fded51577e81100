"""One threshold drawn for each feature at every node: that which a twin in whole numbers of any size draws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc
from tests.property.test_drawn_features import WORD, mixed, twin_key, way_to
from tests.property.test_fast_twins import tables, trainable
from treecore.estimators import TreeClassifier, TreeRegressor
from treecore.growing.inspect.node_values import node_rows
from treecore.kernels.random_features import key_at, random_threshold


def twin_threshold(key, f, low, high):
    share = (mixed(((key ^ 0xA0761D6478BD642F) + 0x9E3779B97F4A7C15 * (f + 1)) % WORD) >> 11) / 2**53
    at = low * (1.0 - share) + high * share
    return at if low <= at < high else low


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 9), max_size=5), st.integers(0, 40))
@settings(max_examples=50)
def test_the_number_drawn_is_that_of_the_twin(seed, path, f):
    assert random_threshold(key_at(seed, tuple(path)), f, -2.0, 5.0) == twin_threshold(
        twin_key(seed, path), f, -2.0, 5.0
    )


def test_thresholds_are_drawn_evenly_between_the_ends():
    drawn = [random_threshold(key_at(seed, (1,)), 3, 10.0, 20.0) for seed in range(4000)]
    assert np.histogram(drawn, bins=8, range=(10, 20))[0] == pytest.approx(500, abs=100)
    other = [random_threshold(key_at(seed, (1,)), 4, 10.0, 20.0) for seed in range(4000)]
    assert abs(np.corrcoef(drawn, other)[0, 1]) < 0.06


def impurity(table, rows):
    """Gini of a list of rows, or their mean squared error."""
    if not table.classes:
        return np.var(table.target_column.values()[rows])
    shares = np.bincount(table.target_column.codes[rows], minlength=len(table.classes)) / len(rows)
    return 1 - (shares**2).sum()


def twin_cuts(table, rows, key):
    """(feature, rows below, rows above) of the one cut that each feature has at a node."""
    for f, column in enumerate(table.feature_columns):
        by_code = column.distinct if column.kind == "numeric" else np.arange(column.n_distinct, dtype=float)
        values = by_code[column.codes[rows]]
        if values.min() < values.max():
            drawn = twin_threshold(key, f, values.min(), values.max())
            yield column.name, rows[values <= drawn], rows[values > drawn]


@given(st.data(), st.integers(0, 5))
@settings(max_examples=40)
def test_the_split_is_the_best_of_one_cut_of_each_feature(data, seed):
    table = data.draw(tables().filter(trainable))
    limits = data.draw(st.sampled_from([{}, {"min_rows_leaf": 3}, {"max_leaves": 6}]))
    tree = tc.grow(table, "cart", missing="majority", cuts="random", seed=seed, max_depth=4, **limits)
    for node in np.flatnonzero(tree.n_children > 0):
        rows = node_rows(tree, int(node), table).rows
        gains, here = {}, impurity(table, rows)
        for name, low, high in twin_cuts(table, rows, twin_key(seed, way_to(tree, int(node)))):
            if min(len(low), len(high)) >= tree.growth["min_rows_leaf"]:
                below = (len(low) * impurity(table, low) + len(high) * impurity(table, high)) / len(rows)
                gains[name] = here - below
        assert tree.gain[node] == pytest.approx(max(gains.values()), rel=1e-6, abs=1e-9 * max(here, 1))
        assert gains[tree.node(int(node)).feature] == pytest.approx(
            max(gains.values()), rel=1e-6, abs=1e-9 * max(here, 1)
        )


JUDGED = [{"max_features": "count", "n_features": 2}, {"missing": "own_value"}, {"missing": "surrogates"}]
OF_CLASSES = [{"score": "gain_ratio", "selector": "average_gain"}, {"score": "twoing"}]
OF_NUMBERS = [{"criterion": "absolute_error"}, {"criterion": "absolute_error", "missing": "own_value"}]


@given(st.data(), st.integers(0, 5))
@settings(max_examples=40)
def test_whatever_judges_the_candidates_are_the_cuts_that_were_drawn(data, seed):
    """They are listed in NumPy, from the tree alone: the best of them is the tree's split."""
    table = data.draw(tables(gaps=(0.0, 0.2), nominal=True).filter(trainable))
    judged = data.draw(st.sampled_from([*JUDGED, *(OF_CLASSES if table.classes else OF_NUMBERS)]))
    tree = tc.grow(table, "cart", **{"missing": "majority", "cuts": "random", "seed": seed, "max_depth": 3} | judged)
    for node in np.flatnonzero(tree.n_children > 0):
        listed = tc.candidates(tree, int(node), table).per_feature()
        best = max(c.score for c in listed if c.eligible)
        assert tree.score[node] == pytest.approx(best, rel=1e-6, abs=1e-9)


def forest(n_trees, make):
    """Mean answers of trees that differ in their seeds alone."""
    return lambda rows: np.mean([make(seed)(rows) for seed in range(n_trees)], axis=0)


def test_trees_of_drawn_thresholds_are_as_good_as_scikit_learn_s():
    """The same distribution of trees: many of them answer new rows alike."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y, new = X[:, 0] + X[:, 1] ** 2, rng.normal(size=(300, 3))
    drawing = {"splitter": "random", "max_depth": 5}
    ours = forest(60, lambda seed: TreeRegressor(random_state=seed, **drawing).fit(X, y).predict)
    theirs = forest(60, lambda seed: DecisionTreeRegressor(random_state=seed, **drawing).fit(X, y).predict)
    more = forest(60, lambda seed: DecisionTreeRegressor(random_state=1000 + seed, **drawing).fit(X, y).predict)
    apart = np.abs(ours(new) - theirs(new)).mean()
    assert apart < 1.5 * np.abs(more(new) - theirs(new)).mean()
    sizes = [
        np.mean(
            [tree(max_depth=None, splitter="random", random_state=s).fit(X, y > 0.5).get_n_leaves() for s in range(60)]
        )
        for tree in (TreeClassifier, DecisionTreeClassifier)
    ]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.1)


def test_a_seed_gives_the_same_tree_and_another_one_another():
    X = np.random.default_rng(0).normal(size=(80, 3))
    trees = [TreeRegressor(splitter="random", random_state=s).fit(X, X[:, 0]).tree_.to_dict() for s in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]


@pytest.mark.parametrize("given", ["worst", 1, ["best"]])
def test_no_other_splitter_is_taken(given):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match="splitter"):
        TreeRegressor(splitter=given).fit(X, X[:, 0])
