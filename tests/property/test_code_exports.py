"""Trees as code: each export is run on random rows with gaps and hostile names, against the tree's own answers."""

import json
import math
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import duckdb
import formulas
import numpy as np
import pandas as pd
import pytest
import sqlglot
from hypothesis import example, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.hostile import NAMES
from tests.property.saved_trees import MAKES, saved
from treecore.export.code import to_javascript, to_python
from treecore.export.excel import column_letters, to_excel, why_not_excel
from treecore.export.format import ExportRequest
from treecore.export.sql import exact, quoted, to_spark_sql, to_sql
from treecore.judging.interest import FlagRule, place_of_class, segment_rates
from treecore.predicting.batch import score

ODD = (
    *NAMES,
    "__proto__",
    "constructor",
    "line\nbreak",
    "'; DROP TABLE data; --",
    'say ""',
    "</script>",
    "w0",
    "p0",
    "Größe",
)
N_ROWS = 25


@st.composite
def asked(draw):
    """(a tree of any make with hostile names, rows with gaps, levels it has not seen and numbers at its limits)."""
    tree = renamed(tc.Tree.from_dict(json.loads(saved(draw(st.integers(0, len(MAKES) - 1))))), draw)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return tree, pd.DataFrame({f.name: column(tree, i, rng) for i, f in enumerate(tree.schema.features)})


def renamed(tree: tc.Tree, draw) -> tc.Tree:
    """The same tree with other names of columns, levels and classes, in float32 too."""
    names = draw(st.permutations(ODD))
    features = []
    for feature in tree.schema.features:
        levels = feature.levels if feature.cuts is not None else names[10 : 10 + len(feature.levels)]
        fill = draw(st.sampled_from([None, None, 0.0, 1.0]))
        features.append(replace(feature, name=names.pop(), levels=tuple(map(str.strip, levels)), fill=fill))
    classes = tuple(names[20 : 20 + len(tree.classes)])
    precision = draw(st.sampled_from(["float64", "float32"]))
    return replace(tree, schema=replace(tree.schema, features=tuple(features), classes=classes, precision=precision))


def column(tree: tc.Tree, index: int, rng) -> list:
    feature, splits = tree.schema.features[index], tree.splits
    gaps = rng.random(N_ROWS) < rng.choice([0.0, 0.2, 0.7])
    if feature.numeric or feature.cuts is not None:
        limits = [*splits.threshold[splits.feature == index], *(feature.cuts or ()), *splits.cuts, 0.1, -3.0, 1e9]
        near = rng.choice([x for x in limits if math.isfinite(x)], N_ROWS)
        moved = rng.choice([0.0, 1e-9, -1e-9, 0.3, -0.7], N_ROWS)
        return np.where(gaps, np.nan, near + moved)
    values = rng.choice([*feature.levels, "not seen before"], N_ROWS)
    return pd.Series([None if gap else value for gap, value in zip(gaps, values.tolist(), strict=True)], dtype=object)


def agree(tree: tc.Tree, rows: pd.DataFrame, answers) -> None:
    """Other answers only where classes are equally good but for the last digits."""
    expected = tree.predict(rows)
    for i, answer in enumerate(answers):
        if not tree.classes:
            assert answer == pytest.approx(expected[i], nan_ok=True)
        elif answer != expected[i]:
            assert None not in (answer, expected[i])
            merit = tree.predict_proba(rows.iloc[i : i + 1])[0]
            merit = merit if tree.loss is None else -(merit @ tree.loss)
            chosen = [merit[tree.classes.index(a)] for a in (answer, expected[i])]
            assert chosen[0] == pytest.approx(chosen[1], abs=1e-12)


@st.composite
def flagging(draw):
    """(tree, rows, a flag rule, the column flag, the column segment) as scoring has them; None where there is none."""
    tree, rows = draw(asked())
    name = draw(st.sampled_from(tree.classes)) if tree.classes else None
    rates = segment_rates(tree, place_of_class(tree, name))
    known = sorted(set(rates[~np.isnan(rates)].tolist()))
    between = [(low + high) / 2 for low, high in pairwise(known)]  # a sum of parts may miss a rate by its last digit
    rule = FlagRule(draw(st.sampled_from([*between, 0.0, 1.0])), name)
    scored = score(tree, rows, rule).columns(rule=False)
    return tree, rows, rule, scored["flag"].to_pylist(), scored["segment"].to_pylist()


