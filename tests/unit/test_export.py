"""Every format of the registry on trees of every make, and what each refuses."""

import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import duckdb
import numpy as np
import pytest

import treecore as tc
from tests.hostile import NAMES
from tests.property.saved_trees import MAKES, saved, tables
from tests.unit.test_deep_trees import chain
from treecore.data.samples import read_sample
from treecore.export.format import ExportRequest
from treecore.export.latex_forest import _condition
from treecore.export.rule_texts import to_latex, to_markdown

MAKE = range(len(MAKES))
WHOLE = {"onnx", "html", "svg", "png", "pdf", "dot", "json", "python", "javascript", "nodes_csv", "curve_csv"}
"""The formats that can say every small tree."""


def tree_of(make: int) -> tc.Tree:
    return tc.Tree.from_dict(json.loads(saved(make)))


@pytest.fixture(scope="module")
def iris() -> tc.Tree:
    return tc.grow(read_sample("iris"), max_depth=3)


@pytest.fixture(scope="module")
def deep() -> tc.Tree:
    return tc.grow(chain(400), tc.GrowSettings())


@pytest.mark.parametrize(
    ("name", "make"), [(f, make) for f in tc.FORMATS for make in MAKE if f != "png" or make % 4 == 0]
)
def test_a_tree_of_any_make_is_written_or_refused_with_the_reason(name, make):
    """As points only some of them, for long drawing: what is drawn is the same in SVG and PDF."""
    tree = tree_of(make)
    if tc.FORMATS[name].reason(ExportRequest(tree)):
        estimated = name == "curve_csv" and tree.figures_of == "estimation"
        assert name not in WHOLE or estimated or tree.lines is not None
        with pytest.raises(tc.TreecoreError, match=re.escape(tc.FORMATS[name].label)):
            tc.export(tree, name)
        return
    written = tc.export(tree, name, name="a table")
    assert isinstance(written, bytes if name in ("svg", "png", "pdf", "onnx") else str)
    assert len(written) > 25


def hostile(tree: tc.Tree) -> tc.Tree:
    features = [replace(f, name=NAMES[i]) for i, f in enumerate(tree.schema.features)]
    classes = tuple(NAMES[20 : 20 + len(tree.classes)])
    return replace(tree, schema=replace(tree.schema, features=tuple(features), classes=classes, target="=1+1"))


def test_a_saved_tree_is_the_same_tree(iris):
    again = tc.Tree.from_dict(json.loads(tc.export(iris, "json")))
    assert again.to_dict() == iris.to_dict()


def test_pictures_are_of_their_kind_and_size(iris):
    svg = ElementTree.fromstring(tc.export(iris, "svg"))
    assert len(svg.findall(".//*[@class='node leaf']")) == iris.n_leaves
    assert tc.export(iris, "pdf").startswith(b"%PDF")
    wide = [struct.unpack(">II", tc.export(iris, "png", scale=scale)[16:24]) for scale in (1, 2, 4)]
    assert wide[1][0] == pytest.approx(2 * wide[0][0], abs=4)
    assert wide[2][1] == pytest.approx(4 * wide[0][1], abs=8)
    assert tc.export(iris, "png", transparent=True) != tc.export(iris, "png")
    assert "rankdir=LR" in tc.export(iris, "dot", orientation="LR")


def test_options_are_those_of_the_format(iris):
    with pytest.raises(tc.TreecoreError, match="has no option 'scale'"):
        tc.export(iris, "svg", scale=2)
    with pytest.raises(tc.TreecoreError, match="Choose 1, 2 or 4"):
        tc.export(iris, "png", scale=3)
    with pytest.raises(tc.TreecoreError, match="svg, png, pdf"):
        tc.export(iris, "jpeg")
    statement = tc.export(iris, "sql", table='my "rows"', answer="said")
    assert statement.endswith('AS "said"\nFROM "my ""rows""";\n')


def test_a_column_called_as_a_part_of_a_row_is_not_taken_for_it():
    tree = tree_of(1)
    features = tuple(replace(f, name=f"W{i}") for i, f in enumerate(tree.schema.features))
    statement = tc.export(replace(tree, schema=replace(tree.schema, features=features)), "sql")
    with duckdb.connect() as base:
        base.execute(f"CREATE TABLE data ({', '.join(f'{f.name} {_kind(f)}' for f in features)})")
        base.execute(f"INSERT INTO data VALUES ({', '.join(['NULL'] * len(features))})")
        assert base.execute(statement).fetchone()[-1] in tree.classes


def _kind(feature) -> str:
    return "DOUBLE" if feature.numeric else "VARCHAR"


def test_what_is_too_deep_or_shared_is_refused_with_the_reason(deep):
    for name in ("sql", "excel", "forest"):
        with pytest.raises(tc.TreecoreError, match=f"{deep.depth} levels deep"):
            tc.export(deep, name)
    shared = tree_of(1)
    with pytest.raises(tc.TreecoreError, match="shared among branches"):
        tc.export(shared, "excel")
    wide = tc.grow(chain(3000), tc.GrowSettings())
    with pytest.raises(tc.TreecoreError, match="5999 nodes"):
        tc.export(wide, "svg")


