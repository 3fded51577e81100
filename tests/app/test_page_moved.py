"""The page Experiments: one row is moved, and the tree grows anew."""

from pages.shared.regions import move
from pages.shared.session import state
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
    assert "splits stay" in app.text()
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


def on_regions(app):
    """The plane of iris, a training row of it clicked."""
    grow = Grow("cart", (("max_depth", 2),))
    app.sample("iris").change(grow=grow, prune=Prune(), split=Split(1.0, 0.0, 0.0))
    app.go("regions", choices={**app.record().choices, "clicked row": 70})
    return app


def test_a_point_is_moved_over_the_plane_and_put_back(app):
    before = on_regions(app).record()
    app.click("move_row")
    assert "Row 71 is where it was" in app.text()
    x, y = app.widget("plane_moved_x"), app.widget("plane_moved_y")
    app.set("plane_moved_x", x.max)
    assert "splits stay" in app.text()
    assert "Row 71 at" in app.pane()["tag"]
    assert "of the plane get another answer" in app.text()
    [found] = app.own["findings"]
    assert (found.kind, dict(found.settings)["row"]) == ("plane", "71")
    assert found.lines[0].startswith(app.text().split("Row 71 at", 1)[1].split(". ", 1)[1].split(";")[0])
    assert app.widget("plane_moved_y").value == y.value, "along one axis alone"
    app.go("grow").go("regions")
    assert app.widget("plane_moved_x").value == x.max, "it stays there over other pages"
    app.click("put_back")
    assert not app.has("plane_moved_x")
    assert app.record().edits == before.edits
    assert app.errors() == []


def test_a_point_moves_over_two_numbers_only(app):
    on_regions(app).sample("titanic").change(split=Split(1.0, 0.0, 0.0))
    app.go("regions", choices={**app.record().choices, "clicked row": 3, "axis_x": "sex", "axis_y": "age"})
    assert not app.has("move_row")
    app.change(choices={**app.record().choices, "axis_x": "fare"})
    assert app.has("move_row")


def test_a_clicked_place_is_where_the_row_goes(monkeypatch):
    """A place tells (x, y, 1), a row (its number, its node)."""
    for told, chosen in (((1.5, 2, 1), {move.X: 1.5, move.Y: 2.0}), ((70, 3), {}), ((), {})):
        taken = {}
        monkeypatch.setattr(state, "clicked", lambda key, told=told: told)
        monkeypatch.setattr(state, "choose", taken.__setitem__)
        move._take_click()
        assert taken == chosen
