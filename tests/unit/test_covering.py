"""Which nodes of a large tree are shown, and where they stand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export import layout
from treecore.export.layout import positions
from treecore.view.canvas import (
    APART,
    EDGE,
    HARDLY_LESS,
    STACKED,
    WIDE,
    WIDEST,
    WIDEST_GAP,
    CanvasRequest,
    canvas_layout,
    size,
)
from treecore.view.subject import covering_nodes


@pytest.fixture(scope="module")
def tree():
    return tc.grow(read_sample("titanic"))


def whole_families(tree, nodes) -> bool:
    """Is every node there with its parent and all of its siblings?"""
    known = set(nodes.tolist())
    first = nodes[0]
    return all(
        node == first or (int(tree.parent[node]) in known and set(tree.children(int(tree.parent[node]))) <= known)
        for node in nodes.tolist()
    )


@settings(max_examples=60)
@given(limit=some.integers(1, 300), deepest=some.none() | some.integers(1, 20), data=some.data())
def test_nodes_come_with_their_families_and_the_heaviest_first(tree, limit, deepest, data):
    pick = lambda: data.draw(some.lists(some.integers(0, tree.n_nodes - 1), max_size=4))  # noqa: E731
    opened, closed, keep = pick(), pick(), data.draw(some.integers(0, tree.n_nodes - 1))
    nodes = covering_nodes(tree, limit, deepest, opened, closed, keep)
    assert whole_families(tree, nodes)
    if not set(tree.path(keep)[:-1]) & set(closed):
        assert keep in nodes
    for node in closed:
        assert not set(tree.children(node)) & set(nodes.tolist())
    plain = covering_nodes(tree, limit)
    assert len(plain) <= max(limit, 1)
    left_out = [n for n in plain if not tree.is_leaf[n] and tree.first_child[n] not in plain]
    split = [int(tree.parent[n]) for n in plain if n]
    if left_out and split and len(plain) + 2 <= limit:
        pytest.fail("there was room for another pair")


def test_a_closed_node_is_a_leaf_of_the_picture(tree):
    assert covering_nodes(tree, 50, closed=(0,)).tolist() == [0]
    assert covering_nodes(tree, 1).tolist() == [0]
    assert covering_nodes(tree, 1, opened=(1,)).tolist() == sorted({0, *tree.children(0), *tree.children(1)})
    assert covering_nodes(tree, 5, within=1)[0] == 1


@pytest.mark.parametrize("side", ["TB", "LR"])
def test_cards_stand_apart_and_siblings_in_their_order(tree, side):
    nodes = covering_nodes(tree, 41)
    parents = {int(n): (int(tree.parent[n]) if n else None) for n in nodes}
    wide, high = 120, 40
    found = positions(parents, (wide, high), side, (12, 60))
    boxes = np.array([found.at[int(n)] for n in nodes])
    assert (boxes >= (wide / 2 - 1, high / 2 - 1)).all()
    assert (boxes <= (found.width - wide / 2 + 1, found.height - high / 2 + 1)).all()
    for i, (x, y) in enumerate(boxes):
        apart = (np.abs(boxes[:, 0] - x) >= wide - 0.5) | (np.abs(boxes[:, 1] - y) >= high - 0.5)
        assert apart.sum() == len(boxes) - 1, nodes[i]
    along = 0 if side == "TB" else 1
    for node in nodes:
        children = [int(c) for c in tree.children(int(node)) if int(c) in found.at]
        places = [found.at[c][along] for c in children]
        assert places == sorted(places)


def test_graphviz_is_asked_once_for_the_same_diagram(tree, monkeypatch):
    asked, draw = [], layout.render
    monkeypatch.setattr(layout, "render", lambda *given: asked.append(given) or draw(*given))
    layout._placed.cache_clear()
    first = canvas_layout(tree, CanvasRequest((1000, 500)))
    n_asked = len(asked)
    assert 0 < n_asked == len(set(asked))
    assert np.array_equal(canvas_layout(tree, CanvasRequest((1000, 500))).nodes, first.nodes)
    assert len(asked) == n_asked
    assert positions({0: None, 1: 0}, (10, 10), "LR", (1, 1)) != positions({0: None, 1: 0}, (10, 11), "LR", (1, 1))


@pytest.mark.parametrize("room", [(1100, 560), (700, 330), (1700, 900), (300, 200)])
@pytest.mark.parametrize("lines", [0, 2])
def test_what_is_shown_fits_the_canvas(tree, room, lines):
    found = canvas_layout(tree, CanvasRequest(room, lines, 1 + (lines > 0)))
    across, down = (whole - free for whole, free in zip(room, EDGE[found.orientation], strict=True))
    few = len(found.nodes) <= 7
    assert few or (found.at.width <= across and found.at.height <= down)
    more = canvas_layout(tree, CanvasRequest((room[0] * 2, room[1] * 2), lines))
    assert len(more.nodes) >= len(found.nodes)
    assert size(CanvasRequest(room, 2), "LR", False)[1] > size(CanvasRequest(room, 0), "LR", False)[1]


def test_a_long_name_has_a_line_of_its_own_where_there_is_height(tree):
    def asked(high: int, letters: int) -> CanvasRequest:
        return CanvasRequest((1100, high), orientation="LR", letters=letters)

    high = canvas_layout(tree, asked(2000, 30))
    assert high.stacked
    assert high.size[1] > canvas_layout(tree, asked(2000, 5)).size[1]
    assert not canvas_layout(tree, asked(2000, 5)).stacked
    assert not canvas_layout(tree, asked(175, 30)).stacked
    assert canvas_layout(tree, asked(2000, 30), closed=(0,)).stacked, "a card keeps its size when branches are closed"


def test_what_is_opened_takes_no_other_nodes_place(tree):
    asked = CanvasRequest((1100, 560))
    before = canvas_layout(tree, asked)
    folded = [n for n in before.nodes.tolist() if not tree.is_leaf[n] and tree.children(n)[0] not in before.nodes]
    after = canvas_layout(tree, asked, opened=folded[:2])
    new = {child for node in folded[:2] for child in tree.children(node)}
    assert set(after.nodes.tolist()) == set(before.nodes.tolist()) | new


def test_where_both_layouts_show_as_much_the_one_drawn_larger_is_taken(tree):
    small = tc.grow(read_sample("titanic"), max_depth=2)
    broad, high = canvas_layout(small, CanvasRequest((1600, 330))), canvas_layout(small, CanvasRequest((700, 900)))
    assert set(broad.nodes) == set(high.nodes) == set(range(small.n_nodes))
    assert (broad.orientation, high.orientation) == ("LR", "TB")
    assert canvas_layout(small, CanvasRequest((700, 900)), closed=(1,)).orientation == "TB", (
        "folding a branch turns nothing"
    )


def test_a_tree_turns_only_where_the_other_layout_is_clearly_better(tree):
    stayed = turned = 0
    for wide in range(500, 1700, 300):
        for high in range(250, 950, 200):
            best = canvas_layout(tree, CanvasRequest((wide, high)))
            for before in ("LR", "TB"):
                found = canvas_layout(tree, CanvasRequest((wide, high), before=before))
                alone = canvas_layout(tree, CanvasRequest((wide, high), orientation=before))
                assert len(found.nodes) >= HARDLY_LESS * len(best.nodes)
                assert found.orientation in (before, best.orientation)
                if len(alone.nodes) < HARDLY_LESS * len(best.nodes):
                    assert found.orientation == best.orientation
                    turned += 1
                else:
                    stayed += found.orientation == before != best.orientation
    assert stayed
    assert turned


def test_width_that_is_left_over_goes_to_conditions_and_long_names():
    small = tc.grow(read_sample("titanic"), max_depth=2)
    least = APART["LR"][1]
    for room in ((600, 300), (900, 300), (2400, 300)):
        found = canvas_layout(small, CanvasRequest(room, orientation="LR"))
        assert least <= found.gap <= WIDEST_GAP
        assert found.gap == least or found.at.width <= room[0] - EDGE["LR"][0] + 1
    assert found.gap > least
    for side in ("TB", "LR"):
        names = (STACKED, STACKED + 6, STACKED + 8, 99)
        wide = [canvas_layout(small, CanvasRequest((2400, 500), orientation=side, letters=n)).size[0] for n in names]
        assert WIDE[side] == wide[0] < wide[1] < wide[2] < wide[3] == WIDEST
    assert canvas_layout(small, CanvasRequest((560, 900), orientation="TB", letters=40)).size[0] == WIDE["TB"], (
        "no room to spare"
    )


def test_leaves_without_rows_can_be_left_out():
    tree = tc.grow(read_sample("play_tennis"), "id3")
    empty = np.flatnonzero(tree.weight == 0)
    assert len(empty), "Humidity = Low is declared, and no day has it"
    every, some = (canvas_layout(tree, CanvasRequest((1600, 900), hides_empty=hides)) for hides in (False, True))
    assert set(every.nodes) - set(some.nodes) == set(empty)
    assert set(some.at.at) == set(some.nodes)
    selected = canvas_layout(tree, CanvasRequest((1600, 900), hides_empty=True), keep=int(empty[0]))
    assert empty[0] in selected.nodes
