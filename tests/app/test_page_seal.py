"""Sealed test rows: no page tells a figure of them; opened once, with the day, for good."""

import json
import re
from datetime import date

import numpy as np
import pandas as pd
import pytest

from pages import PAGES
from pages.shared.bench import exports
from pages.shared.session import saved_session
from tests.app.conftest import App
from treecore.recipe import Grow, Prune, Recipe, Split
from treecore.seal import Seal


def content(flipped: bool) -> bytes:
    """300 rows with a column of roles. flipped : the test rows have the other class."""
    rng = np.random.default_rng(4)
    role = np.resize(["train", "train", "train", "validation", "test"], 300)
    table = pd.DataFrame({"x": rng.normal(size=300).round(2), "z": rng.choice(["p", "q", "r"], 300), "role": role})
    noisy = table.x + (table.z == "p") + rng.normal(size=300) > 0.3
    table["y"] = np.where(noisy ^ (flipped & (role == "test")), "yes", "no")
    return table.to_csv(index=False).encode()


NAMES_OF_CONTENT = re.compile(r"-?[0-9a-f]{13,}|(recipe|class)=[\w-]+|#?T_[0-9a-f]{5}\w*|uuid: \"\w+\"")


def told(app) -> list[str]:
    """All that a page sends, but for what names the file's content, files made when asked for and the note of the
    session."""
    sent = [element for element in app.at._tree if hasattr(element, "proto") and element.type != "download_button"]
    texts = [str(of.proto) for of in sent if getattr(of.proto, "component_name", "") != "treecore_keeper"]
    return [NAMES_OF_CONTENT.sub("", text) for text in texts]


def opened(app, flipped: bool = False):
    """The file with its test rows sealed."""
    app.upload(content(flipped), "secret.csv")
    app.put(
        target="y", split=Split(column="role"), seal=Seal(), grow=Grow("cart", (("max_depth", 4),)),
        prune=Prune("reduced_error"),
    )  # fmt: skip
    return app


JUDGED = {"answers": {}, "importance": {"importance on": True}, "many": {"many on": True, "many trees": 5},
          "optimal": {"optimal on": True, "optimal depth": 2}}  # fmt: skip
"""Experiments that judge by roles -> choices that begin them."""


def test_no_page_depends_on_the_answers_of_sealed_rows(app):
    """Every page sends the same where the test rows have the other class."""
    shown = []
    for flipped in (False, True):
        session = opened(App(), flipped)
        session.go("grow")  # where it takes long it leaves a trace of that
        pages = {page: told(session.go(page)) for page in PAGES}
        for kind, choices in JUDGED.items():
            chosen = {**session.record().choices, "experiment": kind, **choices}
            pages[kind] = told(session.go("experiments", choices=chosen))
            assert session.errors() == []
        shown.append(pages)
    assert [page for page in shown[0] if shown[0][page] != shown[1][page]] == []


def test_open_rows_do_make_a_difference():
    """What the test above compares tells of test rows as soon as they are opened."""
    shown = [told(opened(App(), flipped).go("compare", seal=None)) for flipped in (False, True)]
    assert shown[0] != shown[1]


def test_they_are_sealed_and_opened_for_good_by_clicks(app):
    opened(app).go("data", seal=None).click("seal_test")
    assert "test 60 (sealed)" in app.text()
    assert "test" not in " ".join(app.go("compare").at.dataframe[0].value[""])
    app.change(grow=Grow("cart", (("max_depth", 2),)))
    app.go("data").click("open_test")
    day = date.today().isoformat()
    assert app.record().seal.opened == day
    assert f"sealed until {day}. The tree is the one that they were opened for." in app.text()
    assert "accuracy, test (60 rows)" in list(app.go("compare").at.dataframe[0].value[""])
    app.set("max_depth", 3)
    assert "The tree was changed after that" in app.go("data").text()


