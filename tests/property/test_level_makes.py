"""Columns of every make, through every door and every export that is run: a level is the same one everywhere."""

import datetime
import io
import json
import shutil
import sqlite3
import subprocess
from contextlib import ExitStack, closing
from decimal import Decimal
from functools import cache
from itertools import count
from xml.etree import ElementTree

import duckdb
import formulas
import numpy as np
import onnxruntime
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlglot

import treecore as tc
from tests.property.test_pmml_export import SPACE, ended, tag
from treecore.data.raw_table import RawTable
from treecore.data.readers import read_raw
from treecore.predicting.batch import rows_of, score

N = 60
RNG = np.random.default_rng(3)
PLACE = RNG.integers(0, 3, N)
PLACE[[5, 17, 40]] = 3  # a gap
OTHER = RNG.integers(0, 50, N)


def made(*values):
    """The cells of a column whose levels are these, in the order of the answers; the last place is a gap."""
    return [(*values, None)[place] if place < len(values) else None for place in PLACE.tolist()]


def two(negative, positive):
    return [(negative, positive, negative, None)[place] for place in PLACE.tolist()]


DAYS = [datetime.date(2024, month, 1) for month in (1, 2, 3)]
TOWNS = "ab", "HR\\Berlin", 'say "x"'
MAKES = {
    "truths": {
        "bool": pd.Series(two(False, True), dtype=object),
        "nullable bool": pd.Series(two(False, True), dtype="boolean"),
        "bool of Arrow": pd.Series(two(False, True), dtype="bool[pyarrow]"),
        "float": pd.Series(two(0, 1), dtype=float),
        "int": pd.Series(two(0, 1), dtype="Int64"),
        "decimal": pd.Series(two(Decimal("0.00"), Decimal("1.00")), dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
        "category of bools": pd.Series(two(False, True), dtype=object).astype("category"),
        "category of numbers": pd.Series(two(0, 1), dtype=float).astype("category"),
        "TRUE": pd.Series(two("FALSE", "TRUE"), dtype=object),
        "true": pd.Series(two("false", "true"), dtype="string"),
        "1.0": pd.Series(two("0.0", "1.0"), dtype=object),
        "padded": pd.Series(two("False  ", "True   "), dtype=object),
        "mixed objects": pd.Series([c if i % 2 else (None if c is None else str(c).upper()) for i, c in
                                    enumerate(two(False, True))], dtype=object),
    },
    "numbers": {
        "float": pd.Series(made(1, 2, 30), dtype=float),
        "float32": pd.Series(made(1, 2, 30), dtype="float32"),
        "int": pd.Series(made(1, 2, 30), dtype="Int8"),
        "decimal": pd.Series(made(Decimal("1.00"), Decimal("2.00"), Decimal("30.00")),
                             dtype=pd.ArrowDtype(pa.decimal128(7, 2))),
        "category": pd.Series(made(1, 2, 30), dtype=float).astype("category"),
        "digits": pd.Series(made("1", "2", "30"), dtype=object),
        "digits with zeros": pd.Series(made("1.0", "2.0", "30.0"), dtype=object),
        "dictionary": pd.Series(made("1", "2", "30"), dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
        "mixed objects": pd.Series(made(1, "2", 30.0), dtype=object),
    },
    "fractions": {
        "float": pd.Series(made(0.1, 2.5, 1234567.25)),
        "decimal": pd.Series(made(Decimal("0.1000"), Decimal("2.5000"), Decimal("1234567.2500")),
                             dtype=pd.ArrowDtype(pa.decimal128(12, 4))),
        "digits": pd.Series(made("0.1", "2.50", "1234567.25"), dtype=object),
    },
    "days": {
        "dates": pd.Series(made(*DAYS), dtype=object),
        "dates of Arrow": pd.Series(made(*DAYS), dtype=pd.ArrowDtype(pa.date32())),
        "moments": pd.to_datetime(pd.Series(made(*DAYS))),
        "moments of a zone": pd.to_datetime(pd.Series(made(*DAYS)), utc=True),
        "text": pd.Series(made(*map(str, DAYS)), dtype=object),
    },
    "words": {
        "text": pd.Series(made(*TOWNS), dtype=object),
        "category": pd.Series(made(*TOWNS), dtype=object).astype("category"),
        "dictionary": pd.Series(made(*TOWNS), dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
        "padded": pd.Series([c and c.ljust(12) for c in made(*TOWNS)], dtype=object),
    },
    "codes": {"text": pd.Series(made("01067", "1067", "1E3"), dtype=object)},
}  # fmt: skip
KINDS = {"truths": "boolean", "words": "nominal"}
PAIRS = [(f, a, b) for f, makes in MAKES.items() for a in makes for b in makes]
WITH_FIRST = [(f, a, b) for f, a, b in PAIRS if next(iter(MAKES[f])) in (a, b)]
"""Of each family every make beside its first one, both ways: where a pair takes long."""


def answers(family: str) -> list[str]:
    """What is right for each row: the level decides, and the other column where there is a gap."""
    z = two("a", "b") if family == "truths" else made("a", "b", "c")
    return [("m" if x < 25 else "n") if cell is None else cell for cell, x in zip(z, OTHER.tolist(), strict=True)]


@cache
def frame(family: str, make: str) -> pd.DataFrame:
    return pd.DataFrame({"x": OTHER, "z": MAKES[family][make], "y": answers(family)})


def kinds(family: str) -> dict:
    return {"z": KINDS.get(family, "nominal"), "x": "numeric"}


@cache
def table_of(family: str, make: str) -> tc.Table:
    return tc.read_table(frame(family, make), target="y", kinds=kinds(family), features=["x", "z"])


@cache
def grown(family: str, make: str, missing: str = "own_value") -> tc.Tree:
    return tc.grow(table_of(family, make), "cart", missing=missing)


@cache
def exported(family: str, make: str, text: str) -> str:
    return tc.export(grown(family, make), text, **({"table": "d"} if "sql" in text else {}))


def plain(cell):
    """A cell as JSON has it."""
    return None if pd.isna(cell) else cell


def records(rows: pd.DataFrame) -> list[dict]:
    return [{"x": x, "z": plain(z)} for x, z in zip(rows.x.tolist(), rows.z.tolist(), strict=True)]


@pytest.mark.parametrize(("family", "make"), [(f, m) for f, makes in MAKES.items() for m in makes])
def test_a_tree_is_right_on_its_own_make(family, make):
    assert grown(family, make).predict(frame(family, make)).tolist() == answers(family)


@pytest.mark.parametrize(("family", "one", "other"), PAIRS)
def test_rows_of_another_make_are_answered_alike_in_memory(family, one, other):
    tree, rows = grown(family, one), frame(family, other)
    expected = answers(family)
    assert tree.predict(rows).tolist() == expected
    assert tree.predict(table_of(family, other)).tolist() == expected
    saved = tc.Tree.from_dict(json.loads(exported(family, one, "json")))
    assert saved.predict(arrow_of(rows)).tolist() == expected
    for name in ("rows.csv", "rows.parquet"):
        read = score(tree, rows_of(tree, read_file(family, other, name)))
        assert [tree.classes[k] for k in read.labels] == expected, name
    module = {}
    exec(exported(family, one, "python"), module)
    assert [module["predict"](row) for row in records(rows)] == expected


@cache
def read_file(family: str, make: str, name: str) -> RawTable:
    """The rows, written to a file of this name and read again."""
    rows = frame(family, make)
    return read_raw(rows.to_csv(index=False).encode() if name.endswith("csv") else parquet(rows), name=name)


def parquet(rows: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    pq.write_table(arrow_of(rows), file)
    return file.getvalue()


def arrow_of(rows: pd.DataFrame) -> pa.Table:
    """Objects of several types are texts there."""
    try:
        return pa.Table.from_pandas(rows, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        texts = [None if pd.isna(cell) else str(cell) for cell in rows.z]
        return pa.Table.from_pandas(rows.assign(z=pd.Series(texts, dtype=object)), preserve_index=False)


def answered(base, statement: str) -> list:
    return base.sql(statement).to_arrow_table()["answer"].to_pylist()


@pytest.fixture(scope="module")
def engines():
    """Of a make: its rows as table d of DuckDB, of DuckDB with the levels declared, and of SQLite."""
    with ExitStack() as opened:
        base, number = opened.enter_context(duckdb.connect()), count()

        @cache
        def hold(family: str, make: str):
            here, declared = base.cursor(), base.cursor()
            for name, cursor in (("here", here), ("declared", declared)):
                cursor.register("arrow", arrow_of(frame(family, make)))
                schema = f"{name} {next(number)}"  # names that differ by capitals alone are one to DuckDB
                cursor.execute(f'CREATE SCHEMA "{schema}"; USE "{schema}"')
            here.execute("CREATE TABLE d AS SELECT * FROM arrow")
            names = "SELECT DISTINCT z::VARCHAR FROM arrow WHERE z IS NOT NULL"
            declared.execute(f"CREATE TYPE spelled AS ENUM ({names})")
            declared.execute("CREATE TABLE d AS SELECT * REPLACE (z::VARCHAR::spelled AS z) FROM arrow")
            return here, declared, opened.enter_context(closing(lite_of(here)))

        yield hold


def lite_of(base) -> sqlite3.Connection:
    """The table d of DuckDB, in SQLite."""
    kind = base.execute("SELECT typeof(z) FROM d LIMIT 1").fetchone()[0]
    as_lite = {"BOOLEAN": bool, "DOUBLE": float, "FLOAT": float, "BIGINT": int, "TINYINT": int}.get(kind, str)
    z = "z::VARCHAR" if "ZONE" in kind else "z"
    rows = base.execute(f"SELECT x, {z} FROM d").fetchall()
    lite = sqlite3.connect(":memory:")
    lite.execute("CREATE TABLE d (x, z)")
    lite.executemany("INSERT INTO d VALUES (?, ?)", [(x, None if z is None else as_lite(z)) for x, z in rows])
    return lite


@cache
def spark_as_duckdb(family: str, make: str) -> str:
    return sqlglot.transpile(exported(family, make, "spark_sql"), read="spark", write="duckdb")[0]


@pytest.mark.parametrize(("family", "one", "other"), PAIRS)
def test_rows_of_another_make_are_answered_alike_by_sql(engines, family, one, other):
    here, declared, lite = engines(family, other)
    statement = exported(family, one, "sql")
    assert answered(here, statement) == answers(family)
    assert answered(here, spark_as_duckdb(family, one)) == answers(family)
    assert answered(declared, statement) == answers(family)
    assert [row[-1] for row in lite.execute(statement)] == answers(family)


@pytest.mark.parametrize(("family", "one", "other"), PAIRS)
def test_rows_of_another_make_are_answered_alike_by_a_model(family, one, other):
    rows, session = frame(family, other), session_of(family, one)
    texts = [["" if pd.isna(cell) else str(cell)] for cell in rows.z]
    given = {"x": rows[["x"]].to_numpy(float), "z": np.array(texts, object)}
    given = {wanted.name: given[wanted.name] for wanted in session.get_inputs()}
    padded = other == "padded"  # a graph compares texts as they are
    assert padded or session.run(["label"], given)[0].tolist() == answers(family)
    assert padded or by_pmml(exported(family, one, "pmml"), rows) == answers(family)


@cache
def session_of(family: str, make: str):
    return onnxruntime.InferenceSession(tc.export(grown(family, make), "onnx"), providers=["CPUExecutionProvider"])


def by_pmml(model: str, rows: pd.DataFrame) -> list[str]:
    """Read as JPMML reads it: of a field of text a value is its text, true or 1.0, or missing if that is called so."""
    root = ElementTree.fromstring(model.encode("utf-8"))
    gone = {f.get("name"): {v.get("value") for v in f if v.get("property") == "missing"} for f in root.iter() if
            tag(f) == "DataField"}  # fmt: skip
    top = next(part for part in root.find(f"{{{SPACE}}}TreeModel") if tag(part) == "Node")

    def text(cell):
        said = None if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)
        return None if said in gone["z"] else said

    return [ended(top, {"x": row["x"], "z": text(row["z"])}).get("score") for row in records(rows)]


def test_a_spreadsheet_answers_alike():
    """A formula of each family and make, asked with the cells of others."""
    for family, makes in MAKES.items():
        for one in makes:
            line = tc.export(grown(family, one), "excel").split("\n")[1]
            formula = formulas.Parser().ast(line.strip("\t"))[1].compile()
            for other in (b for f, a, b in WITH_FIRST if (f, a) == (family, one) and b != "moments of a zone"):
                asked = [{"A2": row["x"], "B2": as_cell(row["z"])} for row in records(frame(family, other))[:12]]
                told = [str(np.ravel(formula(*(row[k] for k in formula.inputs)))[0]) for row in asked]
                assert told == answers(family)[:12], (family, one, other)


def as_cell(value):
    """A value as a spreadsheet holds it: days are numbers there."""
    if isinstance(value, datetime.date):
        return (pd.Timestamp(value) - pd.Timestamp("1899-12-30")).days
    return "" if value is None else float(value) if isinstance(value, Decimal) else value


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_answers_alike(tmp_path):
    for i, (family, one) in enumerate((f, m) for f, makes in MAKES.items() for m in makes):
        (tmp_path / f"tree{i}.js").write_text(tc.export(grown(family, one), "javascript"), "utf-8")
        cells = {other: records(frame(family, other)) for other in MAKES[family]}
        (tmp_path / f"rows{i}.json").write_text(
            json.dumps(cells, default=lambda v: float(v) if isinstance(v, Decimal) else str(v))
        )
    n = i + 1
    (tmp_path / "run.js").write_text(
        "const fs = require('fs'), all = [];"
        f"for (let i = 0; i < {n}; i++) {{ const {{ predict }} = require(`./tree${{i}}.js`);"
        "const rows = JSON.parse(fs.readFileSync(`rows${i}.json`));"
        "all.push(Object.fromEntries(Object.entries(rows).map(([make, cells]) => [make, cells.map(predict)]))); }"
        "console.log(JSON.stringify(all));"
    )
    done = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    found = json.loads(done.stdout)
    for told, (family, one) in zip(found, ((f, m) for f, makes in MAKES.items() for m in makes), strict=True):
        for other, said in told.items():
            assert said == answers(family), (family, one, other)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    pytest.importorskip("ibis")
    folder = tmp_path_factory.mktemp("makes")

    @cache
    def open_make(family: str, make: str) -> tc.database.DatabaseTable:
        path = folder / f"{family} {make}.parquet"
        path.write_bytes(parquet(frame(family, make)))
        return tc.open_table(path, target="y", kinds=kinds(family), features=["x", "z"])

    return open_make


@pytest.fixture(scope="module")
def grown_there(opened):
    return cache(lambda family, make: tc.grow(opened(family, make), "cart", missing="majority"))


@pytest.mark.parametrize(("family", "one", "other"), WITH_FIRST)
def test_an_engine_tells_levels_apart_as_memory_does(opened, grown_there, family, one, other):
    tree, here, rows = grown_there(family, one), grown(family, one, "majority"), frame(family, other)
    expected = here.predict(frame(family, one)).tolist()
    assert tree.predict(rows).tolist() == here.predict(rows).tolist() == expected
    counted = np.zeros((here.n_nodes, len(here.classes)))
    np.add.at(counted, (here.apply(rows), [here.classes.index(y) for y in rows.y]), 1)
    assert np.array_equal(opened(family, other).end_statistics(here), counted)


def test_labels_of_an_engine_are_those_of_memory(opened):
    for family, make in (("truths", "bool"), ("numbers", "decimal"), ("days", "moments"), ("words", "padded")):
        levels = opened(family, make).column("z").levels
        read = tc.read_table(parquet(frame(family, make)), kinds=kinds(family))
        assert levels == read.column("z").levels, (family, make)
