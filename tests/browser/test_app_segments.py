"""The risk skyline in a browser: dragged and moved by keys without a word to the server, many times a second."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.browser

WORDS = """() => {
    window.sent = 0;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (...given) { window.sent += 1; return send.apply(this, given); };
}"""
"""Counts what goes to the server from now on."""
FRAMES = """async ([left, right, y]) => {
    const roots = [document, ...[...document.querySelectorAll("*")].map(e => e.shadowRoot).filter(Boolean)];
    const host = roots.map(root => root.querySelector(".skyline .plot")).find(Boolean);
    const told = (kind, x) => host.dispatchEvent(new PointerEvent(kind, {
        clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true,
    }));
    host.setPointerCapture = () => {};
    told("pointerdown", left);
    const times = [];
    for (let i = 0; i <= 60; i += 1) {
        told("pointermove", left + ((right - left) * i) / 60);
        await new Promise(requestAnimationFrame);
        times.push(performance.now());
    }
    const sent = window.sent;
    told("pointercancel", right);
    return [60000 / (times.at(-1) - times[0]), sent];
}"""
"""The line dragged from left to right in 60 frames: frames per second, and words to the server meanwhile."""


def risky(n: int = 3000, groups: int = 0) -> bytes:
    """A file in which calls and months tell who leaves; or one of so many groups, each with a rate of its own."""
    draw = np.random.default_rng(7)
    months, calls = draw.integers(1, 70, n), draw.poisson(1.4, n)
    risk = 1 / (1 + np.exp(2.6 + 0.05 * (months - 20) - 0.6 * (calls - 1)))
    frame = pd.DataFrame({"months": months, "calls": calls})
    if groups:
        frame = pd.DataFrame({"place": np.arange(n) % groups})
        risk = np.linspace(0.02, 0.6, groups)[(np.arange(n) * 37) % groups]
    frame["churn"] = np.where(draw.random(n) < risk, "yes", "no")
    return frame.to_csv(index=False).encode()


@pytest.fixture
def opened(app):
    app.upload("churn.csv", risky())
    app.drawn()
    app.go("Segments")
    app.page.locator(".skyline .tower").first.wait_for()
    app.drawn()
    return app


def said(app) -> str:
    return app.page.locator(".skyline .said").text_content()


def lit(app) -> int:
    """Leaves of the tree that are lit."""
    return app.page.locator(".bench .node.leaf.lit").count()


def spot(app, share: float) -> tuple[float, float]:
    """A point of the plot, by its part of all rows."""
    box = app.page.locator(".skyline .plot").bounding_box()
    return box["x"] + 56 + (box["width"] - 74) * share, box["y"] + box["height"] / 2


def test_the_line_is_dragged_in_the_browser_and_makes_the_rule_when_it_is_let_go(opened):
    app, page = opened, opened.page
    first, before = said(app), lit(app)
    page.evaluate(WORDS)
    page.mouse.move(*spot(app, 0.1))
    page.mouse.down()
    for i in range(20):
        page.mouse.move(*spot(app, 0.1 + 0.03 * i))
    assert page.evaluate("window.sent") == 0
    dragged = said(app)
    assert dragged != first
    assert lit(app) > before
    assert "As a flag rule, of whole segments: the first" in page.locator(".skyline .rule").text_content()
    page.mouse.up()
    app.text("Flag rule:").first.wait_for()
    app.settled()
    assert page.evaluate("window.sent") > 0
    assert said(app) == dragged
    app.go("Predict")
    page.get_by_text("lagged: ").first.wait_for()


def test_the_sentence_is_that_of_the_library(opened):
    app, page = opened, opened.page
    told = page.locator(".skyline .slide").get_attribute("aria-valuemax")
    page.locator(".skyline .slide").focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowUp", "PageUp", "End", "ArrowLeft"):
        page.keyboard.press(key)
        words = said(app)
        assert page.locator(".skyline .slide").get_attribute("aria-valuetext") == words
        rows, hits, alarms = (int(w.replace(",", "")) for w in (words.split()[1], words.split()[4], words.split()[-3]))
        assert rows == hits + alarms
        assert f"of {int(told):,}:" in words
    app.text("Flag rule:").first.wait_for()


def test_a_click_selects_the_leaf_and_keys_do_too(opened):
    app, page = opened, opened.page
    page.mouse.click(*spot(app, 0.97))
    app.text("Segment ").first.wait_for()
    app.settled()
    page.locator(".bench .node.selected.leaf").wait_for()
    page.locator(".skyline .chosen").wait_for()
    page.locator(".skyline .slide").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text("Segment 1 of").first.wait_for()


def test_the_skyline_fills_the_page(opened):
    page = opened.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.wait_for_timeout(600)
    box = page.locator(".skyline").bounding_box()
    assert box["width"] * box["height"] >= 0.45 * 1366 * 768
    bench = page.locator(".bench").bounding_box()
    assert bench["y"] + bench["height"] <= 768 + 1


def test_two_hundred_towers_are_dragged_smoothly(app):
    """A loose bound: the machine may be busy."""
    app.upload("places.csv", risky(30_000, groups=230))
    app.drawn()
    app.page.locator(".bench .dock .slide").focus()
    app.page.keyboard.press("End")  # the whole tree
    app.page.wait_for_timeout(900)
    app.settled()
    app.go("Segments")
    app.page.locator(".skyline .tower").first.wait_for()
    app.drawn()
    towers = app.page.locator(".skyline .tower").first.get_attribute("d").count("M")
    assert towers >= 200
    app.page.evaluate(WORDS)
    (left, y), (right, _) = spot(app, 0.05), spot(app, 0.95)
    frames, sent = app.page.evaluate(FRAMES, [left, right, y])
    print(f"{towers} towers, {frames:.0f} frames/s")
    assert sent == 0
    assert frames >= 20


def test_towers_nodes_and_legend_have_the_groups_of_a_column_in_the_same_colours(opened):
    page = opened.page
    page.locator(".bench select.menu").select_option("months")
    page.locator(".skyline .group").first.wait_for(state="attached")
    opened.settled()
    colours = "all => [...new Set(all.map(e => getComputedStyle(e).fill))].sort()"
    under_towers = page.locator(".skyline .group").evaluate_all(colours)
    assert len(under_towers) == 5, "ranges of months"
    assert page.locator(".bench .chip rect[height='6']").evaluate_all(colours) == under_towers
    named = page.locator(".bench .legend li[title^='months: '] rect").evaluate_all(colours)
    assert named == under_towers
    with page.expect_download() as download:
        page.locator(".picture-of").click()
    picture = download.value.path().read_text("utf-8")
    assert download.value.suggested_filename == "skyline.svg"
    assert "var(--" not in ElementTree.fromstring(picture).find(".//{*}path").get("style"), "colours of its own"
    assert all(colour in picture for colour in under_towers)
    page.locator(".bench select.menu").select_option("")
    page.locator(".skyline .group").first.wait_for(state="detached")
