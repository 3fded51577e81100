"""The page Segments: what the skyline is given, the line by every way to draw it, and the flag rule that it makes."""

import pytest

import treecore as tc
from pages.shared.bench import canvas, exports
from pages.shared.bench.tree import BELOW
from treecore.data.samples import SAMPLES, read_sample
from treecore.judging.interest import FlagRule
from treecore.recipe import Grow
from treecore.study.segments import Profit

ROLES = ("train", "validation", "test")


def own(name: str, depth: int = 3, **more):
    """The segments that the library finds of the same tree."""
    parts = dict(zip(ROLES, read_sample(name).split(tc.Roles()), strict=True))
    return tc.segments(tc.grow(parts["train"], max_depth=depth), parts, **more)


def opened(app, name: str, depth: int = 3):
    return app.sample(name).go("grow").set("max_depth", depth).go("segments")


def skyline(app) -> dict:
    return app.given("treecore_skyline")


def told(app) -> dict:
    """The table of segments, by column."""
    return next(d.value for d in app.at.dataframe if "captured so far" in d.value.columns)


def test_the_tree_below_the_skyline_is_laid_out_for_its_own_room(app):
    """Wide and low, though it is drawn at first for that of the page before, which may be narrow and high."""
    app.sample("titanic").go("grow").set("max_depth", 2)
    with app._on_data():
        canvas._take_room(canvas.MAIN, {"room": [413, 610], "window": "1366 768"})
    assert app.go("segments").pane()["orientation"] == "TB"
    with app._on_data():
        canvas._take_room(BELOW, {"room": [1126, 214], "window": "1366 768"})
    assert app.go("segments").pane()["orientation"] == "LR"


@pytest.mark.parametrize(("name", "interest"), [("titanic", "yes"), ("iris", None), ("mpg", None)])
def test_the_skyline_is_that_of_the_library(app, name, interest):
    opened(app, name)
    found = own(name)
    held, given = found.held["validation"], skyline(app)
    assert given["rows"] == pytest.approx(held.rows.tolist())
    assert given["hits"] == pytest.approx(held.hits.tolist())
    assert given["told"] == pytest.approx(found.told.tolist())
    assert given["interest"] == (found.name or "")
    assert given["numeric"] == (found.name is None)
    assert [way[-1] for way in given["ways"]] == given["nodes"]
    assert given["low"] <= min(given["told"])
    assert max(given["told"]) <= given["top"]
    assert told(app)["rows"].tolist() == pytest.approx(held.rows.tolist())
    assert told(app)["rule"].tolist() == list(found.rules)
    assert app.record().flag is None, "looking at the page flags nothing"


def test_the_line_by_rows_makes_a_rule_that_can_be_undone(app):
    opened(app, "titanic").set("segments_rows", 60.0)
    said = own("titanic").first(60, "validation")
    assert skyline(app)["at"] == 60
    assert app.record().flag == said.rule
    assert said.rule.text() in app.text()
    assert said.rule.text() in app.go("segments").record().flag.text()
    app.click("undo")
    assert app.record().flag is None
    app.click("redo")
    assert skyline(app)["at"] == 60
    app.click("drop_flag")
    assert app.record().flag is None


def test_the_line_by_a_budget_and_by_a_rate(app):
    opened(app, "titanic").set("segments_by", "budget").set("segments_contact", 5.0).set("segments_budget", 250.0)
    assert skyline(app)["at"] == 50
    app.set("segments_by", "rate").set("segments_rate", 50.0)
    found = own("titanic")
    assert app.record().flag == FlagRule(0.5, found.name)
    assert skyline(app)["at"] == pytest.approx(found.above(0.5, "validation").rows)
    app.set("segments_role", "all")
    assert skyline(app)["at"] == pytest.approx(found.above(0.5, "all").rows), (
        "the rule stays where other rows are counted"
    )