def test_undo_neither_breaks_a_seal_nor_closes_it(app):
    opened(app).go("grow", seal=None).set("max_depth", 3)
    app.go("data").click("seal_test").click("undo")
    assert app.record().seal == Seal()
    app.go("data").click("open_test").click("redo")
    assert not app.record().seal.is_closed


def test_sealed_rows_keep_their_roles(app):
    opened(app).go("data", seal=None, split=Split()).set("seed", 3)
    app.click("seal_test").set("seed", 4)
    assert app.record().split.seed == 3
    assert any("Other roles would show" in text for text in app.errors())
    app.click("undo")
    assert app.record().split.seed == 3
    app.click("open_test").set("seed", 4)
    assert app.record().split.seed == 4


def test_no_choice_gives_sealed_rows_another_role(app):
    """Roles are drawn within the classes of the target, of the rows that have one."""
    opened(app).go("data", seal=None, split=Split()).click("seal_test")
    app.set("target", "z")
    assert app.record().target == "y"
    assert any("Other roles would show" in text for text in app.errors())


def test_an_undone_target_does_not_open_the_rows(app):
    opened(app).go("data", seal=None, split=Split(), target=None).set("target", "z").set("target", "y")
    app.click("seal_test").click("undo")
    assert app.record().target == "y"
    assert app.record().seal == Seal()


def test_read_otherwise_the_file_comes_back_sealed(app):
    opened(app).go("data", seal=None).click("seal_test")
    app.upload(content(False) + b"\n", "other.csv", as_it_opens=True)
    assert app.record().seal is None, "another content"
    app.upload(content(False), "again.csv", as_it_opens=True)
    assert (app.record().seal, app.record().target) == (Seal(), "y")


def test_the_same_file_comes_back_sealed(app):
    opened(app).go("data", seal=None).click("seal_test")
    app.upload(content(False), "again.csv", as_it_opens=True)
    assert app.record().seal == Seal()
    assert app.record().split == Split(column="role")
    app.upload(content(True), "other.csv")
    assert app.record().seal is None
    app.upload(content(False), "secret.csv").go("data").click("open_test")
    app.upload(content(False), "secret.csv")
    assert app.record().seal.opened == date.today().isoformat()


def test_results_from_before_the_seal_are_put_away(app):
    opened(app).go("experiments", seal=None, choices={**app.record().choices, "experiment": "effort"})
    found = lambda: app.go("experiments", choices={**app.record().choices, "experiment": "found"})  # noqa: E731
    assert app.own["findings"]
    assert "Nothing yet" not in found().text()
    assert "Nothing yet" in found().change(seal=Seal()).text()


def test_the_report_says_that_they_are_sealed_and_when_they_were_opened(app):
    opened(app).go("grow")
    assert "no figure of theirs is told" in report(app)
    assert "<td>test</td>" not in report(app)
    app.go("data").click("open_test")
    assert "The test rows were sealed until" in report(app.go("grow"))
    assert "<td>test</td>" in report(app)


def report(app) -> str:
    """The report as the button gives it."""
    recipes = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exports, "_report", lambda recipe, make=exports._report: recipes.append(make(recipe)) or b"")
        app.with_menus().run()
    return recipes[-1]().decode()


def test_a_seal_is_kept_in_saved_work(app):
    opened(app).go("grow")
    again = Recipe.from_json(recipe_json(app))
    assert again.is_sealed
    assert saved_session._record(again, app.own["raw table"])["seal"] == Seal()


def recipe_json(app) -> str:
    return json.loads(app.given("treecore_keeper")["note"])["recipe"]


@pytest.mark.parametrize("sample", ["mpg", "claims"])
def test_a_sealed_target_of_numbers_or_counts_is_shown_without_its_test_rows(app, sample):
    app.sample(sample)
    app.put(seal=Seal(), grow=Grow("cart", (("min_rows_leaf", 30),)))
    for page in ("data", "grow", "compare"):
        assert app.go(page).errors() == []
