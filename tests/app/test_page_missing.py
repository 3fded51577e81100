"""What the inspector says of missing values, of scores other than the gain, and of tests; and what may be taken."""

import random

import pytest

from tests.app.test_page_costs import with_loss
from treecore.recipe import Take


def holes(n=200) -> bytes:
    """age decides, weight follows age; both, and size, have holes."""
    rng = random.Random(3)
    lines = ["age,weight,size,y"]
    for i in range(n):
        age = rng.gauss(40, 12)
        cells = [f"{age:.1f}", f"{1.5 * age + rng.gauss(0, 5):.1f}", "SML"[min(2, max(0, int((age - 25) // 12)))]]
        label = "yes" if (age > 42) != (i % 9 == 0) else "no"
        kept = ["" if rng.random() < p else cell for p, cell in zip((0.25, 0.2, 0.15), cells, strict=True)]
        lines.append(",".join([*kept, label]))
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def grown(app):
    return app.upload(holes()).go("grow")


def grids(app):
    return [frame.value for frame in app.at.dataframe]


@pytest.mark.parametrize(
    ("missing", "where", "to_come"),
    [
        ("majority", "They followed the branch with more training weight, “", "without a value the row goes to “"),
        ("fractional", "They are shared among the branches in proportion to the rows with a value",
         "goes down every branch"),
        ("stay", "They stay here, and the node predicts for them.", "the row stays here, and the node predicts"),
        ("own_value", "Missing is a value of its own; the split is best with it in “", "or missing”."),
    ],
)  # fmt: skip
def test_where_rows_without_a_value_went(grown, missing, where, to_come):
    grown.set("missing", missing)
    assert " training rows here have no value of " in grown.text()
    assert where in grown.text()
    assert to_come in grown.text()
    assert grown.errors() == []


def test_surrogates_are_listed_with_their_rows(grown):
    grown.set("missing", "surrogates")
    assert "Surrogate splits sent " in grown.text()
    grid = next(g for g in grids(grown) if "surrogate" in g.columns)
    assert set(grid["surrogate"]) <= {"age", "weight", "size"}
    assert grid["sent"].astype(int).sum() > 0
    grown.set("missing", "rpart_stay")
    assert "Surrogate splits (listed, not used):" in grown.text()


def test_how_surrogates_were_chosen_is_opened_to_the_rows(grown):
    grown.set("missing", "surrogates")
    assert "Of every other feature the split that sends most rows as the node's own split does" in grown.text()
    assert any("surrogate | split" in grid.columns for grid in grids(grown))
    grown.set("missing", "majority")
    assert "surrogate | split" not in {name for grid in grids(grown) for name in grid.columns}


def test_the_routes_can_be_switched_off(grown):
    assert grown.pane()["switches"]["routes"]["on"] is False
    grown.change(choices={**grown.record().choices, "routes": True})
    assert grown.errors() == []
    grown.go("data").go("grow")
    assert grown.pane()["switches"]["routes"]["on"] is True


def test_no_switch_without_missing_values(app):
    assert app.sample("iris").go("grow").pane()["switches"] == {}


def test_parts_of_rows_are_told(grown):
    grown.set("missing", "fractional").change(selected=1)
    assert " training rows (together " in grown.text()


def test_features_below_the_average_gain_are_said_to_be_passed_over(app):
    app.sample("titanic").go("grow").set("preset", "c4.5").tab("Rivals")
    passed = [bar for bar in app.rivals() if bar["passed"]]
    assert passed
    assert all("Not considered: gain below the average" in bar["told"] for bar in passed)
    assert "features below it are not considered, however large their gain ratio" in app.text()
    assert any("split information" in e.value for e in app.tab("Why").at.latex)


@pytest.mark.parametrize(("preset", "column"), [("ctree", "adjusted p"), ("chaid", "multiplier")])
def test_the_tests_of_all_features_are_listed(app, preset, column):
    app.sample("titanic").go("grow").set("preset", preset)
    assert any(column in g.columns for g in grids(app))
    assert "The feature was chosen by a test, not by the gains of this list." in app.tab("Rivals").text()
    app.go("step_by_step")
    assert "because the p-value of its test, " in app.text()
    assert app.errors() == []


def test_whether_a_number_is_known_is_a_split_to_take(grown):
    """Where missing is a value of its own it may have a branch to itself, and what is offered is not refused."""
    grown.set("missing", "own_value").tab("Rivals").set("every_cut", True)
    assert any("is known" in bar["asks"] for bar in grown.rivals())
    assert not any("Cannot be taken by hand" in bar["told"] for bar in grown.rivals())
    bars = grown.change(selected=0).rivals()
    asked = next(bar["feature"] for bar in bars if bar["own"])
    bar = next(bar for bar in bars if "is known" in bar["asks"])
    take = Take((), asked, bar["feature"], float("inf"), (), 1)
    grown.change(choices={**grown.record().choices, "offered": take}).click("take")
    assert grown.errors() == []
    assert grown.record().edits[-1].threshold == float("inf")
    assert {"known", "missing"} <= {row["branch"] for row in grown.pane()["nodes"]}


def test_costs_explain_the_label_of_a_leaf(app):
    with_loss(app)
    next(node for node in range(3, 30) if "A leaf." in app.change(selected=node).text())
    assert "The label is the one of least expected cost." in app.text()
    assert any("expected cost" in g.columns for g in grids(app))


def test_hostile_names_stay_text_in_explanations(app):
    names = ("<b>z</b>", "![i](http://x/y.png)", "$x$")
    lines = [f"{i % 7 if i % 5 else ''},{names[i % 3]},{'$x$' if i % 7 > 3 else '**b**'}" for i in range(60)]
    app.upload(("[l](http://x),:red[t],y\n" + "\n".join(lines)).encode()).go("grow").set("preset", "c4.5")
    assert "training rows here have no value of [l](http://x)." in app.text()
    shown = [e.value for e in (*app.at.markdown, *app.at.caption)]
    assert not any("](http" in text for text in shown)
    formulas = [e.value.strip("$\n") for e in app.at.latex]
    assert formulas
    assert not any("http" in text or "$" in text for text in formulas)
