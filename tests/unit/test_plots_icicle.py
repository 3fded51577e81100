"""The icicle of the whole tree."""

import numpy as np

import treecore as tc
from treecore.data.samples import read_sample
from treecore.evaluation.outline import outline
from treecore.plots.icicle import icicle


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


def test_a_node_comes_back_by_its_id_and_stands_out_when_selected():
    tree = tc.grow(read_sample("titanic"))
    drawn = outline(tree, 10)
    trace = icicle(drawn, selected=int(drawn.node[3])).data[0]
    assert list(trace.customdata) == drawn.node.tolist()
    assert trace.marker.line.width[3] > trace.marker.line.width[0]


def test_hostile_names_stay_words():
    tree = tc.grow(read_sample("iris").with_kinds({}))
    schema = tree.schema.to_dict()
    schema["features"][int(tree.splits.feature[0])]["name"] = "<img src=x onerror=alert(1)>"
    data = tree.to_dict() | {"schema": schema}
    text = icicle(outline(tc.Tree.from_dict(data))).to_json()
    assert "<img" not in text
    assert "&lt;img" in text
