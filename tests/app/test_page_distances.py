"""Distances on the page Data: conditions of a metric, and the rows that break one."""


def conditions(app) -> list:
    frame = next(d.value for d in app.at.dataframe if "condition" in d.value)
    return frame["on your rows"].tolist()


def test_a_distance_that_is_no_metric_shows_the_three_rows(app):
    app.sample("iris").go("data").all_folds()
    assert conditions(app) == ["holds"] * 4
    app.set("distance", "squared")
    assert conditions(app)[:3] == ["holds"] * 3
    assert conditions(app)[3].startswith("broken by ")
    assert "d(x, y) + d(y, z)" in app.text()
    triple = next(d.value for d in app.at.dataframe if any(str(i).startswith("z: row") for i in d.value.index))
    assert len(triple) == 3


def test_words_are_equal_or_not(app):
    app.sample("teeth").go("data")
    assert app.widget("distance").value == "discrete"
    assert conditions(app) == ["holds"] * 4
    app.set("distance", "euclidean")
    assert "No column is chosen" in " ".join(app.errors())


def test_two_rows_are_compared_column_by_column(app):
    app.sample("iris").go("data").all_folds()
    app.set("distance_row_y", 60)
    assert "d(x, y) = √(" in app.text()
    table = next(t.value for t in app.at.dataframe if "adds" in t.value)
    assert list(table["column"]) == list(app.record().choices.get("distance columns", table["column"]))


def test_the_glossary_is_found_on_every_page_by_a_word(app):
    app.sample("iris").with_menus().go("impurity")
    assert "branching factor" in app.text()
    app.set("glossary_word", "surrogate")
    assert "surrogate split" in app.text()
    assert "branching factor" not in app.text()
