"""Own edges of bins: typed, or handles on the histogram, on Data, in force in the tree, undone like every step."""

from treecore.recipe import Grow


def edges(app) -> dict:
    return dict(dict(app.record().grow.settings).get("edges", ()))


def test_edges_are_typed_shown_and_undone(app):
    app.sample("iris").change(grow=Grow("id3")).go("data").set("histogram", "petallength")
    app.set("edges petallength", "2.5, 5")
    assert edges(app) == {"petallength": (2.5, 5.0)}
    assert "3 branches" in app.text()
    handles = app.given("treecore_edges")
    assert handles["edges"] == [2.5, 5.0]
    assert sum(map(sum, handles["counts"])) == 150
    app.set("edges petallength", "2.5, 4.8")
    app.set("edges petallength", "2.5, far")
    assert "is no number" in " ".join(app.errors())
    assert edges(app) == {"petallength": (2.5, 4.8)}
    app.go("grow")
    assert app.errors() == []
    app.set("preset", "c4.5")
    assert edges(app), "another algorithm that knows bins keeps them"
    app.set("preset", "chaid")
    assert edges(app) == {}
    app.go("data")
    assert "Not with the algorithm in force" in app.text()
    app.click("undo")
    app.set("edges petallength", "")
    assert edges(app) == {}
