"""Features drawn at every node: those that a twin in whole numbers of any size draws, and the best split of these."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_fast_twins import tables, trainable
from treecore.data.samples import read_sample
from treecore.explaining.why_node import why_split
from treecore.growing.settings.problem import n_features_per_split
from treecore.kernels.random_features import key_at, sample_order

WORD = 2**64


def mixed(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def twin_key(seed, path):
    key = mixed((seed + 0x9E3779B97F4A7C15) % WORD)
    for branch in path:
        key = mixed((key + 0xD1B54A32D192ED03 * (branch + 1)) % WORD)
    return key


def twin_order(key, d):
    left, found = list(range(d)), []
    for i in range(d):
        at = (mixed((key + 0x9E3779B97F4A7C15 * (i + 1)) % WORD) >> 32) * (d - i) >> 32
        found.append(left[at])
        left[at] = left[0]
        left.pop(0)
    return found


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 9), max_size=5), st.integers(1, 40))
@settings(max_examples=50)
def test_the_order_of_drawing_is_that_of_the_twin(seed, path, d):
    key = twin_key(seed, path)
    assert key_at(seed, tuple(path)) == key
    assert sample_order(np.array([key], np.uint64), d)[0].tolist() == twin_order(key, d)


def test_every_feature_is_drawn_as_often_as_any_other():
    keys = np.array([key_at(seed, (1, 0)) for seed in range(3000)], np.uint64)
    first = sample_order(keys, 6)[:, :2]
    assert np.bincount(first.ravel(), minlength=6) == pytest.approx(1000, abs=110)


def way_to(tree, node):
    above = tree.path(node)
    return tuple(int(b - tree.first_child[a]) for a, b in itertools.pairwise(above))


@given(st.data())
@settings(max_examples=20)
def test_the_split_is_the_best_of_the_features_that_are_drawn(data):
    """Whatever judges, and by whatever grower: the fast one, the general one, that of medians."""
    table = data.draw(tables(nominal=True).filter(trainable))
    seed, n = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 3))
    of_classes = [{}, {"score": "gain_ratio", "selector": "average_gain"}, {"nominal": "multiway"}]
    judged = data.draw(st.sampled_from(of_classes if table.classes else [{}, {"criterion": "absolute_error"}]))
    drawing = {"max_features": "count", "n_features": n, "seed": seed}
    tree = tc.grow(table, "cart", missing="majority", max_depth=3, **drawing, **judged)
    d = len(table.features)
    for node in range(tree.n_nodes):
        order = [table.features[f] for f in twin_order(twin_key(seed, way_to(tree, node)), d)]
        found = tc.candidates(tree, node, table)
        offered = {c.feature for c in found.per_feature()}
        drawn = (set(order[:n]) & offered) or {next((f for f in order if f in offered), None)}
        assert {c.feature for c in found.ranked if c.drawn} == drawn & offered
        if tree.n_children[node]:
            best = next(c for c in found.per_feature() if c.eligible)
            assert tree.node(node).feature == best.feature or best.score == pytest.approx(_own(tree, node, found).score)


def _own(tree, node, found):
    """The candidate that the tree has; sums in another order may settle ties in another way."""
    return next(c for c in found.per_feature() if c.feature == tree.node(node).feature and c.eligible)


@pytest.mark.parametrize(
    ("how", "d", "n"),
    [("all", 9, 0), ("sqrt", 9, 3), ("sqrt", 1, 0), ("log2", 9, 3), ("log2", 1, 0), ("count", 9, 4), ("count", 3, 0)],
)
def test_how_many_are_drawn(how, d, n):
    assert n_features_per_split(tc.GrowSettings(max_features=how, n_features=4), d) == n


def test_of_a_share_at_least_one_is_drawn():
    assert n_features_per_split(tc.GrowSettings(max_features="share", share_features=0.0), 7) == 1
    assert n_features_per_split(tc.GrowSettings(max_features="share", share_features=0.5), 7) == 3


def test_a_test_of_every_feature_draws_none():
    with pytest.raises(tc.TreecoreError, match="max_features"):
        tc.grow(read_sample("iris"), "ctree", max_features="sqrt")


def test_what_was_not_drawn_is_not_told_as_considered():
    table = read_sample("iris")
    tree = tc.grow(table, "cart", max_features="count", n_features=1, seed=0)
    told = why_split(tree, 0, tc.candidates(tree, 0, table), by_hand=False)
    assert told.endswith("no other feature that was drawn can be split here.")
    two = tc.grow(table, "cart", max_features="count", n_features=2, seed=0)
    assert "1 other feature was considered" in why_split(two, 0, tc.candidates(two, 0, table), by_hand=False)
