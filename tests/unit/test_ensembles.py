"""Ensembles: against one tree, against naive loops, and AdaBoost's weights by hand."""

import math

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.ensembles import KINDS, adaboost, bagging, distilled, gradient_boosting, kinds_for, random_forest
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.problem import n_drawn

SHALLOW = tc.GrowSettings(max_depth=2)
TITANIC, MPG = read_sample("titanic"), read_sample("mpg")


def test_rows_that_were_not_drawn_judge():
    many = bagging(TITANIC, tc.GrowSettings(min_rows_leaf=5), 15, seed=3)
    truth, votes = TITANIC.target_column.codes, np.zeros((TITANIC.n_rows, 2))
    for tree, times in zip(many.trees, many.times, strict=True):
        for row in np.flatnonzero(times == 0):
            votes[row] += tree.predict_proba(TITANIC.take(np.array([row])))[0]
    seen = votes.sum(axis=1) > 0
    assert many.out_of_bag()[-1] == pytest.approx(np.mean(votes[seen].argmax(axis=1) != truth[seen]))


def test_drawn_trees_are_those_of_their_rows_and_the_seed_decides():
    many = bagging(TITANIC, SHALLOW, 4, 0.5, seed=1)
    again = bagging(TITANIC, SHALLOW, 4, 0.5, seed=1)
    assert [tree.to_dict() for tree in many.trees] == [tree.to_dict() for tree in again.trees]
    assert {len(tree.schema.features) for tree in many.trees} == {round(len(TITANIC.features) / 2)}
    rows = TITANIC.with_features(f.name for f in many.trees[0].schema.features)
    alone = tc.grow(rows.take(np.repeat(np.arange(TITANIC.n_rows), many.times[0])), SHALLOW)
    assert alone.to_dict() == many.trees[0].to_dict()


def test_a_vote_is_the_mean_of_all_so_far():
    many = bagging(MPG, SHALLOW, 5, seed=0)
    first_three = np.mean([tree.predict(MPG) for tree in many.trees[:3]], axis=0)
    truth = MPG.target_column.values()
    assert many.errors(MPG)[2] == pytest.approx(np.mean((first_three - truth) ** 2))


def test_adaboost_by_hand():
    """Ten rows, stumps: the first is wrong about three; e = 0.3, its vote ln(0.7 / 0.3)."""
    x, y = np.arange(10.0), list("aaabbbaaab")
    table = tc.read_table(pd.DataFrame({"x": x, "y": y}), target="y")
    boosted = adaboost(table, tc.GrowSettings(max_depth=1), 3)
    assert boosted.weights[0] == pytest.approx(math.log(0.7 / 0.3))
    wrong = boosted.trees[0].predict(table) != np.array(y)
    assert wrong.sum() == 3
    weights = np.where(wrong, 0.7 / 0.3, 1.0)
    second = boosted.trees[1].predict(table) != np.array(y)
    error = weights[second].sum() / weights.sum()
    assert boosted.weights[1] == pytest.approx(math.log((1 - error) / error))
    assert boosted.errors(table)[2] < boosted.errors(table)[0]


def test_adaboost_ends_with_a_tree_that_is_never_wrong():
    boosted = adaboost(read_sample("play_tennis"), tc.GrowSettings(), 10)
    assert len(boosted.trees) == 1
    assert boosted.errors(read_sample("play_tennis"))[-1] == 0


def test_gradient_boosting_fits_what_is_left():
    boosted = gradient_boosting(MPG, SHALLOW, 4, rate=0.5)
    truth = MPG.target_column.values()
    answer = np.full(MPG.n_rows, truth.mean())
    for tree in boosted.trees:
        frame = pd.DataFrame({c.name: c.values() if c.kind == "numeric" else c.labels() for c in MPG.feature_columns})
        naive = tc.grow(tc.read_table(frame.assign(left=truth - answer), target="left", kinds=_kinds()), SHALLOW)
        assert naive.predict(MPG) == pytest.approx(tree.predict(MPG))
        answer = answer + 0.5 * tree.predict(MPG)
    assert boosted.predict(MPG) == pytest.approx(answer)


def _kinds() -> dict:
    return {c.name: c.kind for c in MPG.feature_columns if c.kind != "ordinal"}


@pytest.mark.parametrize("table", [TITANIC, MPG], ids=["classes", "numbers"])
def test_the_distilled_tree_is_grown_on_what_they_answer(table):
    for name in kinds_for(table.task):
        many = KINDS[name].grown(table, SHALLOW, 5, 0, None)
        told = distilled(many, tc.GrowSettings())
        assert told.agreement(table) > 0.95
        assert len(many.errors(table)) == len(many.trees)
        assert told.tree.predict(table).shape == many.predict(table).shape


def test_what_is_not_possible_is_refused():
    with pytest.raises(TreecoreError, match="n_trees"):
        bagging(TITANIC, SHALLOW, 0)
    with pytest.raises(TreecoreError, match="feature_share"):
        bagging(TITANIC, SHALLOW, 2, 0.0)
    with pytest.raises(TreecoreError, match="AdaBoost here is for classes"):
        adaboost(MPG, SHALLOW)
    with pytest.raises(TreecoreError, match="for numbers"):
        gradient_boosting(TITANIC, SHALLOW)


def test_a_forest_draws_the_usual_number_of_features_or_as_many_as_are_asked_for():
    d = len(TITANIC.features)
    of = lambda growth, table: random_forest(table, growth, 2, seed=1).trees[0].growth  # noqa: E731
    assert n_drawn(tc.GrowSettings.from_dict(dict(of(SHALLOW, TITANIC))), d) == math.isqrt(d)
    assert of(SHALLOW, MPG)["share_features"] == pytest.approx(1 / 3)
    assert of(tc.GrowSettings(max_features="count", n_features=2), TITANIC)["n_features"] == 2


def test_every_tree_of_a_forest_draws_by_a_seed_of_its_own_and_the_forest_by_its_seed():
    many, again = (random_forest(TITANIC, SHALLOW, 4, seed=1) for _ in range(2))
    assert [tree.to_dict() for tree in many.trees] == [tree.to_dict() for tree in again.trees]
    assert len({tree.growth["seed"] for tree in many.trees}) == 4
    rows = TITANIC.take(np.repeat(np.arange(TITANIC.n_rows), many.times[2]))
    assert grow_tree(rows, tc.GrowSettings.from_dict(dict(many.trees[2].growth))).to_dict() == many.trees[2].to_dict()
