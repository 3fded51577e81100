"""Tables that stay in an engine: what is told of them, and what is said where something is wrong."""

import functools
import operator
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data import build_table
from treecore.database import connection as sources
from treecore.database import engine_columns
from treecore.database.connection import snapshot
from treecore.database.hash_split import row_sample
from treecore.database.open import source_of
from treecore.growing.counted_table import NeedsRows

ibis = pytest.importorskip("ibis")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(400), "a": rng.normal(size=400), "b": rng.choice(["no", "yes"], 400)})
    frame["y"] = np.where(frame.a + rng.normal(size=400) > 0.3, 1, 0)
    return frame


@pytest.fixture
def connection(frame):
    connection = ibis.duckdb.connect()
    connection.con.register("given", frame)
    connection.raw_sql("create table orders as from given")
    return connection


@pytest.fixture
def orders(connection):
    return connection.table("orders")


def test_kinds_and_counts_are_the_engines(orders):
    table = tc.open_table(orders, "y", key="id")
    assert table.n_rows == 400
    assert table.features == ("a", "b")
    assert table.task == "classification"
    assert table.column("b").kind == "boolean"
    assert table.column("b").levels == ("no", "yes")
    assert table.column("a").n_distinct == 255
    assert table.column("a").n_missing == 0


def test_folders_files_and_databases_are_opened(frame, tmp_path):
    for part in (0, 1):
        frame[part::2].to_parquet(tmp_path / f"part{part}.parquet")
    assert tc.open_table(tmp_path, "y").n_rows == tc.open_table(tmp_path / "*.parquet", "y").n_rows == 400
    path = tmp_path / "sales.duckdb"
    written = ibis.duckdb.connect(path)
    written.raw_sql(f"create table orders as from '{tmp_path}/part0.parquet'")
    written.disconnect()
    before = path.read_bytes()
    table = tc.open_table(f"duckdb:///{path}::orders", "y")
    assert tc.grow(table, "cart", missing="majority").n_rows[0] == table.n_rows == 200
    assert path.read_bytes() == before


def test_roles_follow_from_a_key_and_the_seed(orders):
    table = tc.open_table(orders, "y", key="id")
    parts = [part.relation.id.to_pyarrow().to_pylist() for part in table.split(tc.Roles(seed=3))]
    assert sorted(functools.reduce(operator.iadd, parts, [])) == list(range(400))
    assert 180 < len(parts[0]) < 300
    again = table.split(tc.Roles(seed=3))[1].relation.id.to_pyarrow().to_pylist()
    other = table.split(tc.Roles(seed=4))[1].relation.id.to_pyarrow().to_pylist()
    assert sorted(again) == sorted(parts[1]) != sorted(other)


def test_a_sample_says_that_it_is_one(orders):
    table = tc.open_table(orders, "y")
    sample = table.sample(100)
    assert 50 < sample.n_rows < 150
    assert "of the 400 rows" in sample.notes[-1]
    assert sample.fingerprint == table.sample(100).fingerprint


def test_rows_without_a_target_are_left_out_and_said(connection):
    connection.raw_sql("update orders set y = null where id < 10")
    table = tc.open_table(connection.table("orders"), "y")
    assert table.n_rows == 390
    assert table.notes == ("10 of 400 rows were left out: their target 'y' is missing.",)


def test_too_many_levels_are_left_out_unless_they_are_asked_for(connection):
    connection.raw_sql("create table wide as select *, 'w' || range w, range % 2 y from range(2000)")
    table = tc.open_table(connection.table("wide"), "y")
    assert "w" not in table.features
    assert "more than 1000 levels" in table.notes[0]
    with pytest.raises(tc.TreecoreError, match="more than 1000 levels"):
        tc.grow(tc.open_table(connection.table("wide"), "y", features=["w"]), "cart", missing="majority")


def test_text_of_an_engine_is_nominal_whatever_it_looks_like(connection):
    shown = "range % 3 || '' digit, range % 2 || '' flag, range % 9 + 2000 || '-01-01' born"
    odd = "case range % 3 when 0 then '?' when 1 then 'low' else null end odd"
    connection.raw_sql(f"create table texts as select {shown}, {odd}, range % 7 number from range(80)")
    table = build_table(row_sample(source_of(connection.table("texts"))).raw, target="number")
    assert {name: table.column(name).kind for name in table.features} == {
        "digit": "nominal", "flag": "boolean", "born": "nominal", "odd": "nominal",
    }  # fmt: skip
    assert table.column("digit").levels == ("0", "1", "2")
    assert table.column("odd").levels == ("?", "low"), "as the engine counts them"
    assert table.column("odd").n_missing == 26
    there = tc.open_table(connection.table("texts"), "number")
    assert [there.column(name).kind for name in table.features] == [table.column(name).kind for name in table.features]
    assert there.column("flag").levels == table.column("flag").levels


