"""Rows of a DataFrame as the tree reads them."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data import level_column, numeric_column

NUMBER = tc.grow(Sample(["numeric"], [[1, 2, 3, 4]], [0], [0, 0, 1, 1], 2).table())


@pytest.mark.parametrize(
    "cells",
    [[1, None, 4], [1.0, np.nan, 4.0], ["1", None, " 4 "], pd.array([1, None, 4], dtype="Int64"),
     pd.array([1.0, None, 4.0], dtype="Float64"), pd.array(["1", None, "4"], dtype="string"),
     np.array([1, pd.NaT, 4], object), np.array([1, pd.NA, 4], object)],
    ids=str,
)  # fmt: skip
def test_missing_numbers_of_every_make(cells):
    assert NUMBER.apply(pd.DataFrame({"x0": cells})).tolist() == [1, 1, 2]


def test_a_cell_that_is_no_number_is_named():
    with pytest.raises(tc.TreecoreError, match=r"'many' is not a number \(row 1\)") as caught:
        NUMBER.predict(pd.DataFrame({"x0": ["1", "many"]}))
    assert caught.value.where == "Column 'x0'"


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(tc.TreecoreError, match="needs this column") as caught:
        NUMBER.predict(pd.DataFrame({"X0": [1]}))
    assert caught.value.where == "Column 'x0'"


def test_no_rows_give_no_answers():
    empty = pd.DataFrame({"x0": np.array([], float)})
    assert NUMBER.predict(empty).tolist() == []
    assert NUMBER.predict_proba(empty).shape == (0, 2)
    assert NUMBER.apply(empty).tolist() == []


@pytest.mark.parametrize("cells", [[1.0, 1, 2, 2, np.nan, 2], [True, True, False, False, None, False],
                                   [" u", "u ", "v", "v", None, "v"], [2.5, 2.5, 3, 3, None, 3]], ids=str)  # fmt: skip
def test_the_frame_a_table_was_read_from_is_routed_like_the_table(cells):
    """Whole numbers in a column with gaps are floats to pandas, but '1' and '2' to the table."""
    frame = pd.DataFrame({"z": cells, "y": list("aabbbb")})
    table = tc.read_table(frame, target="y", kinds={"z": "nominal"}, features=["z"])
    tree = tc.grow(table)
    assert tree.apply(table).tolist() == [1, 1, 2, 2, 2, 2]
    assert tree.apply(frame).tolist() == [1, 1, 2, 2, 2, 2]


def ordinal(cells, levels):
    y = level_column("y", "nominal", list("aabbb")[: len(cells)], ("a", "b"))
    return tc.Table((level_column("s", "ordinal", cells, levels), y), target="y", features=("s",))


def test_a_level_that_an_ordinal_tree_does_not_know_goes_where_missing_values_go():
    """It has no place in the order: neither below nor above the threshold."""
    tree = tc.grow(ordinal(["S", "S", "L", "L", "L"], ("S", "M", "L")))
    assert tree.apply(pd.DataFrame({"s": ["S", "M", "L", "XXL", None]})).tolist() == [1, 1, 2, 2, 2]
    other = ordinal(["S", "XXL", "L"], ("XXL", "L", "S"))
    assert tree.apply(other).tolist() == [1, 2, 2]


def test_a_table_with_other_levels_is_routed_by_name():
    table = Sample(["nominal"], [[0, 0, 1, 1, 2]], [3], [0, 0, 1, 1, 1], 2).table()
    tree = tc.grow(table)
    y = table.target_column
    cells = np.array(["x0=2", "x0=0", "new", "x0=1", None], object)
    column = level_column("x0", "nominal", cells, ("x0=2", "new", "x0=0", "x0=1"))
    other = tc.Table((column, y), target="y", features=("x0",))
    assert tree.apply(other).tolist() == [2, 1, 2, 2, 2]


def test_another_kind_of_column_is_refused():
    with pytest.raises(tc.TreecoreError, match="grown with it as numeric"):
        NUMBER.predict(Sample(["nominal"], [[0, 1]], [2], [0, 1], 2).table())


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int8", "Int64", "Float32", "int64[pyarrow]", "category", "str"]
)
def test_columns_of_numbers_of_every_type(dtype):
    cells = pd.Series([1, 4, 2, 3]).astype(dtype)
    assert NUMBER.apply(pd.DataFrame({"x0": cells})).tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(
    "cells",
    [["x0=1", None, "x0=0", "x0=9"], pd.Categorical(["x0=1", None, "x0=0", "x0=9"]),
     pd.array(["x0=1", None, " x0=0", "x0=9"], dtype="string"), np.array(["x0=1", None, "x0=0 ", 9], object)],
    ids=["str", "category", "string", "object"],
)  # fmt: skip
def test_columns_of_levels_of_every_type(cells):
    table = Sample(["nominal"], [[0, 0, 1, 1, 1]], [2], [0, 0, 1, 1, 1], 2).table()
    tree = tc.grow(table)
    assert tree.apply(pd.DataFrame({"x0": cells})).tolist() == [2, 2, 1, 2]


def test_equal_cells_that_are_called_differently_are_different_levels():
    y = level_column("y", "nominal", list("aabb"), ("a", "b"))
    column = level_column("z", "nominal", ["True", "True", "1", "1"], ("True", "1"))
    tree = tc.grow(tc.Table((column, y), target="y", features=("z",)))
    cells = pd.DataFrame({"z": np.array([True, 1, 1.0, "1", None], object)})
    assert tree.predict(cells)[:4].tolist() == ["a", "b", "b", "b"]


def test_the_same_frame_in_columns_apart_or_strided_is_routed_alike():
    x = np.random.default_rng(0).normal(size=(3000, 3)).astype(np.float32)
    y = level_column("y", "nominal", (x[:, 0] > x[:, 1]).astype(int), ("a", "b"))
    frame = pd.DataFrame(x, columns=list("uvw"), copy=False)
    columns = [numeric_column(name, x[:, j].astype(float)) for j, name in enumerate("uvw")]
    table = tc.Table((*columns, y), target="y", features=tuple("uvw"))
    for settings in ({}, {"threshold": "float32"}):
        tree = tc.grow(table, max_depth=6, **settings)
        expected = tree.apply(table)
        assert len(set(expected.tolist())) > 10
        assert np.array_equal(tree.apply(frame), expected)
        assert np.array_equal(tree.apply(frame.astype("float64")[list("wvu")]), expected)