def same_flags(tree: tc.Tree, rows: pd.DataFrame, rule: FlagRule, expected: tuple, told) -> None:
    """Another flag only where a mixed rate is the threshold but for its last digits; then its segment is looked at."""
    rates = rule.rates_of_rows(tree, rows)
    for flag, segment, (told_flag, told_segment), rate in zip(*expected, told, rates, strict=True):
        assert told_segment == segment
        assert told_flag == flag or rate == pytest.approx(rule.threshold, abs=1e-12)


@given(flagging())
@settings(max_examples=60)
def test_python_flags_as_scoring_does(made):
    tree, rows, rule, *expected = made
    module = {}
    exec(compile(to_python(ExportRequest(tree, options={"flag": rule})), "export", "exec"), module)
    same_flags(tree, rows, rule, expected, [(module["flag"](row), module["segment"](row)) for row in records(rows)])
    agree(tree, rows, [module["predict"](row) for row in records(rows)])


@given(flagging())
@settings(max_examples=20)
@pytest.mark.parametrize("database", ["sqlite", "duckdb", "spark"])
def test_sql_flags_as_scoring_does(database, made):
    tree, rows, rule, *expected = made
    written = ExportRequest(tree, options={"flag": rule})
    statement = to_sql(written)
    if database == "spark":
        statement = sqlglot.transpile(to_spark_sql(written), read="spark", write="duckdb")[0]
    run = run_sqlite if database == "sqlite" else run_duckdb
    same_flags(tree, rows, rule, expected, run(tree, rows, statement, slice(-2, None)))
    agree(tree, rows, run(tree, rows, statement, -3))


def records(rows: pd.DataFrame) -> list[dict]:
    plain = rows.astype(object).where(rows.notna(), None)
    return plain.to_dict("records")


@given(asked())
@settings(max_examples=60)
def test_python_answers_as_the_tree_does(made):
    tree, rows = made
    module = {}
    exec(compile(to_python(ExportRequest(tree, name='a\n""" \'table\'')), "export", "exec"), module)
    agree(tree, rows, [module["predict"](row) for row in records(rows)])
    if tree.classes:
        shares = [module["shares"](row) for row in records(rows)]
        told = [[math.nan] * len(tree.classes) if s is None else [s[c] for c in tree.classes] for s in shares]
        np.testing.assert_allclose(told, tree.predict_proba(rows), atol=1e-12)


@given(asked())
@settings(max_examples=20)
@pytest.mark.parametrize("database", ["sqlite", "sqlite without types", "duckdb"])
def test_sql_answers_as_the_tree_does(database, made):
    tree, rows = made
    run = {"sqlite": run_sqlite, "sqlite without types": run_imported, "duckdb": run_duckdb}[database]
    agree(tree, rows, run(tree, rows, to_sql(ExportRequest(tree, name="x\n; --"))))


@given(asked())
@settings(max_examples=20)
def test_the_statement_for_spark_says_the_same(made):
    """Read as Spark's language, it is written in DuckDB's and run there."""
    tree, rows = made
    told = sqlglot.transpile(to_spark_sql(ExportRequest(tree, name="x\n; --")), read="spark", write="duckdb")
    agree(tree, rows, run_duckdb(tree, rows, told[0]))


def run_sqlite(tree, rows, statement, columns=-1) -> list:
    with sqlite3.connect(":memory:") as base:
        kinds = ["REAL" if kind.kind == "f" else "TEXT" for kind in rows.dtypes]
        base.execute(f"CREATE TABLE data ({', '.join(f'{quoted(n)} {k}' for n, k in zip(rows, kinds, strict=True))})")
        marks = ", ".join("?" * rows.shape[1])
        base.executemany(f"INSERT INTO data VALUES ({marks})", [tuple(r.values()) for r in records(rows)])
        return [row[columns] for row in base.execute(statement)]


def run_imported(tree, rows, statement) -> list:
    """As SQLite has a file that was imported: all cells are text, empty where nothing is known."""
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE data ({', '.join(f'{quoted(name)} TEXT' for name in rows)})")
        cells = [["" if value is None else str(value) for value in row.values()] for row in records(rows)]
        base.executemany(f"INSERT INTO data VALUES ({', '.join('?' * rows.shape[1])})", cells)
        return [row[-1] for row in base.execute(statement)]