def test_text_that_looks_like_a_formula_is_guarded():
    tree = hostile(tree_of(0))
    for name in ("rules_csv", "nodes_csv", "curve_csv"):
        rows = list(csv.reader(io.StringIO(tc.export(tree, name))))
        assert all(len(row) == len(rows[0]) for row in rows)
        text = [cell for row in rows for cell in row if not re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell)]
        assert not [cell for cell in text if len(cell) > 1 and cell[0] in "=+-@"]


def test_names_stay_text_in_latex_and_markdown():
    assert to_latex(r"50% of a_b & {c} \d $e$ ^~#") == (
        r"50\% of a\_b \& \{c\} \textbackslash{}d \$e\$ \textasciicircum{}\textasciitilde{}\#"
    )
    assert to_markdown("[a](http://b.example) **c** <i> www.d.example") == (
        r"\[a\](http\://b.example) \*\*c\*\* &lt;i\> www\.d.example"
    )
    assert to_markdown("x < 5 </a> <!-- <?") == r"x \< 5 &lt;/a\> &lt;!-- &lt;?"
    for name in ("forest", "rules_latex"):
        made = tc.export(hostile(tree_of(0)), name)
        body = "\n".join(line for line in made.splitlines() if not line.startswith("%"))
        bare = re.sub(r"\\[{}]", "", body.replace(r"\\", ""))
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"(?<!\\)[%#$]", body)


def test_a_forest_has_a_bracket_for_every_node(iris):
    lines = tc.export(iris, "forest").splitlines()
    assert sum(line.strip().startswith("[{") for line in lines) == iris.n_nodes
    assert "\n".join(lines).count(", branch [{") == iris.n_nodes - 1, "a condition is a node too, with room of its own"


def test_a_forest_breaks_long_conditions_and_tex_makes_no_dash_of_two_signs():
    assert _condition("∈ {retired, salaried, self-employed}") == (
        r"{\ensuremath{\in} \{retired, salaried,}\\{self-employed\}}"
    )
    assert to_latex("a--b ``c'' d,,e ?`") == "a-{}-b `{}`c'{}' d,{},e ?{}`"


def test_rules_of_every_format_are_those_of_the_tree(iris):
    rules = tc.rules(iris).without_implied()
    text = tc.export(iris, "rules", name="Iris")
    assert [line.split(". ", 1)[1].split("  (")[0] for line in text.splitlines()[2:]] == [rule.text for rule in rules]
    rows = list(csv.DictReader(io.StringIO(tc.export(iris, "rules_csv"))))
    assert [float(row["confidence"]) for row in rows] == [rule.train.confidence for rule in rules]
    assert tc.export(iris, "rules_markdown").count("**IF**") == len(rules)


def test_tables_hold_the_figures_of_the_tree(iris):
    rows = list(csv.DictReader(io.StringIO(tc.export(iris, "nodes_csv"))))
    assert [int(row["rows"]) for row in rows] == iris.n_rows.tolist()
    assert [float(row["weight of Iris-setosa"]) for row in rows] == iris.stats[:, 0].tolist()
    validation = read_sample("iris")
    curve = list(csv.DictReader(io.StringIO(tc.export(iris, "curve_csv", rows=validation))))
    sequence = tc.sequence(iris)
    np.testing.assert_array_equal([float(row["alpha"]) for row in curve], sequence.alpha)
    np.testing.assert_array_equal([float(row["error rate"]) for row in curve], sequence.curve(validation))


def test_regression_and_weights_have_their_curve():
    _, validation = tables(0)
    made = tc.export(tree_of(6), "curve_csv", rows=validation)
    assert "accuracy" not in made.splitlines()[0]
    assert "mean squared error" in made.splitlines()[0]


@pytest.mark.parametrize("name", ["rules_markdown", "javascript", "html", "pmml"])
def test_no_tag_of_the_data_stands_in_what_may_be_part_of_a_page(name):
    tags = ["<script>alert(1)</script>", "</script>", "<!--", "<img src=x onerror=alert(1)>", "<?php ?>", "]]>"]
    tree = tree_of(0)
    names = iter(f"{tag} {i}" for i in range(100) for tag in tags)
    features = tuple(
        replace(f, name=next(names), levels=tuple(next(names) for _ in f.levels)) for f in tree.schema.features
    )
    classes = tuple(next(names) for _ in tree.classes)
    odd = replace(tree, schema=replace(tree.schema, features=features, target=tags[0], classes=classes))
    made = tc.export(odd, name, name="</script><script>alert(2)</script>")
    made = made.decode() if isinstance(made, bytes) else made
    own = 2 if name == "html" else 0  # the page's data, and its script
    assert made.count("<script>\n") + made.count('<script type="application/json"') == own
    assert len(re.findall(r"</?script|<!--|<img|<\?php", made)) == 2 * own
