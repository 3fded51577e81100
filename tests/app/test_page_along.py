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
