"""The page Experiments: importance of features in four ways, and one feature alone."""

import pytest

from treecore.recipe import Grow, Prune, Split


@pytest.mark.parametrize(("sample", "feature"), [("titanic", "sex"), ("mpg", "weight"), ("iris", None)])
def test_every_way_is_shown(app, sample, feature):
    grow = Grow("cart", (("max_depth", 3),))
    app.sample(sample).change(grow=grow, prune=Prune(), split=Split(), choices={"experiment": "importance"})
    app.go("experiments")
    app.click("try_importance")
    assert "counts most" in app.text()
    for kind in ("gain", "without", "chance"):
        app.set("importance_kind", kind)
        assert app.errors() == []
    app.set("importance_role", "test")
    assert "of the test rows" in app.text()
    assert app.errors() == []
    app.change(choices={"experiment": "partial"}).go("experiments")
    if feature:
        app.set("importance_of", feature)
    assert "The mean answer" in app.text()
    assert "rows: exact" in app.text()
    assert app.errors() == []


def test_a_lone_root_asks_for_nothing(app):
    grow = Grow("cart", (("max_depth", 0),))
    app.sample("titanic").change(grow=grow, prune=Prune(), choices={"experiment": "importance"}).go("experiments")
    app.click("try_importance")
    assert "No feature counts" in app.text()
    app.change(choices={"experiment": "partial"}).go("experiments")
    assert "uses no feature" in app.text()
    assert app.errors() == []
