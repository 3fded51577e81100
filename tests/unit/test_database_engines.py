"""Engines other than DuckDB: their own functions, and codes written down where they may be."""

import gc
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.database import connection, counter, engine_columns
from treecore.database.engine_columns import FEW_EDGES, coded, guide
from treecore.kernels.ranks import n_below

ibis = pytest.importorskip("ibis")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=400), "b": rng.choice(["u", "v", "w"], 400)})
    frame["y"] = np.where(frame.a + rng.normal(size=400) > 0.3, "yes", "no")
    return frame


@given(seed=st.integers(0, 10_000), n=st.integers(FEW_EDGES + 1, 300))
@settings(max_examples=20)
def test_the_kernel_finds_the_bins_of_numpy(seed, n):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.integers(-200, 200, n) / 8)
    edges = [edges, np.sinh(edges), edges * 7e306, edges * 5e-324 * 8][seed % 4]
    odd = [np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308, 5e-324]
    values = np.concatenate([edges, np.nextafter(edges, np.inf), rng.choice(edges, 100) * rng.random(100), odd])
    found = np.empty(len(values) + 1, np.int32)
    n_below(np.append(values, np.nan), *guide(edges), found)
    assert np.array_equal(found[:-1], np.searchsorted(edges, values, side="left"))
    assert found[-1] == len(edges) + 1


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


@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_the_function_that_spark_is_given_finds_the_bins_of_numpy(seed):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.integers(-200, 200, FEW_EDGES + 60) / 8)
    values = pd.Series([None, *edges, *(rng.integers(-500, 500, 100) / 16)], dtype=np.float64)
    code = coded(ibis.table({"v": "float64"}, "rows").v, edges, "pyspark")
    (function,) = code.op().find(ibis.expr.operations.ScalarUDF)
    assert function.__input_type__ == ibis.expr.operations.udf.InputType.PANDAS, "pyarrow functions get single rows"
    found = function.__func__(values)
    assert found.dtype == np.int32
    assert np.array_equal(found[1:], np.searchsorted(edges, values[1:], side="left"))
    known, asked = function.__func__.__globals__, function.__func__.__code__.co_names
    assert {known[name].__name__ for name in asked if name in known} == {"numpy"}, "workers may have nothing else"


def test_an_engine_knows_our_functions_before_it_keeps_rows(elsewhere, monkeypatch):
    told, backend = [], type(elsewhere)
    keep, register = backend._create_cached_table, backend._register_udfs
    monkeypatch.setattr(backend, "_register_udfs", lambda *given: told.append("functions") or register(*given))
    monkeypatch.setattr(backend, "_create_cached_table", lambda *given: told.append("kept") or keep(*given))
    there = tc.open_table(elsewhere.table("orders"), "y").source
    told.clear()
    there.drop(there.cached(elsewhere.table("orders")))
    assert told[:2] == ["functions", "kept"]


@pytest.mark.parametrize(("within", "name"), [("con", "interrupt"), ("con", "cancel"), ("_session", "interruptAll")])
def test_each_engine_is_stopped_in_its_own_way(within, name):
    stopped = []
    engine = SimpleNamespace(**{within: SimpleNamespace(**{name: lambda: stopped.append(name)})})
    assert connection.DatabaseSource("Table", engine, None)._interrupt()
    assert stopped == [name]
    assert not connection.DatabaseSource("Table", SimpleNamespace(), None)._interrupt()


def test_what_a_worker_of_spark_lacks_is_said():
    fault = RuntimeError(
        "An exception was thrown from the Python worker:\n  File x\nModuleNotFoundError: No 'ibis'\n at y"
    )
    told = str(connection.DatabaseSource("Table 't'", None, None).fault(fault))
    assert told.startswith(
        "Table 't': The engine says: An exception was thrown from the Python worker: ModuleNotFoundE"
    )
    assert "File" not in told


def test_folders_of_the_owner_stand_in_no_message():
    fault = OSError("IO Error: No files match \"/srv/of me/tables/rows/*.parquet\", nor '/srv/x.db'.")
    told = str(connection.DatabaseSource("Files 'rows'", None, None).fault(fault))
    assert "No files match \"*.parquet\", nor 'x.db'" in told
    assert "srv" not in told
    assert ".." not in told


def test_other_engines_write_codes_down_in_a_table_of_theirs(frame, elsewhere, monkeypatch):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)
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
    there, _ = table.source, kept.clear()
    tc.grow(table, "cart", missing="majority", max_depth=1)
    assert not kept
    del table
    gc.collect()
    there.drop(there.cached(elsewhere.table("orders")))
    assert elsewhere.list_tables() == ["orders"], "they go with the table"


@pytest.fixture
def in_sqlite(frame, tmp_path):
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as opened:
        frame.to_sql("orders", opened, index=False)
    return path


