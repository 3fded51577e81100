"""Regions are exact: every point of the plane lies in one rectangle, and routing sends it to that rectangle's node."""

from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown, small_table, stump
from treecore.data import Table, level_column, numeric_column
from treecore.kernels.codes import SHARED, STAYS
from treecore.pruning import Reason
from treecore.study import cells, default_fixed, node_box, plot_ranges, raster, regions, step_function
from treecore.study.plane import Plane, low_ends
from treecore.study.regions import NO_ANSWER, SHADES

PLANES = [
    ("iris", "cart", "petallength", "petalwidth"),
    ("iris", "cart", "petalwidth", "sepalwidth"),
    ("titanic", "cart", "age", "fare"),
    ("titanic", "cart", "age", "sex"),
    ("titanic", "id3", "embarked", "fare"),
    ("titanic", "id3", "pclass", "embarked"),
    ("mpg", "cart", "weight", "horsepower"),
    ("mpg", "cart", "origin", "weight"),
    ("mpg", "cart", "cylinders", "model_year"),
    ("crescents", "cart", "x1", "x2"),
    ("play_tennis", "id3", "Outlook", "Humidity"),
    ("willwait", "id3", "Patrons", "Type"),
]


def random_points(tree, found, n=2000, seed=0):
    """Values on both axes, a third of them exactly on a threshold or one float beside it."""
    rng = np.random.default_rng(seed)
    values = []
    for axis in (found.x, found.y):
        if axis.kind != "numeric":
            values.append(rng.integers(0, len(axis.levels), n).astype(float))
            continue
        drawn = rng.uniform(axis.low, axis.high, n)
        cut = tree.splits.threshold[~np.isnan(tree.splits.threshold)]
        cut = cut[(cut > axis.low) & (cut < axis.high)]
        if len(cut):
            near = rng.choice(cut, n)
            near = np.choose(rng.integers(0, 3, n), [near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
            drawn = np.where(np.arange(n) % 3 == 0, near, drawn)
        values.append(drawn)
    return values


def frame_of(tree, found, fixed, x, y):
    """The points as rows, the other features fixed."""
    columns = {f.name: pd.Series([fixed[f.name]] * len(x), dtype=object) for f in tree.schema.features}
    for axis, values in ((found.x, x), (found.y, y)):
        columns[axis.name] = values if axis.kind == "numeric" else [axis.levels[int(v)] for v in values]
    return pd.DataFrame(columns)


def check_exact(tree, found, fixed):
    x, y = random_points(tree, found)
    index = found.index_at(x, y)
    assert (index >= 0).all()
    assert np.array_equal(found.node[index], tree.apply(frame_of(tree, found, fixed, x, y)))
    area = ((found.x1 - found.x0) * (found.y1 - found.y0)).sum()
    whole = (found.x.high - found.x.low) * (found.y.high - found.y.low)
    assert area == pytest.approx(whole), "no gap and no overlap"


def plane_of(name, preset, x, y, change=lambda tree: tree, fixed=None):
    tree, tables = grown(name, preset)
    tree = change(tree)
    fixed = default_fixed(tree, tables["train"]) | (fixed or {})
    return tree, fixed, regions(tree, x, y, fixed, ranges=plot_ranges([x, y], *tables.values()))


@pytest.mark.parametrize("plane", PLANES, ids=lambda plane: "-".join(plane))
def test_points_lie_where_routing_sends_them(plane):
    tree, fixed, found = plane_of(*plane)
    check_exact(tree, found, fixed)


def flipped(tree):
    """The same tests with the closed side and the low branch the other way round."""
    low = np.where(tree.is_leaf, 0, 1 - tree.splits.low_branch)
    return replace(tree, splits=replace(tree.splits, closed=~tree.splits.closed, low_branch=low))


def rounded(tree):
    """The same tree in scikit-learn's precision."""
    return replace(tree, schema=replace(tree.schema, precision="float32"))


@pytest.mark.parametrize("change", [flipped, rounded, lambda tree: rounded(flipped(tree))])
@pytest.mark.parametrize("plane", [PLANES[0], PLANES[3], PLANES[6], PLANES[8]], ids=lambda plane: "-".join(plane))
def test_closed_sides_and_precision_are_exact(plane, change):
    tree, fixed, found = plane_of(*plane, change=change)
    check_exact(tree, found, fixed)


def test_the_end_of_a_low_side_is_where_routing_turns():
    for change in (lambda t: t, flipped, rounded, lambda t: rounded(flipped(t))):
        tree = change(stump())
        for threshold in (2.0, 0.1, 1e-30, -3.3, 16777217.0):
            cut = replace(tree, splits=replace(tree.splits, threshold=np.array([threshold, nan, nan])))
            end = low_ends(cut, cut.splits)[0]
            sides = cut.apply(pd.DataFrame({"x": [np.nextafter(end, -np.inf), end]})).tolist()
            low = 1 + int(cut.splits.low_branch[0])
            assert sides == [low, 3 - low]


def test_missing_fixed_values_follow_the_stated_route():
    for missing in ("age", "fare", "pclass"):
        tree, fixed, found = plane_of("titanic", "cart", "sex", "parch", fixed={missing: None})
        check_exact(tree, found, fixed)
        assert (missing, "missing") in found.fixed


def test_surrogates_are_asked_on_an_axis_and_off_it():
    tree, tables = grown("iris")
    root = int(tree.splits.feature[0])
    other = next(i for i in range(tree.n_nodes) if not tree.is_leaf[i] and tree.splits.feature[i] != root)
    start = np.r_[0, np.ones(tree.n_nodes, int)]
    tree = replace(tree, surrogates=tree.splits.take([other]), surrogate_start=start, surrogate_agree=[1.0])
    backup, missing = (tree.schema.features[f].name for f in (int(tree.surrogates.feature[0]), root))
    free = [f.name for f in tree.schema.features if f.name not in (backup, missing)]
    fixed = default_fixed(tree, tables["train"]) | {missing: None}
    for x, y in ((backup, free[0]), (free[0], free[1])):
        found = regions(tree, x, y, fixed, ranges=plot_ranges([x, y], tables["train"]))
        check_exact(tree, found, fixed)


def test_rows_that_stop_inside_get_the_inner_node():
    tree, tables = grown("iris", missing="majority")
    stays = replace(tree.splits, missing_branch=np.full(tree.n_nodes, STAYS))
    tree = replace(tree, splits=stays)
    fixed = default_fixed(tree, tables["train"]) | {"petallength": None, "petalwidth": nan}
    found = regions(tree, "sepallength", "sepalwidth", fixed)
    assert found.node.tolist() == [0]
    check_exact(tree, found, fixed)


def test_surrogates_that_are_only_listed_are_not_asked():
    tree, tables = grown("iris", missing="rpart_stay")
    assert len(tree.surrogates)
    fixed = default_fixed(tree, tables["train"]) | {tree.node(0).feature: None}
    found = regions(tree, "sepallength", "sepalwidth", fixed)
    assert found.node.tolist() == [0]
    check_exact(tree, found, fixed)


def test_shared_rows_are_refused_with_the_feature_and_the_remedy():
    tree, tables = grown("iris")
    tree = replace(tree, splits=replace(tree.splits, missing_branch=np.full(tree.n_nodes, SHARED)))
    fixed = default_fixed(tree, tables["train"])
    regions(tree, "sepallength", "sepalwidth", fixed)
    with pytest.raises(tc.TreecoreError, match=r"petal.*Fix this feature"):
        regions(tree, "sepallength", "sepalwidth", fixed | {"petallength": None, "petalwidth": None})


def test_regions_of_a_pruned_tree_have_the_ids_of_the_grown_one():
    tree, tables = grown("crescents")
    cuts = tc.sequence(tree).cuts(4)
    small = tree.cut(cuts)
    ranges = plot_ranges(["x1", "x2"], *tables.values())
    pruned = regions(small, "x1", "x2", {}, ranges, cuts.standing(tree))
    assert not cuts.hidden(tree)[pruned.node].any()
    assert not cuts.hidden(tree)[pruned.reached].any()
    assert tree.value[pruned.node].tolist() == pruned.value.tolist()
    assert tree.n_rows[pruned.node].tolist() == pruned.n_rows.tolist()
    assert len(pruned) < len(regions(tree, "x1", "x2", {}, ranges))


def test_regions_say_value_share_and_rows_of_their_node():
    tree, _, found = plane_of("iris", "cart", "petallength", "petalwidth")
    for i, node in enumerate(found.node):
        view = tree.node(int(node))
        assert found.classes[found.value[i]] == view.predicted
        assert found.share[i] == pytest.approx(max(view.counts.values()) / view.weight)
        assert found.n_rows[i] == view.n_rows
    tree, _, found = plane_of("mpg", "cart", "weight", "horsepower")
    assert np.array_equal(found.value, tree.value[found.node])
    assert found.limits == (tree.value.min(), tree.value.max())
    assert np.isnan(found.share).all()


def test_one_rectangle_per_leaf_and_each_node_visited_once(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(12_000, 2))
    label = np.where(rng.random(len(x)) < 0.5, "a", "b").astype(object)
    columns = numeric_column("u", x[:, 0]), numeric_column("v", x[:, 1]), level_column("y", "nominal", label, "ab")
    tree = tc.grow(Table(columns, target="y", features=("u", "v")), "cart")
    asked, branches = [], Plane.branches
    monkeypatch.setattr(Plane, "branches", lambda *a: asked.append(a[1]) or branches(*a))
    found = regions(tree, "u", "v", {}, ranges={"u": (-9, 9), "v": (-9, 9)})
    assert tree.n_leaves > 2_000
    assert sorted(found.node.tolist()) == np.flatnonzero(tree.is_leaf).tolist()
    assert sorted(asked) == np.flatnonzero(~tree.is_leaf).tolist()


def test_levels_apart_make_several_rectangles():
    levels, cells_ = ("a", "b", "c", "d"), ["a", "b", "c", "d"] * 3
    y = np.array([1.0 if c in "ac" else 5.0 for c in cells_])
    columns = level_column("k", "nominal", np.array(cells_, object), levels), numeric_column("x", np.arange(12.0) % 3)
    table = Table((*columns, numeric_column("y", y)), target="y", features=("k", "x"))
    tree = tc.grow(table, "cart")
    found = regions(tree, "k", "x", {}, ranges={"x": (0, 1)})
    by_value = {v: sorted(zip(found.x0[found.value == v], found.x1[found.value == v], strict=True)) for v in (1, 5)}
    assert by_value == {1: [(-0.5, 0.5), (1.5, 2.5)], 5: [(0.5, 1.5), (2.5, 3.5)]}
    assert (found.x.low, found.x.high) == (-0.5, 3.5)
    child = int(found.node[found.value == 1][0])
    assert node_box(tree, child, "k", "x", {"x": (0, 1)}).tolist() == [[-0.5, 0.5, 0, 1], [1.5, 2.5, 0, 1]]


@pytest.mark.parametrize("plane", PLANES, ids=lambda plane: "-".join(plane))
def test_a_nodes_box_is_the_union_of_the_regions_below_it(plane):
    tree, _, found = plane_of(*plane)
    ranges = {axis.name: (axis.low, axis.high) for axis in (found.x, found.y)}
    for node in range(tree.n_nodes):
        boxes = node_box(tree, node, found.x.name, found.y.name, ranges)
        below = np.isin(found.node, np.flatnonzero(tree.descendants(node) | (np.arange(tree.n_nodes) == node)))
        middle_x, middle_y = (found.x0 + found.x1) / 2, (found.y0 + found.y1) / 2
        inside = np.zeros(len(found), bool)
        for x0, x1, y0, y1 in boxes:
            inside |= (x0 <= middle_x) & (middle_x < x1) & (y0 <= middle_y) & (middle_y < y1)
        assert not (below & ~inside).any()
        if node in found.reached and not found.fixed:
            assert np.array_equal(below, inside)
        assert below.any() == (node in found.reached)


def test_rows_of_a_node_lie_in_its_box():
    tree, tables = grown("iris")
    table, names = tables["train"], ("petallength", "petalwidth")
    x, y = (table.column(name).values() for name in names)
    ends = tree.apply(table)
    for node in range(tree.n_nodes):
        below = tree.descendants(node)
        below[node] = True
        ((x0, x1, y0, y1),) = node_box(tree, node, *names, plot_ranges(names, table)).tolist()
        rows = below[ends]
        assert ((x0 <= x) & (x < x1) & (y0 <= y) & (y < y1))[rows].all()


@pytest.mark.parametrize("plane", [PLANES[0], PLANES[3], PLANES[9]], ids=lambda plane: "-".join(plane))
def test_the_raster_holds_the_answer_at_every_pixels_centre(plane):
    _, _, found = plane_of(*plane)
    image = raster(found, 37, 23)
    assert image.shape == (23, 37)
    assert image.dtype == np.uint8
    x = found.x.low + (np.arange(37) + 0.5) / 37 * (found.x.high - found.x.low)
    y = found.y.high - (np.arange(23) + 0.5) / 23 * (found.y.high - found.y.low)
    grid_x, grid_y = np.meshgrid(x, y)
    assert np.array_equal(image.ravel(), found.value[found.index_at(grid_x.ravel(), grid_y.ravel())])


def test_a_raster_of_means_spans_all_shades():
    tree, tables = grown("mpg")
    found = regions(tree, "weight", "model_year", default_fixed(tree, tables["train"]))
    low, high = found.limits
    shades = np.unique(raster(found, 400, 300))
    expected = np.rint((np.unique(found.value) - low) / (high - low) * (SHADES - 1))
    assert set(shades) <= set(expected.astype(int))
    mute = replace(found, value=np.full(len(found), nan))
    assert (raster(mute, 5, 5) == NO_ANSWER).all()


def test_cells_hold_the_index_of_the_rectangle_around_them():
    for plane in (PLANES[3], PLANES[9], PLANES[11]):
        _, _, found = plane_of(*plane)
        x, y, index = cells(found)
        middle_x, middle_y = np.meshgrid((x[:-1] + x[1:]) / 2, (y[:-1] + y[1:]) / 2)
        assert np.array_equal(index.ravel(), found.index_at(middle_x.ravel(), middle_y.ravel()))


def test_default_fixed_is_the_median_or_the_commonest_level():
    tree, tables = grown("titanic")
    fixed = default_fixed(tree, tables["train"])
    ages = tables["train"].column("age").values()
    assert fixed["age"] == np.median(ages[~np.isnan(ages)])
    labels = tables["train"].column("embarked").labels().tolist()
    assert fixed["embarked"] == max(set(labels) - {""}, key=labels.count)
    assert set(fixed) == {f.name for f in tree.schema.features}
    nothing = small_table(["no", "yes"], [nan, nan])
    assert default_fixed(stump(), nothing) == {"x": None}


def test_ranges_cover_the_rows_given_and_only_those():
    table = small_table(["no"] * 4, [0, 10, 500, nan])
    assert plot_ranges(["x", "y"], table.take([0]), table.take([1])) == {"x": (-0.4, 10.4)}
    assert plot_ranges(["x"], table.take([3])) == {"x": (0, 1)}
    assert plot_ranges(["x"], table.take([1])) == {"x": (9.5, 10.5)}


def test_wrong_requests_name_the_place():
    tree, tables = grown("titanic")
    fixed = default_fixed(tree, tables["train"])
    with pytest.raises(tc.TreecoreError, match=r"no feature 'nope'"):
        regions(tree, "nope", "age", fixed)
    with pytest.raises(tc.TreecoreError, match=r"same feature"):
        regions(tree, "age", "age", fixed)
    with pytest.raises(tc.TreecoreError, match=r"neither an axis nor fixed"):
        regions(tree, "age", "fare", {})
    with pytest.raises(tc.TreecoreError, match=r"'embarked'.*no level 'X'"):
        regions(tree, "age", "fare", fixed | {"embarked": "X"})
    with pytest.raises(tc.TreecoreError, match=r"'parch'.*'many' is not a number"):
        regions(tree, "age", "fare", fixed | {"parch": "many"})
    with pytest.raises(tc.TreecoreError, match=r"not a range"):
        regions(tree, "age", "fare", fixed, ranges={"age": (5, 5)})


def test_the_step_function_is_what_the_tree_predicts():
    for change in (lambda t: t, flipped, rounded):
        tree, tables = grown("curve")
        tree, feature = change(tree), tree.schema.features[0].name
        steps = step_function(tree, tables["train"], feature, {})
        rng = np.random.default_rng(1)
        x = np.concatenate([rng.uniform(steps.axis.low, steps.axis.high, 3000), steps.breaks, steps.edges[:1]])
        x = np.concatenate([x, np.nextafter(steps.breaks, -np.inf), tree.splits.threshold[~tree.is_leaf]])
        piece = np.searchsorted(steps.edges, x, side="right") - 1
        rows = pd.DataFrame({feature: x})
        assert np.array_equal(steps.value[piece], tree.predict(rows))
        assert np.array_equal(steps.node[piece], tree.apply(rows))
        assert len(steps.value) == tree.n_leaves or change is flipped, "turned round, most leaves are out of reach"
        assert (np.diff(steps.edges) > 0).all()


def test_a_step_function_holds_the_other_features():
    tree, tables = grown("mpg")
    fixed = default_fixed(tree, tables["train"])
    steps = step_function(tree, tables["train"], "weight", fixed)
    x = np.linspace(steps.axis.low, steps.axis.high, 500, endpoint=False)
    rows = pd.DataFrame({f.name: pd.Series([fixed[f.name]] * 500, dtype=object) for f in tree.schema.features})
    rows["weight"] = x
    assert np.array_equal(steps.value[np.searchsorted(steps.edges, x, side="right") - 1], tree.predict(rows))
    assert ("origin", fixed["origin"]) in steps.fixed
    with pytest.raises(tc.TreecoreError, match=r"'origin'.*nominal"):
        step_function(tree, tables["train"], "origin", fixed)
    with pytest.raises(tc.TreecoreError, match=r"no step function"):
        step_function(grown("iris")[0], grown("iris")[1]["train"], "petalwidth", {})


def test_a_hand_cut_shortens_the_step_function():
    tree, tables = grown("curve")
    cuts = tc.Cuts.none(tree).cut(tree, 1, Reason("by hand", ""))
    small, ids = tree.cut(cuts), cuts.standing(tree)
    steps = step_function(small, tables["train"], tree.schema.features[0].name, {}, ids)
    assert len(steps.value) == small.n_leaves
    assert 1 in steps.node
    assert tree.value[steps.node].tolist() == steps.value.tolist()


def test_an_ordered_level_against_missing_values_has_regions():
    """Known values of o mean n, missing ones j: the test's threshold is infinite."""
    o = level_column("o", "ordinal", [0, 1, 2, -1, -1, -1, 0, 1], ("s", "m", "l"))
    y = level_column("y", "nominal", [0, 0, 0, 1, 1, 1, 0, 0], ("n", "j"))
    table = tc.Table((o, numeric_column("x", np.arange(8.0)), y), target="y", features=("o", "x"))
    tree = tc.grow(table, tc.GrowSettings(missing="own_value"))
    assert np.isinf(tree.splits.threshold[0])
    found = regions(tree, "o", "x", {})
    assert set(found.value.tolist()) == {0}, "every level is known"
