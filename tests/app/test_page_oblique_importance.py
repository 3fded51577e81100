"""Importance and partial dependence of a tree with oblique splits."""

from tests.app.test_page_oblique import slanted
from treecore.recipe import Grow


def test_a_sum_is_told_by_its_terms(app):
    app.upload(slanted()).change(
        grow=Grow("cart", (("oblique", "discriminant"),)), choices={"experiment": "importance"}
    )
    app.go("experiments").click("try_importance")
    assert app.errors() == []
    app.change(choices={"experiment": "partial"}).go("experiments")
    assert app.errors() == []
    assert set(app.widget("importance_of").options) == {"width", "height", "colour"}
    assert "computed at points along the range" in app.text()
    app.set("importance_of", "colour")
    assert "exact, as a tree is a step function" in app.text()