def test_types_that_no_tree_splits_on(connection):
    connection.raw_sql("create table odd as select range a, [range] b, date '2020-01-01' c, range % 2 y from range(50)")
    table = tc.open_table(connection.table("odd"), "y")
    assert table.features == ("a",)
    assert len(table.notes) == 2
    with pytest.raises(tc.TreecoreError, match="Column 'b'"):
        tc.open_table(connection.table("odd"), "y", features=["b"])
    with pytest.raises(tc.TreecoreError, match="Target 'b'"):
        tc.open_table(connection.table("odd"), "b")


def test_what_sums_do_not_tell_is_refused_with_the_remedy(orders):
    table = tc.open_table(orders, "y")
    for chosen in ({"missing": "surrogates"}, {"criterion": "absolute_error"}, {"numeric": "width"}):
        with pytest.raises(tc.TreecoreError):
            tc.grow(table, "cart", **({"missing": "majority"} | chosen))
    with pytest.raises(tc.TreecoreError, match="choose missing = majority"):
        tc.grow(table, "cart", missing="surrogates")


def test_what_is_named_instead_of_what_needs_the_rows_grows(orders):
    asked = [("y", {"missing": "surrogates"}), ("a", {"criterion": "absolute_error"}), ("y", {"nominal": "one_level"})]
    for target, chosen in asked:
        table, settings = tc.open_table(orders, target), {"missing": "majority", "max_depth": 2} | chosen
        with pytest.raises(NeedsRows) as refused:
            tc.grow(table, "cart", **settings)
        assert refused.value.instead[0] in chosen
        assert tc.grow(table, "cart", **(settings | dict([refused.value.instead]))).n_nodes > 1


def test_rows_that_change_meanwhile_are_noticed(connection, orders):
    table = tc.open_table(orders, "y", features=["a"])

    waiting = ["delete from orders where id % 3 = 0"]

    def meddle(progress):
        if progress.n_nodes > 1 and waiting:  # once, before the next query runs
            connection.raw_sql(waiting.pop())

    with pytest.raises(tc.TreecoreError, match="have changed while the tree was growing"):
        tc.grow(table, "cart", missing="majority", progress=meddle)


def test_a_column_that_vanishes_is_said(connection, orders):
    table = tc.open_table(orders, "y", features=["a"])
    assert table.column("a").n_distinct
    connection.raw_sql("alter table orders drop column a")
    with pytest.raises(tc.TreecoreError, match="The engine says"):
        tc.grow(table, "cart", missing="majority")


@pytest.mark.parametrize("address", ["nothing.parquet", "nothing.duckdb::orders", "nothing", "nothing.xyz"])
def test_what_is_not_there_is_said(address, tmp_path):
    with pytest.raises(tc.TreecoreError):
        tc.open_table(f"{tmp_path}/{address}")


def test_credentials_are_never_told():
    with pytest.raises(tc.TreecoreError) as error:
        tc.open_table("postgres://me:topsecret@127.0.0.1:1/shop::orders")
    assert "topsecret" not in str(error.value)
    told = sources.without_secrets("cannot reach mysql://me:topsecret@host/shop, password=topsecret")
    assert told == "cannot reach mysql://host/shop, "
    for place in ("postgres://me:topsecret@x@host/shop", "postgres://me:top/topsecret@host/shop"):
        assert sources.without_secrets(place) == "postgres://host/shop", "a password with signs that are none of it"
    assert sources.without_secrets('FATAL:  password authentication failed for user "me"').endswith("failed")


def test_a_table_that_is_not_there_is_said(tmp_path):
    path = tmp_path / "sales.duckdb"
    ibis.duckdb.connect(path).disconnect()
    with pytest.raises(tc.TreecoreError, match=r"Table 'orders': There is no such table\. Look at its spelling"):
        tc.open_table(f"{path}::orders")


def test_stopping_ends_the_query(connection):
    connection.raw_sql("create table many as select range a, range % 2 y from range(1000)")
    table = tc.open_table(connection.table("many"), "y")

    class Stopped(BaseException):
        pass

    def look():
        raise Stopped

    rows = table.relation
    slow = rows.cross_join(rows.view()).cross_join(rows.view().select(z="a")).agg(n=ibis._.z.sum())
    with pytest.raises(Stopped):
        table.source.run(slow, look)
    assert table.source.run(rows.agg(n=rows.count()))["n"][0].as_py() == 1000


