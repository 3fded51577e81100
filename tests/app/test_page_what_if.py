"""Explore: the answer for a row with other values; a search in all of the tree; why columns are left out."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.recipe import Grow, Prune, Split

WHOLE = Split(train=1.0, validation=0.0, test=0.0)


def opened(app, sample: str = "titanic", **settings):
    """The sample's tree, grown from all its rows."""
    app.sample(sample)
    app.change(grow=Grow("cart", tuple(settings.items())), prune=Prune(), split=WHOLE)
    table = read_sample(sample)
    return table, tc.grow(table, **settings)


def test_another_value_is_answered_first_and_the_way_is_marked(app):
    table, tree = opened(app, max_depth=4)
    app.go("grow").tab("What if")
    frame = table.take(np.array([0])).to_frame()
    assert app.at.subheader[0].value == f"survived = {tree.predict(frame)[0]}"
    assert app.pane()["ways"] == tree.apply(frame).tolist()
    app.set("what if age", 3.0)
    frame["age"] = 3.0
    assert app.at.subheader[0].value == f"survived = {tree.predict(frame)[0]}"
    assert app.pane()["ways"] == tree.apply(frame).tolist()
    assert "With its own values the tree predicts" in app.text()
    app.click("what_if_reset")
    assert app.pane()["ways"] == tree.apply(table.take(np.array([0]))).tolist()
    assert "With its own values the tree predicts" not in app.text()
    assert app.tab("Why").pane()["ways"] == []


def test_the_rows_are_those_of_the_selected_node(app):
    _, tree = opened(app, max_depth=4)
    app.go("grow").tab("What if")
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    app.change(selected=leaf)
    assert app.pane()["ways"] == [leaf]
    assert app.widget("what_if_row").max == tree.n_rows[leaf]
    app.set("what_if_row", int(tree.n_rows[leaf]))
    assert app.pane()["ways"] == [leaf]


def test_a_row_whose_parts_go_several_ways_marks_all_of_them(app):
    app.sample("play_tennis")
    app.change(grow=Grow("c4.5", ()), prune=Prune(), split=WHOLE)
    app.go("grow").tab("What if").set("what if Outlook", 0)
    assert len(app.pane()["ways"]) > 1
    assert "shared among" in app.text()


@pytest.mark.parametrize("asked", ["age", "#7", "≥", "no such text", "FEMALE"])
def test_a_search_finds_nodes_that_are_not_drawn(app, asked):
    _, tree = opened(app, min_rows_leaf=1)
    app.go("grow")
    app.own["search in bench"]["text"] = asked
    found = app.run().pane()["found"]
    texts = [
        f"{tree.node(i).feature or tree.node(i).predicted}\n{'' if i == 0 else tree.node(i).branch}\n"
        f"{tree.node(i).predicted}\n#{i}".lower()
        for i in range(tree.n_nodes)
    ]
    expected = [i for i, text in enumerate(texts) if asked.lower() in text]
    drawn = {row["id"] for row in app.pane()["nodes"]}
    assert found["ids"] == expected
    assert sum(found["under"].values()) == len(set(expected) - drawn)
    assert {int(node) for node in found["under"]} <= drawn


def test_a_search_stays_in_the_branch_that_is_looked_at(app):
    _, tree = opened(app, min_rows_leaf=1)
    branch = int(tree.first_child[0])
    app.go("grow")
    app.own["search in bench"]["text"] = "#"
    app.own["record"].choices["within"] = branch
    app.change(selected=branch)
    inside = [i for i in range(tree.n_nodes) if branch in tree.path(i)]
    assert app.pane()["found"]["ids"] == inside
    assert len(inside) < tree.n_nodes - 1


def test_why_a_column_is_left_out_is_told_in_a_clause(app):
    rows = [
        f"A{i},{i % 7},same (of; all. of them),2024-01-{1 + i % 28:02d},{'yes' if i % 7 > 3 else 'no'}"
        for i in range(60)
    ]
    app.upload(("key,a,one,day,y\n" + "\n".join(rows)).encode(), as_it_opens=True)
    told = app.text()
    assert "key (every row has a text of its own)" in told
    assert "day (these are dates)" in told
    assert "same (of; all. of them)" in told
    app.go("grow")
    assert "Predicting **y** from 1 column; left out: key (every row has a text of its own)" in app.text()
    app.change(selected=1)
    assert "Predicting **y**" not in app.text(), "it is said of the whole tree"
