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


@pytest.fixture
def grown(sent, app):
    """The page Grow with a tree."""
    app.sample("Titanic")
    app.tree()
    app.page.wait_for_timeout(900)  # until the canvas has said how large it is
    app.settled()
    sent.clear()
    return app


def test_a_click_on_a_node_runs_only_what_shows_it(grown, sent):
    grown.click_card(1)
    grown.node_is(1)
    grown.settled()
    assert _runs(sent) == [PART]


def test_another_limit_runs_the_whole_page_once(grown, sent):
    grown.open_sidebar()
    sent.clear()
    slider = grown.page.get_by_role("slider", name="Depth at most")
    slider.focus()
    slider.press("Home")
    grown.text("2 leaves, depth 1").wait_for()
    grown.settled()
    assert _runs(sent) == [WHOLE]


def test_a_cut_in_the_diagram_reaches_the_rest_of_the_page(grown, sent):
    grown.click_card(1)
    grown.node_is(1)
    grown.settled()
    sent.clear()
    grown.page.get_by_role("button", name="Cut here").click()
    grown.button("Ghosts").wait_for()
    grown.settled()
    assert _runs(sent)[-1] == WHOLE


def test_a_fold_is_sent_when_it_is_opened_and_then_stays_open(grown, sent):
    setting = grown.page.get_by_role("spinbutton", name="Rows to split a node, at least")
    assert setting.count() == 0
    grown.open_sidebar()
    sent.clear()
    grown.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    setting.wait_for()
    grown.settled()
    assert _runs(sent) == [PART]
    grown.go("Regions")
    setting.wait_for()
