"""Finding a setting: by its name, its note or a formula; what differs from the algorithm's own is marked."""

import pytest

from pages.shared.controls.settings import SETTINGS
from treecore.growing.settings.grow_settings import LABELS, SYNONYMS


def shown(app) -> set[str]:
    """Names of the settings of growth on the page."""
    keys = {getattr(widget, "key", None) for widget in app.at._tree}
    return {setting.name for setting in SETTINGS.values() if setting.key in keys}


def test_at_most_five_are_in_view_and_the_rest_is_found(app):
    app.sample("titanic").go("grow")
    assert shown(app) == {"criterion", "max_depth", "min_rows_leaf", "leaf_model"}
    assert app.has("preset")
    assert app.has("pruner")


def test_words_of_the_note_find_a_setting(app):
    app.sample("titanic").go("grow").all_folds()
    every = shown(app)
    app.set("find_setting", "best-first")
    assert "max_leaves" in shown(app)
    assert "min_gain" not in shown(app)
    app.set("find_setting", "surrogate")
    assert {"missing", "max_surrogates"} <= shown(app)
    assert "max_leaves" not in shown(app)
    app.set("find_setting", "nothing of that kind <b>")
    assert "No setting has nothing of that kind <b> in its name" in app.text()
    assert app.set("find_setting", "").errors() == []
    assert shown(app) == every


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("overfitting", {"max_leaves", "min_rows_split", "patience"}), ("stop early", {"min_gain", "patience", "test"}),
        ("min samples split", {"min_rows_split"}), ("mtry", {"max_features"}), ("laplace", {"leaf_shares"}),
    ],
)  # fmt: skip
def test_what_people_call_it_finds_a_setting(app, asked, found):
    app.sample("titanic").go("grow").all_folds()
    app.set("find_setting", asked)
    assert found <= shown(app)
    assert "nominal" not in shown(app)


def test_class_weights_and_depth_lead_to_where_they_are_set(app):
    app.sample("titanic").go("grow").all_folds()
    for asked in ("class weight", "imbalance", "cost matrix", "monotone"):
        app.set("find_setting", asked)
        assert app.has("costs_panel"), asked
    app.set("find_setting", "depth")
    assert "Shown above: Maximum depth." in app.text()
    assert SYNONYMS.keys() <= LABELS.keys()


def test_what_differs_is_marked_and_goes_back(app):
    app.sample("titanic").go("grow").set("min_rows_split", 40).set("max_depth", 3)
    assert app.widget("min_rows_split").label.endswith("●")
    assert not app.widget("max_leaves").label.endswith("●")
    assert "Default of CART: 2." in app.widget("min_rows_split").help.replace("\\", "")
    assert "2 settings changed from the default" in app.text()
    app.click("reset_growth")
    assert not app.widget("min_rows_split").label.endswith("●")
    app.click("undo")
    assert app.widget("max_depth").value == 3, "going back is a step that can be undone"
