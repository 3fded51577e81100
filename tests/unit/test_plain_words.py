"""What a node says in plain words, of both tasks and where the answer is not the commonest."""

import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.explaining.why_node import error_text, plain_words
from treecore.figures import brief
from treecore.tree.short_text import shorten

TITANIC, TENNIS, MPG = map(read_sample, ("titanic", "play_tennis", "mpg"))


@pytest.mark.parametrize(
    ("tree", "node", "told"),
    [
        (tc.grow(TITANIC, "cart", max_depth=1), 0,
         "In 61.6 % of the 891 rows here survived is 0. sex splits them: 0 in 81.1 % where sex = male, and 1 "
         "in 74.2 % where sex = female."),
        (tc.grow(TENNIS, "id3", max_depth=1), 2,
         "Here the tree predicts PlayTennis = Yes, as in all of its 4 rows."),
        (tc.grow(TENNIS, "id3", max_depth=1), 1,
         "Here the tree predicts PlayTennis = No, as in 60.0 % of its 5 rows."),
        (tc.grow(TITANIC, "cart", max_depth=1, loss=((0, 1), (9, 0))), 1,
         "Here the tree predicts survived = 1 as this has the lowest expected cost, although only 18.9 % of its 577 "
         "rows have it."),
        (tc.grow(MPG, "cart", max_depth=1), 0,
         "The 398 rows here have mpg 23.51 on average. displacement splits them: 28.66 where displacement < "
         "190.5, and 16.69 where displacement ≥ 190.5."),
        (tc.grow(MPG, "cart", max_depth=0, criterion="absolute_error"), 0,
         "Here the tree predicts mpg 23, the median of its 398 rows."),
    ],
)  # fmt: skip
def test_a_node_in_plain_words(tree, node, told):
    assert plain_words(tree, node).replace("\u00a0", " ") == told


def test_of_many_branches_the_purest_is_told():
    found = plain_words(tc.grow(TITANIC, "id3", max_depth=1, nominal="multiway", numeric="equal_width", bins=8), 0)
    assert "sex" in found
    many = tc.grow(read_sample("trap_many_levels"), "id3", max_depth=1)
    assert f"the purest of {int(many.n_children[0])} branches has" in plain_words(many, 0)


def test_a_long_name_gives_way_and_not_what_is_asked_of_it():
    name = "orders_of_a_week_" * 8
    rows = [(i, "a" * 70 if i < 3 or i > 6 else "b", "yes" if i < 3 else "no") for i in range(9) for _ in range(5)]
    table = tc.read_table(pd.DataFrame(rows, columns=[name, "town", "class"]), target="class")
    found = plain_words(tc.grow(table), 0)
    assert f"where {shorten(name, 60)} < 2.5" in found
    assert f"where {shorten(name, 60)} ≥ 2.5" in found
    of_towns = plain_words(tc.grow(table.with_features(["town"])), 0)
    assert of_towns.endswith(f"no in all where town = b, and yes in 60.0\u00a0% where town is {shorten('a' * 70, 60)}.")


def test_of_many_levels_the_first_are_named_and_the_rest_counted():
    levels = [f"ward {letter}" for letter in "abcdefghij"]
    rows = [(name, "yes" if i < 2 else "no") for i, name in enumerate(levels) for _ in range(5)]
    tree = tc.grow(tc.read_table(pd.DataFrame(rows, columns=["where", "class"]), target="class"))
    found = plain_words(tree, 0)
    assert "where where ∈ {ward a, ward b}" in found
    assert "where where is ward c, ward d, ward e, ward f or one of 4 more" in found


def test_of_many_levels_a_missing_value_is_told_too():
    levels = [f"ward {letter}" for letter in "abcdefghij"]
    rows = [(name, "yes" if i < 2 else "no") for i, name in enumerate(levels) for _ in range(5)]
    rows += [(None, "no")] * 9
    table = tc.read_table(pd.DataFrame(rows, columns=["where", "class"]), target="class")
    found = plain_words(tc.grow(table, missing="own_value"), 0)
    assert "ward f or one of 4 more, or missing" in found


def test_classes_of_equal_numbers_are_not_told_as_if_one_were_typical():
    tree = tc.grow(read_sample("iris"), "cart", max_depth=1)
    assert plain_words(tree, 0).startswith(
        "All classes are equally frequent in the 150 rows here: Iris-setosa, Iris-versicolor, Iris-virginica. "
    )


def test_a_split_of_numbers_says_by_how_much_the_error_falls():
    tree = tc.grow(MPG, "cart", max_depth=1)
    y = MPG.target_column.labels().astype(float)
    below = tree.apply(MPG) == 1
    after = (((y[below] - y[below].mean()) ** 2).sum() + ((y[~below] - y[~below].mean()) ** 2).sum()) / len(y)
    assert error_text(tree, 0) == f"RMSE {brief(y.std())} → {brief(after**0.5)}"
    assert error_text(tc.grow(TENNIS, "id3"), 0) == ""
