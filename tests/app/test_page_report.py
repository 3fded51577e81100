"""What experiments have found stands in the report, with the recipe that made it; nothing is made for it anew, and
nothing at all for menus that are closed."""

from pages.shared.bench import exports
from pages.shared.experiments import findings
from treecore.export.chart import Chart
from treecore.recipe import Edit, Grow, Prune, Recipe, Split


def test_a_closed_menu_draws_and_lays_out_nothing(app, monkeypatch):
    laid_out = []
    monkeypatch.setattr(exports, "picture_size", lambda dot: laid_out.append(dot) or (0, 0))
    app.sample("titanic").change(grow=Grow("cart"), prune=Prune()).go("grow")
    assert len(app.at.get("download_button")) == 0
    assert laid_out == []
    app.with_menus().run()
    assert len(app.at.get("download_button")) > 20
    assert len(laid_out) == 1, "a tree of more than 60 leaves, to know which pictures can be drawn"


def test_what_was_found_is_in_the_report(app, monkeypatch):
    made, sections = [], findings.report_sections
    monkeypatch.setattr(findings, "report_sections", lambda: made.append(sections()) or made[-1])
    chosen = {
        "regrown trees": 4, "many trees": 3, "experiment folds": 3, "bias trees": 3, "along repeats": 2,
        "experiment recipes": ("in force", "preset c4.5", "preset id3"), "experiment samples": ("this table", "iris"),
    }  # fmt: skip
    grow = Grow("cart", (("max_depth", 3),))
    app.with_menus().sample("titanic")
    app.change(grow=grow, prune=Prune(), split=Split(), choices=chosen).go("experiments")
    assert made[-1] == []
    buttons = {
        "recipes": "try", "samples": "try", "stability": "regrow", "bias": "grow_samples", "along": "try_along",
        "importance": "try_importance", "many": "grow_many",
    }  # fmt: skip
    for kind, button in buttons.items():
        app.set("experiment", kind).click(button)
    app.set("experiment", "answers").set("experiment", "moved").set("moved_to", app.widget("moved_to").options[0])
    app.set("experiment", "partial").set("experiment", "horizon").set("experiment", "effort").run()
    found = dict(made[-1])
    assert list(found) == [
        "Recipes on the same folds", "Recipes on other tables", "Answers", "One value of a row changed", "Stability",
        "Bias and variance", "Against size of the training set", "Importance", "One feature alone",
        "Stop early, or prune", "Tests per answer", "Many trees",
    ]  # fmt: skip
    assert found["Stability"][0].startswith("Recipe: CART · maximum depth 3 → prune: no pruning. Rows of ")
    assert [sum(isinstance(line, Chart) for line in of) for of in found.values()] == [
        2,
        1,
        5,
        1,
        2,
        2,
        2,
        3,
        1,
        1,
        0,
        1,
    ]
    assert any(
        "is better than" in line or "score the same" in line
        for line in found["Recipes on the same folds"]
        if isinstance(line, str)
    )
    before = app.own["findings"]
    assert any("tests on average" in line for line in found["Tests per answer"] if isinstance(line, str))
    assert len(before) == 12
    app.set("experiment", "found")
    assert "another recipe" not in labels(app)
    app.change(grow=Grow("cart", (("max_depth", 2),)))
    assert "Stability" not in dict(made[-1]), "of another recipe"
    assert app.own["findings"] == before, "kept all the same"
    assert labels(app).count("another recipe") == 12


def labels(app) -> str:
    """Of all folds."""
    return "\n".join(expander.label for expander in app.at.expander)


def test_of_what_is_looked_through_the_last_is_kept(app):
    """A threshold and a moved value are moved on and on: one finding each, of where they stand."""
    grow = Grow("cart", (("max_depth", 3),))
    app.sample("titanic").change(grow=grow, prune=Prune(), split=Split(), choices={"experiment": "answers"})
    app.go("experiments").set("experiment_threshold", 0.3).set("experiment_threshold", 0.7)
    [found] = app.own["findings"]
    assert dict(found.settings) == {"rows": "validation", "class": "1", "called so from": "70.0\u00a0%"}
    assert any("from a share of 70.0" in line for line in found.lines if isinstance(line, str))
    app.set("experiment", "moved").set("moved_column", "age")
    for age in (30.0, 60.0):
        app.set("moved_to", age)
    app.set("moved_row", 7).set("moved_to", 50.0)
    of_row = [dict(f.settings) for f in app.own["findings"] if f.kind == "moved"]
    assert [(of["training row"], of["column"], of["to"]) for of in of_row] == [("1", "age", "60"), ("7", "age", "50")]


def test_answers_are_of_the_tree_with_the_steps_by_hand(app):
    grow = Grow("cart", (("max_depth", 3),))
    app.sample("titanic").change(grow=grow, prune=Prune(), split=Split(), choices={"experiment": "answers"})
    app.go("experiments").change(edits=(Edit("cut", (0,), "pclass"),))
    plain, by_hand = (f.steps[0] for f in app.own["findings"])
    assert Recipe.from_json(by_hand).steps == (*Recipe.from_json(plain).steps, Edit("cut", (0,), "pclass"))


def test_folds_are_told_with_the_answers(app):
    grow = Grow("cart", (("max_depth", 2),))
    kept = {"experiment": "answers", "experiment folds": 3}
    app.sample("mpg").change(grow=grow, prune=Prune(), split=Split(), choices=kept).go("experiments").click("try")
    found = app.own["findings"][-1]
    assert found.lines[0][0] == ("measure", "train", "validation", "test", "cross-validation")
    assert "cross-validation" in [mark.name for mark in found.charts[0].marks]
