"""Roles by a column's order: the earliest rows train, the latest test."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.recipe import Split


def sales(days) -> tc.Table:
    frame = pd.DataFrame({"sold": days, "x": np.arange(10.0), "y": list("ab") * 5})
    return tc.read_table(frame, target="y", features=["x"])


def test_the_earliest_rows_train_and_the_latest_test():
    days = [f"2026-{month:02}-01" for month in (5, 1, 9, 2, 8, 3, 7, 4, 10, 6)]
    train, validation, test = sales(days).split(tc.Roles(train=0.6, validation=0.2, test=0.2, order="sold"))
    assert sorted(train.column("x").values()) == [0, 1, 3, 5, 7, 9]
    assert sorted(validation.column("x").values()) == [4, 6]
    assert sorted(test.column("x").values()) == [2, 8]


def test_by_numbers_and_the_recipe_says_so():
    table = sales(["?"] * 10)
    train, _, test = table.split(Split(0.5, 0.0, 0.5, order="x").roles())
    assert (train.column("x").values().max(), test.column("x").values().min()) == (4, 5)
    assert Split(0.5, 0.2, 0.3, order="x").text() == "split 50/20/30 %, in order of x"
    recipe = tc.Recipe((Split(order="x"),))
    assert tc.Recipe.from_json(recipe.to_json()) == recipe


def test_rows_without_a_date_train():
    days = [None, *(f"2026-01-{day:02}" for day in range(1, 10))]
    train, _, _ = sales(days).split(tc.Roles(train=0.2, validation=0.4, test=0.4, order="sold"))
    assert sorted(train.column("x").values()) == [0, 1]


def test_words_have_no_order():
    with pytest.raises(TreecoreError, match="neither numbers nor dates"):
        sales(list("abcdefghij")).split(tc.Roles(order="sold"))