def test_a_size_is_chosen_by_folds_that_the_engine_counts(orders):
    table = tc.open_table(orders, "y", key="id")
    tree = tc.grow(table, "cart", missing="majority", max_depth=3)
    pairs = table.hash_folds(4, 1)
    assert [rest.n_rows + own.n_rows for rest, own in pairs] == [400] * 4
    assert sum(own.n_rows for _, own in pairs) == 400
    cuts = tc.prune(tree, "cost_complexity", train=table, choose="cross-validation", folds=2)
    assert 1 <= tree.cut(cuts).n_leaves <= tree.n_leaves
    assert cuts.judged_by == "training rows, 2 folds"


def test_roles_of_a_sample_are_those_in_the_engine(orders):
    """Rows drawn are dealt by the same arithmetic here as there, and a role is drawn whatever the seeds are."""
    source = source_of(orders)
    found, roles = row_sample(source, 150), tc.Roles(seed=0)
    assert found.n_rows == 400
    assert 100 < found.raw.n_rows < 200
    there = tc.open_table(orders, "y").split(roles)
    ids = [part.relation.id.to_pyarrow().to_pylist() for part in there]
    here = build_table(found.raw).column("id").values()
    for has, of_role in zip(found.places(roles), ids, strict=True):
        assert has.any()
        assert set(here[has]) <= set(of_role)


def test_a_query_that_takes_too_long_is_ended_and_said(connection):
    connection.raw_sql("create table many as select range a, range % 2 y from range(20000)")
    rows = connection.table("many")
    source = sources.DatabaseSource("Table 'many'", connection, rows, seconds=0.3)
    slow = rows.cross_join(rows.view()).cross_join(rows.view().select(z="a")).agg(n=ibis._.z.sum())
    with pytest.raises(tc.TreecoreError, match="took longer than"):
        source.run(slow)
    assert source.run(rows.agg(n=rows.count()))["n"][0].as_py() == 20000, "nothing is lost"


def test_a_million_levels_are_told_apart_from_few_without_bringing_them_here(connection):
    connection.raw_sql("create table wide as select 'w' || range w, range % 2 y from range(1000000)")
    with pytest.raises(tc.TreecoreError, match="No feature"):
        tc.open_table(connection.table("wide"), "y").check_trainable()
    with pytest.raises(tc.TreecoreError, match="more than 1000 classes"):
        _ = tc.open_table(connection.table("wide"), "w").target_column


def test_a_target_that_is_always_missing_is_said(connection):
    connection.raw_sql("create table empty as select range a, null::varchar y from range(50)")
    with pytest.raises(tc.TreecoreError, match="Target 'y': It is missing in every row"):
        tc.open_table(connection.table("empty"), "y")


def test_what_may_not_be_read_is_said(tmp_path, frame):
    path = tmp_path / "locked.duckdb"
    path.write_bytes(b"no database")
    with pytest.raises(tc.TreecoreError, match="The engine says"):
        tc.open_table(f"{path}::orders")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(tc.TreecoreError, match="The engine says"):
        tc.open_table(tmp_path / "broken.parquet")


def test_one_query_waits_for_another(connection, orders):
    """A page asks while a tree grows in the background: both get the answers to their own questions."""
    table = tc.open_table(orders, "y", features=["a"])
    wanted = [table.relation.filter(table.relation.id < n).agg(n=ibis._.count()) for n in range(1, 40)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda query: table.source.run(query)["n"][0].as_py(), wanted))
    assert found == list(range(1, 40))


def test_codes_of_a_database_file_are_written_down_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(engine_columns, "ROWS_WORTH_KEEPING", 1)
    path = tmp_path / "sales.duckdb"
    written = ibis.duckdb.connect(path)
    written.raw_sql("create schema s; create table s.orders as select range a, range % 2 y from range(100)")
    written.disconnect()
    before = path.read_bytes()
    assert tc.grow(tc.open_table(f"{path}::s.orders", "y"), "cart", missing="majority", max_depth=2).n_rows[0] == 100
    assert path.read_bytes() == before


@pytest.mark.parametrize(("message", "helps"), [
    ('FATAL:  password authentication failed for user "me"', "the password"),
    ("(1045, \"Access denied for user 'me'@'localhost' (using password: YES)\")", "the password"),
    ("Failed to import the postgres backend due to missing dependencies.", "Install what Ibis needs"),
    ("permission denied for table orders", "the right to read"),
    ("(1142, \"SELECT command denied to user 'me'@'localhost' for table 'orders'\")", "the right to read"),
    ('could not translate host name "elsewhere" to address: Name or service not known', "spelling of the host"),
    ("[Errno -2] Name or service not known", "spelling of the host"),
    ("failed to resolve host 'elsewhere'", "spelling of the host"),
    ("(2005, \"Unknown MySQL server host 'elsewhere' (-2)\")", "spelling of the host"),
    ('connection to server at "127.0.0.1", port 5432 failed: Connection refused', "at this port"),
    ('column "a" does not exist', "its columns"),
])  # fmt: skip
def test_each_fault_of_a_connection_has_its_own_remedy(message, helps):
    found = sources.DatabaseSource("Table 'orders'", None, None).fault(RuntimeError(message))
    assert helps in found.remedy
    assert "me" not in found.what.split("'") + found.what.split('"')


