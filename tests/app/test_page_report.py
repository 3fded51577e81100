"""What experiments have found stands in the report, with the recipe that made it; nothing is made for it anew."""

from pages.shared import experiment_report
from treecore.export.chart import Chart
from treecore.recipe import Grow, Prune, Split


def test_what_was_found_is_in_the_report(app, monkeypatch):
    made, sections = [], experiment_report.sections
    monkeypatch.setattr(experiment_report, "sections", lambda: made.append(sections()) or made[-1])
    chosen = {
        "regrown trees": 4, "many trees": 3, "experiment folds": 3, "bias trees": 3, "along repeats": 2,
        "experiment recipes": ("in force", "preset c4.5", "preset id3"), "experiment samples": ("this table", "iris"),
    }  # fmt: skip
    grow = Grow("cart", (("max_depth", 3),))
    app.sample("titanic").change(grow=grow, prune=Prune(), split=Split(), choices=chosen).go("experiments")
    assert made[-1] == []
    buttons = {
        "recipes": "try", "samples": "try", "stability": "regrow", "bias": "grow_samples", "along": "try_along",
        "importance": "try_importance", "many": "grow_many",
    }  # fmt: skip
    for kind, button in buttons.items():
        app.set("experiment", kind).click(button)
    app.set("experiment", "horizon").run()
    found = dict(made[-1])
    assert list(found) == [
        "Recipes on the same folds", "Recipes on other tables", "Stability", "Bias and variance",
        "Against rows that train", "Importance", "Stop early, or prune", "Many trees",
    ]  # fmt: skip
    assert found["Stability"][0].startswith("Recipe: CART · depth at most 3 → prune: no pruning. Rows of ")
    assert [sum(isinstance(line, Chart) for line in of) for of in found.values()] == [2, 1, 2, 2, 2, 3, 1, 1]
    assert any(
        "is better than" in line or "score the same" in line
        for line in found["Recipes on the same folds"]
        if isinstance(line, str)
    )
    before = app.at.session_state["findings"]
    assert len(before) == 8
    app.set("experiment", "found")
    assert "another recipe" not in labels(app)
    app.change(grow=Grow("cart", (("max_depth", 2),)))
    assert "Stability" not in dict(made[-1]), "of another recipe"
    assert app.at.session_state["findings"] == before, "kept all the same"
    assert labels(app).count("another recipe") == 8


def labels(app) -> str:
    """Of all folds."""
    return "\n".join(expander.label for expander in app.at.expander)
