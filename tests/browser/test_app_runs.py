"""What the server runs and sends for what the user does: no more than follows from it."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

pytestmark = pytest.mark.browser

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


def test_what_a_click_runs(sent, app):
    """On the page Explore with a tree, each time once the page is at rest."""
    app.sample("Iris")
    app.tree()
    app.page.wait_for_timeout(900)  # until the canvas has said how large it is
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
    app.page.get_by_role("button", name="Cut here").click()
    app.button("Ghosts").wait_for()
    app.settled()
    assert _runs(sent)[-1] == WHOLE


def setting(app):
    return app.page.get_by_role("spinbutton", name="Rows to split a node, at least")


def a_fold_is_sent_when_it_is_opened(app, sent) -> None:
    assert setting(app).count() == 0
    app.open_sidebar()
    sent.clear()
    app.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    setting(app).wait_for()
    app.settled()
    assert _runs(sent) == [PART]


def another_limit_runs_the_whole_page_once(app, sent) -> None:
    slider = app.page.get_by_role("slider", name="Depth at most")
    slider.focus()
    slider.press("Home")
    app.text("2 leaves, depth 1").wait_for()
    app.settled()
    assert _runs(sent) == [WHOLE]