def test_a_snapshot_tells_other_rows_and_files_that_were_written_anew(tmp_path, frame):
    frame.to_parquet(tmp_path / "a.parquet")
    source = source_of(tmp_path)
    first = snapshot(source)
    assert first == snapshot(source)
    assert first.change_to(first) == ""
    os.utime(tmp_path / "a.parquet", ns=(1, 1))
    assert first.change_to(snapshot(source)) == "its files were written anew, with as many rows"
    frame.iloc[:7].to_parquet(tmp_path / "b.parquet")
    n = len(frame)
    assert first.change_to(snapshot(source)) == f"{n:,} rows then, {n + 7:,} now"


def test_a_snapshot_of_a_database_sees_its_file_or_only_the_count(tmp_path, frame, connection, orders):
    path = tmp_path / "a[b].db"
    with sqlite3.connect(path) as written:
        frame.to_sql("t", written, index=False)
    source = source_of(f"sqlite://{path}::t")
    first = snapshot(source)
    assert [file for file, *_ in first.files] == [str(path)]
    with sqlite3.connect(path) as written:
        written.execute("delete from t where rowid <= 5")
    assert first.change_to(snapshot(source)) == f"{len(frame):,} rows then, {len(frame) - 5:,} now"
    assert snapshot(source_of(orders)).files == ()


def test_what_is_missing_in_memory_is_missing_in_an_engine(tmp_path):
    """NaN of a number, of DECIMAL too, and text without a word in it; rows with such a target are left out."""
    rng, n = np.random.default_rng(0), 400
    frame = pd.DataFrame({"a": rng.normal(size=n), "z": rng.choice(["u", "v", "", "  "], n)})
    frame["y"] = np.where(frame.a > 0.3, "p", rng.choice(["p", "q", "", " "], n))
    frame.loc[rng.random(n) < 0.2, "a"] = np.nan
    frame["n"] = frame.a.round(0)
    frame.to_parquet(tmp_path / "rows.parquet")
    kinds = {"n": "nominal"}
    there = tc.open_table(tmp_path / "rows.parquet", "y", n_codes=1000, kinds=kinds)
    here = tc.read_table(frame, target="y", kinds=kinds).without_missing_target()
    assert there.n_rows == here.n_rows < n
    assert there.classes == here.classes == ("p", "q")
    assert "is an empty text" in there.notes[0]
    for name in ("a", "z", "n"):
        assert there.column(name).n_missing == here.column(name).n_missing > 0
    assert there.column("n").levels == here.column("n").levels
    trees = [tc.grow(table, "cart", missing="majority", max_depth=4) for table in (there, here)]
    assert trees[0].predict(here).tolist() == trees[1].predict(here).tolist()
    assert there.end_statistics(trees[1]).sum() == here.n_rows


def test_a_preset_grows_where_no_value_is_missing_though_its_way_with_them_needs_rows(tmp_path):
    frame = pd.DataFrame({"a": range(40), "b": list("uv") * 20, "y": list("pq") * 10 + ["q"] * 20})
    frame.to_parquet(tmp_path / "rows.parquet")
    there, here = tc.open_table(tmp_path / "rows.parquet", "y"), tc.read_table(frame, target="y", features=["a", "b"])
    for preset in ("cart", "rpart"):
        with pytest.warns(UserWarning, match="grown with missing='majority': '[a-z]+' needs the rows"):
            tree = tc.grow(there, preset)
        assert tree.growth["missing"] == "majority"
        assert tree.predict(frame).tolist() == tc.grow(here, preset).predict(frame).tolist()
    assert tc.grow(there, "c4.5").growth["missing"] == "fractional"
    with pytest.warns(UserWarning, match="missing=.majority"):
        assert tc.fit(there, tc.Recipe((tc.recipe.Grow(),))).tree.growth["missing"] == "majority"
    recipe = tc.Recipe((tc.recipe.Grow("cart", (("missing", "surrogates"),)),))
    for asked in ({"missing": "surrogates"}, {"recipe": recipe}):
        with pytest.raises(NeedsRows):
            tc.grow(there, **asked)
    frame.loc[3, "a"] = None
    frame.to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(NeedsRows):
        tc.grow(tc.open_table(tmp_path / "rows.parquet", "y"), "cart")
