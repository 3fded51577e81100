"""The page Experiments: learning curve, noise and rare classes of your recipe."""

import pytest

from treecore.recipe import Grow, Prune, Split

SMALL = Grow("cart", (("max_depth", 3),))


def opened(app, sample: str, **choices):
    kept = {"experiment": "along", "along repeats": 2, **choices}
    app.sample(sample).change(grow=SMALL, prune=Prune(), split=Split(), choices=kept).go("experiments")
    return app.click("try_along")


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_a_learning_curve_is_carried_on(app, sample):
    opened(app, sample)
    assert "Carried on as a power law to" in app.text()
    app.set("along_what", "wrong targets")
    assert "(training rows with a wrong target)" in app.text()
    app.set("along_what", "wrong values everywhere")
    assert "wrong value, in each column" in app.text()
    app.set("along_what", "wrong values of " + ("sex" if sample == "titanic" else "weight"))
    assert app.errors() == []


@pytest.mark.parametrize(("sample", "column"), [("titanic", "sex"), ("mpg", "weight")])
def test_the_tree_that_grows_in_noise_is_on_the_canvas(app, sample, column):
    opened(app, sample, **{"along what": "wrong targets"})
    assert not app.pane()["tag"]
    for what in ("wrong targets", f"wrong values of {column}", "wrong values everywhere"):
        app.set("along_what", what).set("along_shown", 0.5)
        assert app.errors() == []
        assert app.pane()["tag"].startswith("50.0\u00a0% training rows with")
    app.set("along_what", "more rows")
    assert not app.pane()["tag"]


def test_a_class_becomes_rare(app):
    opened(app, "titanic", **{"along what": "a rare class"})
    rare = app.widget("along_class").options[0]
    app.set("along_class", rare)
    assert f"Recall of {rare} of rows held back" in app.text()
    app.set("along_measure", "recall")
    assert "Recall, mean of classes of rows held back" in app.text()
    assert app.errors() == []


@pytest.mark.parametrize("sample", ["xor", "play_tennis"])
def test_tiny_tables_say_what_they_can(app, sample):
    opened(app, sample)
    assert "rows held back" in app.text()
    assert app.errors() == []
