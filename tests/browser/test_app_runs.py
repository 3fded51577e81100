"""A small table for a while, in a real browser: what the page no longer shows is let go; one row is moved over the
plane, and the canvas has the tree that grows then until it is put back; the server runs what follows from a click.
"""

import math
import re

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

pytestmark = pytest.mark.browser
TURNS = ("Penguins", "Iris")
LEAKED = 50
"""Nodes that each turn may leave; a tree that is not let go is hundreds."""
PLACES = """(chart, length) => {
    const { xaxis, yaxis } = chart._fullLayout, frame = chart.getBoundingClientRect();
    const trace = chart._fullData.find(t => t.customdata?.[0]?.length === length);
    return Array.from(trace.x, (x, i) => [
        frame.left + xaxis._offset + xaxis.l2p(x), frame.top + yaxis._offset + yaxis.l2p(trace.y[i])]);
}"""
"""Where the marks are whose customdata has so many parts, in pixels of the window."""
PART, WHOLE = "FINISHED_FRAGMENT_RUN_SUCCESSFULLY", "FINISHED_SUCCESSFULLY"


@pytest.fixture
def sent(listen):
    """Messages of the server since the last `sent.clear()`."""
    found: list[ForwardMsg] = []
    listen("websocket", lambda socket: socket.on("framereceived", lambda data: found.append(_message(data))))
    return found


def _message(data: bytes) -> ForwardMsg:
    message = ForwardMsg()
    message.ParseFromString(data)
    return message


def _runs(sent: list[ForwardMsg]) -> list[str]:
    """How every run of the script ended, in order."""
    ended = [m.script_finished for m in sent if m.WhichOneof("type") == "script_finished"]
    return [ForwardMsg.ScriptFinishedStatus.Name(status) for status in ended]


def test_a_page_stays_small_moves_a_row_and_runs_what_a_click_asks(sent, laptop):
    the_page_does_not_grow_once_it_is_warm(laptop)
    a_row_is_moved_by_a_click_and_by_keys_and_is_put_back(laptop)
    laptop.tree()
    assert laptop.faults() == []
    a_click_runs_what_follows_from_it(sent, laptop)


def the_page_does_not_grow_once_it_is_warm(app) -> None:
    """Every turn replaces the table, the tree, its folds and its settings; the first one warms what is kept."""
    devtools = app.page.context.new_cdp_session(app.page)

    def in_use(nodes: int = 0, listeners: int = 0) -> tuple[int, int]:
        """The least of some looks, down to these: what is let go is collected when the browser has time for it."""
        least = (math.inf, math.inf)
        for _ in range(20 if nodes else 3):
            devtools.send("HeapProfiler.collectGarbage")
            app.page.wait_for_timeout(200)
            found = devtools.send("Memory.getDOMCounters")
            least = min(least[0], found["nodes"]), min(least[1], found["jsEventListeners"])
            if least[0] < nodes and least[1] < listeners:
                break
        return least

    def turn(*samples: str) -> None:
        for sample in samples:
            app.go("Data")
            app.sample(sample)
            app.tree()
            app.settled()

    turn(TURNS[-1])
    nodes, listeners = in_use()
    nodes, listeners = nodes + LEAKED * len(TURNS), listeners + 2 * len(TURNS)
    turn(*TURNS)
    more_nodes, more_listeners = in_use(nodes, listeners)
    assert more_nodes < nodes
    assert more_listeners < listeners


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


def a_row_is_moved_by_a_click_and_by_keys_and_is_put_back(app) -> None:
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


def a_click_runs_what_follows_from_it(sent, app) -> None:
    """On the page Explore with a tree, each time once the page is at rest."""
    for step in (
        a_click_on_a_node_runs_only_what_shows_it,
        a_cut_in_the_diagram_reaches_the_rest_of_the_page,
        a_fold_is_sent_when_it_is_opened,
        another_limit_runs_the_whole_page_once,
    ):
        app.settled()
        sent.clear()
        step(app, sent)
    app.go("Regions")
    setting(app).wait_for()  # the fold stays open


def a_click_on_a_node_runs_only_what_shows_it(app, sent) -> None:
    app.click_card(2)
    app.node_is(2)
    app.settled()
    assert _runs(sent) == [PART]


def a_cut_in_the_diagram_reaches_the_rest_of_the_page(app, sent) -> None:
    app.page.get_by_role("button", name="Prune here").click()
    app.button("Ghosts").wait_for()
    app.settled()
    assert _runs(sent)[-1] == WHOLE


def setting(app):
    return app.page.get_by_role("spinbutton", name="Smallest node to split (rows)")


def a_fold_is_sent_when_it_is_opened(app, sent) -> None:
    assert setting(app).count() == 0
    app.open_sidebar()
    sent.clear()
    app.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    setting(app).wait_for()
    app.settled()
    assert _runs(sent) == [PART]


def another_limit_runs_the_whole_page_once(app, sent) -> None:
    slider = app.page.get_by_role("slider", name="Maximum depth")
    slider.focus()
    slider.press("Home")
    app.text("2 leaves, depth 1").wait_for()
    app.fitted()
    assert _runs(sent) == [WHOLE, PART], "and the new tree, which nobody has moved, gets its place beside the settings"
