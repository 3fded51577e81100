"""The HTML page that leaves the app: no rows unless they are asked for, and the columns that are left to it."""

import json
import re

from pages.shared.bench import exports
from treecore.recipe import Grow, Prune
from treecore.teach.index import GUIDES


def rows_of(make) -> dict | None:
    return json.loads(re.search(r"^const ROWS = (.*);$", make().decode(), re.MULTILINE)[1])


def test_rows_go_into_the_page_only_when_they_are_asked_for(app, monkeypatch):
    made = {}
    keep = lambda label, make, *_, key, **__: made.update({key: make})  # noqa: E731
    monkeypatch.setattr(exports.st, "download_button", keep)
    app.with_menus().sample("titanic").change(grow=Grow("cart"), prune=Prune()).go("grow")
    assert rows_of(made["export html"]) is None
    app.set("page_rows", True).run()
    assert len(rows_of(made["export html"])["ends"]) == 200
    app.set("page_rows_count", 30).set("page_rows_drawn", "random").set("page_rows_without", ["age", "fare"]).run()
    found = rows_of(made["export html"])
    assert len(found["ends"]) == 30
    assert "at random" in found["told"]
    assert not {"age", "fare"} & {column["name"] for column in found["columns"]}
    app.set("page_rows", False).run()
    assert rows_of(made["export html"]) is None
    app.set("page_rows", True).sample("iris").go("grow")
    assert rows_of(made["export html"]) is None, "of another table they are asked for anew"


def test_the_steps_of_an_example_go_with_its_page(app, monkeypatch):
    made = {}
    keep = lambda label, make, *_, key, **__: made.update({key: make})  # noqa: E731
    monkeypatch.setattr(exports.st, "download_button", keep)
    app.with_menus().sample("play_tennis").go("worked_examples")
    page = made["export html"]().decode()
    steps = json.loads(re.search(r"^const EXAMPLE = (.*);$", page, re.MULTILINE)[1])["steps"]
    assert [step["title"] for step in steps] == [step.title for step in GUIDES["play_tennis"].steps]
    app.go("grow")
    assert "const EXAMPLE = null;" in made["export html"]().decode()
