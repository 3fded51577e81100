"""Recipes tried in a real browser: unasked nothing, then points, a verdict and its arithmetic, which fits its place."""

import pytest

from tests.browser.app_steps import loans

pytestmark = pytest.mark.browser


def test_two_recipes_are_tried_and_the_test_is_opened(laptop):
    app = laptop
    app.upload("tried.csv", loans(600))
    app.named("tried.csv")
    app.go("Experiments")
    app.drawn()
    camera, chart = app.camera(), app.page.locator(".st-key-fold_scores .js-plotly-plot")
    app.counts(".st-key-fold_scores", 0)
    app.button("Try them").click()
    chart.wait_for(timeout=60_000)
    app.counts(".st-key-fold_scores .scatterlayer .trace", 5)  # folds joined, two lines of points, two means
    app.text("on average").wait_for()
    app.text("The paired t-test, step by step").click()
    app.text("H₀: A and B score the same").wait_for()
    assert app.wide_formulas() == 0
    assert app.page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert app.camera() == camera, "the tree stays where it is"
    app.go("Explore")
    app.go("Experiments")
    chart.wait_for(timeout=60_000)
    app.pick(app.page.get_by_role("combobox", name="Experiment"), "Is it stable?")
    app.button("Regrow").click()
    badge = app.page.locator(".bench #n0 .badge title")  # in SVG, so never in view
    badge.filter(has_text="of the regrown trees").first.wait_for(state="attached", timeout=120_000)
    assert app.faults() == []
