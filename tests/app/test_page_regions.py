"""The Regions page with features of many levels: what is drawn stays small, and what is not is said."""

import numpy as np
import pytest

import treecore as tc
from pages.shared.regions import borders, planes
from pages.shared.session import state
from pages.shared.trees import work
from treecore.data.samples import read_sample
from treecore.fit import edit_of
from treecore.recipe import Prune, Split
from treecore.study.plane import MOST
from treecore.study.plane_borders import border_take


def table(n_levels: int, n: int = 6000) -> bytes:
    rng = np.random.default_rng(n_levels)
    k, m, effect = np.arange(n) % n_levels, rng.permutation(n) % n_levels, rng.normal(size=n_levels)
    y = effect[k] + effect[m] > 0
    rows = [f"zip{a},shop{b},{'yes' if c else 'no'}" for a, b, c in zip(k.tolist(), m.tolist(), y, strict=True)]
    return "\n".join(["zip,shop,y", *rows]).encode()


def test_a_feature_of_a_thousand_levels(app):
    app.upload(table(1000)).put(features=("zip", "shop"), kinds=(("zip", "nominal"), ("shop", "nominal")))
    app.go("regions")
    assert app.errors() == []
    for name in ("zip", "shop"):
        assert f"1,000 levels of {name}: those that the tree never separates share a band" in app.text()
    assert f"Drawn are the {MOST} bands with most rows" in app.text()
    assert len(app.at.get("plotly_chart")[0].proto.spec) < 1_000_000
    assert app.go("compare").errors() == []


def test_the_plane_is_drawn_over_the_values_of_the_next_feature(app):
    """Quarters of the rows of a number, levels of another; each with the rows of its slice alone."""
    app.sample("titanic").go("grow").set("max_depth", 4).go("regions")
    pictures = len(app.at.get("plotly_chart")) - 1
    assert 2 <= pictures <= 6
    names = list(app.widget("sliced").options)
    assert not {app.widget("axis_x").value, app.widget("axis_y").value} & set(names)
    number = next(name for name in ("fare", "age") if name in names)
    app.set("sliced", number)
    told = [c.value for c in app.at.caption if c.value.startswith(number) and "rows" in c.value]
    rows = [int(text.rsplit(":", 1)[1].split()[0].replace(",", "")) for text in told]
    known = int((~app_rows(app, number)).sum())
    assert sum(rows) == known
    assert app.errors() == []


def test_the_other_features_stand_as_chosen_as_in_a_row_or_as_they_are(app):
    app.sample("titanic").go("grow").set("max_depth", 4).go("regions")
    assert "Fixed: " in app.text()
    app.set("plane_rest", "as in one row").set("plane_row", 7)
    seventh = read_sample("titanic").take([6])
    x, y = app.widget("axis_x").value, app.widget("axis_y").value
    told = next(c.value for c in app.at.caption if c.value.startswith("Fixed: "))
    for name in ("sex", "pclass"):
        if name not in (x, y) and f"{name} " in told:
            value = seventh.column(name).labels()[0] if name == "sex" else None
            assert value is None or f"sex = {value}" in told.replace("\\", "")
    app.set("plane_rest", "as in all rows")
    assert "The deeper the colour, the more rows lie there" in app.text()
    assert not any(c.value.startswith("Fixed: ") for c in app.at.caption)
    assert app.errors() == []


def app_rows(app, name: str):
    """Which training rows of the sample have no value."""
    train, *_ = read_sample("titanic").split(tc.Roles())
    return train.column(name).missing


@pytest.mark.parametrize("sample", ["iris", "mpg", "claims", "pumps", "penguins"])
def test_the_plane_with_borders_stands_in_the_picture_s_place(app, sample):
    app.sample(sample).go("grow").set("max_depth", 4).go("regions")
    assert app.errors() == []
    n_pictures = len(app.at.get("plotly_chart"))
    app.set("drag_borders", True)
    assert app.errors() == []
    assert len(app.at.get("plotly_chart")) == n_pictures - 1
    app.set("regions_tree", "unpruned")
    assert app.errors() == []


def test_borders_are_dragged_only_where_a_tree_of_fixed_values_is_shown(app):
    app.sample("titanic").go("grow").set("max_depth", 4).go("regions")
    app.set("axis_x", "age").set("axis_y", "sex").set("drag_borders", True)
    n_pictures = len(app.at.get("plotly_chart"))
    app.set("plane_rest", "as in all rows")
    assert len(app.at.get("plotly_chart")) == n_pictures + 1
    assert app.errors() == []


def test_a_dragged_border_asks_for_no_folds_also_after_a_cut_by_hand(app):
    by_folds = Prune("cost_complexity", (("choose", "cross-validation"), ("folds", 4)))
    app.sample("iris").put(prune=by_folds)
    app.go("grow")
    train, *_ = read_sample("iris").split(tc.Roles())
    tree = tc.grow(train, "cart")
    app.put(edits=(edit_of(tree, int(tree.first_child[0]) + 1, "cut"),))
    app.go("regions").set("drag_borders", True)
    with app._on_data():
        assert dict(borders._pruning().parameters).keys() == {"alpha"}
        state.choose("regions_tree", "unpruned")
        assert borders._pruning() == Prune()


def test_a_dragged_border_shows_figures_of_the_rows_and_classes_by_the_names_of_the_tree_in_force(app):
    app.sample("iris").put(split=Split(0.4, 0.2, 0.1, estimation=0.3), class_names=(("Iris-setosa", "bristly"),))
    app.go("regions").set("drag_borders", True)
    assert app.errors() == []
    with app._on_data():
        now, _ = planes.shown()
        moved = borders._tree_with(border_take(work.trained(), 0, 2.0))
        tree, ids = borders._shown(moved)
    assert (tree.class_names, tree.figures_of) == (now.class_names, now.figures_of)
    assert "bristly" in tree.class_names
    assert len(ids) == tree.n_nodes
