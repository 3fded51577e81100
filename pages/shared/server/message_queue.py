"""Messages to the browser that wait to be sent: a part of a page that runs alone throws none of them away."""

from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue


class WholeQueue(ForwardMsgQueue):
    """A session's messages, in the order in which they came.

    Before a fragment runs, Streamlit throws away what is left to be sent of its former run. Fragments inside it, and
    elements that the browser has in its cache, stay, though the containers around them are gone: a browser that has no
    such containers yet then fails at a "bad delta path" and shows an empty window. Here all of it is sent, as if the
    fragment had run a moment later. A whole page that runs anew still takes the place of what waits.
    """

    def clear(self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
        if fragment_ids_this_run is None:
            super().clear(retain_lifecycle_msgs)
        else:
            self._delta_index_map = {}  # what this run sends is no newer version of what the former one has sent


def use() -> None:
    """In all sessions that begin from now on."""
    app_session.ForwardMsgQueue = WholeQueue