def run_duckdb(tree, rows, statement, columns=-1) -> list:
    with duckdb.connect() as base:
        kinds = ["DOUBLE" if kind.kind == "f" else "VARCHAR" for kind in rows.dtypes]
        base.execute(f"CREATE TABLE data ({', '.join(f'{quoted(n)} {k}' for n, k in zip(rows, kinds, strict=True))})")
        marks = ", ".join("?" * rows.shape[1])
        base.executemany(f"INSERT INTO data VALUES ({marks})", [tuple(r.values()) for r in records(rows)])
        return [row[columns] for row in base.execute(statement).fetchall()]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_flags_as_scoring_does(tmp_path):
    cases = []

    @given(flagging())
    @settings(max_examples=40)
    def collect(made):
        cases.append(made)

    collect()
    for i, (tree, rows, rule, *_) in enumerate(cases):
        (tmp_path / f"tree{i}.js").write_text(to_javascript(ExportRequest(tree, options={"flag": rule})), "utf-8")
        (tmp_path / f"rows{i}.json").write_text(json.dumps([list(r.items()) for r in records(rows)]))
    run = (
        "const fs = require('fs');"
        f"for (let i = 0; i < {len(cases)}; i++) {{ const {{ predict, flag, segment }} = require(`./tree${{i}}.js`);"
        "const rows = JSON.parse(fs.readFileSync(`rows${i}.json`)).map(Object.fromEntries);"
        "console.log(JSON.stringify(rows.map((row) => [flag(row), segment(row), predict(row)]))); }"
    )
    (tmp_path / "run.js").write_text(run, "utf-8")
    done = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    for (tree, rows, rule, *expected), told in zip(cases, done.stdout.splitlines(), strict=True):
        answers = json.loads(told)
        same_flags(tree, rows, rule, expected, [(flag, segment) for flag, segment, _ in answers])
        agree(tree, rows, [answer for *_, answer in answers])


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_answers_as_the_tree_does(tmp_path):
    """One process for many trees: starting it takes longer than all of them."""
    cases = []

    @given(asked())
    @settings(max_examples=60)
    def collect(made):
        cases.append(made)

    collect()
    for i, (tree, rows) in enumerate(cases):
        Path(tmp_path / f"tree{i}.js").write_text(to_javascript(ExportRequest(tree, name="x\u2028</script>")), "utf-8")
        Path(tmp_path / f"rows{i}.json").write_text(json.dumps([list(r.items()) for r in records(rows)]))
    run = (
        "const fs = require('fs'); const all = [];"
        f"for (let i = 0; i < {len(cases)}; i++) {{ const {{ predict }} = require(`./tree${{i}}.js`);"
        "const rows = JSON.parse(fs.readFileSync(`rows${i}.json`)).map(Object.fromEntries);"
        "all.push(rows.map(predict)); } console.log(JSON.stringify(all));"
    )
    (tmp_path / "run.js").write_text(run)
    done = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    for (tree, rows), answers in zip(cases, json.loads(done.stdout), strict=True):
        agree(tree, rows, answers)


@given(asked())
@settings(max_examples=12)
def test_a_spreadsheet_answers_as_the_tree_does(made):
    tree, rows = made
    rows = rows.map(lambda cell: round(cell, 12) if isinstance(cell, float) else cell)
    if why_not_excel(ExportRequest(tree)):
        return
    header, line = to_excel(ExportRequest(tree)).split("\n")[:2]
    assert header.count("\t") == line.count("\t") == rows.shape[1]
    formula = formulas.Parser().ast(line.strip("\t"))[1].compile()
    cells = {f"{column_letters(i)}2": name for i, name in enumerate(rows)}
    given = [{cell: row[cells[cell]] for cell in formula.inputs} for row in records(rows)]
    told = [formula(*("" if v is None else v for v in row.values())) for row in given]
    agree(tree, rows, [plain(np.ravel(answer)[0], tree) for answer in told])


def plain(answer, tree: tc.Tree):
    """What a cell shows: text, or a number of a regression."""
    return (str(answer) or None) if tree.classes else float(answer)


@pytest.fixture(scope="module")
def bases():
    """Two databases, opened once: that takes longer than to ask them."""
    opened = sqlite3.connect(":memory:"), duckdb.connect()
    yield opened
    for base in opened:
        base.close()


@given(value=st.floats(allow_nan=False, allow_infinity=False))
@example(value=4.18661315632141e-306)
def test_a_limit_is_the_same_number_in_a_database(bases, value):
    for base in bases:
        assert base.execute(f"SELECT {exact(value)}").fetchone()[0] == value
