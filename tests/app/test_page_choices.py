"""Every part of growing can be chosen; what cannot apply is not offered or says why, and faults have a way back."""

from dataclasses import fields

import pytest

import treecore as tc
from pages.shared.controls.settings import ON_DATA, PANEL, SETTINGS
from treecore.data.samples import read_sample
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import CUT_CHOICES
from treecore.presets import PRESETS
from treecore.recipe import Grow


def test_every_setting_of_growth_has_a_control():
    assert {f.name for f in fields(GrowSettings)} == {*SETTINGS, *PANEL, *ON_DATA}


def test_every_algorithm_grows(app):
    app.sample("willwait").go("grow")
    for preset in PRESETS:
        app.set("preset", preset)
        assert app.errors() == [], preset
        assert app.record().grow == Grow(preset)
        assert f"→ {PRESETS[preset].label}" in app.text().split("Recipe:")[1]


ROWS = "\n".join(
    f"{'' if i % 9 == 4 else i * 7 % 23},{i * 5 % 17},{'abc'[i % 3]},{'' if i % 11 == 3 else 'xy'[i // 3 % 2]},"
    f"{'yes' if (i * 7 % 23 > 11) != (i % 5 == 0) else 'no'}"
    for i in range(90)
)


@pytest.fixture
def with_all_parts(app):
    """A table that has what every setting is about."""
    return app.upload(f"number,size,letter,level,y\n{ROWS}\n".encode()).go("grow").all_folds()


def test_every_entry_of_a_menu_grows_a_tree_or_says_why_not(with_all_parts):
    """With all that brings further menus: missing values, surrogates, a branch per level, costs of features."""
    further = {"missing": "surrogates", "nominal": "multiway", "costs": (("level", 2.0),), "size_penalty": 1e-6}
    further["impurity_sum"] = "shares"
    for name in [s.name for s in SETTINGS.values() if s.menu]:
        of_tests = ("adjustment", "test_statistic", "split_statistic")
        chosen = {"selector": "conditional"} if name in of_tests else further
        chosen = {"patience": 5} if name == "patience_measure" else chosen
        every_entry(with_all_parts, name, Grow("cart", tuple(chosen.items())))


NOT_OFFERED = (
    "cost_gini",
    "squared_error",
    "absolute_error",
    "quantile",
    "huber",
    "mae",
    "profit",
    "poisson",
    "deviance",
    "explained",
    "roots",
    "squared_effect",
    "honest_effect",
    "log_rank",
)
"""For costs, for numbers, for profits, for counts, for effects, or for survival times."""


def every_entry(app, name, grow):
    menu, key = SETTINGS[name].menu, SETTINGS[name].key
    app.change(grow=grow)
    offered = grew = 0
    for entry in menu:
        app.put(grow=grow)
        if menu[entry].label not in app.widget(key).options:
            assert entry in NOT_OFFERED, "only what does not fit is not offered"
            continue
        app.set(key, entry)
        offered += 1
        chosen = app.record().grow.growth()
        assert (getattr(chosen, name) or "gini") == entry
        assert app.errors() == [] or app.has("take_back"), (name, entry)
        grew += app.errors() == [] and "Split on" in app.text().replace("**", "")
    assert offered > 1, name
    assert grew, name


def test_settings_that_do_not_go_together_are_a_message_with_a_way_back(app):
    app.sample("titanic").go("grow").set("preset", "id3").set("max_depth", 3).set("score", "twoing")
    (told,) = app.errors()
    assert "**Nominal features**: Twoing is defined for two branches, one branch per level has more." in told
    assert "“Two groups of levels”" in told
    assert "“One level against the rest”" in told
    assert "subset" not in told, "menus do not know these names"
    for page in ("compare", "size_and_pruning", "step_by_step", "regions"):
        assert app.go(page).errors() == [told]
        assert app.widget("score").value == "twoing"
        assert app.widget("max_depth").value == 3
    app.set("nominal", "subset")
    assert app.errors() == []
    app.set("nominal", "multiway").click("take_back")
    assert app.errors() == []
    assert app.widget("nominal").value == "subset"
    assert app.widget("score").value == "twoing"


def test_what_needs_two_classes_is_offered_with_them_and_gives_way_to_three(app):
    label = SETTINGS["criterion"].menu["two_class_variance"].label
    assert label in app.sample("titanic").go("compare").widget("criterion").options
    app.set("criterion", "two_class_variance").sample("iris").go("grow")
    assert "is for 2 classes, the target has 3: Gini index took its place." in app.text()
    assert app.errors() == []
    assert label not in app.widget("criterion").options


def test_what_judges_classes_gives_way_to_a_target_of_numbers(app):
    app.sample("titanic").go("grow").set("score", "chi_square").set("cuts", "boundaries")
    app.sample("mpg").go("grow")
    assert app.errors() == []
    assert "Chi-square, -log10 p is not for numbers: Gain (impurity decrease) took its place" in app.text()
    assert app.widget("cuts").options == [CUT_CHOICES[name].label for name in ("all", "random")]
    assert app.record().grow.growth().cuts == "all"
    assert app.widget("score").options == ["Gain (impurity decrease)", "Gain ratio"]


