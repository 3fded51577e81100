"""Engines other than DuckDB: their own functions, and codes written down where they may be."""

import gc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.database import codes, counter
from treecore.database.describe import FEW_EDGES, coded, heap
from treecore.kernels.encode.below import n_below

ibis = pytest.importorskip("ibis")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=400), "b": rng.choice(["u", "v", "w"], 400)})
    frame["y"] = np.where(frame.a + rng.normal(size=400) > 0.3, "yes", "no")
    return frame


@given(seed=st.integers(0, 10_000), n=st.integers(FEW_EDGES + 1, 300))
@settings(max_examples=20, deadline=None)
def test_the_kernel_finds_the_bins_of_numpy(seed, n):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.integers(-200, 200, n) / 8)
    values = np.concatenate([edges, rng.integers(-500, 500, 100) / 16, [np.inf, -np.inf, 0.0, -0.0]])
    n_levels = len(edges).bit_length()
    found = np.empty(len(values), np.int32)
    n_below(values, heap(edges, n_levels), n_levels, found)
    assert np.array_equal(found, np.searchsorted(edges, values, side="left"))


@pytest.fixture
def elsewhere(frame):
    elsewhere = ibis.polars.connect()
    elsewhere.create_table("orders", frame)
    return elsewhere


def test_buckets_of_postgres_are_the_bins_of_numpy():
    """Its width_bucket, as its manual says, counts the edges that are not above a number."""
    connection, rng = ibis.duckdb.connect(), np.random.default_rng(0)
    edges = np.unique(rng.integers(-40, 40, 30) / 8)
    values = pd.DataFrame({"v": [None, *edges, *(rng.integers(-80, 80, 300) / 16)]})
    connection.con.register("values", values)
    connection.con.create_function(
        "width_bucket",
        lambda value, at: int(np.searchsorted(at, value, side="right")),
        ["DOUBLE", "DOUBLE[]"],
        "INTEGER",
    )
    rows = connection.table("values")
    found = rows.select(code=coded(rows.v, edges, "postgres")).to_pyarrow()["code"].to_pylist()
    assert found == [len(edges) + 1, *np.searchsorted(edges, values.v[1:], side="left")]


def test_other_engines_write_codes_down_in_a_table_of_theirs(frame, elsewhere, monkeypatch):
    monkeypatch.setattr(codes, "ROWS_WORTH_KEEPING", 1)
    monkeypatch.setattr(counter, "MOST_ASKED", 3)
    kept = []
    made = type(elsewhere)._create_cached_table
    monkeypatch.setattr(type(elsewhere), "_create_cached_table", lambda *given: kept.append(given[1]) or made(*given))
    table = tc.open_table(elsewhere.table("orders"), "y", n_codes=400)
    tree = tc.grow(table, "cart", missing="majority", max_depth=5)
    here = tc.grow(tc.read_table(frame, target="y"), "cart", missing="majority", max_depth=5)
    assert np.array_equal(tree.n_rows, here.n_rows)
    assert len(kept) > 1
    assert len(elsewhere.list_tables()) == 2, "the codes serve the next fit, the nodes are gone"
    source, _ = table.source, kept.clear()
    tc.grow(table, "cart", missing="majority", max_depth=1)
    assert not kept
    del table
    gc.collect()
    source.drop(source.kept(elsewhere.table("orders")))
    assert elsewhere.list_tables() == ["orders"], "they go with the table"


def test_an_engine_that_may_not_write_counts_all_the_same(elsewhere, monkeypatch):
    monkeypatch.setattr(codes, "ROWS_WORTH_KEEPING", 1)

    def refused(*_):
        raise PermissionError("permission denied to create temporary tables")

    monkeypatch.setattr(type(elsewhere), "_create_cached_table", refused)
    table = tc.open_table(elsewhere.table("orders"), "y")
    assert tc.grow(table, "cart", missing="majority", max_depth=3).n_rows[0] == 400
