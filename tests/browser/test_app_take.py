"""Splits and rules in a real browser: another split from a bar, a dragged threshold, the landscape; step by step; a
guess by keyboard, presented to a class; what rules drop.
"""

import re

import pytest

pytestmark = pytest.mark.browser
FILLS = """() => {
    const host = [...document.querySelectorAll("*")].find((e) => e.shadowRoot?.querySelector(".bench"));
    const pane = (host?.shadowRoot ?? document).querySelector(".bench.presenting");
    return pane && Math.abs(pane.getBoundingClientRect().bottom - innerHeight) < 2
        && pane.getBoundingClientRect().top < 4;
}"""


def test_splits_are_taken_gone_through_guessed_and_written_as_rules(sent, app, faults):
    app.sample("Titanic")
    app.tree()
    a_rival_is_pointed_at_tried_taken_and_undone(app)
    a_threshold_is_dragged_and_chosen_by_keyboard(sent, app)
    a_point_of_the_landscape_is_offered_and_taken(app)
    the_keyboard_alone_goes_step_by_step(app)
    app.page.get_by_test_id("undo").click()
    app.settled()
    a_guess_is_told_its_rank_and_shown_to_a_class(app)
    post_pruning_strikes_out_what_was_dropped(app)
    assert [*app.faults(), *faults] == []


def a_rival_is_pointed_at_tried_taken_and_undone(app) -> None:
    app.click_card(2)
    app.node_is(2)
    app.settled()
    app.text("The arithmetic of this split").click()
    assert app.wide_formulas() == 0, "long sums go on in the next line"
    app.tab("Alternatives")
    fare, taken = app.rival("fare"), app.text(re.compile(r"Recipe: .*take fare at .* instead of pclass \(1\)"))
    fare.hover()
    app.page.locator(".bench .preview .node").nth(1).wait_for()
    assert "right" in fare.inner_text(), "what it would do to the validation rows, without taking it"
    app.page.get_by_test_id("undo").hover()
    app.page.locator(".bench .preview .node").first.wait_for(state="detached")
    fare.click()
    app.text(re.compile("validation rows here it predicts")).wait_for()
    app.settled()
    app.button("Take this split instead").first.click()
    taken.wait_for()
    app.page.locator(".bench .notice").get_by_role("button", name="Undo").click()
    taken.wait_for(state="detached")
    app.settled()
    app.page.get_by_test_id("redo").click()
    taken.wait_for()
    app.settled()
    app.page.locator(".bench .acts").get_by_role("button", name="Grow as before").click()
    app.page.locator(".bench .notice").get_by_text("Node 2 grew by pclass").wait_for()
    app.settled()
    assert app.page.locator(".bench .acts [data-act=regrow]").count() == 0, "it is as it was"
    for _ in range(2):
        app.page.get_by_test_id("undo").click()
        app.settled()
    taken.wait_for(state="detached")


def a_threshold_is_dragged_and_chosen_by_keyboard(sent: list, app) -> None:
    """Gain and rows on either side are said while the handle moves; the server hears of it at the end."""
    app.rival("fare").click()
    app.settled()
    picture, said = app.page.locator(".rivals .cuts svg"), app.page.locator(".rivals .said")
    picture.scroll_into_view_if_needed()
    app.page.wait_for_timeout(600)
    before, box = said.inner_text(), picture.bounding_box()
    assert sent
    sent.clear()
    app.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
    app.page.mouse.down()
    for k in range(8):
        app.page.mouse.move(box["x"] + box["width"] / 2 + 9 * k, box["y"] + 60)
    assert said.inner_text() != before
    assert re.search(r"gain [\d.e-]+\s+\d+ \| \d+ rows", said.inner_text())
    assert sent == [], "nothing is asked while the handle is dragged"
    app.page.mouse.up()
    app.button("Take this split instead").first.wait_for()
    app.settled()
    asked = app.page.locator(".rivals .said b").inner_text()
    app.page.get_by_role("slider", name=re.compile("Cuts of fare")).press("ArrowRight")
    app.page.locator(".rivals .said b").get_by_text(asked, exact=True).wait_for(state="detached")
    app.page.wait_for_timeout(600)
    app.settled()
    app.button("Take this split instead").first.click()
    taken = app.text(re.compile(r"Recipe: .*take fare at "))
    taken.wait_for()
    app.settled()
    app.page.get_by_test_id("undo").click()
    taken.wait_for(state="detached")
    app.settled()