def test_what_would_change_nothing_is_disabled_and_says_why(app):
    app.sample("iris").go("grow")
    assert app.widget("nominal").disabled
    assert "No feature here is nominal or boolean." in app.text()
    assert not app.widget("threshold").disabled
    assert app.widget("cost_form").disabled
    app.sample("play_tennis").go("grow")
    assert not app.widget("nominal").disabled


def test_what_belongs_to_another_choice_comes_with_it(app):
    app.sample("titanic").go("grow").set("missing", "majority")
    assert not app.has("max_surrogates")
    app.set("missing", "surrogates")
    assert app.widget("max_surrogates").value == 5
    app.set("max_surrogates", 2)
    assert app.record().grow.growth().max_surrogates == 2
    assert not app.has("empty_leaf")
    app.set("nominal", "multiway")
    assert app.has("empty_leaf")
    assert not app.has("max_exhaustive"), "two classes need no heuristic"


def test_bins_of_numbers_come_with_their_number(app):
    app.sample("iris").go("grow")
    assert not app.has("bins")
    app.set("numeric", "equal_width").set("bins", 3)
    assert app.errors() == []
    tree = tc.grow(read_sample("iris").split(tc.Roles())[0], numeric="equal_width", bins=3)
    assert tree.n_children.max() == 3
    assert app.leaves() == tree.n_leaves
    assert not app.go("grow").set("numeric", "entropy_mdl").has("bins"), "it finds out how many"
    labels = [entry.label for entry in SETTINGS["numeric"].menu.values()]
    assert app.sample("mpg").go("grow").widget("numeric").options == labels[:3]


def test_an_emptied_number_goes_back_to_the_algorithms_own(app):
    app.sample("titanic").go("grow").set("min_share_leaf", 0.1).set("min_share_leaf", None)
    assert app.record().grow == Grow()


def test_a_depth_that_is_no_stop_of_the_slider_is_shown_all_the_same(app):
    app.sample("titanic").go("grow", grow=Grow("cart", (("max_depth", 14),)))
    assert app.widget("max_depth").value == 14
    assert app.widget("max_depth").options[-1] == "no limit"


def test_another_algorithm_keeps_limits_and_costs(app):
    app.sample("titanic").go("grow").set("min_rows_split", 40).set("criterion", "entropy").set("missing", "fractional")
    app.change(grow=Grow("cart", (*app.record().grow.settings, ("costs", (("age", 2.0),)))))
    app.set("preset", "id3")
    assert app.record().grow == Grow("id3", (("min_rows_split", 40), ("costs", (("age", 2.0),))))


def test_both_answers_to_the_question_of_zero_gain_can_be_compared(app):
    app.sample("xor").set("roles_ends", (100, 100)).go("grow")
    assert "No split of the root gains anything by itself" in app.text()
    text = app.text().replace("**", "")
    assert "Stop there, as your tree has it: 1 leaf. Accuracy: train 50.0\u00a0%." in text
    assert "Split all the same: 4 leaves. Accuracy: train 100.0\u00a0%." in text
    app.click("both_zero_gains")
    assert app.at.title[0].value == "Compare"
    assert [app.at.dataframe[0].value[side].iloc[0] for side in "AB"] == ["1", "4"]
    app.go("grow").click("take_zero_gain")
    assert app.record().grow == Grow("cart", (("zero_gain", "split"),))
    text = app.text().replace("**", "")
    assert "this tree splits it all the same" in text
    assert "Split all the same, as your tree has it: 4 leaves" in text
    assert app.leaves() == 4
    app.go("grow").click("take_zero_gain")
    assert app.record().grow == Grow()


def test_where_a_split_gains_the_question_is_not_asked(app):
    app.sample("iris").go("grow")
    assert not app.has("both_zero_gains")
    tree = tc.grow(read_sample("iris").split(tc.Roles())[0])
    app.change(selected=int(tree.children(0)[0]))
    assert not app.has("both_zero_gains"), "a pure leaf has no question"


def test_a_leaf_whose_splits_gain_nothing_asks_it_too(app):
    xor = "\n".join(f"a,{i},{j},{'pq'[i != j]}" for i in (0, 1) for j in (0, 1) for _ in range(4))
    rest = "\n".join(f"b,{i},{j},q" for i in (0, 1) for j in (0, 1) for _ in range(6))
    app.upload(f"group,u,v,y\n{xor}\n{rest}\n".encode()).go("data").set("roles_ends", (100, 100)).go("grow")
    assert not app.has("both_zero_gains"), "the root has a split that gains"
    app.change(selected=1)
    text = app.text().replace("**", "")
    assert "No split of node 1 gains anything by itself: this tree stops there." in text
    assert "Stop there, as your tree has it: 2 leaves. Accuracy: train 80.0\u00a0%." in text
    assert "Split all the same: 5 leaves. Accuracy: train 100.0\u00a0%." in text


def test_growth_can_end_where_the_validation_error_stops_falling(app):
    app.sample("titanic").go("grow").set("patience", 3)
    assert app.errors() == []
    train, validation, _ = read_sample("titanic").split(tc.Roles())
    tree = tc.grow(train, patience=3, validation=validation)
    assert 1 < tree.n_leaves < tc.grow(train).n_leaves
    grow = app.record().grow
    assert grow.settings == (("patience", 3),)
    assert app.leaves() == tc.grow(train, grow.growth(), validation=validation).n_leaves
