"""Experiments: many trees are grown, told beside yours, and looked at one by one."""

import json

import pytest

import treecore as tc
from treecore.ensembles import kinds_for


@pytest.mark.parametrize(("sample", "task"), [("titanic", "classification"), ("mpg", "regression")])
def test_every_kind_is_grown_told_and_shown(app, sample, task):
    app.sample(sample).go("experiments").set("experiment", "many").set("many_trees", 3).click("grow_many")
    for kind in kinds_for(task, tc.GrowSettings()):
        app.set("many_kind", kind).set("many_depth", 2)
        assert "trees together, " in app.text()
        assert app.errors() == []
    app.click("many_importance")
    assert "are shuffled" in app.text()
    assert app.errors() == []
    assert "Tree 1 of" in app.pane()["tag"]
    app.set("many_shown", "nearest")
    assert "Nearest" in app.pane()["tag"]
    assert "grown by your settings on their predictions" in app.text()


def test_the_tree_on_the_canvas_is_the_one_that_was_chosen(app):
    app.sample("titanic").go("experiments").set("experiment", "many").set("many_trees", 3).set("many_depth", 1)
    app.click("grow_many").set("many_tree", 2)
    assert app.pane()["tag"] == "Tree 2 of 3"
    assert len(app.pane()["nodes"]) == 3


@pytest.mark.parametrize(("kind", "told"), [("forest", "with most votes of 3 trees"), ("linear", "do not vote")])
def test_regions_show_the_votes_once_there_are_trees(app, kind, told):
    app.sample("titanic").go("regions")
    assert list(app.widget("regions_tree").options) == ["pruned", "unpruned"]
    app.go("experiments").set("experiment", "many").set("many_trees", 3).set("many_depth", 2).set("many_kind", kind)
    app.click("grow_many").go("regions").set("regions_tree", "votes")
    assert told in app.text()
    assert app.errors() == []


def test_the_errors_of_many_trees_stand_beside_those_of_one_tree_of_every_size(app):
    app.sample("titanic").go("experiments").set("experiment", "many").set("many_trees", 3).click("grow_many")
    many, one = [json.loads(chart.proto.spec)["layout"] for chart in app.at.get("plotly_chart")[:2]]
    assert many["yaxis"]["range"] == one["yaxis"]["range"], "heights can be compared"
    assert one["xaxis"]["title"]["text"].startswith("leaves")
    assert "training rows" in app.set("many_shown", "nearest").text()
