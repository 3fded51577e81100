"""Layout: bytes of every format, nothing outside, and a clear word when it cannot be done."""

import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.unit.test_dot_cards import CLASSES, HOSTILE, hostile_cards, sample_cards
from treecore.errors import TreecoreError
from treecore.export import layout
from treecore.export.dot import tree_dot
from treecore.export.format import ExportRequest
from treecore.export.layout import layout_svg
from treecore.export.pictures import MOST_PIXELS, picture_size

pytest.importorskip("pygraphviz")
NS = "{http://www.w3.org/2000/svg}"


def nodes_of(svg: bytes) -> dict[str, ET.Element]:
    groups = ET.fromstring(svg).iter(f"{NS}g")
    return {group.get("id"): group for group in groups if (group.get("class") or "").startswith("node")}


def box_of(group: ET.Element) -> tuple[float, float, float, float]:
    shape = next(el for el in group.iter() if el.tag in (f"{NS}polygon", f"{NS}path"))
    numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", shape.get("points") or shape.get("d"))]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


@pytest.mark.parametrize(("fmt", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_every_format_has_its_magic_bytes(fmt, magic):
    assert layout_svg(tree_dot(sample_cards(7), classes=CLASSES), fmt).startswith(magic)


def test_every_node_is_drawn_and_none_overlaps():
    cards = sample_cards(61)
    nodes = nodes_of(layout_svg(tree_dot(cards, classes=CLASSES)))
    assert set(nodes) == {f"n{card.id}" for card in cards}
    boxes = sorted(box_of(group) for group in nodes.values())
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_ghosts_are_dashed_and_nothing_moves():
    cards = sample_cards(31)
    ghosts = [replace(card, ghost=card.id > 6) for card in cards]
    before, after = (nodes_of(layout_svg(tree_dot(which, classes=CLASSES))) for which in (cards, ghosts))
    assert {key: box_of(group) for key, group in before.items()} == {k: box_of(g) for k, g in after.items()}


def test_hostile_names_come_out_as_text():
    svg = layout_svg(tree_dot(hostile_cards(), classes=CLASSES))
    tags = {el.tag.removeprefix(NS) for el in ET.fromstring(svg).iter()}
    assert tags <= {"svg", "g", "a", "title", "polygon", "path", "text", "polyline"}
    texts = " ".join(el.text or "" for el in ET.fromstring(svg).iter(f"{NS}text"))
    assert "<img src=x" in texts
    assert '"];evil' in texts
    assert "n3" not in texts, "\\N must not turn into the node's name"
    assert len(nodes_of(svg)) == 1 + 2 * len(HOSTILE), "each leaf has a stub for its missing values"


WITHOUT_FONTS = """
import sys
from tests.unit.test_dot_cards import CLASSES, sample_cards
from treecore.export.dot import tree_dot
from treecore.export.layout import layout_svg
sys.stdout.buffer.write(layout_svg(tree_dot(sample_cards(31), classes=CLASSES)))
"""


def test_a_machine_without_fonts_draws_cards_wide_enough(tmp_path):
    config = tmp_path / "fonts.conf"
    config.write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    env = os.environ | {"FONTCONFIG_FILE": str(config), "XDG_CACHE_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", WITHOUT_FONTS], capture_output=True, env=env, check=True)
    bare, usual = nodes_of(run.stdout), nodes_of(layout_svg(tree_dot(sample_cards(31), classes=CLASSES)))
    assert set(bare) == set(usual)
    for key in usual:
        (a0, _, a1, _), (b0, _, b1, _) = box_of(usual[key]), box_of(bare[key])
        assert b1 - b0 >= 0.93 * (a1 - a0), "narrower than the text where a font is present"


def test_too_many_nodes_are_refused_with_a_remedy():
    dot = "digraph { " + " ".join(f"n{i};" for i in range(3001)) + " }"
    with pytest.raises(TreecoreError, match="Fold some branches"):
        layout_svg(dot)


def test_unknown_format_and_broken_source_are_named():
    with pytest.raises(TreecoreError, match="svg, png, pdf"):
        layout_svg("digraph {}", "exe")
    with pytest.raises(TreecoreError, match="cannot read"):
        layout_svg("digraph { n0 [label=< ")


def test_without_pygraphviz_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(TreecoreError, match="pip install"):
        layout_svg("digraph {}")


def test_layouts_from_many_threads_wait_for_each_other():
    dot, found = tree_dot(sample_cards(31), classes=CLASSES), []
    threads = [threading.Thread(target=lambda: found.append(layout_svg(dot))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert len(found) == 4
    assert len(set(found)) == 1
    assert not layout._LOCK.locked()


def test_a_png_is_as_large_as_it_is_said_to_be_or_refused():
    """None comes scaled down; the remedy names a scale at which it has room."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 30, (900, 4)), columns=list("abcd"))
    frame["y"] = rng.integers(0, 2, 900).astype(str)
    tree = tc.grow(tc.read_table(frame, target="y"), max_leaves=170)
    wide = [round(96 * scale * picture_size(ExportRequest(tree))[0]) for scale in (1, 2, 4)]
    assert wide[0] < MOST_PIXELS < wide[2]
    made = tc.export(tree, "png", scale=1)
    assert int.from_bytes(made[16:20], "big") == pytest.approx(wide[0], abs=2)
    with pytest.raises(TreecoreError, match=rf"{wide[2]:,} × .* pixels.*Choose scale [12], SVG or PDF"):
        tc.export(tree, "png", scale=4)
