"""The layout of a page without Python beside that of the library, on the same trees."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.layout import tidy, tidy_positions
from treecore.export.modules import WORKBENCH, as_constant
from treecore.view import canvas
from treecore.view.canvas import CanvasRequest, canvas_layout

pytestmark = pytest.mark.browser
ASKED = """([children, parent, weight, depth, asked, opened, closed, keep]) => {
    const tree = { childrenOf: (at) => children[at], parentOf: (at) => parent[at] ?? -1, weightOf: (at) => weight[at],
        depthOf: (at) => depth[at] };
    const found = Canvas.Reader.canvasLayout(tree, asked, new Set(opened), new Set(closed), keep);
    return { ...found, at: found.ids.map((at) => found.at.get(at)) };
}"""


@pytest.fixture(scope="module")
def script(chromium):
    page = chromium.new_page()
    page.set_content("<p></p>")
    page.add_script_tag(content=as_constant("Canvas", WORKBENCH / "reader.js"))
    yield page
    page.close()


def drawn_parents(draw: np.random.Generator, most: int) -> dict[int, int | None]:
    """Parents by id, parents first, siblings next to each other."""
    found, leaves = {0: None}, [0]
    while leaves and len(found) < most:
        node = leaves.pop(int(draw.integers(len(leaves))))
        below = range(len(found), len(found) + int(draw.integers(1, 5)))
        found |= dict.fromkeys(below, node)
        leaves += below
    return found


def test_trees_are_tidy_as_those_of_the_library(script):
    draw = np.random.default_rng(3)
    many = [drawn_parents(draw, most) for most in (1, 2, 9, 40, 40, 40, 200, 200)]
    found = script.evaluate(
        "(many) => many.map((parents) => [...Canvas.Reader.tidy(new Map(parents)).places])",
        [[[node, above] for node, above in parents.items()] for parents in many],
    )
    for parents, places in zip(many, found, strict=True):
        wanted, _ = tidy(parents)
        assert {node: pytest.approx(place) for node, place in places} == wanted


@pytest.mark.parametrize("room", [(1100, 560), (420, 420), (2000, 900)])
@pytest.mark.parametrize(
    ("sample", "by_hand"), [("titanic", ((), (), 0)), ("titanic", ((4,), (1,), 9)), ("mpg", ((), (), 20))]
)
def test_a_canvas_shows_the_nodes_that_it_shows_with_python(script, monkeypatch, room, sample, by_hand):
    monkeypatch.setattr(
        canvas, "positions", lambda parents, size, side, apart, other: tidy_positions(parents, size, side, apart)
    )
    tree, (opened, closed, keep) = tc.grow(read_sample(sample), min_rows_leaf=5), by_hand
    children = [[] if tree.is_leaf[t] else list(map(int, tree.children(t))) for t in range(tree.n_nodes)]
    for side, letters, lines in (("", 6, 0), ("LR", 30, 2), ("TB", 20, 4)):
        wanted = canvas_layout(tree, CanvasRequest(room, lines, 1, side, "LR", letters), opened, closed, keep)
        asked = {
            "room": room,
            "lines": lines,
            "bars": 1,
            "orientation": side,
            "before": "LR",
            "letters": letters,
            "curve": 0,
        }
        found = script.evaluate(
            ASKED,
            [
                children,
                tree.parent.tolist(),
                tree.weight.tolist(),
                tree.node_depth.tolist(),
                asked,
                opened,
                closed,
                keep,
            ],
        )
        assert found["ids"] == wanted.nodes.tolist()
        assert (found["orientation"], found["stacked"], tuple(found["size"])) == (
            wanted.orientation,
            wanted.stacked,
            wanted.size,
        )
        assert [found["width"], found["height"], found["gap"]] == pytest.approx(
            [wanted.at.width, wanted.at.height, wanted.gap]
        )
        for node, at in zip(found["ids"], found["at"], strict=True):
            assert at == pytest.approx(wanted.at.at[node], abs=0.06)
