"""Lines in the leaves on every page: chosen in the sidebar, told as sums, refused where a leaf needs one answer."""

import numpy as np
import pytest

from pages import PAGES
from treecore.pruning import PRUNERS
from treecore.recipe import Grow, Prune


def houses(n: int = 220) -> bytes:
    draw = np.random.default_rng(3)
    area, age = draw.integers(30, 220, n), draw.integers(0, 90, n)
    town = draw.choice(["Centre", "Hills"], n)
    price = 40 + np.where(town == "Centre", 4.6, 2.1) * area - 0.8 * age + draw.normal(0, 9, n)
    rows = [f"{a},{b},{t},{p:.1f}" for a, b, t, p in zip(area, age, town, price, strict=True)]
    return "\n".join(["area,age,town,price", *rows]).encode()


LINES = Grow("cart", (("leaf_model", "linear"), ("min_rows_leaf", 10)))


@pytest.fixture
def opened(app):
    return app.upload(houses(), "houses.csv")


def test_lines_are_chosen_in_the_sidebar_with_what_they_have(opened):
    opened.go("grow")
    assert not opened.has("line_features")
    opened.set("leaf_model", "linear")
    assert opened.record().grow.growth().leaf_model == "linear"
    assert opened.has("line_features")
    assert opened.set("line_features", 1).errors() == []
    assert "The line of this node" in [fold.label for fold in opened.at.expander]


def test_cards_of_leaves_say_their_lines_where_branches_were_cut_too(opened):
    opened.change(grow=LINES, prune=Prune("m5")).go("grow")
    cards = opened.pane()["nodes"]
    cut = [card for card in cards if card.get("cut")]
    assert cut
    for card in cut:
        [[name, line]] = card["lines"]
        assert name == "line"
        assert "area" in line


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_with_lines(opened, page):
    opened.change(grow=LINES)
    assert opened.go(page).errors() == []


def test_the_page_predict_writes_the_sum_out_and_refuses_changes(opened):
    opened.change(grow=LINES).go("predict")
    assert "By the line of its leaf, fitted to" in opened.text()
    assert "× " in opened.text()
    opened.set("predict_tab", "Changes")
    assert any("answer with lines" in error for error in opened.errors())


def test_three_classes_have_no_lines_to_choose(app):
    app.sample("iris").go("grow")
    assert not app.has("leaf_model")


def test_two_classes_have_lines_of_log_odds(app):
    app.sample("titanic").go("grow")
    app.set("leaf_model", "linear").set("min_rows_leaf", 20)
    assert app.errors() == []
    assert "The line of this node" in [fold.label for fold in app.at.expander]
    labels = dict(zip(PRUNERS, app.widget("pruner").options, strict=True))
    assert "not for" in labels["pessimistic"]
    assert "not for" not in labels["cost_complexity"]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_with_lines_of_log_odds(app, page):
    app.sample("titanic").change(grow=LINES)
    assert app.go(page).errors() == []


def test_lines_of_log_odds_are_pruned_by_the_log_loss_as_the_first_recipe_does(app):
    by_loss = Prune("cost_complexity", (("choose", "cross-validation"), ("measure", "log_loss"), ("risk", "log_loss")))
    assert app.sample("titanic").change(grow=LINES, prune=by_loss).go("grow").errors() == []
    assert "log loss" in app.text()


def test_the_page_predict_writes_the_log_odds_and_their_share_out(app):
    app.sample("titanic").change(grow=Grow("cart", (("leaf_model", "linear"), ("max_depth", 1)))).go("predict")
    told = app.text()
    assert "by the line of its leaf." in told
    assert "log-odds of “1” = " in told
    assert "share of “1” = 1 / (1 + e^" in told
    app.set("predict_tab", "Changes")
    assert any("answer with lines" in error for error in app.errors())


def test_lines_are_compared_with_means_and_stay_with_another_algorithm(opened):
    opened.change(grow=LINES).go("compare")
    opened.set("compared_B_group", "Your settings").set("compared_B", "leaf model")
    assert "One answer per leaf" in opened.widget("compared_B").options
    assert opened.errors() == []
    opened.go("grow").set("preset", "rpart")
    assert opened.record().grow.growth().leaf_model == "linear"
    assert opened.errors() == []
