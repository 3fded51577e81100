"""Ensembles: against one tree, against naive loops, and AdaBoost's weights by hand."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge

import treecore as tc
from treecore.data.samples import read_sample
from treecore.ensembles import (
    KINDS,
    adaboost,
    bagging,
    distilled,
    extra_trees,
    gradient_boosting,
    kinds_for,
    linear_of_leaves,
    mixed_up,
    random_forest,
)
from treecore.ensembles.boosted import adds_to, grown_on
from treecore.errors import TreecoreError
from treecore.growing.grower import grow_tree
from treecore.growing.settings.problem import n_features_per_split
from treecore.presets import PRESETS

SHALLOW = tc.GrowSettings(max_depth=2)
TITANIC, MPG = read_sample("titanic"), read_sample("mpg")


def test_rows_that_were_not_drawn_judge():
    many = bagging(TITANIC, tc.GrowSettings(min_rows_leaf=5), 15, seed=3)
    truth, votes = TITANIC.target_column.codes, np.zeros((TITANIC.n_rows, 2))
    for tree, times in zip(many.trees, many.times, strict=True):
        rows = np.flatnonzero(times == 0)
        votes[rows] += tree.predict_proba(TITANIC.take(rows))
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
    for name in kinds_for(table.task, SHALLOW):
        many = KINDS[name].grown(table, SHALLOW, 5, 0, None)
        told = distilled(many, tc.GrowSettings())
        assert told.agreement(table) > 0.95
        assert len(many.errors(table)) == len(many.trees)
        assert told.tree.predict(table).shape == many.predict(table).shape


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("table", [TITANIC, MPG], ids=["classes", "numbers"])
def test_every_kind_that_is_offered_can_be_grown(table, preset):
    if PRESETS[preset].task not in ("", table.task):
        return
    growth = replace(PRESETS[preset].growth, max_depth=2)
    for name in kinds_for(table.task, growth):
        assert KINDS[name].grown(table, growth, 2, 0, None).trees


def test_trees_of_some_features_leave_out_what_the_settings_say_of_the_others():
    growth = replace(SHALLOW, costs=tuple((name, 2.0) for name in TITANIC.features))
    assert len(bagging(TITANIC, growth, 3, 0.5).trees) == 3


def test_what_is_not_possible_is_refused():
    with pytest.raises(TreecoreError, match="n_trees"):
        bagging(TITANIC, SHALLOW, 0)
    with pytest.raises(TreecoreError, match="feature_share"):
        bagging(TITANIC, SHALLOW, 2, 0.0)
    with pytest.raises(TreecoreError, match="AdaBoost here is for classes"):
        adaboost(MPG, SHALLOW)
    with pytest.raises(TreecoreError, match="rate"):
        gradient_boosting(TITANIC, SHALLOW, rate=0.0)
    with pytest.raises(TreecoreError, match="no rows"):
        mixed_up(bagging(MPG, SHALLOW, 2), MPG.take(np.arange(0)))


def test_a_forest_draws_the_usual_number_of_features_or_as_many_as_are_asked_for():
    d = len(TITANIC.features)
    of = lambda growth, table: random_forest(table, growth, 2, seed=1).trees[0].growth  # noqa: E731
    assert n_features_per_split(tc.GrowSettings.from_dict(dict(of(SHALLOW, TITANIC))), d) == math.isqrt(d)
    assert of(SHALLOW, MPG)["share_features"] == pytest.approx(1 / 3)
    assert of(tc.GrowSettings(max_features="count", n_features=2), TITANIC)["n_features"] == 2


@pytest.mark.parametrize("table", [TITANIC, MPG], ids=["classes", "numbers"])
def test_extremely_randomised_trees_draw_thresholds_of_all_rows_by_their_seeds(table):
    many, again = (extra_trees(table, tc.GrowSettings(), 5, seed=1) for _ in range(2))
    assert [tree.to_dict() for tree in many.trees] == [tree.to_dict() for tree in again.trees]
    grown = [tc.GrowSettings.from_dict(dict(tree.growth)) for tree in many.trees]
    assert {growth.cuts for growth in grown} == {"random"}
    assert len({growth.seed for growth in grown}) == 5
    assert {growth.max_features for growth in grown} == {"sqrt" if table.classes else "all"}
    assert all(tree.n_rows[0] == table.without_missing_target().n_rows for tree in many.trees)
    alone = np.mean([tc.grow(table, growth).predict(table) == many.trees[0].predict(table) for growth in grown[:1]])
    assert alone == 1


def test_many_extremely_randomised_trees_err_less_than_one_on_new_rows():
    train, _, test = MPG.split(tc.Roles(train=0.7, validation=0.0, test=0.3, seed=0))
    errors = extra_trees(train, tc.GrowSettings(), 40, seed=0).errors(test)
    assert errors[-1] < 0.7 * errors[0]


def test_every_tree_of_a_forest_draws_by_a_seed_of_its_own_and_the_forest_by_its_seed():
    many, again = (random_forest(TITANIC, SHALLOW, 4, seed=1) for _ in range(2))
    assert [tree.to_dict() for tree in many.trees] == [tree.to_dict() for tree in again.trees]
    assert len({tree.growth["seed"] for tree in many.trees}) == 4
    rows = TITANIC.take(np.repeat(np.arange(TITANIC.n_rows), many.times[2]))
    assert grow_tree(rows, tc.GrowSettings.from_dict(dict(many.trees[2].growth))).to_dict() == many.trees[2].to_dict()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_are_boosted_as_scikit_learn_boosts_them(n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(600, 3)).astype(np.float32)  # so many that no two features part the rows alike
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=600) / 3, [-0.4, 0.5][3 - n_classes :])
    names = [str(k) for k in range(n_classes)]
    table, growth, rounds = tc.from_arrays(X, y, classes=names), tc.GrowSettings(max_depth=2, min_rows_leaf=30), 4
    many = gradient_boosting(table, growth, rounds * (1 if n_classes == 2 else n_classes), rate=0.3)
    peer = GradientBoostingClassifier(
        n_estimators=rounds, learning_rate=0.3, max_depth=2, min_samples_leaf=30, random_state=0
    ).fit(X, y)  # fmt: skip
    *_, scores = many.votes(many.table)
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, peer.predict_proba(X), atol=1e-6)
    assert many.errors(many.table)[-1] == np.mean(peer.predict(X) != y)
    for i, tree in enumerate(many.trees):
        rows = grown_on(many, i)
        assert grow_tree(rows, growth).to_dict() == tree.to_dict()
        assert adds_to(many, i) == ("1" if n_classes == 2 else names[i % n_classes])
    assert all(tree.value[0] == 0 for tree in many.trees[: 1 if n_classes == 2 else n_classes]), "but for rounding"


@pytest.mark.parametrize("table", [TITANIC, MPG], ids=["classes", "numbers"])
def test_a_linear_model_weighs_leaves(table):
    many = linear_of_leaves(table, SHALLOW, 3, seed=0)
    leaves = [np.eye(tree.n_nodes)[tree.apply(table)] for tree in many.trees]
    *_, scores = many.votes(table)
    summed = many.starts + sum(leaf @ step for leaf, step in zip(leaves, many.steps, strict=True))
    np.testing.assert_allclose(scores if table.classes else scores[:, None], summed)
    model = LogisticRegression(max_iter=1000) if table.classes else Ridge(solver="lsqr")
    model.fit(np.hstack(leaves), table.target_column.codes if table.classes else table.target_column.values())
    told = model.decision_function(np.hstack(leaves)) if table.classes else model.predict(np.hstack(leaves))
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0] if table.classes else scores, told, rtol=1e-3, atol=1e-3)


def test_mixed_up_values_cost_what_their_feature_is_worth():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"seen": rng.normal(size=200), "idle": rng.normal(size=200)})
    table = tc.read_table(frame.assign(y=np.where(frame.seen > 0, "a", "b")), target="y")
    many = bagging(table, SHALLOW, 5, seed=0)
    found = mixed_up(many, table, n_draws=3)
    assert found.names == ("seen", "idle")
    assert found.worse[0] == pytest.approx(0.5, abs=0.1)
    assert abs(found.worse[1]) < 0.02
    order = np.random.RandomState(0).permutation(200)
    dealt = tc.read_table(frame.assign(seen=frame.seen.to_numpy()[order], y=table.target_column.labels()), target="y")
    assert mixed_up(many, table, n_draws=1).worse[0] == pytest.approx(many.errors(dealt)[-1] - many.errors(table)[-1])