def test_the_line_by_the_profit(app):
    opened(app, "titanic").set("segments_by", "profit")
    assert skyline(app)["profit"] is None
    app.set("segments_hit", 10.0).set("segments_false_alarm", -8.0)
    found = own("titanic", profit=Profit(10, 0, -8, 0))
    assert skyline(app)["profit"] == [10, 0, -8, 0]
    assert skyline(app)["best"] == pytest.approx(found.most_profitable("validation").rows)
    app.click("draw_line")
    assert app.record().flag == found.most_profitable("validation").rule
    assert told(app)["profit so far"].tolist() == pytest.approx(found.held["validation"].profit(found.profit).tolist())


def test_what_the_tree_was_grown_with_is_what_a_row_is_worth(app):
    table, loss = read_sample("titanic"), ((0.0, 1.0), (4.0, 0.0))
    choices = {**app.sample("titanic").record().choices, "costs for": (table.target, table.classes)}
    app.go("grow", grow=Grow("cart", (("loss", loss), ("max_depth", 3))), choices=choices).go("segments")
    assert skyline(app)["profit"] == [0, -4, -1, 0]
    assert "profit" in skyline(app)["words"]["best"]


def test_a_class_of_three_is_chosen_here(app):
    opened(app, "iris").set("segments_class", "Iris-versicolor")
    assert skyline(app)["interest"] == "Iris-versicolor"
    app.set("segments_rows", 12.0)
    assert app.record().flag.class_of_interest == "Iris-versicolor"
    app.change(target="petalwidth").go("segments")
    assert app.record().flag is not None
    assert "Flag rule" not in app.text(), "a rule of a class that is no more flags nothing"


def test_numbers_are_flagged_by_their_answers(app):
    opened(app, "mpg").set("segments_rows", 20.0)
    rule = app.record().flag
    assert rule.class_of_interest is None
    assert rule == own("mpg").first(20, "validation").rule
    assert not app.has("segments_curve")


def test_the_rule_is_in_predict_in_scored_tables_and_in_exports(app, monkeypatch):
    opened(app, "titanic").set("segments_rows", 60.0)
    rule, table = app.record().flag, read_sample("titanic")
    tree = own("titanic").tree
    app.go("predict")
    assert "Not flagged: " in app.text()
    app.set("predict_tab", "Table")
    frame = table.to_frame().head(40)
    app.uploader("rows to answer").upload("new.csv", frame.to_csv(index=False).encode(), "text/csv")
    shown = app.run().at.dataframe[0].value
    expected = tc.answers(tree, frame, flag=rule)
    assert shown["flag"].tolist() == expected["flag"].tolist()
    assert shown["segment"].tolist() == expected["segment"].tolist()
    assert f"**{sum(expected['flag'])} rows** flagged" in app.text()
    made = {}
    keep = lambda label, make, *_, key, **__: made.setdefault(key, make)  # noqa: E731
    monkeypatch.setattr(exports.st, "download_button", keep)
    app.with_menus().go("segments")
    assert made["export sql"]().decode() == tc.export(tree, "sql", name="titanic.csv", flag=rule)
    assert "def segment(row)" in made["export python"]().decode()
    assert "Which rows are flagged" in made["report"]().decode()


def test_a_row_of_the_table_selects_its_leaf(app):
    opened(app, "titanic")
    node = skyline(app)["nodes"][2]
    app.change(selected=node)
    assert skyline(app)["chosen"] == 2
    assert told(app)[""].tolist().index("▶") == 2
    assert "Segment 3 of" in app.text()


@pytest.mark.parametrize("sample", sorted({*SAMPLES} - {"fruit"}))
def test_every_sample_has_segments(app, sample):
    app.sample(sample).go("segments")
    assert app.errors() == []
    given = skyline(app)
    assert len(given["rows"]) == len(given["nodes"]) == len(given["cards"]) == len(given["rules"]) - 1 > 0


def test_a_lone_root_is_one_tower(app):
    app.sample("titanic").change(grow=Grow("cart", (("max_depth", 0),))).go("segments")
    given = skyline(app)
    assert len(given["rows"]) == 1
    assert given["cards"][0][1] == "every row"
