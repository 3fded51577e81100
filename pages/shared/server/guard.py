"""A page opened by its address on a fresh server runs without the entry; the guard then runs the entry."""

import runpy
from collections.abc import Callable, Collection
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import streamlit as st

from pages.shared.server import engine
from pages.shared.session import persistence, state
from pages.shared.widgets import messages

_inside: ContextVar[bool] = ContextVar("inside_entry", default=False)
ENTRY = Path(__file__).resolve().parents[3] / "streamlit_app.py"


@contextmanager
def inside():
    """The entry is running a page; what goes wrong in it is shown as a message."""
    token = _inside.set(True)
    persistence.arrive()
    state.settle()
    persistence.save()  # a page may be loaded again while a tree is still growing
    try:
        with messages.caught(on_top=True, again=True):
            yield
    finally:
        _inside.reset(token)
        persistence.save()
        engine.set_modules_aside()


def enter() -> None:
    """First line of every page."""
    if not _inside.get():
        runpy.run_path(str(ENTRY), run_name="__main__")
        st.stop()


def part(show: Callable[[], None], on_top: bool = True, own: Collection[str] = ()) -> None:
    """A part of a page, run without the rest when another node is selected in it; else the whole page runs.

    What it shows may depend on everything, the rest of the page on all but the selected node. on_top : faults are said
    above what it shows. own : names of choices that only this part shows: a change of them runs it alone, too.
    """
    around = state.everything_chosen()

    @st.fragment
    def alone() -> None:
        state.settle()
        if state.differs_besides_selection(around, own):
            st.rerun()
        with messages.caught(on_top):
            state.answer()
            show()
        persistence.save()

    alone()