@pytest.mark.parametrize("rows_worth_keeping", [1, 10**9])
def test_a_tree_grows_in_sqlite(frame, in_sqlite, monkeypatch, rows_worth_keeping):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", rows_worth_keeping)
    before = in_sqlite.read_bytes()
    table = tc.open_table(f"{in_sqlite}::orders", "y", n_codes=400)
    tree = tc.grow(table, "cart", missing="majority", max_depth=4)
    here = tc.grow(tc.read_table(frame, target="y"), "cart", missing="majority", max_depth=4)
    assert np.array_equal(tree.n_rows, here.n_rows)
    assert np.array_equal(tree.splits.threshold, here.splits.threshold, equal_nan=True)
    parts = tc.open_table(f"sqlite://{in_sqlite}::orders", "y").split(tc.Roles(seed=1))
    assert sum(part.n_rows for part in parts) == 400
    assert all(50 < part.n_rows < 250 for part in parts), "roles are dealt by a hash that SQLite is given"
    assert 50 < table.sample(100).n_rows < 150
    assert in_sqlite.read_bytes() == before


def test_sqlite_is_stopped_and_only_read(in_sqlite):
    there = tc.open_table(f"{in_sqlite}::orders", "y").source
    rows = there.relation
    slow = rows.cross_join(rows.view().select(p="a")).cross_join(rows.view().select(q="a"))
    slow = slow.cross_join(rows.view().select(r="a")).agg(n=ibis._.r.sum())

    class Stopped(BaseException):
        pass

    def look():
        raise Stopped

    with pytest.raises(Stopped):
        there.run(slow, look)
    assert there.run(rows.agg(n=rows.count()))["n"][0].as_py() == 400
    with pytest.raises(tc.TreecoreError, match="readonly"):
        there.attempt(lambda: there.connection.raw_sql("delete from orders"))


def test_a_connection_to_sqlite_that_serves_one_thread_is_refused_with_the_remedy(in_sqlite):
    with pytest.raises(tc.TreecoreError, match="sqlite:///path::table"):
        tc.open_table(ibis.sqlite.connect(in_sqlite).table("orders"))


def losing(monkeypatch, backend, at: int, for_good: bool = False) -> list:
    """Let the connection be lost at this query, with what was kept; returns a list that tells of new connections."""
    asked, told, answer = [], [], type(backend).to_pyarrow

    def to_pyarrow(self, query, /, **options):
        asked.append(query)
        if len(asked) >= at and not told:
            raise ConnectionError("server closed the connection unexpectedly: password=topsecret")
        return answer(self, query, **options)

    def execute(self, query, /, **_):
        if len(asked) >= at and not told:
            raise ConnectionError("the connection is closed")
        return 1

    def reconnect(self):
        if for_good:
            raise ConnectionError("nobody listens at password=topsecret")
        for name in [name for name in self.list_tables() if name != "orders"]:
            self.drop_table(name)
        told.append("again")

    for function in (to_pyarrow, execute, reconnect):
        monkeypatch.setattr(type(backend), function.__name__, function)
    monkeypatch.setattr(connection, "WAITS", (0.0, 0.0))
    return told


@pytest.mark.parametrize("at", range(1, 12, 3))
def test_a_lost_connection_goes_on_at_the_level_that_was_lost(frame, elsewhere, monkeypatch, at):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)
    monkeypatch.setattr(counter, "MOST_ASKED", 4)
    here = tc.grow(tc.read_table(frame, target="y"), "cart", missing="majority", max_depth=6)
    table, levels = tc.open_table(elsewhere.table("orders"), "y", n_codes=400), []
    told = losing(monkeypatch, elsewhere, at)
    once = counter.EngineCounter.cells
    monkeypatch.setattr(counter.EngineCounter, "cells", lambda self, nodes: levels.append(nodes) or once(self, nodes))
    tree = tc.grow(table, "cart", missing="majority", max_depth=6)
    assert np.array_equal(tree.n_rows, here.n_rows)
    assert np.array_equal(tree.splits.threshold, here.splits.threshold, equal_nan=True)
    assert told == ["again"]
    assert len(levels) == len({tuple(nodes) for nodes in levels}), "no level is begun twice"


def test_a_connection_that_is_lost_for_good_is_said(elsewhere, monkeypatch):
    table = tc.open_table(elsewhere.table("orders"), "y")
    losing(monkeypatch, elsewhere, 5, for_good=True)
    with pytest.raises(tc.TreecoreError, match="connection was lost") as found:
        tc.grow(table, "cart", missing="majority")
    assert "topsecret" not in str(found.value)


def test_an_engine_that_may_not_write_counts_all_the_same(elsewhere, monkeypatch):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)

    def refused(*_):
        raise PermissionError("permission denied to create temporary tables")

    monkeypatch.setattr(type(elsewhere), "_create_cached_table", refused)
    table = tc.open_table(elsewhere.table("orders"), "y")
    assert tc.grow(table, "cart", missing="majority", max_depth=3).n_rows[0] == 400
