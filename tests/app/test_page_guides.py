"""Worked examples in the app: each step sets the screen and shows the printed figure beside the computed one."""

import pytest

from pages.shared.widgets.messages import plain
from treecore.teach.guide import figure_rows
from treecore.teach.index import GUIDES


def shown(app) -> list[tuple]:
    """(figure, printed, computed) as the table of the step has them, in Markdown that shows exactly its text."""
    frame = next((d.value for d in app.at.table if "in the notes" in d.value), None)
    return [] if frame is None else list(frame.itertuples(index=False, name=None))


@pytest.mark.parametrize("name", GUIDES)
def test_every_step_sets_the_tree_and_shows_its_figures(app, name):
    guide = GUIDES[name]
    app.go("worked_examples").click(f"guide_{name}")
    for place, step in enumerate(guide.steps):
        if place:
            app.click("guide_next")
        assert app.errors() == []
        assert f"{place + 1}: {step.title}" in [h.value for h in app.at.subheader]
        assert (app.record().grow, app.record().selected) == (guide.growth(place), guide.opened(place).node)
        assert shown(app) == [tuple(plain(cell) for cell in row[:3]) for row in figure_rows(guide, place)]
        for figure in step.figures:
            assert figure.slip in app.text()
    assert app._button("guide_next").disabled


def test_settings_that_were_changed_can_be_set_again(app):
    app.sample("play_tennis").go("worked_examples").click("guide_next")
    app.change(grow=app.record().grow.__class__("cart"))
    app.click("guide_set")
    assert app.record().grow == GUIDES["play_tennis"].grow
    assert not app.has("guide_set")


def test_explore_leads_to_the_example_of_its_table(app):
    app.sample("play_tennis").go("grow")
    assert "Worked example: PlayTennis: ID3 by hand" in [link.label for link in app.at.get("page_link")]


def test_a_sample_brings_its_own_recipe_and_undo_brings_mine_back(app):
    app.sample("iris").go("grow").set("preset", "chaid")
    mine = app.record().grow
    app.sample("play_tennis", as_it_opens=True)
    assert app.record().grow.preset == "id3"
    app.click("undo")
    assert app.record().grow == mine
    app.click("redo").sample("titanic", as_it_opens=True)
    assert app.record().grow.preset == "cart", "not the lecture's"
    assert app.record().split.train == 0.6


def test_a_page_that_is_presented_has_tables_in_letters_and_one_gone_to_is_not_presented(app):
    app.sample("play_tennis", as_it_opens=True).go("worked_examples")
    assert not app.pane()["presenting"]
    app.click("present")
    assert app.pane()["presenting"]
    assert app.at.table
    app.go("step_by_step")
    assert not app.pane()["presenting"]
    read = len(app.at.dataframe) + len(app.at.table)
    assert read
    app.click("present")
    assert app.pane()["presenting"]
    assert len(app.at.table) == read
    assert not app.at.dataframe, "a table of the browser's own drawing cannot be made larger"
    app.click("present")
    assert not app.pane()["presenting"]
    assert app.errors() == []
