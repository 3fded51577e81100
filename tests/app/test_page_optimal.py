"""Experiments: the tree of fewest errors is found, told, drawn, taken and kept."""

import threading

from pages.shared.server import cache, long_work
from treecore.data.samples import read_sample
from treecore.optimal import optimal_tree
from treecore.study.questions import optimal_depth as optimal


def opened(app, sample: str, depth: int):
    app.sample(sample).change(split=every_row(app)).go("experiments").set("experiment", "optimal")
    return app.set("optimal_depth", depth).click("find_optimal")


def every_row(app):
    from dataclasses import replace

    return replace(app.record().split, train=1.0, validation=0.0, test=0.0)


def test_it_is_told_and_drawn_and_can_be_taken(app):
    found = optimal_tree(read_sample("titanic"), 2)
    opened(app, "titanic", 2)
    assert f"**{found.errors:.0f}** of 891 training rows wrong" in app.text()
    assert "**Proved**" in app.text()
    assert "At the root it asks" in app.text() or "the greedy tree asks" in app.text()
    assert len(app.pane()["nodes"]) == found.tree.n_nodes
    (kept,) = app.own["findings"]
    assert kept.lines[0] in app.text().replace("**", "")
    assert len(kept.lines) == 1 + found.tree.n_leaves, "and its rules"
    app.click("keep_optimal").click("take_optimal")
    assert app.record().edits == found.takes
    app.go("compare", choices={**app.record().choices, "compared B": "kept fewest errors, depth 2"})
    assert list(app.at.dataframe[0].value["B"])[:2] == ["4", "2"]
    assert app.errors() == []


def test_a_target_of_numbers_has_none(app):
    opened(app, "mpg", 2)
    assert any("a target of numbers has none" in fault for fault in app.errors())


def test_others_nearly_as_good_are_listed_and_looked_at(app):
    opened(app, "titanic", 2).set("optimal_within", 12)
    assert "trees. Feature at the root:" in app.text()
    app.set("optimal_place", 3)
    assert app.pane()["tag"].startswith("Tree 3 of ")
    app.click("take_optimal")
    taken = app.record().edits
    assert taken != optimal_tree(read_sample("titanic"), 2).takes
    assert app.errors() == []


def test_a_search_that_is_stopped_keeps_the_best_so_far(app, monkeypatch):
    """Meanwhile your tree stands on the canvas, and everything beside it can be changed."""
    begun, whole = threading.Event(), optimal.optimal_tree

    def slow(table, depth, penalty, least, cuts, seconds, stop):
        while not stop():
            begun.set()
        return whole(table, depth, penalty, least, cuts, 1e-9)  # as far as no time at all brings it

    cache.clear()  # other tests of this file search the same table
    with monkeypatch.context() as patch:
        patch.setattr(optimal, "optimal_tree", slow)
        patch.setattr(long_work, "JOB_PATIENCE", 0.0)
        opened(app, "titanic", 3)
        assert begun.wait(60)
        assert "Stop keeps the best so far" in app.text()
        assert not app.pane().get("tag"), "your tree"
        assert app.at.number_input(key="optimal_depth").value == 3
        patch.setattr(long_work, "JOB_PATIENCE", 60.0)
        app.click("Stop").run()
    assert "Not proved: another tree could be better" in app.text()
    assert app.pane()["tag"] == "Best so far at depth 3"
    assert "was stopped" not in app.text()
    assert app.errors() == []
