"""Pictures of the whole tree: title and legend, sizes of sheets, hostile names."""

import io
import re
import struct
from contextlib import closing

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
        found = re.search(rb'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', picture)
        return float(found[1]) * 0.75, float(found[2]) * 0.75
    pypdf = pytest.importorskip("pypdf")
    box = pypdf.PdfReader(io.BytesIO(picture)).pages[0].mediabox
    return float(box.width), float(box.height)


@pytest.fixture(scope="module")
def grown():
    return long_tree()


def long_tree() -> tc.Tree:
    """Of long names, of levels that begin alike, and of gaps that go beside branches and stay on the way."""
    rng, n = np.random.default_rng(5), 3000
    towns = [f"Municipality of Upper Something, part {i}" for i in range(9)]
    frame = pd.DataFrame(
        {
            "average monthly income of the household": rng.normal(3000, 900, n).round(2),
            "average monthly income of the family": rng.normal(2000, 700, n).round(2),
            "municipality where the form was handed in": rng.choice(towns, n),
            "age": rng.integers(18, 90, n).astype(float),
        }
    )  # fmt: skip
    risk = (frame.iloc[:, 0] < 2500) ^ (frame.iloc[:, 2].isin(towns[:4])) ^ (frame.age > 60)
    frame["repaid"] = np.where(risk ^ (rng.random(n) < 0.15), "in full and on time", "in part, or much later")
    for name in frame.columns[:-1]:
        frame.loc[rng.random(n) < 0.15, name] = np.nan
    return tc.grow(tc.read_table(frame, target="repaid"), "cart", max_leaves=170)


def of_size(tree: tc.Tree, n_leaves: int) -> tc.Tree:
    steps = tc.sequence(tree, risk="impurity" if tree.classes else "error")
    return tree.cut(steps.cuts(int(abs(steps.n_leaves - n_leaves).argmin())))


def crossed(boxes: list[tuple[float, float, float, float]], wide: float, high: float) -> list:
    """Boxes (left, top, right, bottom) that are cut by the edge of a picture, or lie over one another."""
    found = [box for box in boxes if box[0] < -1 or box[1] < -1 or box[2] > wide + 1 or box[3] > high + 1]
    sides = np.array(boxes)
    for i, (left, top, right, low) in enumerate(boxes):
        across = np.minimum(sides[:, 2], right) - np.maximum(sides[:, 0], left)
        down = np.minimum(sides[:, 3], low) - np.maximum(sides[:, 1], top)
        found += [(boxes[i], boxes[j]) for j in np.flatnonzero((across > 1.5) & (down > 2)) if j != i]
    return found


@pytest.mark.parametrize("n_leaves", [5, 30, 150])
@pytest.mark.parametrize("options", [{}, {"orientation": "LR"}, {"detail": "learn"}], ids=str)
def test_no_text_of_a_pdf_is_cut_or_crossed(grown, n_leaves, options):
    """PNG is drawn of the same page."""
    pdfium = pytest.importorskip("pypdfium2")
    tree = of_size(grown, n_leaves)
    with closing(pdfium.PdfDocument(tc.export(tree, "pdf", name="my loans.csv", **options))) as document:
        page = document[0]
        wide, high = page.get_size()
        text = page.get_textpage()
        rects = [text.get_rect(i) for i in range(text.count_rects())]
        told = text.get_text_bounded()
    assert len(rects) > 3 * tree.n_nodes
    assert "missing" in told
    assert crossed([(left, high - top, right, high - low) for left, low, right, top in rects], wide, high) == []


def test_a_picture_carries_its_font_and_fits_without(titanic):
    """Every text has its width in the file: a program that has another font squeezes it."""
    svg = tc.export(titanic, "svg").decode()
    assert svg.count("@font-face") == 2
    assert len(svg) < 60_000
    found = re.findall(r"<text [^>]*>[^<]{2,}</text>", svg)
    assert len(found) > 3 * titanic.n_nodes
    assert all("textLength" in text for text in found)
    assert "✂" not in svg


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
    svg = tc.export(tree, "svg", detail="learn")
    told = texts(svg)
    for node in (np.argmin(tree.value), np.argmax(tree.value)):
        assert tree.node(int(node)).predicted in told
    assert told.count("standard deviation") == tree.n_nodes
    fills = re.findall(rb'class="node (?:leaf|inner)".*?<rect [^>]*fill="(#\w+)"', svg, re.DOTALL)
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
