"""The page Experiments: bias and variance of your table and of worlds whose truth is known."""

import pytest

from treecore.recipe import Grow, Prune, Split


def opened(app, sample: str, **choices):
    kept = {"experiment": "bias", "bias trees": 5, **choices}
    app.sample(sample).change(grow=Grow("cart"), prune=Prune(), split=Split(), choices=kept).go("experiments")
    return app.click("grow_samples")


@pytest.mark.parametrize("sample", ["titanic", "iris", "mpg"])
def test_of_a_table(app, sample):
    opened(app, sample)
    assert "noise is counted as bias" in app.text()
    assert "Least error of new rows" in app.text()
    if sample != "mpg":
        app.set("bias_definition", "Kohavi and Wolpert (1996)")
    assert app.errors() == []


@pytest.mark.parametrize("world", ["wave", "board"])
def test_of_a_known_world(app, world):
    opened(app, "titanic", **{"bias rows": 60})
    app.set("bias_world", world)
    assert "noise is counted as bias" not in app.text()
    frame = next(f.value for f in app.at.dataframe if "noise" in f.value)
    assert (frame["noise"] != ("0" if world == "wave" else "0.0 %")).all()
    assert app.errors() == []


def test_samples_may_be_halves(app):
    opened(app, "titanic")
    before = parts(app)
    app.set("bias_samples", "halves")
    assert parts(app) != before
    drawn = [dict(found.settings)["samples"] for found in app.own["findings"]]
    assert drawn == ["with replacement", "halves, each row once"]
    app.set("bias_world", "wave")
    assert not app.has("bias_samples"), "every tree has rows of its own"


def parts(app) -> list[list[str]]:
    return next(f.value for f in app.at.dataframe if "noise" in f.value).to_numpy().tolist()
