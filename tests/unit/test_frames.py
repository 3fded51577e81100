"""Frames of polars and pyarrow are read, and answered, as the same frame of pandas is."""

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


def test_what_is_no_frame_stays_as_it_is():
    for given in (PANDAS, b"a,b", np.zeros((2, 2)), None):
        assert as_pandas(given) is given
