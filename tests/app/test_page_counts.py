"""Counts with an exposure in the app: guessed or chosen on Data, told as rates everywhere, kept in recipes."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from pages import PAGES
from pages.shared.data import columns
from pages.shared.session import saved_session, state
from pages.shared.trees import tables
from treecore.recipe import Data, Grow, Recipe
from treecore.target import Counts

LIMIT = Grow("cart", (("min_rows_leaf", 30),))


def visits(exposure: str = "exposure") -> bytes:
    draw = np.random.default_rng(5)
    age, town = draw.integers(18, 90, 400), draw.choice(["north", "south"], 400)
    years = draw.uniform(0.2, 3.0, 400).round(2)
    events = draw.poisson(years * np.where(age < 40, 0.8, 2.2))
    lines = [f"{a},{t},{e},{v}" for a, t, e, v in zip(age, town, years, events, strict=True)]
    return "\n".join([f"age,town,{exposure},visits", *lines]).encode()


def test_counts_are_guessed_beside_an_exposure_and_say_why(app):
    app.upload(visits(), "visits.csv").go("data")
    assert "so they are counts and their rate is predicted" in app.text()
    assert app.widget("is_count").value is True
    assert app.widget("exposure").value == "exposure"
    assert app.go("grow").errors() == []
    assert "per unit of exposure" in app.text()
    assert "deviance" in app.text()
    assert app.record().target is None


def test_counts_are_chosen_with_their_exposure_and_taken_back(app):
    app.upload(visits("months"), "visits.csv").go("data")
    assert app.widget("is_count").value is False
    app.set("is_count", True)
    assert app.record().target == Counts("visits", "")
    app.set("exposure", "months")
    assert app.record().target == Counts("visits", "months")
    assert "months" not in app.record().features
    app.set("shrink", 0.0)
    assert app.record().target == Counts("visits", "months", 0.0)
    app.click("undo").click("undo")
    assert app.record().target == Counts("visits", "")
    app.set("is_count", False)
    assert app.record().target == "visits"
    assert set(app.record().features) == {"age", "town", "months"}
    assert app.go("grow").errors() == []


def test_the_exposure_is_chosen_in_the_table_of_columns(app):
    app.upload(visits("months"), "visits.csv").go("data").set("is_count", True)
    with app._on_data():
        columns._take_use("months", "exposure")
    assert app.record().target == Counts("visits", "months")
    with app._on_data():
        columns._take_use("months", "feature")
    assert app.record().target == Counts("visits", "")
    assert "months" in app.record().features
    assert app.go("grow").errors() == []


def test_an_exposure_taken_in_the_table_keeps_the_shrinkage(app):
    app.upload(visits("months"), "visits.csv").go("data").set("is_count", True).set("shrink", 0.5)
    with app._on_data():
        columns._take_use("months", "exposure")
    assert app.record().target == Counts("visits", "months", 0.5)


@pytest.mark.parametrize(
    ("target", "name", "use", "said"),
    [
        ("visits", "visits", "exposure", "It is the target"), ("visits", "town", "exposure", "holds no numbers"),
        ("visits", "town", "time", "holds no numbers"), ("visits", "visits", "time", "It is the target"),
        ("town", "months", "exposure", "no count"), ("months", "age", "exposure", "no count"),
    ],
)  # fmt: skip
def test_what_cannot_be_counted_in_is_refused_at_once(app, target, name, use, said):
    app.upload(visits("months"), "visits.csv").go("data").set("target", target)
    before = app.record().target
    with app._on_data(), pytest.raises(tc.TreecoreError, match=said):
        columns._take_use(name, use)
    assert app.record().target == before
    assert app.go("grow").errors() == []


def test_exposures_with_zeros_are_neither_guessed_nor_offered(app):
    lines = visits("sun_exposure").decode().splitlines()
    lines[4] = "40,north,0,3"
    app.upload("\n".join(lines).encode(), "visits.csv").go("data")
    assert app.errors() == []
    assert app.widget("is_count").value is False
    assert app.set("is_count", True).record().target == Counts("visits", "")
    assert "sun_exposure" not in app.widget("exposure").options
    assert "age" in app.widget("exposure").options
    assert app.go("grow").errors() == []


def test_settings_without_a_meaning_for_counts_are_not_offered_and_give_way(app):
    app.sample("mpg")
    app.put(grow=Grow("cart", (("min_gain", 0.5), ("cuts", "random"))))
    app.sample("claims")
    app.put(grow=Grow("cart", (("min_gain", 0.5), ("cuts", "random"), ("min_rows_leaf", 30))))
    app.go("grow")
    assert app.errors() == []
    assert dict(app.record().grow.settings) == {"min_rows_leaf": 30}
    assert "is not for counts" in app.text()
    assert not app.has("min_gain")
    assert list(app.widget("criterion").options) == [tc.criteria.CRITERIA["poisson"].label]


def test_no_page_calls_a_rate_a_mean_or_an_error_of_squares(app):
    app.sample("claims")
    app.put(grow=LIMIT)
    for page in PAGES:
        text = app.go(page).text()
        said = (
            text.lower().split("regression tree")[0] + text.lower().split("leaf answers with the mean of its rows")[-1]
        )
        assert "root mean squared" not in said, page
        assert "rmse" not in said, page
        assert "mean claims" not in said, page
        assert " nan" not in said.replace("nantes", ""), page


def test_a_row_is_predicted_with_its_leaf_s_events_and_interval(app):
    app.sample("claims")
    app.put(grow=LIMIT)
    app.go("predict")
    text = app.text()
    assert "per 10 years" in text
    assert re.search(r"Rate of the \d+ training rows in its leaf, \d+ claims in [\d.]+ years, 95\s%: [\d.]+ to", text)


def test_a_recipe_and_a_work_file_bring_the_counts_back(app):
    app.upload(visits(), "visits.csv").go("grow", grow=LIMIT)
    with app._on_data():
        written = json.loads(saved_session.work_file("grow")())
    step = Recipe.from_json(json.dumps(written)).last(Data)
    assert step.predicted() == Counts("visits", "exposure")
    older = replace(step, exposure=None, target="")
    assert older.predicted() is None
    with app._on_data():
        raw = state.raw()
        assert saved_session._predicted(raw, step) == Counts("visits", "exposure")
        assert saved_session._predicted(raw, older) == "visits", "before there were counts it was a number"


@pytest.mark.parametrize(("experiment", "button"), [("bias", "Grow them"), ("optimal", "Find it")])
def test_what_has_no_meaning_for_counts_says_so(app, experiment, button):
    app.sample("claims")
    app.put(grow=LIMIT)
    app.go("experiments", choices={**app.record().choices, "experiment": experiment}).click(button)
    assert any("counts" in error for error in app.errors())


def test_counts_of_a_table_that_stays_where_it_is_are_numbers(app, monkeypatch):
    app.upload(visits(), "visits.csv")
    with app._on_data():
        monkeypatch.setattr(state, "opened", lambda: object())
        state.record().derived.clear()
        assert tables.predicted() == "visits"
        monkeypatch.setattr(state, "opened", lambda: None)
        state.record().derived.clear()
        assert tables.predicted() == Counts("visits", "exposure")
