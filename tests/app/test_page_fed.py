"""Experiments: rows come one after the other; every step is told, drawn, and can be walked to."""

from dataclasses import replace

import numpy as np
import pytest

from treecore.recipe import Grow


def opened(app, sample: str = "titanic", **choices):
    return app.sample(sample).change(choices={"experiment": "fed", **choices}).go("experiments").click("feed")


def noisy(n: int = 400) -> bytes:
    """A table without missing values whose tree has many leaves."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 100, (n, 4))
    y = x[:, 0] + 30 * rng.normal(size=n) > 50
    rows = [",".join(map(str, [*row, "yes" if top else "no"])) for row, top in zip(x.tolist(), y, strict=True)]
    return "\n".join(["a,b,c,d,y", *rows]).encode()


def test_steps_are_told_and_laid_over_what_was_before(app):
    opened(app, **{"fed first": 400, "fed batch": 40})
    assert "The tree of the first 400 rows." in app.text()
    assert "400 rows" in app.pane()["tag"]
    app.click("fed_forwards")
    assert "Rows 401 to 440 come:" in app.text()
    assert "before and with 440 rows" in app.pane()["tag"]
    app.set("fed_way", "hoeffding").set("fed_shown", "tree")
    assert app.pane()["tag"] == "Streaming (Hoeffding): 440 rows"
    app.set("fed_shown", "ways").click("fed_next")
    assert "·" in app.pane()["tag"]
    assert app.errors() == []
    assert "Unpruned, in the rows' order." in app.text()
    (kept,) = app.own["findings"]
    assert kept.lines[0] == "From 400 rows to 535, in 4 steps."
    assert [chart.caption.split()[0] for chart in kept.charts] == ["Accuracy", "Leaves."]


def test_rows_that_come_mixed_are_said_to(app):
    opened(app, **{"fed batch": 300, "fed mixed": True})
    assert "Unpruned, in an order drawn at random." in app.text()


def test_what_a_step_changed_is_drawn_however_few_rows_come_there(app):
    app.upload(noisy()).change(choices={"experiment": "fed", "fed first": 200, "fed batch": 2})
    app.go("experiments").click("feed")
    for _ in range(6):
        app.click("fed_next")
        pane = app.pane()
        (chosen,) = [row for row in pane["nodes"] if row["id"] == pane["selected"]]
        assert chosen.get("look"), app.text()
    assert app.errors() == []


def test_the_next_change_is_a_tree_that_differs_though_each_is_grown_anew(app):
    app.sample("titanic").change(grow=Grow("cart", (("max_depth", 2),)))
    app.change(choices={"experiment": "fed", "fed first": 300, "fed batch": 5}).go("experiments").click("feed")
    steps = []
    while not app._button("fed_next").disabled:
        app.click("fed_next")
        steps.append(app.record().choices["fed step"])
        assert "grown anew from all rows" in app.text()
        assert steps[-1] == 47 or any(row.get("look") for row in app.pane()["nodes"])
    assert 1 < len(steps) < 20


@pytest.mark.parametrize(("sample", "choices", "what"), [
    ("mpg", {}, "classes alone"), ("titanic", {"fed first": 1, "fed batch": 1}, "more than 300 steps"),
])  # fmt: skip
def test_what_cannot_be_fed_says_so(app, sample, choices, what):
    assert any(what in fault for fault in opened(app, sample, **choices).errors())


def test_without_rows_held_back_the_training_rows_judge(app):
    app.sample("titanic")
    split = replace(app.record().split, train=1.0, validation=0.0, test=0.0)
    app.change(split=split, choices={"experiment": "fed", "fed batch": 300}).go("experiments").click("feed")
    assert "of the train rows" in app.text()
