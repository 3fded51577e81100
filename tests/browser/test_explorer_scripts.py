"""The scripts of the explorer without a server say what the library says: of files, of trees, of rows."""

import base64
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.browser import explorer_scripts as scripts
from tests.hostile import NAMES, SEEN, UNSEEN
from treecore.data.samples import SAMPLES, read_sample
from treecore.errors import DataNote

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::treecore.errors.DataNote")]
ROOT = Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "assets" / "samples").glob("*.csv"))


@pytest.fixture(scope="module")
def tab(chromium):
    """A page that has the scripts and nothing else."""
    page = chromium.new_page()
    page.add_script_tag(content=scripts.SCRIPTS)
    yield page
    page.close()


# ---- tables


def test_every_sample_is_read_as_the_library_reads_it(tab):
    targets = {sample.file: sample.target for sample in SAMPLES.values()}
    files = [(path.read_bytes(), targets.get(path.name)) for path in TABLES]
    found = scripts.read(tab, files)
    assert [made.get("refused") for made in found] == [None] * len(files)
    wrong = {
        path.name: told
        for path, (data, target), made in zip(TABLES, files, found, strict=True)
        if (told := scripts.difference(data, target, made))
    }
    assert wrong == {}


GAPS = ("", "NA", "n/a", "NaN", "?", "null", "-", "None", " ", "#N/A", "missing")
WORDS = (
    ("no", "yes"), ("No", "Yes"), ("true", "FALSE"), ("0", "1"), ("f", "t"), ("ja", "nein"), ("on", "off"), ("y", "n"),
    ("low", "medium", "high"), ("S", "M", "L", "XL"), ("S", "M"), ("Mon", "Tue", "Sun"), ("January", "March", "May"),
    ("never", "sometimes", "always"), ("10", "9", "100"), ("007", "7", "12"), ("1.0", "1", "2"), ("a", " a", "b"),
    ("A1", "B2", "C3"), ("é", "e\u0301", "x"), ("z\u200bz", "zz", "y"), ("NA", "DE", "FR"), ("DE", "FR", "AT"),
    ("12 kg", "3 kg", "7 kg"), ("1,234", "2,500", "12"), ("1.234", "2.500", "12"), ("5 %", "7 %", "9 %"), ("$3", "$4"),
    ("2024-01-31", "2024-02-01"), ("31.12.2024", "01.02.2023"), ("3/4/2020", "5/6/2021"), ("20240131", "20230201"),
    ("12:30", "13:45"), ("1.2.3", "1.2.4"), ("(12)", "7"), ("100-", "12"), ("Zimmer 3", "Zimmer 4"),
    ("3 Zimmer", "4 Zimmer"), ("<b>", "&amp;"),
    ("inf", "1", "2"), ("1e5", "2e-3", "4"), ("\U0001f600", "\ue000", "z"), ("a,b", 'say "x"', "two\nlines"),
)  # fmt: skip


@st.composite
def columns(draw, n: int):
    """(name, cells) of a column such as people have in their files."""
    names = st.sampled_from(
        ["id", "customer_id", "x", "year", "age", "", "Name", "rowId", "size", "note", "größe", "y"]
    )
    kind = draw(st.sampled_from(["whole", "decimal", "long", "comma", "running", "constant", *["words"] * 4]))
    seed = np.random.default_rng(draw(st.integers(0, 10_000)))
    if kind == "whole":
        cells = [str(v) for v in seed.integers(-5, draw(st.sampled_from([2, 8, 3000])), n)]
    elif kind in ("decimal", "long", "comma"):
        texts = [f"{v:.{draw(st.integers(1, 4)) if kind != 'long' else 14}f}" for v in seed.normal(size=n) * 50]
        cells = [text.replace(".", ",") for text in texts] if kind == "comma" else texts
    elif kind == "running":
        first = draw(st.sampled_from([0, 1, 17]))
        cells = [str(first + i * draw(st.sampled_from([1, 1, 2]))) for i in range(n)]
    else:
        cells = seed.choice(["one"] if kind == "constant" else draw(st.sampled_from(WORDS)), n).tolist()
    if draw(st.booleans()):
        holes = seed.random(n) < 0.15
        gap = draw(st.sampled_from(GAPS))
        cells = [gap if hole else cell for cell, hole in zip(cells, holes, strict=True)]
    return draw(names), cells


