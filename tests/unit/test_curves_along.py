"""Recipes along a scale: what is changed and what never is, and a power law carried on."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.plots.error_curves import leaves_along, score_curve
from treecore.recipe import Grow, Prune, Recipe
from treecore.study import MEASURES, disturbed, learning_curve, noise_curve, outlook, rare_curve
from treecore.study.questions.learning_curve import all_disturbed, grown_in_noise

CART = Recipe((Grow("cart", (("max_depth", 4),)),))
ACCURACY = MEASURES["accuracy"]


@pytest.fixture(scope="module")
def titanic():
    return read_sample("titanic").without_missing_target()


def test_labels_and_values_are_wrong_in_just_so_many_rows(titanic):
    rng = np.random.RandomState(0)
    before, other = titanic.target_column.codes, disturbed(titanic, titanic.target, 0.2, rng).target_column.codes
    assert (before != other).sum() == round(0.2 * titanic.n_rows)
    age = disturbed(titanic, "age", 0.5, rng).column("age")
    assert sorted(age.codes.tolist()) == sorted(titanic.column("age").codes.tolist()), "dealt anew"
    assert (age.missing == titanic.column("age").missing).all()
    assert 0.3 * titanic.n_rows < (age.codes != titanic.column("age").codes).sum() <= 0.5 * titanic.n_rows
    assert disturbed(titanic, "sex", 0.0, rng).fingerprint == titanic.fingerprint


def test_more_rows_grow_larger_trees_which_know_less_of_their_own_rows(titanic):
    found = learning_curve(titanic, Recipe((Grow("cart"),)), ACCURACY, 4)
    assert found.at[-1] == titanic.n_rows - titanic.n_rows // 3  # 891 is three times 297
    assert (np.diff(found.n_leaves.mean(axis=1)) > 0).all()
    assert found.score.shape == found.train.shape == (8, 4)
    assert found.score.mean(axis=1)[-1] > found.score.mean(axis=1)[0]
    same = learning_curve(titanic, Recipe((Grow("cart"),)), ACCURACY, 4)
    assert same.score.tolist() == found.score.tolist()


def test_a_sample_of_fewer_rows_than_folds_is_parted_into_as_many_as_there_are():
    """Of 60 rows 40 train at most, and 2 at least."""
    by_folds = Recipe((Grow("cart"), Prune("cost_complexity", (("choose", "cross-validation"),))))
    table = read_sample("iris").take(np.arange(0, 150, 2)[:60])
    found = learning_curve(table, by_folds, ACCURACY, 3)
    assert found.at[0] == 2
    assert np.isfinite(found.score).all()
    assert found.score.mean(axis=1)[-1] > 0.6


def test_noise_harms_and_none_does_not(titanic):
    recipe = Recipe((Grow("cart"), Prune("reduced_error")))
    labels = noise_curve(titanic, recipe, ACCURACY, n_repeats=4)
    assert labels.score.mean(axis=1)[0] > labels.score.mean(axis=1)[-1] + 0.1
    sex, port = (noise_curve(titanic, CART, ACCURACY, name, 4).score.mean(axis=1) for name in ("sex", "fare"))
    assert sex[0] == port[0]
    assert sex[-1] < port[-1]


def test_a_class_becomes_rare(titanic):
    recall = lambda a: float((a.said[a.truth == 1] == 1).mean())  # noqa: E731
    found = rare_curve(titanic, CART, recall, titanic.classes[1], 4)
    mean = found.score.mean(axis=1)
    assert mean[0] > 0.5 > mean[-1]
    with pytest.raises(TreecoreError, match="is no class"):
        rare_curve(titanic, CART, recall, "nobody")


@pytest.mark.parametrize("feature", ["", "sex", ("sex", "age")])
def test_the_tree_in_noise_is_that_of_the_rows_that_are_wrong(titanic, feature):
    tree, rows = grown_in_noise(CART, feature, 0.3, titanic)
    wrong = all_disturbed(titanic, feature, 0.3, np.random.RandomState(0))
    assert rows.fingerprint == wrong.fingerprint != titanic.fingerprint
    assert tree.to_dict() == tc.fit(wrong, CART).tree.to_dict()
    assert grown_in_noise(CART, feature, 0.0, titanic)[0].to_dict() == tc.fit(titanic, CART).tree.to_dict()


def test_numbers_go_along_too():
    found = noise_curve(read_sample("mpg"), CART, MEASURES["rmse"], n_repeats=3)
    assert found.score.mean(axis=1)[-1] > found.score.mean(axis=1)[0]


def test_a_power_law_is_found_again():
    n = np.array([20.0, 40, 80, 160, 320, 640])
    law = 0.9 - 1.5 * n**-0.5
    of = outlook(n, np.stack([law, law], axis=1))
    assert (of.limit, of.factor, of.power) == pytest.approx((0.9, -1.5, 0.5))
    assert of.score[-1] == pytest.approx(0.9 - 1.5 * (4 * 640) ** -0.5)
    assert of.low == pytest.approx(of.high)
    noisy = outlook(n, law[:, None] + np.random.RandomState(0).normal(0, 0.02, (6, 8)))
    assert (noisy.low < noisy.score).all()
    assert (noisy.score < noisy.high).all()
    for few in (n[:3], np.array([2.0, 2, 2, 3, 3]), np.array([0.0, 1, 2, 3])):
        with pytest.raises(TreecoreError, match="cannot be carried on"):
            outlook(few, np.ones((len(few), 2)))


def test_each_mean_is_drawn(titanic):
    found = learning_curve(titanic, CART, ACCURACY, 3)
    drawn = score_curve(found, ACCURACY, "rows", False, outlook(found.at, found.score))
    assert list(drawn.data[1].y) == found.score.mean(axis=1).tolist()
    assert drawn.data[-1].line.dash
    assert list(leaves_along(found, "rows", False).data[1].y) == found.n_leaves.mean(axis=1).tolist()
    hostile = score_curve(found, ACCURACY, "rows with <b>x</b>", True).layout.xaxis.title.text
    assert hostile == "rows with &lt;b&gt;x&lt;/b&gt;"
