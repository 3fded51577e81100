"""DOT source: what Graphviz reads back is exactly the tree that went in, whatever the names are."""

import re
from dataclasses import replace

import pytest

from tests.unit.test_dot_cards import CLASSES, HOSTILE, hostile_cards, sample_cards
from treecore.export.cards import PALETTE, Bar
from treecore.export.dot import BAR_HEIGHT, BAR_WIDTH, SIGNS, _segments, paint, tree_dot
from treecore.export.layout import layout_svg

pygraphviz = pytest.importorskip("pygraphviz")


def read_back(dot: str):
    return pygraphviz.AGraph(string=dot)


@pytest.mark.parametrize("orientation", ["TB", "LR"])
@pytest.mark.parametrize("compact", [False, True])
def test_graphviz_finds_the_nodes_and_edges_of_the_tree(orientation, compact):
    cards = sample_cards(31)
    graph = read_back(tree_dot(cards, classes=CLASSES, orientation=orientation, compact=compact))
    assert sorted(graph.nodes()) == sorted(f"n{card.id}" for card in cards)
    expected = {(f"n{card.parent}", f"n{card.id}") for card in cards if card.parent is not None}
    assert {(str(a), str(b)) for a, b in graph.edges()} == expected
    assert graph.graph_attr["rankdir"] == orientation


def test_hostile_names_stay_inside_their_labels():
    cards = hostile_cards()
    graph = read_back(tree_dot(cards, classes=('"];x', "<b>", "\\")))
    stubs = {f"m{card.id}" for card in cards if card.missing_rows}
    assert set(graph.nodes()) == {f"n{card.id}" for card in cards} | stubs
    assert len(graph.edges()) == len(HOSTILE) + len(stubs)
    assert set(graph.node_attr.keys()) >= {"shape", "style"}
    assert not {"onerror", "URL", "href", "image"} & set(graph.node_attr.keys())


def test_ids_and_classes_reach_the_drawing():
    cards = list(sample_cards(7))
    cards[1] = replace(cards[1], cut="cost complexity α=0.01")
    cards[3] = replace(cards[3], ghost=True)
    graph = read_back(tree_dot(cards, classes=CLASSES))
    assert graph.get_node("n1").attr["class"] == "inner cut"
    assert graph.get_node("n3").attr["class"] == "leaf ghost"
    assert graph.get_edge("n1", "n3").attr["id"] == "e3"
    assert "dashed" in graph.get_node("n3").attr["style"]
    assert "rounded" in graph.get_node("n5").attr["style"]
    assert "cut: cost complexity α=0.01" in graph.get_node("n1").attr["label"]


def test_compact_leaves_out_the_numbers():
    dot = tree_dot(sample_cards(7), classes=CLASSES, compact=True)
    graph = read_back(dot)
    label = graph.get_node("n0").attr["label"]
    assert "n = " not in label
    assert "gini" not in label
    assert "BGCOLOR" in label


@pytest.mark.parametrize(
    "shares",
    [(1 / 3, 1 / 3, 1 / 3), (1.0, 0.0, 0.0), (0.001, 0.998, 0.001), (0.0, 0.0, 1.0), (0.5, 0.25, 0.25)],
)
def test_segments_fill_the_bar_exactly(shares):
    parts = _segments(Bar("train", shares, None, 10), 3, PALETTE)
    assert sum(wide for wide, _ in parts) == BAR_WIDTH
    assert all(wide > 0 for wide, _ in parts)
    biggest = max(parts)[1]
    assert biggest == PALETTE[max(range(3), key=shares.__getitem__)] or len(set(shares)) < 3


def test_a_regression_bar_shows_the_scaled_mean_and_an_empty_one_nothing():
    assert [wide for wide, _ in _segments(Bar("train", None, 0.25, 10), 0, PALETTE)] == [20, 60]
    assert len(_segments(Bar("validation", (0.0, 0.0), None, 0), 2, PALETTE)) == 1
    assert sum(wide for wide, _ in _segments(Bar("test", None, 7.0, 1), 0, PALETTE)) == BAR_WIDTH


def test_more_classes_than_colours_begin_again_with_signs():
    shares = tuple(1 / 12 for _ in range(12))
    looks = [look for _, *look in _segments(Bar("train", shares, None, 10), 12, PALETTE)]
    assert [color for color, *_ in looks] == [*PALETTE, PALETTE[0], PALETTE[1]]
    assert [len(look) for look in looks] == [1] * 10 + [2] * 2
    assert len({tuple(paint(k, PALETTE)) for k in range(119)}) == 119
    assert all(len(sign) == BAR_HEIGHT for sign in SIGNS)


def test_a_sign_reaches_the_picture():
    """Of the eleventh class alone its colour takes half of the bar."""
    card = replace(sample_cards(3)[0], bars=(Bar("train", (0,) * 10 + (1,), None, 9),))
    drawn = layout_svg(tree_dot([card], classes=("x",) * 11)).decode()
    assert drawn.count(f'fill="{PALETTE[0]}"') == drawn.count('fill="white"') == 1


def test_missing_values_say_where_they_go():
    card = replace(sample_cards(3)[0], missing_rows=3, missing_weight=2.5, missing_goes="stay here")
    dot = tree_dot([card], classes=CLASSES)
    assert all(text in dot for text in (">3 missing<", ">weight 2.5<", ">stay here<"))


def test_the_palette_is_ten_distinct_hex_colours():
    assert len({*PALETTE}) == 10
    assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in PALETTE)
