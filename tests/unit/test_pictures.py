"""Pictures of the whole tree: title and legend, sizes of sheets, hostile names."""

import io
import re
import struct

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.cards import describe_prediction
from treecore.export.pictures import PAPERS

pytest.importorskip("pygraphviz", reason="Graphviz is not installed")


@pytest.fixture(scope="module")
def titanic():
    return tc.grow(read_sample("titanic"), "cart", max_depth=3)


def texts(svg: bytes) -> list[str]:
    import xml.etree.ElementTree as ET

    return [e.text or "" for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def sides(picture: bytes, kind: str) -> tuple[float, float]:
    """Width and height: points of an SVG or PDF, pixels of a PNG."""
    if kind == "png":
        return struct.unpack(">II", picture[16:24])
    if kind == "svg":
        found = re.search(rb'<svg width="(\d+)pt" height="(\d+)pt"', picture)
        return int(found[1]), int(found[2])
    pypdf = pytest.importorskip("pypdf")
    box = pypdf.PdfReader(io.BytesIO(picture)).pages[0].mediabox
    return float(box.width), float(box.height)


def test_a_picture_says_what_it_is_of_and_what_its_colours_mean(titanic):
    told = " ".join(texts(tc.export(titanic, "svg", name="titanic.csv")))
    assert f"titanic.csv: {titanic.schema.target} = " in told
    assert f"{titanic.n_leaves} leaves" in told
    for name in titanic.class_names:
        assert name in told
    assert "leaves" not in " ".join(texts(tc.export(titanic, "svg", title=False)))
    assert titanic.schema.target not in tc.export(titanic, "dot"), "the source is of the tree alone"


def test_predicted_numbers_are_tinted_and_have_a_scale():
    tree = tc.grow(read_sample("mpg"), "cart", max_depth=2)
    svg = tc.export(tree, "svg")
    told = texts(svg)
    for node in (np.argmin(tree.value), np.argmax(tree.value)):
        assert tree.node(int(node)).predicted in told
    assert any(text.startswith("± ") for text in told), "standard deviations"
    fills = re.findall(rb'class="node (?:leaf|inner)".*?fill="(#\w+)"', svg, re.DOTALL)
    assert len(set(fills)) == tree.n_nodes


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
@pytest.mark.parametrize("n_leaves", [1, 8, 60])
def test_a_sheet_has_its_size_whatever_the_tree(kind, n_leaves):
    tree = tc.grow(read_sample("titanic"), "cart", max_leaves=n_leaves) if n_leaves > 1 else _root()
    for paper in ("slide", "a4"):
        options = {"scale": 1} if kind == "png" else {}
        wide, high = sides(tc.export(tree, kind, paper=paper, **options), kind)
        ratio = 96 / 72 if kind == "png" else 1.0
        wanted = PAPERS[paper] if paper == "slide" or wide > high else PAPERS[paper][::-1]
        assert (wide, high) == pytest.approx([ratio * side for side in wanted], abs=2)
    if kind == "svg":
        free = tc.export(tree, kind)
        assert sides(free, kind) != PAPERS["slide"]


def _root() -> tc.Tree:
    return tc.grow(read_sample("titanic"), "cart", max_depth=0)


def test_another_size_is_refused_with_those_there_are(titanic):
    with pytest.raises(tc.TreecoreError, match="slide or a4"):
        tc.export(titanic, "svg", paper="poster")
    with pytest.raises(tc.TreecoreError, match="is no size of a picture"):
        tc.export(titanic, "svg", paper=[])


def test_hostile_names_are_text():
    name = '<b>&"\\N</b>'
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80), name: np.where(rng.random(80) < 0.5, "<i>a</i>", "b\\L")})
    table = tc.read_table(frame, target=name)
    tree = tc.grow(table, "cart", max_depth=1)
    told = " ".join(texts(tc.export(tree, "svg", name="<script>.csv")))
    assert "<script>.csv" in told
    assert "<i>a</i>" in told


def test_rates_of_counts_have_a_scale_too():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, 400), "years": rng.random(400) + 0.2})
    frame["claims"] = rng.poisson((0.2 + 0.6 * (frame["age"] < 30)) * frame["years"])
    tree = tc.grow(tc.read_table(frame, target=tc.Counts("claims", exposure="years")), "cart", max_depth=2)
    told = texts(tc.export(tree, "svg"))
    low, high = (describe_prediction(tree.node(int(node))) for node in (np.argmin(tree.value), np.argmax(tree.value)))
    scale = " ".join(told[:8]).replace("\u00a0", " ")
    assert low.replace("\u00a0", " ") in scale
    assert high.replace("\u00a0", " ") in scale
