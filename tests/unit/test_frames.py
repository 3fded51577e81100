"""Frames of polars and pyarrow are read, and answered, as the same frame of pandas is."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treecore as tc
from treecore.covering import learn_rules
from treecore.data.frames import as_pandas

N = 60
COLUMNS = {
    "age": [float(i % 17) for i in range(N)],
    "rooms": [None if i % 11 == 0 else i % 5 for i in range(N)],
    "town": [None if i % 13 == 0 else "abc"[i % 3] for i in range(N)],
    "paid": [i % 2 == 0 for i in range(N)],
    "left": ["yes" if i % 17 > 8 or i % 3 == 0 else "no" for i in range(N)],
}
FRAMES = {"polars": pl.DataFrame(COLUMNS), "pyarrow": pa.table(COLUMNS)}
PANDAS = pd.DataFrame(COLUMNS)


@pytest.mark.parametrize("name", FRAMES)
def test_a_table_is_the_same(name):
    ours, theirs = (tc.read_table(frame, target="left") for frame in (PANDAS, FRAMES[name]))
    assert ours.column_names == theirs.column_names
    for column in ours.columns:
        other = theirs.column(column.name)
        assert (column.kind, column.levels) == (other.kind, other.levels)
        np.testing.assert_array_equal(column.missing, other.missing)
        np.testing.assert_array_equal(column.labels(), other.labels())


@pytest.mark.parametrize("name", FRAMES)
def test_answers_are_the_same(name):
    table, frame = tc.read_table(PANDAS, target="left"), FRAMES[name]
    tree = tc.grow(table, "c4.5", min_rows_leaf=1)
    assert tree.n_leaves > 3
    assert tree.predict(frame).tolist() == tree.predict(PANDAS).tolist()
    np.testing.assert_array_equal(tree.apply(frame), tree.apply(PANDAS))
    np.testing.assert_array_equal(tree.predict_proba(frame), tree.predict_proba(PANDAS))
    for found in (tc.rules(tree).covered, learn_rules(table, "part").predict):
        assert all(np.array_equal(a, b) for a, b in zip(found(frame), found(PANDAS), strict=True))


def test_declared_levels_stay_declared():
    sizes = pl.DataFrame({"size": pl.Series(["S", "L", "S"], dtype=pl.Enum(["S", "M", "L"])), "y": ["a", "b", "a"]})
    assert tc.read_table(sizes, target="y").column("size").levels == ("S", "M", "L")


LOOKS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}
GIVEN = FRAMES | {"pandas": PANDAS}


@pytest.mark.parametrize("name", LOOKS)
def test_what_comes_out_is_of_the_kind_that_went_in(name):
    table = tc.read_table(GIVEN[name], target="left", kinds={"rooms": tc.Ordinal(["0", "1", "2", "3", "4"])})
    tree = tc.grow(table, "c4.5", min_rows_leaf=1)
    part = table.split(tc.Roles(train=0.5, validation=0.5, test=0, seed=0))[1]
    for found in (table.to_frame(), part.to_frame(), tree.to_frame(name), tc.answers(tree, GIVEN[name])):
        assert type(found) is LOOKS[name]
    assert len(part.to_frame()) == part.n_rows < len(table.to_frame()) == N
    again = tc.read_table(table.to_frame(), target="left")
    for column, other in zip(table.columns, again.columns, strict=True):
        assert column.labels().tolist() == other.labels().tolist()
        assert sorted(column.levels or ()) == sorted(other.levels or ())  # categories of polars have no order of theirs
    assert (again.column("rooms").kind, again.column("rooms").levels) == ("ordinal", ("0", "1", "2", "3", "4"))


@pytest.mark.parametrize("name", LOOKS)
def test_a_frame_of_answers(name):
    table = tc.read_table(PANDAS, target="left")
    tree, rows = tc.grow(table, "c4.5", min_rows_leaf=1), GIVEN[name]
    found = as_pandas(tc.answers(tree, rows, rule=True))
    assert found.columns.tolist() == ["answer", "share_no", "share_yes", "leaf", "parts", "rule"]
    assert found["answer"].tolist() == tree.predict(rows).tolist()
    np.testing.assert_array_equal(found[["share_no", "share_yes"]], tree.predict_proba(rows))
    np.testing.assert_array_equal(found["leaf"], tree.apply(rows))
    assert found["rule"][0] == next(r for r in tc.rules(tree).without_implied() if r.leaf == found["leaf"][0]).premise


def test_answers_stand_beside_the_rows_they_are_about():
    """By the index of pandas; of a table by the numbers of its rows."""
    tree = tc.grow(tc.read_table(PANDAS, target="left"), "c4.5")
    some = PANDAS.iloc[[7, 3, 40]]
    assert tc.answers(tree, some).index.tolist() == [7, 3, 40]
    assert tc.answers(tree, tc.read_table(PANDAS, target="left").take([7, 3])).index.tolist() == [7, 3]


def test_numbers_and_no_answer_at_all():
    rows = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 0.0, 5.0, 6.0]})
    found = tc.answers(tc.grow(tc.read_table(rows, target="y"), max_depth=1), rows)
    assert found.to_dict(as_series=False) == {"answer": [0.0, 0.0, 5.5, 5.5], "leaf": [1, 1, 2, 2]}
    with pytest.raises(tc.TreecoreError, match="pandas, polars, pyarrow"):
        tc.read_table(rows, target="y").to_frame("dask")


def test_what_is_no_frame_stays_as_it_is():
    for given in (PANDAS, b"a,b", np.zeros((2, 2)), None):
        assert as_pandas(given) is given


def test_long_whole_numbers_beside_gaps_keep_their_digits():
    ids, y = [2**53, 2**53 + 1, None] * 10, ["a", "b", "c"] * 10
    for frame in (pl.DataFrame({"z": ids, "y": y}), pa.table({"z": ids, "y": y})):
        table = tc.read_table(frame, target="y", kinds={"z": "nominal"}, features=["z"])
        assert table.column("z").levels == ("9007199254740992", "9007199254740993")
        assert tc.grow(table, "cart", missing="own_value").predict(frame).tolist() == y


@pytest.mark.parametrize("kind", [pa.decimal128(9, 2), pa.decimal128(38, 18), pa.decimal256(60, 4)], ids=str)
def test_decimals_are_the_numbers_that_their_texts_are(kind):
    texts = [f"{i}.{j:02}" for i in range(20) for j in range(100)]
    cells = pa.array([*map(Decimal, texts), None], pa.decimal128(9, 2)).cast(kind)
    table = tc.read_table(pa.table({"x": cells, "y": [i % 3 for i in range(2001)]}), target="y", kinds={"x": "numeric"})
    assert table.column("x").values()[:-1].tolist() == [float(text) for text in texts]
    assert table.column("x").missing.tolist() == [False] * 2000 + [True]


def test_whole_decimals_beyond_what_a_float_tells_apart_are_read_as_whole_numbers_are():
    keys = [2**53 + 1, 2**53 + 3, 7, None] * 10
    wanted = tc.read_table(
        pd.DataFrame({"key": pd.Series(keys, dtype="Int64"), "y": [0, 1] * 20}), kinds={"key": "nominal"}
    )
    cells = pa.array([None if key is None else Decimal(key) for key in keys], pa.decimal128(20, 0))
    table = tc.read_table(pa.table({"key": cells, "y": [0, 1] * 20}), kinds={"key": "nominal"})
    assert table.column("key").levels == wanted.column("key").levels == ("7", "9007199254740993", "9007199254740995")
    assert table.column("key").labels().tolist() == wanted.column("key").labels().tolist()
