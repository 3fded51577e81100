"""Preparation on the screen: controls, what was filled, faults with a way back."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import treecore as tc
from pages.shared.session import state
from treecore.data.samples import read_sample
from treecore.growing.settings.parts import NUMERIC_SPLITS
from treecore.recipe import Grow, Prepare, Recipe

CONTROLS = """
import streamlit as st
from pages.shared.controls import growth as controls_growth, sidebar
from pages.shared.data import source
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import messages
with messages.caught():
    if state.raw() is None:
        source.take_sample({sample!r})
    sidebar.preparation()
    controls_growth.group("splits")
    sidebar.notes()
    work.grown()
    st.caption(work.recipe().text())
"""
TITANIC = tuple(read_sample("titanic").split(tc.Roles()))
ROWS = "\n".join(f"{'' if i % 7 == 3 else i * 5 % 31},,{'yes' if i * 5 % 31 > 14 else 'no'}" for i in range(60))


def at_controls(sample="titanic"):
    at = AppTest.from_string(CONTROLS.format(sample=sample), default_timeout=120).run()
    assert not at.exception, at.exception
    return at


def said(found) -> str:
    return "\n".join(e.value.replace("\\", "") for e in found)


def set_to(at, key, value):
    (widget,) = [w for w in at._tree if getattr(w, "key", None) == key]
    at = widget.set_value(value).run()
    assert not at.exception, at.exception
    return at


def record(at):
    return at.session_state[state.OWN]["record"]


# the controls


def test_filling_is_chosen_said_and_part_of_the_recipe():
    at = set_to(at_controls(), "prepare_missing", "mean")
    assert record(at).prepare == Prepare("mean")
    train = TITANIC[0]
    fill = train.column("age").values()
    n = train.column("age").n_missing
    assert f"age: {n} missing values filled with the mean, {np.nanmean(fill):.6g}." in said(at.caption)
    assert "prepare: missing values: mean or mode → CART" in said(at.caption)
    assert "New rows are filled in the same way" in said(at.caption)


def test_a_share_for_columns_that_are_left_out():
    at = set_to(set_to(at_controls(), "prepare_missing", "drop_columns"), "prepare_limit", 0.1)
    assert record(at).prepare == Prepare("drop_columns", 0.1)
    assert "age: left out of the features" in said(at.caption)
    assert "Rows to come are filled" not in said(at.caption)
    at = set_to(at, "prepare_limit", None)
    assert record(at).prepare.limit == 0.7


def test_bins_for_all_numeric_features():
    at = set_to(at_controls(), "prepare_bins", "equal_frequency")
    assert record(at).prepare.bins == (("", "equal_frequency", 5),)
    at = set_to(at, "prepare_n_bins", 3)
    assert record(at).prepare.bins == (("", "equal_frequency", 3),)
    assert "fare: put in 3 bins, cut at" in said(at.caption)
    at = set_to(at, "prepare_bins", "none")
    assert record(at).prepare == Prepare()
    assert "prepare" not in said(at.caption)


def test_what_needs_classes_is_not_offered_for_numbers():
    at = at_controls("mpg")
    boxes = {box.key: box.options for box in at.selectbox}
    assert "Mean or mode" in boxes["prepare_missing"]
    assert "Mean or mode of the class" not in boxes["prepare_missing"]
    assert "Equal width" in boxes["prepare_bins"]
    assert "Entropy with MDL" not in boxes["prepare_bins"]


def test_numeric_features_branch_by_bins():
    at = set_to(set_to(at_controls("iris"), "numeric", "equal_width"), "bins", 4)
    assert dict(record(at).grow.settings) == {"numeric": "equal_width", "bins": 4}


# the pages


def test_trees_grow_and_are_shown_on_prepared_rows(app):
    app.sample("titanic").go("grow", prepare=Prepare("median"), grow=Grow("cart", (("max_depth", 4),)))
    assert "prepare: missing values: median or mode → CART" in app.text()
    made = tc.prepare(*TITANIC, missing="median")
    tree = tc.grow(made[0], "cart", max_depth=4)
    assert app.leaves() == tree.n_leaves
    for page in ("data", "grow", "step_by_step", "regions", "size_and_pruning", "compare"):
        app.go(page)
        assert app.errors() == []


@pytest.mark.parametrize(("prepare", "grow"), [
    (Prepare(bins="equal_width"), Grow("c4.5", (("numeric", "equal_frequency"),))),
    (Prepare("class_mean", bins="entropy_mdl"), Grow("cart")),
])  # fmt: skip
def test_every_page_shows_bins(app, prepare, grow):
    app.sample("titanic").go("grow", prepare=prepare, grow=grow)
    for page in ("data", "grow", "step_by_step", "regions", "size_and_pruning", "compare"):
        app.go(page)
        assert app.errors() == []


def test_every_page_shows_a_tree_that_branches_by_bins(app):
    app.sample("iris").go("grow")
    for method in (n for n in NUMERIC_SPLITS if n != "threshold"):
        app.change(grow=Grow("cart", (("numeric", method),)))
        for selected in (0, 1, 2):
            app.change(selected=selected)
            assert app.errors() == [], method
    for page in ("step_by_step", "regions", "size_and_pruning", "compare"):
        assert app.go(page).errors() == []


def test_a_preparation_that_fails_says_why_and_loses_nothing(app):
    app.upload(f"number,nothing,y\n{ROWS}\n".encode())
    app.change(target="y", kinds=(("nothing", "nominal"), ("number", "numeric")), features=("number", "nothing"))
    app.go("grow", prepare=Prepare("mean"))
    (told,) = app.errors()
    assert "Column 'nothing'" in told
    assert "nothing to fill with" in told
    assert "Leave the column out" in told
    assert app.has("preset"), "the sidebar is whole"
    assert app.has("pruner")
    app.change(prepare=Prepare("drop_rows"))
    (told,) = app.errors()
    assert "Every one of the 36 training rows misses a feature" in told
    app.go("data")
    assert app.errors() == []
    app.go("grow", prepare=Prepare("drop_columns"))
    assert app.errors() == []
    assert app.record().features == ("number", "nothing")


def test_classes_to_fill_by_are_missed_for_a_numeric_target(app):
    app.sample("mpg").go("grow", prepare=Prepare("class_mean"))
    (told,) = app.errors()
    assert "is numeric, so no row has a class to fill by" in told
    app.change(prepare=Prepare("mean"))
    assert app.errors() == []


def test_another_table_starts_unprepared(app):
    app.sample("titanic").change(prepare=Prepare("mean", bins="equal_width")).sample("iris")
    assert app.record().prepare == Prepare()


def test_growth_is_watched_on_validation_rows(app):
    app.sample("titanic").go("grow", grow=Grow("cart", (("patience", 3),)))
    assert app.errors() == []
    train, validation, _ = TITANIC
    tree = tc.grow(train, "cart", patience=3, validation=validation)
    assert app.leaves() == tree.n_leaves < tc.grow(train, "cart").n_leaves


def test_the_recipe_of_the_screen_gives_the_same_tree(app):
    app.sample("titanic").go("grow", prepare=Prepare("mean", bins=[("fare", "equal_frequency", 4)]))
    text = app.text().split("Recipe: ")[1]
    assert "fare in 4 bins (equal frequency)" in text
    split = app.record().split
    steps = Recipe((split, app.record().prepare, app.record().grow))
    assert tc.fit(read_sample("titanic"), steps).grown.n_leaves == app.leaves()
