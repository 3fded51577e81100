"""Edges of bins that somebody gives: the feature branches into them in one go, the others as before."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import typed_edges
from treecore.recipe import Grow, Take

EDGES = {"salary": [10, 30, 50, 80]}
BINS = ("< 10", "10 to 30", "30 to 50", "50 to 80", "≥ 80")


def salaries(n: int = 60) -> tc.Table:
    rng = np.random.default_rng(4)
    salary = rng.uniform(0, 100, n).round()
    buys = np.where((salary >= 10) & (salary < 30) | (salary >= 80), "yes", "no")
    return tc.read_table(pd.DataFrame({"salary": salary, "age": rng.integers(18, 70, n), "buys": buys}), target="buys")


def test_a_feature_branches_at_the_given_edges():
    table = salaries()
    tree = tc.grow(table, "id3", edges=EDGES)
    assert tree.schema.features[0].cuts == (10, 30, 50, 80)
    assert tree.schema.features[1].cuts is None
    assert tree.node(2).rule == "10 ≤ salary < 30"
    values = table.column("salary").values()
    assert tree.n_rows[1:6].tolist() == np.bincount(np.digitize(values, [10, 30, 50, 80]), minlength=5).tolist()
    assert (tree.predict(table) == table.target_column.labels()).all()


def test_a_value_on_an_edge_lies_above_it_and_every_engine_agrees():
    frame = pd.DataFrame({"x": [0.0, 10.0, 10.0, 9.9, 30.0], "y": list("aabab")})
    tree = tc.grow(tc.read_table(frame, target="y"), "id3", edges={"x": [10, 30]})
    assert tree.apply(pd.DataFrame({"x": [9.99, 10.0, 29.9, 30.0]})).tolist() == [1, 2, 2, 3]


def test_bins_without_rows_stay_as_branches():
    frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "y": list("aabb")})
    tree = tc.grow(tc.read_table(frame, target="y"), "id3", edges={"x": [3, 5, 7]})
    assert tree.n_rows.tolist() == [4, 2, 0, 0, 2]


def test_they_are_a_line_of_the_recipe_and_survive_being_saved():
    recipe = tc.Recipe((Grow("id3", (("edges", EDGES),)),))
    assert "salary in bins at 10, 30, 50, 80" in recipe.text()
    assert tc.Recipe.from_json(recipe.to_json()) == recipe
    tree = tc.fit(salaries(), recipe).tree
    assert tc.Tree.from_dict(tree.to_dict()).predict(salaries()).tolist() == tree.predict(salaries()).tolist()


def test_a_split_by_hand_gets_all_the_bins():
    by_hand = Take((), "", "salary", branches=tuple((name,) for name in BINS))
    recipe = tc.Recipe((Grow("id3", (("edges", EDGES), ("max_depth", 0))), by_hand))
    assert tc.fit(salaries(), recipe).tree.n_leaves == 5


@pytest.mark.parametrize("edges", [{"salary": [30, 10]}, {"salary": []}, {"salary": 5}, {"salary": ["a"]}, 7,
                                   {"salary": [float("nan")]}, [("salary", [1]), ("salary", [2])]])  # fmt: skip
def test_edges_that_are_none(edges):
    with pytest.raises(TreecoreError, match="not possible"):
        tc.grow(salaries(), "id3", edges=edges)


def test_edges_of_no_numeric_feature_are_passed_over_and_twoing_has_none():
    assert tc.grow(salaries(), "cart", edges={"gone": [1], "buys": [2]}).to_frame().equals(
        tc.grow(salaries(), "cart").to_frame())  # fmt: skip
    with pytest.raises(TreecoreError, match="defined for two branches"):
        tc.grow(salaries(), "cart", edges=EDGES, score="twoing")


def test_edges_as_they_are_typed():
    assert typed_edges("30, 10;50.5 10") == (10, 30, 50.5)
    assert typed_edges(" ") == ()
    with pytest.raises(TreecoreError, match="'ten' is no number"):
        typed_edges("10, ten")