def a_point_of_the_landscape_is_offered_and_taken(app) -> None:
    app.page.get_by_text(re.compile("Split landscape: what every cut at node 2")).click()
    app.text("Click a point or a bar").wait_for()
    app.settled()
    chart = app.page.locator("[data-testid=stPlotlyChart]").last
    point = chart.locator(".scatterlayer .trace .points path").first
    point.scroll_into_view_if_needed()
    app.page.wait_for_timeout(400)
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    app.page.mouse.move(x, y)
    chart.locator(".hoverlayer .hovertext").first.wait_for()
    assert "training rows below" in chart.locator(".hoverlayer").text_content()
    app.page.mouse.click(x, y)
    app.text("Chosen: ").wait_for()
    app.button("Take this split instead").last.click()
    app.text(re.compile(r"Recipe: .*take \S+ at ")).wait_for()
    assert app.page.get_by_test_id("undo").is_enabled()


def the_keyboard_alone_goes_step_by_step(app) -> None:
    app.open_page("Step by step")
    app.heading("Split 1: node 0").wait_for()
    app.drawn()
    app.press("PageDown")
    app.page.get_by_role("heading", name=re.compile("^Split 2: ")).wait_for()
    app.page.keyboard.press("PageDown")
    app.page.get_by_role("heading", name=re.compile("^Split 3: ")).wait_for()
    app.settled()
    app.drawn()
    app.counts(".bench .node:not(.unborn)", 7)
    where = [app.card(node).get_attribute("transform") for node in (0, 1, 2)]
    assert all(where)
    app.page.keyboard.press("PageUp")
    app.heading("Split 2: node 1").wait_for()
    app.settled()
    app.drawn()
    app.counts(".bench .node:not(.unborn)", 5)
    still = [app.card(node).get_attribute("transform") for node in (0, 1, 2)]
    assert still == where, "the picture stands still, the camera follows"
    app.press("Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    last = app.page.locator(".bench .stage").get_attribute("aria-activedescendant")
    assert app.page.locator(f".bench #{last}.unborn").count() == 0, "what is still to come is not walked to"
    app.press("Home", "Enter")
    app.page.locator(".bench #n1:not(.unborn)").wait_for()
    app.click_card(0)
    app.heading("Split 1: node 0").wait_for()


def a_guess_is_told_its_rank_and_shown_to_a_class(app) -> None:
    app.go("Guess")
    app.drawn()
    drawer = app.page.locator(".st-key-drawer")
    drawer.get_by_text("fare", exact=True).click()
    app.page.locator(".st-key-guess_tell button:enabled").first.wait_for()
    app.settled()
    app.page.keyboard.press("Alt+t")
    drawer.get_by_text(re.compile(r"is number \d of 7")).first.wait_for()
    app.text(re.compile("^The tree splits on")).wait_for()
    app.settled()
    strip = app.page.locator(".st-key-strip")
    app.page.keyboard.press("Alt+p")
    strip.wait_for(state="hidden")
    app.page.wait_for_function(FILLS)
    app.settled()
    app.page.keyboard.press("PageDown")
    drawer.get_by_text("2 of", exact=False).first.wait_for()
    drawer.get_by_text(re.compile("Node 1: which split")).first.wait_for()
    app.settled()
    app.page.keyboard.press("Alt+p")
    strip.wait_for()
    app.settled()


def post_pruning_strikes_out_what_was_dropped(app) -> None:
    app.go("Rules")
    app.drawn()
    app.page.locator(".st-key-rules_view").get_by_text("pruned", exact=True).click()
    app.text(re.compile(r"preconditions? dropped; the first rule")).wait_for()
    app.settled()
    app.page.get_by_role("button", name=re.compile(r"^Rule \d+$")).first.click()
    app.page.get_by_role("heading", name=re.compile(r"^Rule \d+ of \d+: node \d+$")).wait_for()
    struck = app.page.get_by_test_id("stMain").locator("li del").first
    struck.wait_for()
    line = app.page.get_by_test_id("stMain").locator("li", has=app.page.locator("del")).first.inner_text()
    before, after = re.search(r"validation \w+ ([\d.]+)\s?%? with it \(.*\), ([\d.]+)\s?%? without", line).groups()
    assert float(after) <= float(before)


def test_a_notice_goes_with_the_step_that_it_would_take_back(app):
    app.sample("Titanic")
    app.tree()
    notice = app.page.locator(".bench .notice")
    app.click_card(2)
    app.node_is(2)
    app.press("x")
    notice.get_by_text("Cut node 2").wait_for()
    app.settled()
    app.page.get_by_test_id("undo").click()
    notice.wait_for(state="hidden", timeout=3000)
