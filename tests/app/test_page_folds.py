"""Folds: what is in a closed one is not made, and nothing is lost by that."""

from pages.shared.widgets import explained


def _only(app, *names: str):
    app.own["open folds"] = set(names)
    return app.run()


def test_a_closed_fold_is_empty_and_keeps_what_was_chosen_in_it(app):
    app.sample("titanic").go("grow").set("min_gain", 0.01)
    _only(app)
    assert not app.has("min_gain")
    assert dict(app.record().grow.settings)["min_gain"] == 0.01
    _only(app, "all settings")
    assert app.widget("min_gain").value == 0.01
    app.go("data").go("regions")
    assert app.widget("min_gain").value == 0.01, "an open fold stays open on every page"
    assert not app.has("second_bar")


def test_the_arithmetic_of_a_split_is_made_when_it_is_asked_for(app, monkeypatch):
    made = []
    monkeypatch.setattr(explained, "split_arithmetic", lambda *about: made.append(about) or [])
    app.sample("iris")
    app.own["open folds"] = set()
    app.go("grow")
    assert made == []
    _only(app, "arithmetic")
    assert len(made) == 1
