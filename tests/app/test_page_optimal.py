"""Experiments: the tree of fewest errors is found, told, drawn, taken and kept."""

from treecore.data.samples import read_sample
from treecore.optimal import optimal_tree


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
    (kept,) = app.at.session_state["findings"]
    assert kept.lines[0] in app.text().replace("**", "")
    assert len(kept.lines) == 1 + found.tree.n_leaves, "and its rules"
    app.click("keep_optimal").click("take_optimal")
    assert app.record().edits == found.takes
    app.go("compare").change(choices={**app.record().choices, "compared B": "kept fewest errors, depth 2"})
    assert list(app.at.dataframe[0].value["B"])[:2] == ["4", "2"]
    assert app.errors() == []


def test_a_target_of_numbers_has_none(app):
    opened(app, "mpg", 2)
    assert any("a target of numbers has none" in fault for fault in app.errors())


def test_others_nearly_as_good_are_listed_and_looked_at(app):
    opened(app, "titanic", 2).set("optimal_within", 12)
    assert "trees. First they ask for:" in app.text()
    app.set("optimal_place", 3)
    assert app.pane()["tag"].startswith("Tree 3 of ")
    app.click("take_optimal")
    taken = app.record().edits
    assert taken != optimal_tree(read_sample("titanic"), 2).takes
    assert app.errors() == []
