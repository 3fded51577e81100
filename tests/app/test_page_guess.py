"""The page Guess: a guess is told its rank before the split is shown, points add up, and begin again."""

import pytest


def there(app) -> set[int]:
    pane = app.pane()
    return {row["id"] for row in pane["nodes"] if row["born"] <= pane["made"]}


def test_one_feature_its_rank_and_the_points(app):
    app.sample("play_tennis", as_it_opens=True).go("guess")
    assert there(app) == {0}
    assert "Outlook" not in str([row for row in app.pane()["nodes"] if row["id"] == 0]), "nothing gives the answer away"
    assert app.at.button(key="guess_tell").disabled
    app.set("guess_one_0", "Humidity").click("guess_tell")
    [told] = [w.value for w in app.at.warning]
    assert "is number 2 of 4" in told
    assert "0\\.1518" in told or "0.1518" in told
    assert "1.625 times as much" in told
    assert "0.62 of 1 points · 0 of 1 right" in app.text()
    assert len(there(app)) == 4
    formulas = [e.value for e in app.at.latex]
    assert len(formulas) > 6, "the arithmetic of both"
    app.click("guess_next").click("guess_show").click("guess_next")
    assert "· 1 shown" in app.text()
    app.click("guess_back").click("guess_back")
    assert there(app) == {0, 1, 2, 3}
    app.go("grow").go("guess")
    assert "0.62 of 1 points" in app.text()
    app.click("guess_again")
    assert there(app) == {0}
    assert "points" not in app.text()
    assert app.errors() == []


def test_what_is_shown_is_looked_at_before_the_next_question(app):
    app.sample("play_tennis", as_it_opens=True).go("guess").click("guess_show")
    assert "Node 0: shown" in [e.value for e in app.at.subheader]
    assert "points" not in app.text()


def test_three_in_order(app):
    app.sample("play_tennis", as_it_opens=True).go("guess").set("guess_game", "three")
    app.set("guess_three_0", ["Outlook", "Wind"])
    assert app.at.button(key="guess_tell").disabled
    app.set("guess_three_0", ["Outlook", "Wind", "Humidity"]).click("guess_tell")
    assert "1 of 3 places" in app.at.warning[0].value
    assert app.at.dataframe[0].value["rank"].tolist() == [1, 3, 2]


def test_a_threshold(app):
    app.sample("iris").go("guess").set("guess_game", "cut")
    app.set("guess_feature_0", "petallength")
    app.set("guess_cut_0_petallength", 0)
    app.click("guess_tell")
    assert "number 33 of 34" in app.at.warning[0].value
    assert app.errors() == []


def test_what_falls_next(app):
    app.sample("iris").go("guess").set("guess_game", "falls")
    assert "g(t)" not in app.at.dataframe[0].value
    nodes = app.at.dataframe[0].value["node"].tolist()
    before = there(app)
    app.set("guess_link_0", nodes[0]).click("guess_tell")
    assert "is number" in app.at.warning[0].value
    assert "g(t)" in app.at.dataframe[0].value
    app.click("guess_next")
    assert there(app) < before
    assert app.errors() == []


@pytest.mark.parametrize("sample", ["titanic", "mpg", "curve", "xor"])
def test_every_game_on_every_sort_of_table(app, sample):
    app.sample(sample).go("guess")
    for game in ("one", "three", "cut", "falls"):
        app.set("guess_game", game)
        for _ in range(2):
            if app.has("guess_show"):
                app.click("guess_show")
            if app.has("guess_next") and not app.at.button(key="guess_next").disabled:
                app.click("guess_next")
        assert app.errors() == [], game