@st.composite
def files(draw):
    n = draw(st.sampled_from([3, 6, 12, 40, 120]))
    made = draw(st.lists(columns(n), min_size=2, max_size=5))
    delimiter, newline = draw(st.sampled_from(",,;\t|")), draw(st.sampled_from(["\n", "\n", "\r\n"]))
    quoted = draw(st.booleans())

    def cell(text: str) -> str:
        needed = any(sign in text for sign in (delimiter, '"', "\n")) or (quoted and text.strip() != "")
        return '"' + text.replace('"', '""') + '"' if needed else text

    rows = [[name for name, _ in made], *zip(*(cells for _, cells in made), strict=True)]
    text = newline.join(delimiter.join(map(cell, row)) for row in rows) + draw(st.sampled_from(["", newline]))
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode(), None


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(files(), min_size=15, max_size=25))
def test_tables_are_read_alike_or_refused(tab, many):
    found = scripts.read(tab, many)
    wrong = [
        (data, told)
        for (data, _), made in zip(many, found, strict=True)
        if (told := scripts.difference(data, None, made))
    ]
    assert wrong == []


ODD = {
    "empty": b"", "names alone": b"a,b\n", "one column": b"a\n1\n2\n", "utf-16": "a,b\n1,2\n".encode("utf-16"),
    "latin-1": "gr\xf6\xdfe,b\n1,2\n3,4\n".encode("latin-1"), "a web page": b"<html><body>a,b</body></html>",
    "json": b'[{"a": 1, "b": 2}, {"a": 3, "b": 4}]', "nul": b"a,b\n1,\x002\n", "old mac": b"a,b\r1,2\r3,4\r",
    "numbers alone": b"1,2\n3,4\n5,6\n", "a title": b"Report,,\na,b,c\n1,2,3\n4,5,6\n7,8,9\n",
    "a remark": b"# made by hand\na,b\n1,2\n3,4\n", "units": b"age,height\nyears,cm\n1,2\n3,4\n5,6\n7,8\n",
    "a total": b"name,n\nx,1\ny,2\nz,3\nTotal,6\n", "a source": b"name,n\nx,1\ny,2\nz,3\nSource: us,\n",
    "ragged": b"a,b\n1,2\n3\n4,5\n", "an open quote": b'a,b\n1,"2\n3,4\n', "beside a quote": b'a,b\n"1"x,2\n3,4\n',
    "names twice": b"a,b\n1,2\na,b\n3,4\n", "single quotes": b"'a','b'\n'1','2'\n'3','4'\n'5','6'\n",
    "backslashes": b'a,b\n"x\\"y",2\n"z",3\n', "other digits": "a,b\n\u0661,2\n\u0662,3\n".encode(),
    "infinite target": b"a,b\n1,inf\n2,3\n3,4\n", "sep": b"sep=;\na;b\n1;2\n3;4\n",
}  # fmt: skip
ALIKE = {
    "row names": b'a,b\n"r1",1,x\n"r2",2,y\n"r3",3,x\n"r4",1,y\n',
    "trailing delimiters": b"a,b\n1,x,\n2,y,\n3,x,\n1,y,\n",
    "blank lines": b"\na,b\n\n1,x\n  \n2,y\n3,x\n\n", "names twice": b"a,a,b\n1,2,x\n3,1,y\n5,2,x\n",
    "a decimal comma": b"a;b\n1,5;x\n2,25;y\n3,0;x\n",
    "leading zeros": b"zip,y\n01067,a\n20095,b\n01067,a\n20095,b\n50667,a\n",
    "lines in cells": b'a,b\n"one\ntwo",x\n"three",y\n"one\ntwo",y\n', "spaces": b"a , b\n 1 , x\n2, y \n3 ,x\n",
    "no line end": b"a,b\n1,x\n2,y\n3,x", "years as names": b"k,2019,2020\nx,1,2\ny,3,4\nz,5,6\nx,7,1\n",
    "powers": b"a,k,b\n1e-05,1e5,x\n2.5,1e6,y\n3,1e7,x\n-4.5E+1,1e5,y\n", "signs": b"a,b\n+1.5,x\n-.5,y\n2.,x\n0,y\n",
    "zeros before a point": b"a,b\n00.5,x\n01.5,y\n02.5,x\n00.5,y\n",
}  # fmt: skip


