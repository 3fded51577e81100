"""The page Experiments: a tree regrown on samples, what returns of it, and the badges on its canvas."""

import pytest

from treecore.recipe import Grow, Prune, Split

SMALL = Grow("cart", (("max_depth", 3),))


def regrow(app, sample: str = "titanic", **choices):
    kept = {"experiment": "stability", "regrown trees": 12, **choices}
    app.sample(sample).change(grow=SMALL, prune=Prune(), split=Split(), choices=kept).go("experiments")
    assert not any("returns" in node for node in app.pane()["nodes"])
    return app.click("regrow")


def test_badges_and_words_come_of_the_regrown_trees(app):
    regrow(app)
    nodes = app.pane()["nodes"]
    assert all(0 <= int(node["returns"]) <= 100 for node in nodes)
    assert "of the regrown trees have this split" in nodes[0]["told_returns"]
    assert "The root's split returns in" in app.text()
    splits = next(f.value for f in app.at.dataframe if "returns" in f.value)
    assert int(splits.iloc[0]["returns"]) == int(nodes[0]["returns"])
    app.set("cut_points_of", "age")
    assert app.errors() == []


def test_the_most_representative_tree_is_shown(app):
    regrow(app)
    app.set("regrown_shown", "representative")
    assert app.pane()["key"] == "bench_experiment"
    assert "nearest to all others" in app.pane()["tag"]
    app.set("regrown_shown", "yours")
    assert app.pane()["key"] == "bench"
    assert app.errors() == []


@pytest.mark.parametrize(
    ("sample", "way"), [("mpg", "bootstrap"), ("play_tennis", "leave one out"), ("iris", "bootstrap")]
)
def test_numbers_small_tables_and_words_are_regrown_too(app, sample, way):
    regrow(app, sample, **{"regrow by": way})
    assert "get another answer from a regrown tree" in app.text()
    assert app.errors() == []


def test_a_pruned_tree_has_badges_on_what_stands(app):
    regrow(app)
    app.change(prune=Prune("cost_complexity", (("alpha", 0.01),)))
    assert all("returns" in node for node in app.pane()["nodes"])
    assert app.errors() == []
