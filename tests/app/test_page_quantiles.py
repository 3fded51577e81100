"""Quantiles and Huber means in the app: chosen with their parameter, told by their own loss on every page."""

import pytest

from pages import PAGES
from treecore.recipe import Grow, Prune

UPPER = Grow("cart", (("criterion", "quantile"), ("quantile", 0.9), ("min_rows_leaf", 20)))
ROBUST = Grow("cart", (("criterion", "huber"), ("min_rows_leaf", 20)))
MEDIAN = Grow("cart", (("criterion", "absolute_error"), ("min_rows_leaf", 20)))
OWN = [(UPPER, "mean pinball loss"), (ROBUST, "mean Huber loss"), (MEDIAN, "mean absolute error")]


def test_the_parameter_stands_below_its_criterion(app):
    app.sample("mpg")
    app.put(grow=Grow("cart", ()))
    app.go("grow")
    assert not app.has("quantile")
    app.set("criterion", "quantile")
    assert not app.has("delta")
    app.set("quantile", 0.9)
    assert dict(app.record().grow.settings) == {"criterion": "quantile", "quantile": 0.9}
    assert app.errors() == []
    assert "90\u00a0% quantile" in app.text()
    app.set("criterion", "huber")
    assert app.has("delta")
    assert "Huber mean" in app.text()


@pytest.mark.parametrize(("grow", "loss"), OWN)
def test_every_page_tells_the_trees_own_loss(app, grow, loss):
    app.sample("mpg")
    app.put(grow=grow, prune=Prune("cost_complexity", ()))
    for name in PAGES:
        assert app.go(name).errors() == [], name
    text = app.go("grow", selected=0).text()
    assert loss in text
    assert "always the" in text
    assert "RMSE" not in text


def test_a_quantile_is_refused_where_means_are_tested(app):
    app.sample("mpg")
    app.put(grow=Grow("ctree", (("criterion", "quantile"),)))
    app.go("grow")
    assert any("grow by CART" in error for error in app.errors())


@pytest.mark.parametrize(("grow", "label"), [(UPPER, "Mean pinball loss"), (ROBUST, "Mean Huber loss")])
def test_other_recipes_are_judged_by_the_loss_of_the_tree(app, grow, label):
    """Not by the mean absolute error, unless it is chosen; what δ is, the recipe's line says."""
    app.sample("mpg")
    app.put(grow=grow, prune=Prune("none", ()))
    app.go("experiments")
    assert app.widget("experiment_measure").value in ("pinball", "huber")
    both = {"experiment on": True, "experiment recipes": ("in force", "preset cart"), "experiment folds": 3}
    app.go("experiments", choices={**app.record().choices, **both})
    assert app.errors() == []
    text = app.text()
    assert "All are judged by the loss that your tree grows by" in text
    assert ("by the training rows" in text) == (grow is ROBUST)
    others = {"experiment recipes": ("preset cart", "preset rpart")}
    app.go("experiments", choices={**app.record().choices, **others})
    assert app.errors() == []
    assert app.widget("experiment_measure").value not in ("pinball", "huber")
