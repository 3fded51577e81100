"""Bars that show the groups of any column: on the canvas, beside the selected node, and on Segments."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.app.test_page_twins import caption
from treecore.data.samples import read_sample
from treecore.recipe import Prepare
from treecore.study.groups import grouping


def own(name: str, depth: int = 3):
    """The tree that the page grows of a sample, and its training rows."""
    train = read_sample(name).split(tc.Roles())[0]
    return tc.grow(train, max_depth=depth), train


def opened(app, name: str, page: str = "grow", depth: int = 3):
    return app.sample(name).go("grow").set("max_depth", depth).go(page)


def table_of(app) -> pd.DataFrame:
    return next(d.value for d in app.at.dataframe if "group" in d.value.columns)


@pytest.mark.parametrize(("name", "column"), [("titanic", "embarked"), ("titanic", "age"), ("mpg", "origin")])
def test_the_bars_are_the_groups_of_the_training_rows(app, name, column):
    opened(app, name)
    tree, train = own(name)
    before = app.pane()
    assert before["groups"] is None
    app.set("bars_show", column)
    pane, found = app.pane(), tc.groups(tree, train, column)
    assert pane["stamp"] != before["stamp"]
    for row in pane["nodes"]:
        [bar] = row["bars"]
        there = np.flatnonzero(found.shares[row["id"]] > 0)
        assert [i for i, _ in bar] == there.tolist()
        assert [share for _, share in bar] == pytest.approx(found.shares[row["id"]][there], abs=1e-5)
        assert row["told"][-1].startswith(f"{column}: ")
    legend = pane["groups"]
    assert [n for n in legend["names"] if n] == [n for n, rows in zip(found.names, found.rows[0], strict=True) if rows]
    assert len(set(legend["colors"])) == len(legend["colors"]) == len(found.names)
    assert caption(app, "Drawn").endswith(f"bars: {column} of the training rows.")


@pytest.mark.parametrize(
    ("name", "column", "noun"),
    [("claims", "region", "rate"), ("pumps", "moves", "hazard ratio"), ("backs", "smoker", "effect")],
)
def test_groups_of_targets_of_two_columns_have_what_their_nodes_have(app, name, column, noun):
    opened(app, name)
    app.set("bars_show", column).change(selected=0)
    assert app.errors() == []
    shown = table_of(app)
    units = {"claims": 10.0, "pumps": 1.0, "backs": 100.0}[name]
    tree = tc.grow(read_sample(name), "cart", max_depth=0)
    whole = tc.groups(tree, read_sample(name), column).of_node(0)
    assert shown[noun].to_numpy() == pytest.approx([units * group.rate for group in whole], rel=0.5)
    assert shown["from"].lt(shown["to"]).all()
    assert app.go("segments").errors() == []


def test_it_is_a_look_and_no_step_of_the_recipe(app):
    opened(app, "titanic")
    before = replace(app.record(), choices={})
    app.set("bars_show", "sex")
    assert replace(app.record(), choices={}) == before
    assert app.go("segments").pane()["groups"]["column"] == "sex", "remembered on other pages"
    assert app.go("grow").set("bars_show", "").pane()["groups"] is None


def test_the_menu_over_the_tree_offers_every_column_but_the_target(app):
    shows = opened(app, "titanic").pane()["shows"]
    names = [name for name, _ in shows["options"]]
    assert names[0] == "" == shows["now"]
    assert set(names[1:]) == set(read_sample("titanic").column_names) - {"survived"}


def test_the_selected_node_tells_each_group_beside_the_others(app):
    opened(app, "titanic")
    tree, train = own("titanic")
    app.set("bars_show", "embarked").change(selected=2)
    found = tc.groups(tree, train, "embarked", "1")
    shown, groups = table_of(app), found.of_node(2)
    assert shown["group"].tolist() == [group.name for group in groups]
    assert shown["rows"].tolist() == pytest.approx([group.rows for group in groups])
    assert shown["rate"].tolist() == pytest.approx([100 * group.rate for group in groups], abs=0.051)
    assert shown["p"].tolist() == pytest.approx([group.p_value for group in groups], nan_ok=True)
    assert found.text(2).split(", ")[0] in app.text()


def test_the_towers_and_the_whole_tree_have_the_groups_too(app):
    opened(app, "titanic", "segments").set("segments_groups", "sex")
    given = app.given("treecore_skyline")
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"], max_depth=3)
    by = grouping(parts["train"].column("sex"))
    found = tc.groups(tree, parts["validation"], "sex", by=by)
    for node, shares in zip(given["nodes"], given["groups"], strict=True):
        assert shares == [[i, round(s, 5)] for i, s in enumerate(found.shares[node].tolist()) if s > 0]
    assert len(given["group_colors"]) == len(by)
    app.own["record"] = replace(app.record(), choices={**app.record().choices, "shape": "icicle"})
    found = tc.groups(tree, parts["train"], "sex", by=by)
    for row in app.go("grow").pane()["whole"]:
        assert row["parts"] == [[i, round(s, 5)] for i, s in enumerate(found.shares[row["id"]].tolist()) if s > 0]
    assert app.set("bars_show", "").pane()["whole"][0].get("parts") is None
    assert app.go("segments").given("treecore_skyline")["groups"] == []


def test_segments_tell_where_groups_differ(app):
    opened(app, "titanic", "segments").set("segments_groups", "sex")
    told = app.text()
    assert "segments a group differs significantly from the others" in told or "In none of " in told
    shown = table_of(app)
    assert set(shown["group"]) <= {"female", "male"}
    app.set("segments_role", "all")
    assert table_of(app)["rows"].sum() > shown["rows"].sum()


def test_a_column_that_is_gone_counts_as_the_answer(app):
    opened(app, "titanic").set("bars_show", "sex")
    app.sample("iris").go("grow")
    assert app.pane()["groups"] is None
    assert app.widget("bars_show").value == ""


def test_values_that_are_filled_for_the_tree_stay_missing_here(app):
    opened(app, "titanic").set("bars_show", "age")
    names = app.pane()["groups"]["names"]
    assert names[-1] == "missing"
    for how in (Prepare("mean"), Prepare("drop_rows"), Prepare(bins=(("age", "equal_width", 4),))):
        app.change(prepare=how)
        shown = [name for name in app.pane()["groups"]["names"] if name]
        assert ("missing" in shown) == (how.missing != "drop_rows"), how
        assert app.errors() == []
