"""Times until an event in the app: guessed or chosen on Data, told as hazard ratios everywhere, kept in recipes."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from pages import PAGES
from pages.shared.data import columns
from pages.shared.session import saved_session, state
from treecore.recipe import Data, Grow, Recipe, Split
from treecore.target import Survival

LIMIT = Grow("rpart", (("min_rows_leaf", 40),))


def members(time: str = "months", event: str = "died", cells: dict | None = None) -> bytes:
    """400 people, whose hazard is three times as high from sixty on."""
    draw = np.random.default_rng(8)
    age, town = draw.integers(20, 90, 400), draw.choice(["north", "south"], 400)
    until, watched = (
        draw.exponential(40 / np.where(age < 60, 1.0, 3.0)).round(1) + 0.1,
        draw.uniform(5, 60, 400).round(1),
    )
    months, died = np.minimum(until, watched), (until <= watched) * 1
    lines = [f"{a},{t},{m:g},{d}" for a, t, m, d in zip(age, town, months, died, strict=True)]
    for row, text in (cells or {}).items():
        lines[row] = text
    return "\n".join([f"age,town,{time},{event}", *lines]).encode()


def test_survival_is_guessed_beside_a_time_and_says_why(app):
    app.upload(members(), "members.csv").go("data")
    assert "rows with 0 were only watched so long" in app.text()
    assert app.widget("is_survival").value is True
    assert (app.widget("time").value, app.widget("event").value) == ("months", "died")
    assert not app.has("is_count")
    assert app.go("grow").errors() == []
    assert "months until" in app.text()
    assert "the hazard of died" in app.text()
    assert app.record().target is None


def test_survival_is_offered_beside_the_tree_of_classes(app):
    app.upload(members("tenure", "churn"), "members.csv").go("grow")
    assert "tenure may say how long each row was watched" in app.text()
    app.click("offer_survival")
    assert app.record().target == Survival("tenure", "churn")
    assert "the hazard of churn" in app.text()
    app.click("undo")
    assert app.record().target is None
    assert app.has("offer_survival")
    assert app.errors() == []


def test_survival_is_chosen_by_its_switch_and_taken_back(app):
    app.upload(members("tenure", "left"), "members.csv").go("data")
    assert app.widget("is_survival").value is False
    app.set("is_survival", True)
    assert app.record().target == Survival("tenure", "left")
    assert set(app.record().features) == {"age", "town"}
    app.set("time", "age")
    assert app.record().target == Survival("age", "left")
    assert set(app.record().features) == {"tenure", "town"}
    app.set("shrink", 0.0)
    assert app.record().target == Survival("age", "left", 0.0)
    app.click("undo").click("undo")
    assert app.record().target == Survival("tenure", "left")
    app.set("is_survival", False)
    assert app.record().target == "left"
    assert set(app.record().features) == {"age", "town", "tenure"}
    assert app.go("grow").errors() == []


def test_the_switch_takes_the_time_as_the_target_too(app):
    app.upload(members("tenure", "left"), "members.csv").go("data").set("target", "tenure")
    app.set("is_survival", True)
    assert app.record().target == Survival("tenure", "left")
    assert set(app.record().features) == {"age", "town"}


def test_the_time_is_chosen_in_the_table_of_columns(app):
    app.upload(members("tenure", "left"), "members.csv").go("data")
    with app._on_data():
        columns._take_use("tenure", "time")
    assert app.record().target == Survival("tenure", "left")
    with app._on_data():
        columns._take_use("tenure", "feature")
    assert app.record().target == "left"
    assert "tenure" in app.record().features
    assert app.go("grow").errors() == []


def test_events_of_words_are_chosen_by_the_switch(app):
    lines = members("tenure", "left").decode().splitlines()
    words = [line[:-1] + ("yes" if line.endswith("1") else "no") for line in lines[1:]]
    app.upload("\n".join([lines[0], *words]).encode(), "members.csv").go("data").set("target", "left")
    app.set("is_survival", True).set("shrink", 0.5)
    with app._on_data():
        columns._take_use("age", "time")
    assert app.record().target == Survival("age", "left", 0.5)
    assert app.go("grow").errors() == []
    assert "hazard" in app.text()


def test_a_target_of_its_own_name_is_no_time_until_an_event(app):
    app.upload(members("age", "target"), "members.csv").go("data")
    assert app.widget("is_survival").value is False
    app.sample("titanic").go("data")
    assert app.record().target == "survived"


@pytest.mark.parametrize(
    ("cells", "said"), [({3: "30,north,-2,1"}, "A time is not above 0"), ({3: "30,north,0,1"}, "A time is not above 0")]
)
def test_times_that_are_none_are_named_with_their_rows(app, cells, said):
    app.upload(members("tenure", "left", cells), "members.csv").go("data")
    with app._on_data():
        columns._take_use("tenure", "time")
    app.go("grow")
    assert any(said in error and "row" in error for error in app.errors())


def test_events_of_other_values_are_refused(app):
    app.upload(members("tenure", "left", {3: "30,north,5,2"}), "members.csv").go("data").set("target", "left")
    with app._on_data():
        columns._take_use("tenure", "time")
    app.go("grow")
    assert any("An event is neither 0 nor 1 (first at row 4)" in error for error in app.errors())


def test_no_page_calls_a_hazard_ratio_a_mean_or_a_rate(app):
    app.sample("pumps")
    app.put(grow=LIMIT)
    for page in PAGES:
        text = app.go(page).text().lower()
        assert app.errors() == [], page
        for word in (
            *("mean failed", "failed per unit", "rate of failed", "root mean squared error", "one rate", "two rates"),
            "hazard ratio hazard",
        ):
            assert word not in text, (page, word)
        assert " nan" not in text.replace("nantes", ""), page


def test_a_row_is_predicted_with_its_leaf_s_events_and_interval(app):
    app.sample("pumps")
    app.put(grow=LIMIT)
    text = app.go("predict").text()
    assert "hazard ×" in text
    assert "events, 95" in text


def test_a_recipe_and_a_work_file_bring_survival_back(app):
    app.upload(members(), "members.csv").go("grow", grow=LIMIT)
    with app._on_data():
        written = json.loads(saved_session.work_file("grow")())
    step = Recipe.from_json(json.dumps(written)).last(Data)
    assert step.predicted() == Survival("months", "died")
    older = replace(step, exposure=None, survival=False, target="")
    with app._on_data():
        raw = state.raw()
        assert saved_session._predicted(raw, step) == Survival("months", "died")
        assert saved_session._predicted(raw, older) == "died", "before there was survival it was a class"


@pytest.mark.parametrize(("experiment", "button"), [("bias", "Grow them"), ("optimal", "Find it")])
def test_what_has_no_meaning_for_survival_says_so(app, experiment, button):
    app.sample("pumps")
    app.put(grow=LIMIT)
    app.go("experiments", choices={**app.record().choices, "experiment": experiment}).click(button)
    assert any("survival times" in error for error in app.errors())


def test_the_drawer_and_predict_draw_the_curve_of_the_node(app):
    app.sample("pumps")
    app.put(grow=LIMIT)
    text = app.go("grow", selected=0).text()
    assert "Median weeks until failed: " in text
    assert "of all rows" not in text.split("Median weeks until failed: ")[1][:60]
    assert len(app.at.get("plotly_chart")) == 1
    assert re.search(r"Validation: concordance 0\.\d{3}, Brier score 0\.\d{4} \(of one curve for all", text)
    text = app.go("grow", selected=1).text()
    assert "of all rows." in text.split("Median weeks until failed: ")[1][:80]
    assert "Median weeks until failed: " in app.go("predict").text()
    app.sample("claims")
    app.put(grow=LIMIT)
    assert "Median" not in app.go("grow").text()
    assert len(app.at.get("plotly_chart")) == 0


def test_figures_of_other_rows_are_refused_with_the_reason(app):
    app.sample("pumps")
    app.put(grow=LIMIT, split=Split(0.5, 0.15, 0.15, estimation=0.2))
    app.go("grow", selected=0)
    assert any("predicts survival times" in error and "the event as a class" in error for error in app.errors())


def test_segments_and_predict_tell_the_risk_until_one_horizon(app):
    app.upload(members(), "members.csv")
    assert app.go("segments").errors() == []
    app.set("segments_horizon", 12.0).set("segments_by", "rate")
    assert app.widget("segments_rate").label.replace("\\", "") == "Risk of died within 12 (months), in % of at least"
    assert 0.0 < app.widget("segments_rate").value <= 100.0
    assert app.errors() == []
    assert app.go("predict").errors() == []
    assert "Risk of died within 12 (months)" in app.text()
    app.set("node_horizon", 24.0)
    assert "Risk of died within 24 (months)" in app.text()
    app.go("segments").set("segments_ranked", "answer")
    assert app.widget("segments_rate").label == "Hazard ratio of died of at least"
    assert not app.has("segments_horizon")
