"""The page Experiments: stopping against pruning, and tests per answer."""

import pytest

from treecore.recipe import Grow, Prune, Split


@pytest.mark.parametrize("sample", ["titanic", "mpg", "play_tennis"])
def test_stopping_and_pruning_are_compared(app, sample):
    app.sample(sample).change(grow=Grow("cart"), prune=Prune(), split=Split(), choices={"experiment": "horizon"})
    app.go("experiments")
    assert "best of those pruned" in app.text()
    app.set("horizon_of", "xor")
    assert "Here" in app.text()
    assert app.errors() == []


@pytest.mark.parametrize("sample", ["titanic", "mpg", "play_tennis"])
def test_tests_per_answer_are_told(app, sample):
    app.sample(sample).change(grow=Grow("cart"), prune=Prune(), split=Split(), choices={"experiment": "effort"})
    app.go("experiments")
    assert "tree with the same leaves" in app.text()
    assert "entropy of the leaves" in app.text()
    app.change(grow=Grow("cart", (("max_depth", 0),))).go("experiments")
    assert "asks nothing" in app.text()
    assert app.errors() == []


def test_without_rows_held_back_that_is_said(app):
    split = Split(train=1.0, validation=0.0, test=0.0)
    app.sample("titanic").change(grow=Grow("cart"), prune=Prune(), split=split, choices={"experiment": "horizon"})
    app.go("experiments")
    assert any("no rows to judge" in text for text in app.errors())
