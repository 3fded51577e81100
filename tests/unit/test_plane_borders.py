"""Borders of decision regions: which split draws each, and the tree when one of them stands elsewhere."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.plots.plane_drawing import axis_drawing, plane_drawing, point_drawing, scale_drawing
from treecore.recipe import Edit, Grow, Prune, Recipe
from treecore.study.plane import default_fixed, shown_axes
from treecore.study.plane_borders import at_alpha, border_take, borders, printed_threshold, with_border
from treecore.study.points import plane_points
from treecore.study.regions import regions

IRIS, MPG, TITANIC = (read_sample(name) for name in ("iris", "mpg", "titanic"))


def plane_of(tree, table, names):
    x, y = shown_axes([tree], names, table)
    return (x, y), default_fixed(tree, table)


def test_every_border_parts_the_regions_beside_it():
    """Just below a threshold and just above it rows end in different branches of its node."""
    tree = tc.grow(IRIS, "cart")
    (x, y), fixed = plane_of(tree, IRIS, ("petallength", "petalwidth"))
    lines = borders(tree, x, y, fixed)
    of_axes = np.isin([tree.node(i).feature for i in range(tree.n_nodes)], (x.name, y.name))
    assert sorted(b.at for b in lines) == sorted(tree.splits.threshold[of_axes].tolist())
    for line in lines:
        assert line.low < line.at < line.high
        middle = sum(line.spans[0]) / 2
        for beyond, branch in ((line.at - 1e-6, 0), (line.at + 1e-6, 1)):
            place = (beyond, middle) if line.axis == 0 else (middle, beyond)
            row = dict(fixed) | {"petallength": place[0], "petalwidth": place[1]}
            path = tree.path(int(tree.apply(pd.DataFrame([row]))[0]))
            assert path[path.index(line.node) + 1] == tree.first_child[line.node] + branch


def test_borders_are_called_as_the_grown_tree_calls_its_nodes_and_end_where_the_plane_does():
    grown = tc.grow(MPG, "cart", max_depth=5)
    cuts = tc.prune(grown, "cost_complexity", alpha=2.0)
    tree, ids = grown.cut(cuts), cuts.standing(grown)
    names = [f.name for f in tree.schema.features if f.numeric][:2]
    (x, y), fixed = plane_of(tree, MPG, names)
    for line in borders(tree, x, y, fixed, ids):
        assert grown.node(line.node).feature == (x, y)[line.axis].name
        assert grown.splits.threshold[line.node] == line.at
        other = (y, x)[line.axis]
        assert all(other.low <= low < high <= other.high for low, high in line.spans)


def test_levels_have_no_border_and_slanted_trees_none_at_all():
    tree = tc.grow(TITANIC, "cart", max_depth=3)
    (x, y), fixed = plane_of(tree, TITANIC, ("sex", "age"))
    assert {line.axis for line in borders(tree, x, y, fixed)} <= {1}
    slanted = tc.grow(IRIS, "cart", oblique="ridge", max_depth=2, missing="majority")
    (x, y), fixed = plane_of(slanted, IRIS, ("petallength", "petalwidth"))
    assert borders(slanted, x, y, fixed) == ()


@pytest.mark.parametrize("alpha", [0.0, 0.02])
def test_a_moved_border_is_the_tree_that_the_recipe_grows(alpha):
    tree = tc.grow(IRIS, "cart")
    take = border_take(tree, 0, 4.0)
    prune = Prune("cost_complexity", (("alpha", alpha),))
    moved = with_border(take, GrowSettings.from_dict(dict(tree.growth)), prune, (), {"train": IRIS})
    fitted = tc.fit(IRIS, Recipe((Grow("cart"), take, prune)))
    assert moved.tree.to_dict() == fitted.tree.to_dict()
    assert float(printed_threshold(moved.grown, 0)) == 4.0
    assert tree.splits.threshold[0] != 4.0


def test_steps_by_hand_stay_where_their_node_is_still_there():
    tree = tc.grow(IRIS, "cart")
    growth, below = GrowSettings.from_dict(dict(tree.growth)), int(tree.first_child[0]) + 1
    cut = Edit("cut", (1,), tree.node(below).feature)
    inner = border_take(tree, 2, 1.5)
    assert with_border(border_take(tree, 0, 2.0), growth, Prune(), (cut,), {"train": IRIS}).tree.n_leaves > 2
    left = Edit("cut", (0,), "nothing of the kind")
    assert with_border(inner, growth, Prune(), (left,), {"train": IRIS}).tree.n_leaves > 2


def test_a_threshold_beyond_all_rows_is_refused_and_a_leaf_has_none():
    tree = tc.grow(IRIS, "cart")
    growth = GrowSettings.from_dict(dict(tree.growth))
    with pytest.raises(tc.TreecoreError, match=r"Border: At 100 .*does not part the rows.* Move it"):
        with_border(border_take(tree, 0, 100.0), growth, Prune(), (), {"train": IRIS})
    with pytest.raises(tc.TreecoreError, match="has no threshold"):
        border_take(tree, int(np.flatnonzero(tree.is_leaf)[0]), 1.0)


def test_a_size_that_folds_chose_stays_the_alpha_that_they_chose():
    by_folds = Prune("cost_complexity", (("choose", "cross-validation"), ("folds", 5), ("risk", "impurity")))
    assert at_alpha(by_folds, 0.03) == Prune("cost_complexity", (("alpha", 0.03), ("risk", "impurity")))
    assert at_alpha(by_folds, None) == by_folds
    for other in (Prune(), Prune("pessimistic"), Prune("cost_complexity", (("alpha", 0.5),))):
        assert at_alpha(other, 0.03) == other


@pytest.mark.parametrize(("table", "names"), [(IRIS, ("petallength", "petalwidth")), (MPG, ("weight", "horsepower"))])
def test_what_is_drawn_has_a_box_a_colour_and_an_answer_for_every_region(table, names):
    names = [name for name in names if name in table.features] or list(table.features[:2])
    tree = tc.grow(table, "cart", max_depth=3)
    (x, y), fixed = plane_of(tree, table, names[:2])
    plane = regions(tree, x, y, fixed)
    drawn = plane_drawing(plane, borders(tree, x, y, fixed))
    assert [box[:4] for box in drawn["boxes"]] == np.stack([plane.x0, plane.x1, plane.y0, plane.y1], 1).tolist()
    ground = "rgba(" if tree.classes else "color-mix(in srgb, var(--accent) "
    for box, node in zip(drawn["boxes"], plane.node.tolist(), strict=True):
        assert box[4].startswith(ground)
        assert box[5]
        assert f"node {node}" in box[6]
    points = plane_points(tree, plane, {"train": table})
    rows = point_drawing(points, plane)
    assert len(rows["x"]) == len(rows["colors"]) == len(points)
    assert (scale_drawing(plane) is None) == bool(tree.classes) == bool(rows["keys"])
    assert axis_drawing(x) == {"name": x.name, "low": x.low, "high": x.high, "levels": []}
