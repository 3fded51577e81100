"""Every page: without a table, and with tables of both tasks."""

import json

import pytest

from pages import PAGES
from treecore.recipe import Grow


@pytest.mark.parametrize("page", PAGES)
def test_without_a_table_a_page_says_where_to_get_one(app, page):
    app.go(page)
    assert app.at.title[0].value == PAGES[page].heading
    assert app.errors() == []
    assert len(app.at.info) == (page != "data")
    if page == "data":
        assert "Your file is read by this app alone" in app.text()
        assert len([b for b in app.at.button if b.label == "Open"]) == 6
    else:
        assert [link.label for link in app.at.get("page_link")] == ["Data"]


@pytest.mark.parametrize("sample", ["willwait", "xor", "iris", "mpg", "curve", "titanic", "claims", "pumps", "backs"])
def test_every_page_shows_every_sort_of_table(app, sample):
    app.with_menus().folds.long = True
    app.sample(sample)
    for page in PAGES:
        app.go(page)
        assert app.at.title[0].value == PAGES[page].heading
        assert app.errors() == []
        assert hidden_columns(app) == []
        if sample in ("titanic", "mpg"):
            app.run()
            assert app.at.title[0].value == PAGES[page].heading, "a second run shows the same page"


GROWN = {
    "quantile": ("mpg", (("criterion", "quantile"), ("quantile", 0.9))), "huber": ("mpg", (("criterion", "huber"),)),
    "log-rank": ("pumps", (("score", "log_rank"),)),
}  # fmt: skip


@pytest.mark.parametrize("name", GROWN)
def test_every_page_shows_trees_that_are_grown_otherwise(app, name):
    sample, settings = GROWN[name]
    app.with_menus().sample(sample).put(grow=Grow("cart", (*settings, ("max_depth", 4))))
    for page in PAGES:
        app.go(page)
        assert app.at.title[0].value == PAGES[page].heading
        assert app.errors() == [], page


def hidden_columns(app) -> list[str]:
    """Columns that a table on the page has, but does not show; an index may be hidden."""
    settings = [json.loads(table.proto.columns or "{}") for table in app.at.dataframe]
    return [name for found in settings for name, how in found.items() if name != "_index" and (how or {}).get("hidden")]


def test_a_lone_root_is_no_fault(app):
    app.sample("iris").go("grow").set("max_depth", 1).set("min_gain", 10.0)
    for page in list(PAGES)[1:]:
        assert app.go(page).errors() == []
    assert app.leaves() == 1


def test_numbers_say_of_which_rows_they_are(app):
    app.sample("titanic").go("grow")
    assert "**535** training rows (100.0\u00a0%)" in app.text()
    assert "**178** validation rows (100.0\u00a0%)" in app.text()
    measures = list(app.go("compare").at.dataframe[0].value[""])
    assert measures[2:] == [
        "accuracy, train (535 rows)",
        "accuracy, validation (178 rows)",
        "accuracy, test (178 rows)",
    ]
    errors = list(app.sample("mpg").go("compare").at.dataframe[0].value[""])[2:]
    assert [e.split(",")[0] for e in errors] == ["root mean squared error"] * 3


def test_the_splits_that_lost_are_put_as_questions(app):
    app.sample("titanic").go("grow").tab("Rivals")
    bars = app.rivals()
    splits = [bar["label"].split(";")[0] for bar in bars]
    assert (splits[0], bars[0]["own"]) == ("sex: male | female", True)
    assert any(s.startswith("fare < ") for s in splits)
    assert "pclass ≤ 2" in splits
    app.set("every_cut", True)
    assert len(app.rivals()) > 40
    assert app.go("regions").go("grow").widget("every_cut").value is True
