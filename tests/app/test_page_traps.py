"""Traps on the page Data: named, with the number, and left out by a click that can be undone."""


def test_a_leak_is_named_and_left_out(app):
    app.sample("trap_leak").go("data")
    assert "Alone it answers 100 % of rows that it was not shown" in app.text().replace("\u00a0", " ")
    app.click("trap_0")
    assert app.record().features == ("income", "age")
    assert "possible trap" not in app.text()
    app.click("undo")
    assert app.record().features is None


def test_a_table_without_traps_says_nothing(app):
    app.sample("iris").go("data")
    assert not app.has("trap_0")
