"""What every page is for: said in a line, and with samples where there is no table yet."""

import pytest

from pages import PAGES


@pytest.mark.parametrize("page", ["grow", "size_and_pruning", "impurity", "exercises"])
def test_a_page_without_a_table_says_what_it_is_for_and_offers_samples(app, page):
    app.go(page)
    assert PAGES[page].purpose in app.text()
    assert "Load a table first" in app.text()
    app.click("open_titanic")
    assert app.errors() == []
    assert app.record().target == "survived"


def test_the_line_of_what_a_page_is_for_is_closed_on_that_page_alone(app):
    assert len({p.purpose for p in PAGES.values()}) == len(PAGES)
    app.sample("titanic").go("grow")
    assert PAGES["grow"].purpose in app.text()
    app.click("turn_purpose")
    assert PAGES["grow"].purpose not in app.text()
    app.go("rules")
    assert PAGES["rules"].purpose in app.text()
    app.go("grow").click("turn_purpose")
    assert PAGES["grow"].purpose in app.text()


def test_the_samples_are_offered_beside_a_table_too(app):
    app.sample("titanic").go("data").all_folds()
    app.click("open_iris")
    assert app.record().target == "class"