def many_rows(n: int) -> bytes:
    """Rows of which the first ones repeat no cell of most columns, and later ones do; with gaps in each spelling."""
    lines = ["a,b,c,d,e"]
    for i in range(n):
        gap = ("", "NA", "-", "?")[i // 97 % 4] if i % 97 == 0 else ""
        price, code = gap if i % 97 == 0 else f"{(i * 7919 % 10007) / 8:.3f}", f"{i * 31 % 4999:05d}"
        word = f"w{i if i < 2100 else i % 50}" if i % 3 else "Größe\u00a0XL"
        lines.append(f"{price},{code},{word},{1 / (i + 1):.6g},{'xyz'[i * i % 7 % 3]}")
    return "\n".join(lines).encode()


def test_odd_files_are_refused_in_a_sentence(tab):
    found = scripts.read(tab, [(data, None) for data in ODD.values()])
    for name, made in zip(ODD, found, strict=True):
        assert made.get("refused", name).endswith("."), name
        assert made["refused"].count(". ") >= 1, name  # what is wrong, and what can be done


def test_files_that_are_merely_unusual_are_read_alike(tab):
    found = scripts.read(tab, [(data, "b" if b"b" in data[:12] else None) for data in ALIKE.values()])
    for (name, data), made in zip(ALIKE.items(), found, strict=True):
        assert "refused" not in made, (name, made)
        assert scripts.difference(data, made["target"], made) == "", name


def test_cells_that_are_not_looked_up_any_more_are_read_alike(tab):
    (made,) = scripts.read(tab, [(data := many_rows(3000), "e")])
    assert "refused" not in made, made
    assert scripts.difference(data, "e", made) == ""


def test_texts_of_numbers_are_there_again_where_the_column_becomes_words(tab):
    data = many_rows(3000)
    made = tab.evaluate(
        """([data, names]) => {
        const source = CsvTable.read(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)));
        return names.map((name) => {
            const { levels, codes } = CsvTable.encode(source.columns.find((one) => one.name === name), "nominal");
            return [levels, [...codes]];
        });
    }""",
        [base64.b64encode(data).decode(), ["a", "d"]],
    )
    table = tc.read_table(data, target="e", kinds={"a": "nominal", "d": "nominal"}, features=["a", "d"])
    for name, (levels, codes) in zip("ad", made, strict=True):
        column = table.column(name)
        assert tuple(levels) == column.levels
        assert codes == np.asarray(column.codes).tolist()


# ---- trees of tables


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(files(), min_size=15, max_size=20), st.sampled_from(["cart", "id3", "c4.5"]), st.integers(1, 5))
def test_a_file_grows_the_tree_that_the_library_grows_of_it(tab, many, preset, least):
    asked = [[base64.b64encode(data).decode(), preset, {"min_rows_leaf": least}] for data, _ in many]
    for (data, _), made in zip(many, tab.evaluate(scripts.GROW, asked), strict=True):
        if "refused" in made:
            continue
        table = tc.read_table(data, target=made["target"], features=made["features"]).without_missing_target()
        expected = scripts.constants(tc.export(tc.grow(table, preset, min_rows_leaf=least), "html"))
        assert scripts.alike(made["tree"], expected["TREE"]), data


# ---- the constants of the reader's page


def trees() -> list[tuple[str, tc.Table, tc.Tree]]:
    found = []
    for sample in ("titanic", "penguins", "mpg", "play_tennis", "willwait", "curve", "salary"):
        table = read_sample(sample)
        for preset in ("cart", "id3", "c4.5"):
            if preset == "cart" or table.target_column.kind != "numeric":
                for limit in ({}, {"min_rows_leaf": 5}):
                    found.append((f"{sample} {preset} {limit}", table, tc.grow(table, preset, **limit)))
    return found + hostile_trees()


