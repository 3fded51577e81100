"""One cell is otherwise: what of the tree stays, by hand, and that only that cell has changed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.plots.decision_regions import row_move_map
from treecore.recipe import Grow, Prune, Recipe
from treecore.study import row_sensitivity, with_value
from treecore.study.nested_selection import grown_of
from treecore.study.plane import Axis
from treecore.study.questions.row_sensitivity import highest_change, row_change_sentence
from treecore.study.regions import plane_change, regions

STUMP = Recipe((Grow("cart", (("max_depth", 1),)),))


def line() -> Table:
    """0 to 9, from 5 on b."""
    columns = numeric_column("x", np.arange(10.0)), level_column("y", "nominal", list("aaaaabbbbb"), "ab")
    return Table(columns, target="y", features=("x",))


def test_a_cut_follows_the_row_that_is_moved():
    """4 becomes 4.9: the cut moves from 4.5 to 4.95, no row lies between. The class of 4 turns: it moves to 3.5."""
    table = line()
    tree = tc.grow(table, STUMP)
    near = row_sensitivity(tree, STUMP, 4, {"x": 4.9}, table)
    assert near.tree.splits.threshold[0] == pytest.approx(4.95)
    assert near.stays.tolist() == [True, False, False]
    assert near.changed == 0
    turned = row_sensitivity(tree, STUMP, 4, {"y": "b"}, table)
    assert turned.tree.splits.threshold[0] == 3.5
    assert turned.stays.tolist() == [False] * 3
    assert turned.changed == 0.1


def test_only_that_cell_is_otherwise():
    table = read_sample("titanic")
    for name, value in (("age", 80.5), ("sex", "male"), ("age", None), ("sex", None)):
        other = with_value(table, 3, name, value)
        before, after = table.column(name).labels(), other.column(name).labels()
        assert (before[np.arange(len(before)) != 3] == after[np.arange(len(before)) != 3]).all()
        assert after[3] == ("" if value is None else str(value))
        assert other.column("fare").codes is table.column("fare").codes
    with pytest.raises(TreecoreError, match="There is no row"):
        with_value(table, 5000, "age", 1)
    with pytest.raises(TreecoreError, match="is no level"):
        with_value(table, 0, "sex", "?")


def square() -> Table:
    """Nine points of a grid: a on the left of 1.5, where the lowest row of b is."""
    x, y = (g.ravel().astype(float) for g in np.meshgrid(np.arange(4), np.arange(4)))
    columns = (
        numeric_column("x", x), numeric_column("y", y),
        level_column("z", "nominal", np.where(x < 2, "a", "b").tolist(), "ab"),
    )  # fmt: skip
    return Table(columns, target="z", features=("x", "y"))


def test_what_has_changed_is_told_from_the_root_on():
    table = line()
    tree = tc.grow(table, STUMP)
    near = row_sensitivity(tree, STUMP, 4, {"x": 4.9}, table)
    said = row_change_sentence(near, 0.25)
    assert said.startswith("All splits stay; 2 leaves as before; 0.0\u00a0% of the rows and 25.0\u00a0% of the plane")
    assert said.endswith("At the root it now asks x < 4.95, before it asked x < 4.5.")
    same = row_sensitivity(tree, STUMP, 4, {}, table)
    assert highest_change(same.before, same.tree) == ""
    root = tree.pruned_at(np.array([True, False, False]))
    assert highest_change(root, tree) == "At the root it now asks x < 4.5, before it answered a."
    assert highest_change(tree, root) == "At the root it now answers a, before it asked x < 4.5."


def test_a_moved_row_grows_what_the_changed_table_grows_with_the_same_other_roles():
    """Pruned by the validation rows of the roles, as the tree itself is, none of which is moved."""
    table = read_sample("iris")
    train, validation, _ = table.split(tc.Roles(0.6, 0.4, 0.0, stratify=True, seed=1))
    recipe = Recipe((Grow("cart"), Prune("reduced_error")))
    before = grown_of(recipe, train, validation)
    still = row_sensitivity(before, recipe, 3, {}, train, validation)
    assert still.tree.to_dict() == before.to_dict()
    assert still.stays.sum() == still.n_splits
    name = train.features[0]
    by_hand = with_value(train, 3, name, 7.7)
    grown = tc.grow(by_hand, recipe)
    cuts = tc.prune(grown, "reduced_error", train=by_hand, validation=validation)
    anew = row_sensitivity(before, recipe, 3, {name: 7.7}, train, validation)
    assert anew.tree.to_dict() == grown.cut(cuts).to_dict()
    assert anew.rows.column(name).values()[3] == 7.7
    assert train.column(name).values()[3] != 7.7, "the table is as it was"


def test_the_changed_part_of_the_plane_is_exact_and_drawn():
    """x < 1.5 becomes x < 1.75 as the b of (2, 0) moves: a quarter of a unit, over the whole height."""
    table = square()
    recipe = Recipe((Grow("cart", (("max_depth", 2),)),))
    tree = tc.grow(table, recipe)
    rows = [i for i, x in enumerate(table.column("x").values()) if x == 2]
    other = table
    for row in rows:
        other = with_value(other, row, "x", 2.5)
    axes = tuple(Axis(name, "numeric", 0.0, 4.0) for name in "xy")
    of = [regions(t, *axes, {}) for t in (tree, tc.grow(other, recipe))]
    change = plane_change(*of)
    assert change.share == pytest.approx(0.25 / 4)
    assert (change.x0.tolist(), change.x1.tolist()) == ([1.5], [1.75])
    assert plane_change(of[0], of[0]).share == 0
    with pytest.raises(TreecoreError, match="two planes"):
        plane_change(of[0], regions(tree, axes[1], axes[0], {}))
    drawn = row_move_map(of[1], of[0], change, None, (2.0, 0.0), (2.5, 0.0))
    named = {trace.name: trace for trace in drawn.data}
    assert {"changed", "before", "where it was", "the row now"} <= set(named)
    assert (named["where it was"].x, named["where it was"].y) == ((2.0, 2.5), (0.0, 0.0))
    places = drawn.data[-1].customdata
    assert places.shape[1] == 3
    assert len(places) == 48 * 36


@given(st.integers(0, 10_000))
@settings(max_examples=15)
def test_the_share_of_the_plane_is_that_of_points_thrown_at_it(seed):
    rng = np.random.default_rng(seed)
    columns = [numeric_column(name, rng.integers(0, 8, 30) / 2) for name in "xy"]
    table = Table((*columns, level_column("z", "nominal", list(rng.choice(list("abc"), 30)), "abc")), "z", ("x", "y"))
    recipe = Recipe((Grow("cart", (("max_depth", 3),)),))
    trees = [tc.grow(t, recipe) for t in (table, with_value(table, 0, "x", 9.0))]
    axes = tuple(Axis(name, "numeric", 0.0, 4.0) for name in "xy")
    change = plane_change(*(regions(t, *axes, {}) for t in trees))
    x, y = rng.uniform(0, 4, (2, 2000))
    frame = pd.DataFrame({"x": x, "y": y})
    apart = trees[0].predict(frame) != trees[1].predict(frame)
    inside = (change.x0 <= x[:, None]) & (x[:, None] < change.x1) & (change.y0 <= y[:, None]) & (y[:, None] < change.y1)
    assert (inside.sum(axis=1) == apart).all(), "each place once"
    assert change.share == pytest.approx(apart.mean(), abs=0.06)
