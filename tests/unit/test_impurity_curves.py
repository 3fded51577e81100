"""Impurities against shares: known heights, and a node of 90 and 10 on the curves."""

import numpy as np
import pytest

from treecore.plots.lesson_figures import impurity_curves, impurity_triangle
from treecore.recipe import Grow
from treecore.study.impurity_curves import curve, impurity, in_triangle, measures, placed, simplex
from treecore.teach.guide import open_example

HALF = {"entropy": 1, "entropy_nats": np.log(2), "gini": 0.5, "half_gini": 0.25, "two_class_variance": 0.25,
        "misclassification": 0.5}  # fmt: skip


@pytest.mark.parametrize("measure", measures())
def test_curves_are_0_at_the_ends_and_highest_in_the_middle(measure):
    _, height = curve(measure)
    assert height[[0, -1]] == pytest.approx([0, 0])
    assert height[100] == pytest.approx(HALF[measure])
    assert np.allclose(height, height[::-1])
    assert curve(measure, scaled=True)[1].max() == pytest.approx(1)


def test_the_error_does_not_see_a_split_that_the_others_see():
    """(90, 10) into (20, 10) and (70, 0), as printed in lecture notes: 0, and 7/300 of half the Gini index."""
    found = open_example("node_90_10", Grow("cart", (("criterion", "half_gini"),)))
    at = placed(found.tree, 0)
    assert at.shares.tolist() == [0.9, 0.1]
    assert at.parent is None
    assert at.gain("misclassification") == 0
    assert at.gain("half_gini") == pytest.approx(7 / 300)
    assert at.gain("gini") == pytest.approx(7 / 150)
    leaf = placed(found.tree, 1)
    assert leaf.parent.tolist() == [0.9, 0.1]
    assert len(leaf.branches) == 0
    names = [trace.name for trace in impurity_curves("<b>w1</b>", "half_gini", False, at).data]
    assert {"this node", "branches", "gain 0.02333"} <= set(names)


def test_the_triangle_of_three_classes():
    _, _, height = simplex("gini")
    assert np.nanmax(height) == pytest.approx(2 / 3, abs=1e-3)
    assert np.isnan(height[-1, 0])
    assert height[0, 0] == pytest.approx(0)
    assert in_triangle(np.array([0.0, 0.0, 1.0])) == pytest.approx((0.5, np.sqrt(3) / 2))
    assert impurity("entropy", np.array([1, 1, 1]) / 3) == pytest.approx(np.log2(3))
    iris = open_example("iris", Grow("cart"))
    assert len(impurity_triangle(iris.tree.classes, "gini", placed(iris.tree, 0)).data) == 3
