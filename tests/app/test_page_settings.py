"""What is chosen in the sidebar changes the tree; what no longer fits gives way, and the page says so."""

import pytest

from treecore.recipe import Edit, Grow, setting_text

LIMITS = [
    ("max_depth", 2, 2, 4),
    ("max_leaves", 5, 5, 5),
    ("min_rows_split", 200, 2, 10),
    ("min_rows_leaf", 50, 2, 10),
    ("min_share_split", 0.5, 2, 4),
    ("min_gain", 0.02, 2, 60),
]


def test_a_limit_makes_the_tree_smaller_and_can_be_taken_back(app):
    before = app.sample("titanic").leaves()
    assert before > 100
    for key, value, fewest, most in LIMITS:
        app.go("grow").set(key, value)
        assert setting_text(key, value) in app.text(), key
        assert fewest <= app.leaves() <= most, key
        app.put(grow=Grow())
    app.go("grow").set("max_leaves", 5).set("max_leaves", None)
    assert app.record().grow == Grow()
    assert app.leaves() == before


def test_the_impurity_and_the_algorithm_change_the_tree(app):
    app.sample("willwait").go("grow")
    assert "Gini index" in app.text()
    app.set("criterion", "entropy")
    assert "Entropy" in app.text()
    app.set("max_depth", 3).set("preset", "id3").tab("Rivals")
    assert any(bar["asks"].count("|") > 1 for bar in app.rivals()), "ID3 gives every level a branch"
    assert app.widget("max_depth").value == 3, "limits stay"


def test_xor_needs_a_split_that_gains_nothing(app):
    app.sample("xor").go("data").set("roles_ends", (100, 100))
    assert app.leaves() == 1
    app.go("grow").set("zero_gain", "split")
    assert app.leaves() == 4


def test_the_split_of_the_rows_is_the_users(app):
    app.sample("iris").set("roles_ends", (40, 50)).set("seed", 3)
    assert "train 60, validation 15, test 75" in app.text()
    app.go("grow").go("data")
    assert app.widget("roles_ends").value == (40, 50)
    assert app.widget("seed").value == 3
    app.set("roles_ends", (0, 0))
    assert "train 8, " in app.text() or "train 7, " in app.text(), "some rows train in any case"


def test_without_validation_rows_nothing_claims_a_best_size(app):
    app.sample("iris").set("roles_ends", (100, 100))
    app.go("size_and_pruning")
    assert "no validation rows" in app.text()
    assert app.go("compare").errors() == []


def test_a_strategy_prunes(app):
    app.sample("titanic").go("compare")
    for pruner in ("reduced_error", "cost_complexity"):
        app.set("pruner", pruner)
        small, whole = (int(app.at.dataframe[0].value[side].iloc[0]) for side in "AB")
        assert 1 <= small < whole, pruner


def test_the_slider_and_the_button_choose_a_size(app):
    app.sample("titanic").go("size_and_pruning")
    app.click("best_step")
    step, prune = app.widget("step").value, app.record().prune
    assert step > 0
    assert prune.method == "cost_complexity"
    app.set("step", step + 1)
    assert dict(app.record().prune.parameters)["alpha"] > dict(prune.parameters)["alpha"]
    app.set("step", 0)
    assert app.record().prune.method == "none"


@pytest.mark.parametrize(("key", "value", "words"), [("preset", "id3", "ID3"), ("criterion", "entropy", "Entropy")])
def test_what_fits_classes_only_gives_way_to_a_target_of_numbers(app, key, value, words):
    app.sample("iris").go("grow").set(key, value).set("max_depth", 3)
    chosen = app.record().grow
    for page in ("grow", "regions", "size_and_pruning", "compare"):
        app.sample("iris").put(grow=chosen)
        app.sample("mpg").go(page)
        assert app.errors() == [], page
        assert f"{words} is not for numbers" in app.text(), page
        assert app.widget("criterion").value == "squared_error", page
        assert app.widget("max_depth").value == 3, page
        app.set("max_depth", 4)
        assert "is not for numbers" not in app.text(), page


def test_a_missing_value_has_a_branch_and_the_page_says_which(app):
    app.sample("titanic")
    assert "age 177 (19.9\u00a0%)" in app.text()
    assert "now: Surrogate splits" in app.text()


CUT = Edit("cut", (1, 0), "age")


def test_an_edit_whose_node_is_gone_leaves_a_way_out(app):
    app.sample("titanic").go("grow", edits=(Edit("cut", (0,), "pclass"), CUT))
    assert app.errors() == []
    before = app.record().edits
    app.set("max_depth", 2)
    assert len(app.errors()) == 1
    assert "no place to cut the node that tests age (1/0): node 5 is a leaf in it." in app.errors()[0]
    assert app.record().edits == before, "nothing is thrown away"
    assert app.pane()["dock"], "the tree is still there"
    for page in ("regions", "size_and_pruning", "compare"):
        assert len(app.go(page).errors()) == 1
    recipe = next(line for line in app.text().splitlines() if line.startswith("Recipe:"))
    assert "cut the node that tests pclass" in recipe, "the edits before it are in force"
    assert "cut the node that tests age" not in recipe
    app.go("grow").set("max_depth", 5)
    assert app.errors() == [], "with the former settings it is back"
    app.set("max_depth", 2).click("Drop this edit")
    assert app.errors() == []
    assert app.record().edits == before[:1]
    app.click("undo")
    assert app.record().edits == before, "what was dropped can be brought back"


def test_settings_go_back_to_the_presets_own(app):
    app.sample("titanic").go("grow").set("max_depth", 2).set("min_rows_leaf", 20)
    assert app.has("reset_growth")
    app.click("reset_growth")
    assert app.record().grow.settings == ()
    assert not app.has("reset_growth")
