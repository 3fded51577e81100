"""What is let go when a user has left for good: results that only he used, his session, and the memory of both."""

from contextlib import suppress
from threading import Timer

import streamlit as st
from streamlit import runtime

from pages.shared.server import engine, memo
from pages.shared.session import shelf, state
from treecore.engine.memory import give_back

LATER = 5.0
"""Seconds after which a session that did not come back in time is swept away."""
_here: dict[str, "_Guest"] = {}


class _Guest:
    """A session that is connected. One that comes back in time is another guest with the same session."""

    def __init__(self, session: str):
        self.session = session


def _left(guest: _Guest) -> None:
    patience = st.get_option("server.disconnectedSessionTTL") + LATER
    timer = Timer(patience, sweep, (guest,))
    timer.daemon = True
    timer.start()


@st.cache_resource(scope="session", on_release=_left, show_spinner=False)
def _guest() -> _Guest:
    return _Guest(memo.user())


def arrive() -> None:
    """Every run of a session says that it is there."""
    guest = _guest()
    _here[guest.session] = guest


def sweep(guest: _Guest) -> None:
    """Let go of what a guest has left, unless he has come back."""
    if _here.get(guest.session) is not guest:
        return
    del _here[guest.session]
    memo.leave(guest.session)
    shelf.leave(guest.session, state.without_table)
    # sessions that may no longer come back stay until another one leaves
    with suppress(AttributeError, RuntimeError):
        runtime.get_instance()._session_mgr._session_storage._cache.expire()
    engine.sweep()
    give_back()
