"""One row is moved over the plane by clicks and keys: the canvas has the tree that grows then, until it is put back."""

import re

import pytest

pytestmark = pytest.mark.browser

PLACES = """(chart, length) => {
    const { xaxis, yaxis } = chart._fullLayout, frame = chart.getBoundingClientRect();
    const trace = chart._fullData.find(t => t.customdata?.[0]?.length === length);
    return Array.from(trace.x, (x, i) => [
        frame.left + xaxis._offset + xaxis.l2p(x), frame.top + yaxis._offset + yaxis.l2p(trace.y[i])]);
}"""
"""Where the marks are whose customdata has so many parts, in pixels of the window."""


def click_mark(app, chart: str, length: int, wanted) -> None:
    """Click the mark that is first in this order."""
    plot = app.page.locator(f".st-key-{chart} .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    app.settled()
    x, y = min(plot.evaluate(PLACES, length), key=wanted)
    app.page.mouse.move(x - 3, y)
    app.page.mouse.move(x, y)
    app.page.wait_for_timeout(300)  # the mark is told from its neighbours with the next frame
    app.page.mouse.click(x, y)


def test_a_row_is_moved_by_a_click_and_by_keys_and_is_put_back(laptop):
    app = laptop
    app.sample("Iris")
    app.go("Regions")
    app.drawn()
    before = app.card(0).text_content()
    click_mark(app, "plane", 2, lambda at: at[0] - at[1])  # the lowest on the left
    app.page.locator(".st-key-move_row button").click()
    app.text("is where it was. How much of the tree hangs on one row?").wait_for()
    click_mark(app, "moved_plane", 3, lambda at: abs(at[0] - 1320) + abs(at[1] - 400))  # at the right, not at the edge
    app.page.locator(".bench .tag").filter(has_text=re.compile(r"Row \d+ at ")).wait_for()
    app.settled()
    app.page.wait_for_timeout(500)  # the canvas asks for the rest of what changed
    app.settled()
    across = app.page.locator(".st-key-plane_moved_x input")
    clicked = float(across.input_value())
    across.focus()
    app.page.keyboard.press("ArrowDown")
    app.page.keyboard.press("Enter")
    app.page.wait_for_function(
        "most => document.querySelector('.st-key-plane_moved_x input').value < most", arg=clicked, timeout=20_000
    )  # fmt: skip
    app.settled()
    app.page.locator(".st-key-put_back button").click()
    app.page.locator(".st-key-plane .js-plotly-plot").wait_for()
    app.drawn()
    app.counts(".bench .tag:not([hidden])", 0)
    assert app.card(0).text_content() == before
    assert app.faults() == []
