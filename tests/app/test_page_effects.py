"""Effects of a treatment in the app: guessed or chosen on Data, told by both arms everywhere, kept in recipes."""

import json
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from pages import PAGES
from pages.shared.data import columns
from pages.shared.session import saved_session, state
from treecore.recipe import Data, Grow, Recipe
from treecore.target import Effect


def letters(treatment: str = "treatment", control: str = "no", outcome: str = "spent", unlike: bool = False) -> bytes:
    """800 customers; a letter makes those above fifty spend 20 more, and the young 5 less."""
    draw = np.random.default_rng(5)
    age, town = draw.integers(18, 80, 800), draw.choice(["north", "south"], 800)
    sent = draw.random(800) < (np.where(age > 50, 0.8, 0.3) if unlike else 0.5)
    spent = (30 + sent * np.where(age > 50, 20, -5) + draw.normal(0, 6, 800)).round(1)
    arms = np.where(sent, "letter", control)
    lines = [f"{a},{t},{w},{y:g}" for a, t, w, y in zip(age, town, arms, spent, strict=True)]
    return "\n".join([f"age,town,{treatment},{outcome}", *lines]).encode()


def test_a_treatment_is_guessed_by_its_name_and_its_control(app):
    app.upload(letters(), "letters.csv").go("data")
    assert "'no' is the control" in app.text()
    assert app.widget("is_effect").value is True
    assert (app.widget("treatment").value, app.widget("control").value) == ("treatment", "no")
    assert app.record().target is None
    assert app.go("grow").errors() == []
    assert "Predicting effect of treatment on **spent**" in app.text()
    assert "one effect for all" in app.text()
    assert "the mean of spent is" in app.text()
    assert "Treated: " in app.text()


def test_an_effect_is_chosen_by_its_switch_changed_and_taken_back(app):
    app.upload(letters("mail"), "letters.csv").go("data")
    assert app.widget("is_effect").value is False
    app.set("is_effect", True)
    assert app.record().target == Effect("spent", "mail", "no")
    assert set(app.record().features) == {"age", "town"}
    app.set("control", "letter")
    assert app.record().target == Effect("spent", "mail", "letter")
    app.set("min_rows_arm", 40)
    assert app.record().target == Effect("spent", "mail", "letter", 40)
    assert app.go("grow").errors() == []
    app.go("data").set("is_effect", False)
    assert app.record().target == "spent"
    assert "mail" in app.record().features


def test_any_column_of_two_values_may_be_the_treatment_by_its_use(app):
    app.upload(letters("mail"), "letters.csv").go("data")
    with app._on_data():
        columns._take_use("town", "treatment")
    assert app.record().target == Effect("spent", "town", app.record().target.control)
    assert app.go("grow").errors() == []
    with app._on_data():
        columns._take_use("town", "feature")
    assert app.record().target == "spent"


@pytest.mark.parametrize(
    ("target", "name", "said"),
    [
        ("spent", "spent", "It is the target"),
        ("spent", "age", "a treatment has two"),
        ("town", "mail", "neither a num"),
    ],
)
def test_what_is_no_treatment_is_refused_at_once(app, target, name, said):
    app.upload(letters("mail"), "letters.csv").go("data").set("target", target)
    before = app.record().target
    with app._on_data(), pytest.raises(tc.TreecoreError, match=said):
        columns._take_use(name, "treatment")
    assert app.record().target == before
    assert app.go("grow").errors() == []


@pytest.mark.parametrize("unlike", [True, False])
def test_arms_that_are_unlike_are_said(app, unlike):
    app.upload(letters(unlike=unlike), "letters.csv").go("data")
    assert "Effects are those of the treatment where it was drawn by chance" in app.text()
    assert ("unlike arms" in app.text()) is unlike


def test_every_page_speaks_of_effects(app):
    app.upload(letters(), "letters.csv")
    for page in PAGES:
        assert app.go(page).errors() == []
    app.go("segments")
    assert "Qini curve" in app.text()
    assert "of the total" not in app.text()
    app.go("predict")
    assert "effect on spent = " in " ".join(s.value for s in app.at.subheader)
    app.go("rules")
    assert "effect on spent" in app.text()


def test_every_page_takes_weights_of_rows(app):
    app.sample("backs")
    app.put(weights="pain_weeks")
    for page in PAGES:
        assert app.go(page).errors() == [], page


def test_the_table_of_segments_says_that_effects_on_shares_are_points(app):
    app.sample("backs").go("segments")
    columns = [name for frame in app.at.dataframe for name in frame.value.columns]
    assert "effect on recovered (points)" in columns


def test_settings_without_a_meaning_for_effects_are_not_offered_and_give_way(app):
    app.sample("backs")
    app.put(grow=Grow("cart", (("min_gain", 0.5), ("cuts", "random"), ("min_rows_leaf", 150))))
    app.go("grow")
    assert app.errors() == []
    assert dict(app.record().grow.settings) == {"min_rows_leaf": 150}
    assert not app.has("min_gain")
    labels = [c.label for c in tc.criteria.CRITERIA.values() if c.task == "effects"]
    assert list(app.widget("criterion").options) == labels


def test_a_recipe_and_a_work_file_bring_the_treatment_back(app):
    app.upload(letters("mail"), "letters.csv").go("data").set("is_effect", True).set("min_rows_arm", 30)
    app.go("grow")
    with app._on_data():
        written = json.loads(saved_session.work_file("grow")())
    step = Recipe.from_json(json.dumps(written)).last(Data)
    assert step.predicted() == Effect("spent", "mail", "no", 30)
    with app._on_data():
        resumed = saved_session._record(Recipe.from_json(json.dumps(written)), state.raw())
    assert resumed["target"] == step.predicted()
    assert resumed["features"] is None or "mail" not in resumed["features"]


def test_a_guessed_treatment_is_written_down_and_an_older_recipe_has_none(app):
    app.upload(letters(), "letters.csv").go("grow")
    with app._on_data():
        written = json.loads(saved_session.work_file("grow")())
        raw = state.raw()
    step = Recipe.from_json(json.dumps(written)).last(Data)
    assert step.predicted() == Effect("spent", "treatment")
    older = replace(step, treatment="", target="")
    with app._on_data():
        assert saved_session._predicted(raw, step) == Effect("spent", "treatment")
        assert saved_session._predicted(raw, older) == "spent"


@pytest.mark.parametrize(("experiment", "button"), [("bias", "Grow them"), ("optimal", "Find it")])
def test_what_has_no_meaning_for_effects_says_so(app, experiment, button):
    app.sample("backs")
    app.go("experiments", choices={**app.record().choices, "experiment": experiment}).click(button)
    assert any("effects of a treatment" in error for error in app.errors())
