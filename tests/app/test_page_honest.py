"""Estimation rows in the app: off they change nothing, on every page tells the figures of an honest tree."""

import json

import numpy as np
import pytest

import treecore as tc
from pages import PAGES
from pages.shared.bench import exports
from tests.app.test_page_shares import TABLES
from treecore.figures import count, percent
from treecore.recipe import Grow, Prune, Recipe, Split

RARE = TABLES["rare"]
SPLIT = Split(train=0.36, validation=0.2, test=0.2, estimation=0.24)
GROW = Grow("cart", (("max_depth", 3),))


@pytest.fixture
def opened(app):
    app.upload(RARE.to_csv(index=False).encode(), "rare.csv")
    app.put(target="churn", grow=GROW, split=Split())
    return app


@pytest.fixture(scope="module")
def made():
    """(the tree of the training rows, the same honest, the rows)."""
    rows = tc.read_table(RARE, target="churn").by_role(SPLIT.roles())
    tree = tc.grow(rows["train"], "cart", max_depth=3)
    return tree, tc.honest(tree, rows["estimation"]), rows


def test_the_share_is_off_at_first_and_taken_of_training(opened):
    opened.go("data")
    assert opened.widget("roles_estimation").value == 0
    assert "estimation" not in opened.text()
    opened.set("roles_estimation", 40)
    assert opened.record().split == SPLIT
    assert "estimation 288" in opened.text()
    assert "All figures of the tree are counted on the estimation rows" in opened.text()
    opened.set("roles_ends", (50, 80))
    split = opened.record().split
    assert (split.train, split.estimation, split.validation, split.test) == (0.3, 0.2, 0.3, 0.2)
    opened.click("all_rows")
    assert opened.record().split.estimation == 0
    opened.click("undo")
    assert opened.record().split == split


def test_cards_segments_rules_and_answers_have_the_same_figures(opened, made):
    trained, honest, _ = made
    k, leaves = honest.classes.index("yes"), np.flatnonzero(honest.is_leaf)
    assert not np.allclose(trained.proba[leaves], honest.proba[leaves], atol=0.01)
    pane = opened.go("grow", split=SPLIT).pane()
    assert {row["id"]: row["n"] for row in pane["nodes"]} == {t: count(w, ",") for t, w in enumerate(honest.weight)}
    for row in pane["nodes"]:
        t = row["id"]
        if honest.weight[t] > 0:
            assert percent(honest.stats[t, k] / honest.weight[t]) in row["part"]
    opened.change(selected=int(leaves[0]))
    assert "estimation rows" in opened.text()
    opened.go("segments")
    sent = opened.given("treecore_skyline")
    told = dict(zip(sent["nodes"], sent["told"], strict=True))
    assert {t: told[t] for t in leaves.tolist()} == pytest.approx({t: honest.proba[t, k] for t in leaves.tolist()})
    assert "in estimation" in sent["words"]["height"]
    assert any("estimation:" in line for line in sent["cards"][0])
    opened.go("rules")
    assert "estimation rows" in opened.text()
    assert "training row" not in opened.text()
    opened.go("predict")
    assert "estimation rows" in opened.text()


def test_splits_are_told_by_the_training_rows_that_chose_them(opened, made):
    trained, _, _ = made
    opened.go("grow", split=SPLIT, selected=0)
    assert "on the training rows" in opened.text()
    assert f"By the {int(trained.n_rows[0]):,} training rows of this node, which chose the split" in opened.text()
    bars = opened.tab("Rivals").rivals()
    assert bars
    opened.go("size_and_pruning")
    assert "estimation rows choose none" in opened.text()


@pytest.mark.parametrize("prune", [Prune(), Prune("reduced_error"), Prune("cost_complexity")], ids=lambda p: p.method)
def test_what_leaves_the_app_is_honest(opened, monkeypatch, prune):
    """The saved tree, SQL and report of the app, and the tree of its recipe grown again, are one."""
    made = {}
    keep = lambda label, make, *_, key, **__: made.setdefault(key, make)  # noqa: E731
    monkeypatch.setattr(exports.st, "download_button", keep)
    opened.with_menus().go("grow", split=SPLIT, prune=prune)
    text = made["export json"]().decode()
    tree = tc.Tree.from_dict(json.loads(text))
    assert (tree.figures_of, tree.n_rows[0]) == ("estimation", 288)
    assert json.loads(text)["figures_of"] == "288 estimation rows"
    recipe = Recipe.from_json(made["recipe .json"]())
    assert recipe.last(Split) == SPLIT
    assert "24 % for the figures of the leaves" in recipe.text()
    again = tc.fit(recipe.read(RARE), recipe)
    assert again.tree.to_dict() == tree.to_dict()
    assert again.grown.figures_of == "train"
    for name in ("report", "export sql", "export python", "export html", "export rules"):
        assert "288 estimation rows, which chose no split" in made[name]().decode(), name


def test_every_page_works_with_them_for_numbers(app):
    app.upload(TABLES["numbers"].to_csv(index=False).encode(), "numbers.csv")
    app.put(target="cost", grow=GROW, split=SPLIT, prune=Prune("reduced_error"))
    for page in list(PAGES)[1:]:
        app.go(page)
        assert app.errors() == [], page


def test_groups_in_the_bars_say_that_they_are_of_estimation_rows(opened, made):
    opened.go("grow", split=SPLIT).change(selected=1, choices={"bars show": "plan"})
    assert "Of the estimation rows. p: against" in opened.text()
    rows = tc.groups(made[1], made[2]["estimation"], "plan", class_of_interest="yes").of_node(1)
    shown = next(table.value for table in opened.at.dataframe if "group" in table.value.columns)
    assert shown["rows"].tolist() == [group.rows for group in rows]


def test_legend_dock_strip_and_cards_say_whose_figures_they_are(opened):
    pane = opened.go("grow").pane()
    assert pane["figures"] is None
    assert "answers" not in pane["dock"]["words"]
    pane = opened.go("grow", split=SPLIT).pane()
    assert pane["figures"]["text"] == "Figures: estimation rows"
    assert "estimation rows, which chose no split" in pane["figures"]["title"]
    assert pane["dock"]["words"]["answers"] == "predictions of training rows"
    assert all(f"{row['n']} estimation rows" in row["label"] for row in pane["nodes"])
    assert all(f"{row['n']} estimation rows" in " ".join(row["told"]) for row in pane["nodes"])
    assert any("CART, honest leaves" in popover.proto.popover.label for popover in opened.at.get("popover"))