def hostile_trees() -> list[tuple[str, tc.Table, tc.Tree]]:
    rng, n, found = np.random.default_rng(1), 80, []
    names = [*NAMES, *UNSEEN, *SEEN]
    for at in range(0, len(names) - 5, 5):
        kinds = [rng.normal(size=n).round(3), rng.choice(names[:6], n), rng.choice(["low", "medium", "high"], n)]
        long = f"{names[at + 1]} and a long tail of a name {names[at]}"
        frame = pd.DataFrame(dict(zip((names[at], long, f"{long} or other"), kinds, strict=True)))
        frame.loc[rng.random(n) < 0.1, names[at]] = np.nan
        frame["y"] = rng.choice(names[at : at + 5], n)
        table = tc.read_table(frame, target="y")
        found += [(f"hostile {at} {p}", table, tc.grow(table, p, max_depth=4)) for p in ("cart", "c4.5")]
    table = tc.read_table(
        pd.DataFrame({"x": rng.normal(size=n), "price (€)": rng.normal(size=n) * 1e5}), target="price (€)"
    )
    return [*found, ("a unit", table, tc.grow(table, max_depth=3))]


def test_a_tree_is_told_as_the_exported_page_tells_it(tab):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        grown = trees()
    asked = [[scripts.arrays(tree, table), scripts.links(tree), "a & <b>"] for _, table, tree in grown]
    for (name, _, tree), made in zip(grown, tab.evaluate(scripts.PAGE, asked), strict=True):
        html = tc.export(tree, "html", name="a & <b>")
        expected = scripts.constants(html)
        assert set(made["constants"]) == set(expected), name
        for constant, value in expected.items():
            assert made["constants"][constant] == value, (name, constant)
        assert f"<title>{scripts.escape(made['title'])}</title>" in html, name


def test_a_tree_that_opens_pruned_has_its_sizes_however_large_it_is(tab):
    """Without them its page would show all branches. Of one leaf its title says so."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=6000), "z": rng.normal(size=6000), "y": rng.normal(size=6000)})
    table = tc.read_table(frame, target="y")
    tree = tc.grow(table)
    assert tree.n_leaves > 2000
    asked = [scripts.arrays(tree, table), scripts.links(tree), "noise", len(scripts.links(tree)["leaves"]) - 1]
    told = "([tree, links, name, at]) => [0, at].map((step) => PageConstants.of(tree, links, name, step))"
    whole, root = tab.evaluate(told, asked)
    assert whole["constants"]["SIZES"] is None
    assert root["constants"]["SIZES"]["at"] == asked[-1]
    assert root["title"] == "y of noise: a decision tree of 1 leaf"


def test_numbers_are_printed_as_the_library_prints_them(tab):
    from treecore import figures

    rng = np.random.default_rng(0)
    numbers = [0.5, 1.5, 2.5, 0.125, 0.375, 1e-5, 123456.5, 1e15, 1e16, 1e22, 5e-324, 0.0005, 0.0015, 999.9995, 1000.5]
    numbers += [float(v) for v in rng.normal(size=300) * 10.0 ** rng.integers(-8, 12, 300)]
    numbers += [float(v) / 8 for v in rng.integers(-4000, 4000, 200)] + [-v for v in numbers[:15]]
    names = ("count", "percent", "brief", "number", "exact")
    found = tab.evaluate(
        "([names, numbers]) => names.map((name) => numbers.map((number) => Figures[name](number)))",
        [list(names), numbers],
    )
    for name, texts in zip(names, found, strict=True):
        wrong = [
            (v, told, getattr(figures, name)(v))
            for v, told in zip(numbers, texts, strict=True)
            if told != getattr(figures, name)(v)
        ]
        assert wrong == [], name
    longer = tab.evaluate("(numbers) => numbers.map((number) => Figures.brief(number, 7))", numbers)
    assert longer == [figures.brief(v, 7) for v in numbers]
    grouped = tab.evaluate("(numbers) => numbers.map((number) => Figures.grouped(Figures.number(number)))", numbers)
    assert grouped == [figures.grouped(figures.number(v)) for v in numbers]
