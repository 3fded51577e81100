"""The groups of classes that twoing looks for stand at the two branches of a split."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.view.canvas_nodes import gathered

MALIGNANT = {"Gleason 3", "Gleason 4", "Gleason 5", "PIN"}


@pytest.fixture(scope="module")
def tree():
    return tc.grow(read_sample("tissue"), "cart", score="twoing")


def rows(tree, nodes) -> dict[int, dict]:
    made = [{"id": int(node), "told": []} for node in nodes]
    gathered(made, tree, np.arange(tree.n_nodes))
    return {row["id"]: row for row in made}


def test_the_first_split_gathers_the_malignant_classes_on_one_side(tree):
    found = rows(tree, range(3))
    first, second = ({tree.class_names[k] for k in found[node]["gathers"]} for node in (1, 2))
    assert second == MALIGNANT
    assert first == set(tree.class_names) - MALIGNANT
    assert found[2]["told"] == ["gathers Gleason 3, Gleason 4, Gleason 5, PIN"]


def test_every_class_of_a_node_is_gathered_on_the_side_where_its_share_is_larger(tree):
    found = rows(tree, range(tree.n_nodes))
    assert "gathers" not in found[0]
    for node in np.flatnonzero(~tree.is_leaf):
        left, right = tree.children(int(node))
        sides = [found[child]["gathers"] for child in (left, right)]
        here = np.flatnonzero(tree.stats[node] > 0).tolist()
        assert sorted(sides[0] + sides[1]) == here
        shares = tree.stats[[left, right]] / tree.stats[[left, right]].sum(axis=1, keepdims=True)
        for k in here:
            assert k in sides[0 if shares[0, k] >= shares[1, k] else 1]
