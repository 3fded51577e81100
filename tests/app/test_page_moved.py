"""The page Experiments: one row is moved, and the tree grows anew."""

from treecore.recipe import Grow, Prune, Split


def opened(app, sample: str):
    grow = Grow("cart", (("max_depth", 3),))
    app.sample(sample).change(grow=grow, prune=Prune(), split=Split(), choices={"experiment": "moved"})
    return app.go("experiments")


def test_a_value_is_moved_and_back(app):
    opened(app, "iris")
    assert app.pane()["key"] == "bench"
    app.set("moved_row", 5)
    app.set("moved_to", app.widget("moved_to").max)
    assert "splits of your tree stay" in app.text()
    assert "in row 5" in app.pane()["tag"]
    app.click("moved_back")
    assert app.pane()["key"] == "bench"
    assert app.errors() == []


def test_a_class_is_turned(app):
    opened(app, "titanic")
    app.set("moved_column", "survived")
    app.set("moved_to", app.widget("moved_to").options[0])
    assert "of the rows get another answer" in app.text()
    assert app.errors() == []
