"""Exercises in the app: a sheet of the table in hand, its key on request, another variant."""


def test_a_sheet_its_key_and_another_variant(app):
    app.sample("play_tennis").go("exercises")
    assert "Compute the gain of Outlook." in app.text()
    assert "0.2467" not in app.text()
    app.set("exercise_key", True)
    assert "gain(Outlook) = 0.9403 − 5/14 · 0.9710 − 4/14 · 0.0000 − 5/14 · 0.9710 = 0.2467" in app.text()
    app.set("exercise_variant", 3)
    assert "= 0.2467" not in app.text()
    assert app.errors() == []


def test_a_table_of_numbers_says_what_to_do(app):
    app.sample("iris").go("exercises")
    assert "No feature has two to six levels" in app.text()
    assert app.errors() == []
