"""Traps on the page Data: named, with the number, and left out by a click that can be undone."""

import re


def test_a_leak_is_named_and_left_out(app):
    app.sample("trap_leak").go("data")
    assert re.search(r"Alone it answers 100(\.0)?\s% of rows that it was not shown", app.text())
    app.click("trap_0")
    assert app.record().features == ("income", "age")
    assert "possible trap" not in app.text()
    app.click("undo")
    assert app.record().features is None


def test_a_table_without_traps_says_nothing(app):
    app.sample("iris").go("data")
    assert not app.has("trap_0")
