"""The icicle of the whole tree."""

import numpy as np
import pytest
from plotly.colors import unlabel_rgb

import treecore as tc
from treecore.data.samples import read_sample
from treecore.plots.icicle import icicle
from treecore.plots.picture_style import color
from treecore.study.outline import outline


def test_the_outline_holds_every_node_of_a_small_tree():
    tree = tc.grow(read_sample("iris"))
    found = outline(tree)
    assert found.node.tolist() == list(range(tree.n_nodes))
    assert found.n_left_out == 0
    assert found.words[0] == ("every row", "Iris-setosa")


def test_a_short_outline_keeps_the_heaviest_nodes_and_their_parents():
    tree = tc.grow(read_sample("titanic"))
    found = outline(tree, limit=20)
    assert found.n_left_out == tree.n_nodes - 20
    assert set(tree.parent[found.node[1:]].tolist()) <= set(found.node.tolist())
    assert found.weight.min() >= np.sort(tree.weight)[::-1][20]


def test_children_share_out_their_parents_width_in_branch_order():
    tree = tc.grow(read_sample("titanic"))
    found = outline(tree)
    for node in np.flatnonzero(~tree.is_leaf):
        edge = found.left[node]
        for child in tree.children(node):
            assert np.isclose(found.left[child], edge)
            edge += found.weight[child]
        assert np.isclose(edge, found.left[node] + found.weight[node])


def bars(figure) -> dict[int, tuple]:
    """Node -> its bar, of all traces but the selected node's."""
    return {
        int(node): (trace.x[i], trace.width[i], trace.base[i], trace.hovertext[i], trace.marker.color)
        for trace in figure.data
        if trace.marker.line.width < 1
        for i, node in enumerate(trace.customdata)
    }


def test_every_node_has_a_bar_of_its_own():
    drawn = outline(tc.grow(read_sample("titanic")), 40)
    found = bars(icicle(drawn))
    assert sorted(found) == drawn.node.tolist()
    for i, node in enumerate(drawn.node):
        assert found[node][:3] == (drawn.left[i] + drawn.weight[i] / 2, drawn.weight[i], -1 - drawn.depth[i])


def test_a_node_comes_back_by_its_id_and_stands_out_when_selected():
    drawn = outline(tc.grow(read_sample("titanic")), 10)
    figure = icicle(drawn, selected=int(drawn.node[3]))
    chosen = figure.data[-1]
    assert list(chosen.customdata) == [drawn.node[3]]
    again = (chosen.x[0], chosen.width[0], chosen.base[0], chosen.hovertext[0], chosen.marker.color)
    assert again == bars(figure)[int(drawn.node[3])]
    assert all(chosen.marker.line.width > trace.marker.line.width for trace in figure.data[:-1])


def test_without_a_selected_node_nothing_stands_out():
    drawn = outline(tc.grow(read_sample("titanic")), 10)
    for selected in (None, -5):
        assert len({trace.marker.line.width for trace in icicle(drawn, selected).data}) == 1


@pytest.mark.parametrize("name", ["iris", "titanic"])
def test_a_class_has_one_colour(name):
    drawn = outline(tc.grow(read_sample(name)))
    found = bars(icicle(drawn))
    assert [found[node][-1] for node in drawn.node] == [color(int(k)) for k in drawn.value]


def test_larger_numbers_are_never_lighter():
    drawn = outline(tc.grow(read_sample("mpg")))
    found = bars(icicle(drawn))
    shades = [unlabel_rgb(found[int(node)][-1]) for node in drawn.node[np.argsort(drawn.value)]]
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in shades]
    assert len(set(light)) > 5
    assert light == sorted(light, reverse=True)


def test_hostile_names_stay_words():
    tree = tc.grow(read_sample("iris").with_kinds({}))
    schema = tree.schema.to_dict()
    schema["features"][int(tree.splits.feature[0])]["name"] = "<img src=x onerror=alert(1)>"
    data = tree.to_dict() | {"schema": schema}
    text = icicle(outline(tc.Tree.from_dict(data))).to_json()
    assert "<img" not in text
    assert "&lt;img" in text
