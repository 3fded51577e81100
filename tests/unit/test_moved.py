"""One cell is otherwise: what of the tree stays, by hand, and that only that cell has changed."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.experiments import moved, with_value
from treecore.recipe import Grow, Recipe

STUMP = Recipe((Grow("cart", (("max_depth", 1),)),))


def line() -> Table:
    """0 to 9, from 5 on b."""
    columns = numeric_column("x", np.arange(10.0)), level_column("y", "nominal", list("aaaaabbbbb"), "ab")
    return Table(columns, target="y", features=("x",))


def test_a_cut_follows_the_row_that_is_moved():
    """4 becomes 4.9: the cut moves from 4.5 to 4.95, no row lies between. The class of 4 turns: it moves to 3.5."""
    table = line()
    tree = tc.grow(table, STUMP)
    near = moved(tree, table, STUMP, 4, "x", 4.9)
    assert near.tree.splits.threshold[0] == pytest.approx(4.95)
    assert near.stays.tolist() == [True, False, False]
    assert near.changed == 0
    turned = moved(tree, table, STUMP, 4, "y", "b")
    assert turned.tree.splits.threshold[0] == 3.5
    assert turned.stays.tolist() == [False] * 3
    assert turned.changed == 0.1


def test_only_that_cell_is_otherwise():
    table = read_sample("titanic")
    for name, value in (("age", 80.5), ("sex", "male"), ("age", None), ("sex", None)):
        other = with_value(table, 3, name, value)
        before, after = table.column(name).labels(), other.column(name).labels()
        assert (before[np.arange(len(before)) != 3] == after[np.arange(len(before)) != 3]).all()
        assert after[3] == ("" if value is None else str(value))
        assert other.column("fare").codes is table.column("fare").codes
    with pytest.raises(TreecoreError, match="There is no row"):
        with_value(table, 5000, "age", 1)
    with pytest.raises(TreecoreError, match="is no level"):
        with_value(table, 0, "sex", "?")
