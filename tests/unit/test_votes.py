"""Votes in the plane of two features: against asking every tree for every place."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.ensembles import bagging, gradient_boosting, votes_in_plane
from treecore.plots.decision_regions import STEPS, vote_map
from treecore.study.plane import Axis, default_fixed
from treecore.study.points import plane_points
from treecore.study.regions import regions

TITANIC, MPG = read_sample("titanic"), read_sample("mpg")
AGES, SEXES = np.array([5.0, 30.0, 60.0]), np.array([0.0, 1.0])


def test_shares_are_those_of_the_trees_that_answer_each_class():
    many = bagging(TITANIC, tc.GrowSettings(max_depth=3), 5, 0.5, seed=0)
    fixed = default_fixed(tc.grow(TITANIC, "cart"), TITANIC)
    found = votes_in_plane(many, ("age", AGES), ("sex", SEXES), fixed)
    frame = TITANIC.take(np.zeros(1, int)).to_frame()
    for i, sex in enumerate(TITANIC.column("sex").levels):
        for j, age in enumerate(AGES):
            row = frame.assign(**{**fixed, "age": age, "sex": sex})
            said = [tree.predict(row)[0] for tree in many.trees]
            np.testing.assert_allclose(found[i, j], [said.count(k) / 5 for k in TITANIC.classes])


def test_what_only_adds_up_has_probabilities_and_numbers_their_sum():
    fixed = default_fixed(tc.grow(TITANIC, "cart"), TITANIC)
    boosted = gradient_boosting(TITANIC, tc.GrowSettings(max_depth=2), 3)
    found = votes_in_plane(boosted, ("age", AGES), ("sex", SEXES), fixed)
    assert found.sum(axis=2) == pytest.approx(1.0)
    many = bagging(MPG, tc.GrowSettings(max_depth=2), 3, seed=0)
    x, y = MPG.features[:2]
    assert votes_in_plane(many, (x, np.zeros(3)), (y, np.zeros(2)), {}).shape == (2, 3)


def test_the_picture_says_the_votes_where_one_points():
    votes = np.array([[[0.75, 0.25], [0.4, 0.6]]])
    axes = Axis("a", "numeric", 0.0, 2.0), Axis("b", "numeric", 0.0, 1.0)
    chart = vote_map(*axes, votes, "y", ("yes", "<no>"))
    told = chart.data[0]
    assert told.x.tolist() == [0.5, 1.5]
    assert told.text[0][0].startswith("yes: 75")
    assert "<no>" not in told.text[0][1]
    assert len(chart.layout.images) == 1
    assert STEPS * 10 <= 255
    assert len(vote_map(*axes, np.array([[1.0, 3.0]]), "y", ()).layout.images) == 1


def test_rows_in_the_plane_are_wrong_where_all_trees_together_are():
    many = bagging(TITANIC, tc.GrowSettings(max_depth=3), 5, 0.5, seed=0)
    tree, parts = tc.grow(TITANIC, "cart", max_depth=1), {"train": TITANIC.take(np.arange(200)[::-1])}
    plane = regions(tree, "age", "sex", default_fixed(tree, TITANIC))
    points = plane_points(tree, plane, parts)
    told = points.answered_by(many.answers, parts)
    place = [parts["train"].row_numbers.tolist().index(row) for row in points.row]
    right = many.predict(parts["train"]) == parts["train"].target_column.labels()
    np.testing.assert_array_equal(told.wrong, ~right[place])
    assert (told.wrong != points.wrong).any(), "else this test tells nothing"
    assert told.in_plane.all()
