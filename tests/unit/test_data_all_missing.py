"""Columns without any value, from whatever source: left out and said, never a raw error."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import treecore as tc

N = 24
PANDAS = {
    "object": pd.Series([None] * N, dtype=object),
    "NaN as objects": pd.Series([np.nan] * N, dtype=object),
    "float": pd.Series([np.nan] * N),
    "Int64": pd.Series([None] * N, dtype="Int64"),
    "boolean": pd.Series([None] * N, dtype="boolean"),
    "string": pd.Series([None] * N, dtype="string"),
    "category": pd.Series(pd.Categorical([None] * N)),
    "category with levels": pd.Series(pd.Categorical([None] * N, categories=["a", "b"])),
    "datetime": pd.Series([pd.NaT] * N),
}
ARROW = (
    *(pa.null(), pa.bool_(), pa.int8(), pa.float64(), pa.string(), pa.date32(), pa.timestamp("us"), pa.time64("us")),
    *(pa.decimal128(5, 2), pa.binary(), pa.dictionary(pa.int8(), pa.string())),
)


def beside(empty):
    """A table of this column, a feature and a target, as Arrow."""
    rest = {"x": pa.array(np.arange(N) % 7.0), "y": pa.array(["a", "b"] * (N // 2))}
    return pa.table({"x": rest["x"], "e": empty, "y": rest["y"]})


SOURCES = [
    *(pytest.param(beside(pa.array(s, from_pandas=True)).to_pandas().assign(e=s), id=k) for k, s in PANDAS.items()),
    *(pytest.param(beside(pa.array([None] * N, kind)), id=f"Arrow {kind}") for kind in ARROW),
]


@pytest.mark.parametrize("frame", SOURCES)
def test_a_column_without_a_value_is_left_out_and_that_is_said(frame):
    buffer = io.BytesIO()
    pq.write_table(frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame), buffer)
    for source in (frame, buffer.getvalue()):
        table = tc.read_table(source, target="y")
        assert table.features == ("x",)
        assert any("'e' is left out: every value is missing" in note for note in table.notes)


@pytest.mark.parametrize("frame", SOURCES)
def test_a_target_without_a_value_is_an_error_with_its_remedy(frame):
    with pytest.raises(tc.TreecoreError, match="All its values are missing"):
        tc.grow(tc.read_table(frame, target="e"), "cart")


@pytest.mark.parametrize("frame", SOURCES)
@pytest.mark.parametrize(
    "cells", [[0.0, 1.5, 3.0], ["u", "v", "w"], [True, False, True]], ids=["numbers", "words", "bool"]
)
def test_rows_to_answer_may_lack_every_value_of_a_feature(frame, cells):
    grown_on = beside(pa.array([cells[i % 3] for i in range(N)]))
    tree = tc.grow(tc.read_table(grown_on, target="y", features=["x", "e"]), "cart")
    whole = grown_on.set_column(1, "e", pa.nulls(N, grown_on.schema.field("e").type))
    assert tree.predict(frame).tolist() == tree.predict(whole).tolist()


@pytest.mark.parametrize("levels", [["u", None, "v"], [3, None, 4]])
def test_null_is_no_level_of_a_dictionary(levels):
    e = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1] * (N // 4), pa.int8()), pa.array(levels))
    column = tc.read_table(beside(e), target="y").column("e")
    assert column.n_missing == N // 2
    assert column.labels()[:4].tolist() == [str(levels[0]), "", str(levels[2]), ""]
