"""Finding a setting: by its name, its note or a formula; what differs from the algorithm's own is marked."""

from pages.shared.controls.table import SETTINGS


def shown(app) -> set[str]:
    """Names of the settings of growth on the page."""
    keys = {getattr(widget, "key", None) for widget in app.at._tree}
    return {setting.name for setting in SETTINGS.values() if setting.key in keys}


def test_at_most_five_are_in_view_and_the_rest_is_found(app):
    app.sample("titanic").go("grow")
    assert shown(app) == {"criterion", "max_depth", "min_rows_leaf"}
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


def test_what_differs_is_marked_and_goes_back(app):
    app.sample("titanic").go("grow").set("min_rows_split", 40).set("max_depth", 3)
    assert app.widget("min_rows_split").label.endswith("●")
    assert not app.widget("max_leaves").label.endswith("●")
    assert "CART's own: 2." in app.widget("min_rows_split").help.replace("\\", "")
    assert "2 settings differ from the algorithm's own" in app.text()
    app.click("reset_growth")
    assert not app.widget("min_rows_split").label.endswith("●")
    app.click("undo")
    assert app.widget("max_depth").value == 3, "going back is a step that can be undone"
