"""Levels that share a band on a picture: the tree answers alike for them, and few bands are drawn."""

import numpy as np
import pytest

import treecore as tc
from treecore import plots
from treecore.brief import visible
from treecore.data import Table, level_column, numeric_column
from treecore.study import default_fixed, node_box, plane_points, regions, shown_axes
from treecore.study.disagreement import disagreement, weight_inside
from treecore.study.plane import MOST


def table_of(n_levels: int, kinds: int | None = None, kind="nominal", n=3000) -> Table:
    """Two features of many levels (of `kinds` sorts, as to the target) and a number."""
    rng = np.random.default_rng(n_levels)
    k, m, x = rng.integers(0, n_levels, n), rng.integers(0, n_levels, n), rng.normal(size=n)
    effect = rng.normal(size=n_levels) if kinds is None else 3 * (np.arange(n_levels) % kinds)
    y = (effect[k] + effect[m] / 2 + x > np.median(effect) * 1.5).astype(int)
    names = [f"level {i}" for i in range(n_levels)]
    columns = (level_column("k", kind, k, names), level_column("m", kind, m, names), numeric_column("x", x))
    return Table((*columns, level_column("y", "nominal", y, ["no", "yes"])), target="y", features=("k", "m", "x"))


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
@pytest.mark.parametrize("names", [("k", "m"), ("k", "x"), ("x", "m")])
def test_every_level_of_a_band_gets_the_band_s_answer(kind, names):
    table = table_of(150, kind=kind)
    tree = tc.grow(table, "cart", max_depth=8)
    found = regions(tree, *shown_axes([tree], names, table), default_fixed(tree, table))
    ranges = {axis.name: (axis.low, axis.high) for axis in (found.x, found.y) if axis.kind == "numeric"}
    exact = regions(tree, *names, default_fixed(tree, table), ranges)
    places, codes = zip(*(points_of(axis) for axis in (found.x, found.y)), strict=True)
    both, raw = (np.meshgrid(*pair) for pair in (places, codes))
    answers = [r.node[r.index_at(*(v.ravel() for v in at))] for r, at in ((found, both), (exact, raw))]
    assert np.array_equal(*answers)


def points_of(axis) -> tuple[np.ndarray, np.ndarray]:
    """(places on the axis, values of the feature) of all that is drawn of it."""
    if axis.kind == "numeric":
        inner = np.linspace(axis.low, axis.high, 41)[1:-1]
        return inner, inner
    levels = np.concatenate([band for band in axis.bands])
    return axis.places(levels.astype(float)), levels


def test_levels_that_answer_alike_share_a_band_and_nothing_is_left_out():
    table = table_of(1000, kinds=3, n=20_000)
    tree = tc.grow(table, "cart", max_depth=4)
    (axis,) = shown_axes([tree], ["k"], table)
    assert 1 < len(axis.bands) <= MOST
    assert axis.left_out == 0
    assert sorted(level for band in axis.bands for level in band) == list(range(1000))
    for label, band in zip(axis.levels, axis.bands, strict=True):
        assert label.endswith(f" +{len(band) - 1:,}") or len(band) == 1


@pytest.mark.parametrize("n_levels", [150, 1000, 5000])
def test_what_is_drawn_does_not_grow_with_the_levels(n_levels):
    table = table_of(n_levels, n=12_000)
    tree = tc.grow(table, "cart")
    axes = shown_axes([tree], ("k", "m"), table)
    found = regions(tree, *axes, default_fixed(tree, table))
    assert all(len(axis.bands) <= MOST for axis in axes)
    assert len(found) <= MOST**2
    points = plane_points(tree, found, {"train": table})
    picture = plots.region_map(found, points, node_box(tree, 1, *axes))
    assert len(picture.layout.xaxis.ticktext) <= MOST
    drawn = [sum(len(band) for band in axis.bands) + axis.left_out for axis in axes]
    assert drawn == [n_levels, n_levels]
    assert "drawn value" in points.note


def test_the_bands_with_most_rows_are_drawn():
    table = table_of(1000, n=12_000)
    tree = tc.grow(table, "cart")
    (axis,) = shown_axes([tree], ["k"], table)
    rows = np.bincount(table.column("k").codes, minlength=1000)
    drawn = min(rows[list(band)].sum() for band in axis.bands)
    left = np.setdiff1d(np.arange(1000), np.concatenate(axis.bands))
    assert axis.left_out == len(left) > 0
    assert rows[left].max() <= drawn


def test_ordinal_bands_stay_in_order():
    table = table_of(60, kind="ordinal")
    (axis,) = shown_axes([tc.grow(table, "cart", max_depth=5)], ["k"], table)
    flat = [level for band in axis.bands for level in band]
    assert flat == sorted(flat)


def test_few_levels_have_a_band_each():
    table = table_of(MOST)
    (axis,) = shown_axes([tc.grow(table)], ["k"], table)
    assert axis.bands == ()
    assert len(axis.levels) == MOST
    assert axis.places(np.array([-1.0, 0.0, 3.0])).tolist()[1:] == [0, 3]


def test_two_trees_share_the_bands_that_neither_splits():
    table = table_of(150)
    a, b = tc.grow(table, "cart", max_depth=6), tc.grow(table, "cart", max_depth=2)
    axes = shown_axes([a, b], ("k", "m"), table)
    fixed = default_fixed(a, table)
    found, exact = disagreement(a, b, axes, fixed), disagreement(a, b, ("k", "m"), fixed)
    levels, others = (np.concatenate(axis.bands).astype(float) for axis in axes)
    at = np.meshgrid(levels, others)
    shown = [axis.places(values.ravel()) for axis, values in zip(axes, at, strict=True)]
    assert np.array_equal(found.covers(*shown), exact.covers(*(values.ravel() for values in at)))
    assert weight_inside(found, a, table)[0] <= weight_inside(exact, a, table)[0]


def test_a_long_name_does_not_take_the_number_with_it():
    rng = np.random.default_rng(0)
    names = ["x" * 5000 + "\u202e" + str(i) for i in range(60)]
    k = rng.integers(0, 60, 600)
    table = Table(
        (level_column("k", "nominal", k, names), level_column("y", "nominal", (k % 2).astype(int), ["a", "b"])),
        target="y", features=("k",),
    )  # fmt: skip
    (axis,) = shown_axes([tc.grow(table)], ["k"], table)
    assert all(len(label) < 30 for label in axis.levels)
    assert all(visible(label) == label for label in axis.levels)
    assert axis.levels[0].endswith(f"+{len(axis.bands[0]) - 1}")
