"""The page Step by step: forwards and back, and what it says of each split."""

import numpy as np
import pandas as pd
import pytest

from treecore.recipe import Take


def test_without_a_table_it_says_where_to_get_one(app):
    app.go("step_by_step")
    assert app.at.title[0].value == "Step by step"
    assert app.errors() == []
    assert len(app.at.info) == 1


def there(app) -> set[int]:
    """The nodes that the canvas shows."""
    pane = app.pane()
    return {row["id"] for row in pane["nodes"] if row["born"] <= pane["made"]}


def test_forwards_back_first_and_last(app):
    app.sample("titanic").go("step_by_step")
    assert app.at.subheader[0].value == "Split 1: node 0"
    assert there(app) == {0, 1, 2}, "what is still to come is not shown"
    first = {row["id"]: (row["x"], row["y"]) for row in app.pane()["nodes"]}
    app.click("step_forwards").click("step_forwards")
    assert app.at.subheader[0].value == "Split 3: node 2"
    assert there(app) == set(range(7))
    assert {row["id"]: (row["x"], row["y"]) for row in app.pane()["nodes"]} == first, "nothing moves"
    assert app.record().selected == 2
    app.click("step_back")
    assert app.at.subheader[0].value == "Split 2: node 1"
    app.click("step_first")
    assert app.at.subheader[0].value == "Before the first split"
    assert app.at.button(key="step_back").disabled
    app.click("step_last")
    assert app.at.button(key="step_forwards").disabled
    last = app.widget("step_number").value
    app.set("step_slider", 5).go("grow").go("step_by_step")
    assert app.widget("step_number").value == 5
    app.set("step_number", last)
    assert app.widget("step_slider").value == last


def test_it_says_why_in_words_and_in_numbers_of_training_rows(app):
    app.sample("titanic").go("step_by_step")
    assert "Node 0 (the root), 535 training rows, is split on **sex** because its gain" in app.text()
    assert "is the largest; 6 other features were considered" in app.text()
    table = app.at.table[0].value
    assert table["split"].iloc[0].replace("\\", "") == "✓ sex: male | female"
    assert len(table) == 7
    formulas = [e.value for e in app.at.latex if "agreement" not in e.value and "adjusted" not in e.value]
    assert len(formulas) == 4, "those of the split; its surrogates have theirs"
    assert formulas[0].strip("$\n").startswith("i(t)")
    assert "535" in formulas[0]


def test_a_split_taken_by_hand_is_said_to_be(app):
    app.sample("titanic").change(edits=(Take((), "sex", "fare", 10.5),))
    app.go("step_by_step")
    assert "is split on **fare** because it was taken by hand" in app.text()


@pytest.mark.parametrize("sample", ["willwait", "xor", "iris", "mpg", "curve"])
def test_every_sort_of_table_from_the_first_to_the_last(app, sample):
    app.sample(sample).go("step_by_step")
    for key in ("step_first", "step_forwards", "step_last"):
        if app.has(key) and not app.at.button(key=key).disabled:
            app.click(key)
        assert app.errors() == []


def test_a_lone_root_and_a_smaller_tree_are_no_fault(app):
    app.sample("titanic").go("step_by_step").click("step_last").set("max_depth", 1)
    assert app.at.subheader[0].value == "Split 1: node 0"
    app.set("min_gain", 10.0)
    assert "has no splits" in app.text()
    assert app.errors() == []


def test_more_than_a_thousand_splits(app):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=6000), "b": rng.normal(size=6000), "y": rng.integers(0, 2, 6000)})
    app.upload(frame.assign(y=np.where(frame.y > 0, "yes", "no")).to_csv(index=False).encode())
    app.go("step_by_step").click("step_last")
    assert app.widget("step_number").value > 1000
    assert app.errors() == []
    app.set("step_number", 700)
    assert app.at.subheader[0].value.startswith("Split 700: node ")


def test_hostile_names_stay_text(app):
    level = ("<b>z</b>", "![i](http://x/y.png)", "![j](http://x/y.png)")
    lines = [f"{i % 7},{level[i % 3]},{'$x$' if i % 7 > 3 else '**b**'}" for i in range(60)]
    app.upload(("[l](http://x),<i>,:red[t]\n" + "\n".join(lines)).encode())
    app.go("step_by_step")
    shown = [e.value for e in (*app.at.markdown, *app.at.caption)]
    assert app.errors() == []
    assert not any("](http" in text for text in shown)
