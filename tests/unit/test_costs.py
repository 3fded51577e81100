"""Class priors, cost matrices and attribute costs."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.growing.settings.costs import class_factors
from treecore.recipe import Grow


@pytest.fixture(scope="module")
def iris():
    return read_sample("iris")


def same_shape(a: tc.Tree, b: tc.Tree) -> bool:
    return (
        a.splits.feature.tolist() == b.splits.feature.tolist()
        and np.array_equal(a.splits.threshold, b.splits.threshold, equal_nan=True)
        and a.parent.tolist() == b.parent.tolist()
    )


def test_priors_of_the_training_rows_change_nothing(iris):
    assert same_shape(tc.grow(iris), tc.grow(iris, priors=[1 / 3, 1 / 3, 1 / 3]))


def test_priors_act_like_weights_and_rows_are_counted_as_they_are(iris):
    priors = (0.5, 0.3, 0.2)
    by_priors = tc.grow(iris, priors=priors, max_depth=3)
    weights = np.array(priors)[iris.target_column.codes] / (1 / 3)
    by_weights = tc.grow(iris.with_weights(weights), max_depth=3)
    assert same_shape(by_priors, by_weights)
    assert by_priors.stats[0].tolist() == [50.0, 50.0, 50.0]
    assert by_priors.proba[0].tolist() == pytest.approx(priors)
    assert by_priors.proba == pytest.approx(by_weights.proba)


def test_two_class_costs_act_as_a_prior_and_move_the_label():
    table = read_sample("titanic")
    # calling a survivor (1) dead (0) costs 4: a_j is proportional to freq_j * sum_k L_jk / freq_j = 1 : 4
    factors = class_factors(table, tc.GrowSettings(loss=((0, 1), (4, 0))))
    assert factors[1] / factors[0] == pytest.approx(4)
    tree = tc.grow(table, loss=[[0, 1], [4, 0]], max_depth=2)
    for node in range(tree.n_nodes):
        dead, alive = tree.stats[node]
        assert tree.value[node] == (0 if alive * 4 <= dead * 1 else 1)


def test_the_label_is_the_class_of_least_expected_cost(iris):
    tree = tc.grow(iris, loss=[[0, 1, 1], [1, 0, 9], [1, 1, 0]], max_depth=1)
    mixed = int(np.flatnonzero(tree.stats[:, 1] * tree.stats[:, 2])[-1])
    expected = tree.stats[mixed] @ np.array([[0, 1, 1], [1, 0, 9], [1, 1, 0]])
    assert tree.value[mixed] == int(np.argmin(expected)) == 1


def test_risk_of_pruning_is_in_costs(iris):
    loss = [[0, 1, 1], [1, 0, 2], [1, 5, 0]]
    tree = tc.grow(iris, loss=loss)
    steps = tc.sequence(tree)
    root_cost = min(np.array([50, 50, 50]) @ np.array(loss))
    assert steps.risk[-1] == pytest.approx(root_cost / 150)
    assert (np.diff(steps.alpha) >= 0).all()


def test_profits_are_checked_kept_and_read_again():
    table = read_sample("titanic")
    profit = [[0, -5], [0.0, 95]]
    tree = tc.grow(table, "cart", profit=profit, max_depth=4)
    assert tree.loss.tolist() == [[0, 5], [0, -95]]
    again = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.predict(table).tolist() == tree.predict(table).tolist()
    recipe = tc.Recipe((Grow("cart", (("profit", profit),)),))
    assert tc.Recipe.from_json(recipe.to_json()) == recipe
    assert "profit 0 -5 | 0 95" in recipe.steps[0].text()
    for wrong, what in (
        ([[1, 1], [2, 2]], "nothing to decide"), ([[1, 2]], r"rows of \[2\] values"),
        ([[0, np.nan], [0, 1]], "'0' called '1' earns nan"), ([[0, 1e101], [0, 1]], "earns 1e"),
    ):  # fmt: skip
        with pytest.raises(tc.TreecoreError, match=what):
            tc.grow(table, "cart", profit=wrong)
    with pytest.raises(tc.TreecoreError, match="cannot both be in force"):
        tc.grow(table, "cart", profit=profit, loss=[[0, 1], [1, 0]])
    with pytest.raises(tc.TreecoreError, match="for targets with classes"):
        tc.grow(read_sample("mpg"), "cart", profit=profit)


def test_a_row_of_zeros_leaves_its_class_without_a_say():
    table = read_sample("titanic")
    tree = tc.grow(table, "cart", profit=[[0, 0], [0, 95]])
    assert tree.classes[tree.value[0]] == tree.classes[1]
    with pytest.raises(tc.TreecoreError, match="nothing to decide"):
        tc.grow(table, "cart", profit=[[0, 0], [0, 0]])


def test_cost_weighted_gini_takes_what_profits_miss(iris):
    loss = np.array([[0, 1, 1], [1, 0, 2], [1, 5, 0]])
    by_cost = tc.grow(iris, criterion="cost_gini", loss=loss.tolist())
    by_profit = tc.grow(iris, criterion="cost_gini", profit=(np.array([[3], [1], [2]]) - loss).tolist())
    assert same_shape(by_cost, by_profit)
    np.testing.assert_allclose(by_cost.impurity, by_profit.impurity)


def test_a_dear_feature_must_gain_more(iris):
    cheap = tc.grow(iris, max_depth=1)
    feature = cheap.node(0).feature
    dear = tc.grow(iris, max_depth=1, costs={feature: 3.0})
    assert dear.node(0).feature != feature
    ranked = tc.candidates(dear, 0, iris).per_feature()
    assert ranked[0].chosen
    assert ranked[0].feature == dear.node(0).feature
    paid = tc.grow(iris, max_depth=1, costs={name: 2.0 for name in iris.features})
    assert same_shape(cheap, paid)
    assert paid.gain[0] == pytest.approx(cheap.gain[0])


def test_candidates_count_rows_as_they_are(iris):
    tree = tc.grow(iris, priors=(0.6, 0.2, 0.2), max_depth=2)
    best = tc.candidates(tree, 0, iris).ranked[0]
    assert best.gain == pytest.approx(tree.gain[0])
    assert best.stats.sum(axis=0) == pytest.approx([50, 50, 50])


def test_settings_survive_json(iris):
    loss, priors, costs = ((0, 1, 1), (1, 0, 2), (1, 5, 0)), (0.2, 0.3, 0.5), (("petalwidth", 2.0),)
    recipe = tc.Recipe((Grow("cart", (("loss", loss), ("priors", priors), ("costs", costs))),))
    assert tc.Recipe.from_json(recipe.to_json()).growth() == recipe.growth()
    assert hash(recipe.growth()) == hash(tc.Recipe.from_json(recipe.to_json()).growth())
    tree = tc.grow(iris, loss=[[0, 1, 1], [1, 0, 2], [1, 5, 0]], priors=[0.2, 0.3, 0.5])
    again = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert again.value.tolist() == tree.value.tolist()
    assert again.proba == pytest.approx(tree.proba)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"loss": [[0, 1], [1, 0]]}, "one row and one column per class"),
        ({"loss": [[0, -1, 1], [1, 0, 1], [1, 1, 0]]}, "0 or more"),
        ({"loss": [[1, 1, 1], [1, 0, 1], [1, 1, 0]]}, "diagonal"),
        ({"loss": [[0, 0, 0]] * 3}, "nothing does"),
        ({"priors": [0.5, 0.5, 0.5]}, "sum to 1"),
        ({"priors": [0.5, 0.5]}, "one share"),
        ({"priors": [1.5, -0.5, 0.0]}, "0 or more"),
        ({"costs": {"sepallength": 0.0}}, "above 0"),
        ({"costs": {"no such": 2.0}}, "no such feature"),
        ({"loss": 7}, "loss"),
    ],
)
def test_impossible_costs_say_what_is_wrong(iris, settings, words):
    with pytest.raises(tc.TreecoreError) as fault:
        tc.grow(iris, **settings)
    assert words in str(fault.value)
    assert fault.value.remedy


def test_costs_need_classes():
    with pytest.raises(tc.TreecoreError, match="targets with classes"):
        tc.grow(read_sample("curve"), priors=[1.0])


def test_a_row_in_shares_gets_the_cheapest_class_of_its_mixture():
    """a holds 4 n and 1 p, b 2 n and 3 p: without x a row is n by 0.6, and p where a missed p costs 4."""
    words = pd.DataFrame({"x": list("aaaaabbbbb"), "y": list("nnnnpnnppp")})
    table = tc.read_table(words, target="y", kinds={"x": tc.Nominal(["a", "b"]), "y": tc.Nominal(["n", "p"])})
    unknown = pd.DataFrame({"x": [None]})
    for loss, answer in ((None, "n"), ([[0, 1], [4, 0]], "p")):
        tree = tc.grow(table, "c4.5", min_weight_leaf=1.0, loss=loss)
        assert tree.predict_proba(unknown)[0] == pytest.approx([0.6, 0.4])
        assert tree.predict(unknown).tolist() == [answer]
