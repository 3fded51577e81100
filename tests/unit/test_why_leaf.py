"""Every leaf says why it is one."""

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.growing.why_leaf import why_leaf


def reasons(table, preset="cart", **settings):
    tree = tc.grow(table, preset, **settings)
    for node in range(tree.n_nodes):
        if tree.is_leaf[node]:
            ranked = tc.candidates(tree, node, table).ranked
            yield why_leaf(tree, node, ranked[0].gain if ranked else None)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "all of one class"),
        ({"max_depth": 1}, "depth of at most 1"),
        ({"min_rows_split": 60}, "fewer than the 60"),
        ({"min_rows_leaf": 30}, "at least 30"),
        ({"min_share_split": 0.5}, "less than 50 %"),
        ({"min_gain": 0.1}, "below the 0.1"),
        ({"min_weighted_gain": 0.2}, "share of the rows"),
        ({"max_leaves": 2}, "2 leaves allowed"),
        ({"criterion": "misclassification"}, "reduces the impurity"),
    ],
)
def test_limits_are_named(settings, words):
    assert any(words in reason for reason in reasons(read_sample("iris"), **settings))


def test_zero_gain_and_empty_branches():
    assert list(reasons(read_sample("xor"))) == ["No split reduces the impurity."]
    assert "No training row came here." in reasons(read_sample("play_tennis"), "id3")


def test_no_leaf_is_without_a_reason():
    for settings in ({}, {"max_leaves": 5}, {"min_rows_leaf": 10}, {"max_depth": 3, "min_gain": 0.01}):
        assert "The grower stopped here." not in reasons(read_sample("titanic"), **settings)
