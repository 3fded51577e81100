"""Every leaf says why it is one."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data.samples import read_sample
from treecore.growing.rebuild_node import why_leaf


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
        ({"max_depth": 1}, "maximum depth of 1"),
        ({"min_rows_split": 60}, "fewer than the 60"),
        ({"min_rows_leaf": 30}, "at least 30"),
        ({"min_share_split": 0.5}, "less than 50 %"),
        ({"min_gain": 0.1}, "below the minimum of 0.1"),
        ({"min_weighted_gain": 0.2}, "share of the rows"),
        ({"max_leaves": 2}, "2 of at most 2 leaves"),
        ({"criterion": "misclassification"}, "reduces the impurity"),
    ],
)
def test_limits_are_named(settings, words):
    assert any(words in reason for reason in reasons(read_sample("iris"), **settings))


def test_zero_gain_and_empty_branches():
    assert list(reasons(read_sample("xor"))) == ["No split reduces the impurity."]
    assert "No training row reaches this node." in reasons(read_sample("play_tennis"), "id3")


def test_no_leaf_is_without_a_reason():
    for settings in ({}, {"max_leaves": 5}, {"min_rows_leaf": 10}, {"max_depth": 3, "min_gain": 0.01}):
        assert "Growth stopped here." not in reasons(read_sample("titanic"), **settings)


# ---- rules that look at a split


def all_reasons(table, preset="cart", train=True, **settings):
    """Node -> reason, of the leaves."""
    tree = tc.grow(table, preset, **settings)
    found = {}
    for node in np.flatnonzero(tree.is_leaf):
        ranked = tc.candidates(tree, int(node), table).ranked
        found[int(node)] = why_leaf(tree, int(node), ranked[0].gain if ranked else None, table if train else None)
    return found


# 20 rows: 8 2 | 3 7, as in the tests of the stopping rules: p = 0.0246 or, by G, 0.0213; Gini .495 -> .32 + .42
TWENTY = Sample(["numeric"], [[0] * 10 + [1] * 10], [0], [0] * 8 + [1] * 2 + [0] * 3 + [1] * 7, 2)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ({"test": "chi_square", "alpha": 0.01}, "Chi-square test: p = 0.0246 is above the level 0.01."),
        ({"test": "g_test", "alpha": 0.02}, "Likelihood-ratio test (G): p = 0.0213 is above the level 0.02."),
        (
            {"size_penalty": 0.1},
            "The split does not lower α · size + Σ impurity: size costs 0.2 more (nodes: +2), the sum of impurities "
            "goes from 0.495 to 0.74 here.",
        ),
    ],
)
def test_a_rule_says_its_number_and_the_limit(rule, sentence):
    assert all_reasons(TWENTY.table(), **rule) == {0: sentence}


def test_description_lengths_are_said():
    sample = Sample(["numeric"], [[0, 1]], [0], [0, 1], 2)
    assert all_reasons(sample.table(), test="mdl") == {
        0: "The split does not shorten the description: 4 bits as a leaf, 5 with the split (1 for the test)."
    }


def test_the_permutation_test_says_its_share():
    reason = all_reasons(TWENTY.table(), test="permutation", alpha=0.001)[0]
    assert reason.startswith("Permutation test: p = 0.0")
    assert reason.endswith("is above the level 0.001.")


def test_without_the_rows_the_rules_are_named():
    table = TWENTY.table()
    reasons = all_reasons(table, train=False, test="chi_square", alpha=0.01, size_penalty=0.1)
    assert reasons == {0: "A stopping rule rejects its best split: Chi-square test or α · size + Σ impurity."}
    reasons = all_reasons(table, "ctree", train=False, alpha=0.001, min_rows_leaf=1)
    assert reasons[0].startswith("No feature depends on the target at the level of 0.1 %, or the limits")


@pytest.mark.parametrize(
    ("preset", "p"),
    # the statistic of ctree is 19/20 of Pearson's 5.0505: p = 0.02846, one test
    [("ctree", "0.0285"), ("chaid", "0.0246")],
)
def test_no_dependence_says_the_smallest_p(preset, p):
    reasons = all_reasons(TWENTY.table(), preset, alpha=0.01)
    assert reasons == {
        0: "No feature depends on the target at the level of 1 %: the smallest p-value, adjusted for the number of "
        f"tests, is {p} (x0)."
    }


def test_a_significant_feature_without_an_allowed_split():
    sample = Sample(["numeric"], [[0] * 3 + [1] * 37], [0], [1] * 3 + [0] * 37, 2)
    reasons = all_reasons(sample.table(), "ctree")
    assert reasons == {
        0: "Conditional inference (ctree): the limits allow no split of a feature that depends on the target."
    }


def test_the_peak_is_named():
    train, validation, _ = read_sample("iris").split(tc.Roles(train=0.5, validation=0.5, test=0.0, seed=1))
    tree = tc.grow(train, validation=validation, patience=2)
    impure = [int(n) for n in np.flatnonzero(tree.is_leaf & (tree.impurity > 0))]
    assert impure
    for node in impure:
        gain = tc.candidates(tree, node, train).ranked[0].gain
        n = tree.n_nodes - tree.n_leaves
        assert why_leaf(tree, node, gain, train).startswith(f"The validation error is lowest with the {n} splits")


@pytest.mark.parametrize("missing", ["majority", "fractional", "own_value", "surrogates"])
@pytest.mark.parametrize(
    "rule",
    [{"test": "chi_square", "alpha": 0.01}, {"test": "mdl"}, {"preset": "ctree"}, {"preset": "chaid"},
     {"size_penalty": 0.01, "impurity_sum": "shares"}],
)  # fmt: skip
def test_every_leaf_is_explained(rule, missing):
    settings = {"min_rows_split": 2, "min_rows_leaf": 1, "missing": missing} | rule
    reasons = set(all_reasons(read_sample("titanic"), **settings).values())
    assert "Growth stopped here." not in reasons
    assert len(reasons) > 2
