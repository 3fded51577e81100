"""Work that takes long: how far it is, with a button that stops it, and another that takes it up again."""

import time
from collections.abc import Callable, Hashable
from contextlib import contextmanager

import streamlit as st

from pages.shared import state

PATIENCE = 0.3
"""Seconds of which nothing is said: most results are there before the browser could show it."""
# Streamlit's own Stop would leave an empty page; ours says what was stopped and how to go on.
NO_OTHER_STOP = "<style>[data-testid=stStatusWidget] button { display: none; }</style>"


def halt_if_stopped(key: Hashable, what: str, remedy: str, again: str) -> None:
    """End the page here if the user has stopped this work; a button takes it up again.

    key : of the result. what : "Growing". remedy : "change a limit". again : the button's label.
    """
    if state.record().stopped != key:
        return
    st.warning(f"{what} was stopped. Nothing is lost: {remedy}, or go on.")
    st.button(again, on_click=lambda: state.change(stopped=None), key=f"go on {hash(key):x}")
    st.stop()


@contextmanager
def watched(key: Hashable, said: Callable[[object], str]):
    """A callback that shows how far a long work is; its Stop button ends the work at the next call.

    said : the progress in words, as Markdown. What was shown goes when the work is done or fails.
    """
    shown, begin = [], time.monotonic()

    def report(progress) -> None:
        if time.monotonic() - begin < PATIENCE:
            return
        if not shown:
            shown.extend(_shown(key))
        shown[1].markdown(said(progress))

    def clear() -> None:
        if shown:
            shown[0].empty()

    try:
        yield report
    except Exception:  # a stop is none, and must not call Streamlit again
        clear()
        raise
    clear()


def _shown(key: Hashable) -> tuple:
    """(the whole, the place of its words), with a Stop button beside them."""
    whole = st.empty()
    with whole.container():
        st.html(NO_OTHER_STOP)
        with st.container(horizontal=True, vertical_alignment="center"):
            words = st.empty()
            st.button("Stop", on_click=lambda: state.change(stopped=key), key=f"stop {hash(key):x}")
    return whole, words


def growing_said(n_rows: int) -> Callable[[object], str]:
    """How far a tree is."""
    return lambda progress: (
        f"Growing on {n_rows:,} rows: {progress.n_nodes:,} nodes so far, {progress.n_waiting:,} waiting to be split"
    )


def folds_said(n_rows: int) -> Callable[[object], str]:
    """How far a cross-validation is."""

    def said(progress) -> str:
        fold = min(progress.n_folds - progress.n_waiting + 1, progress.n_folds)
        told = f"Cross-validating on {n_rows:,} rows: fold {fold} of {progress.n_folds}"
        return told + (f", {progress.n_nodes:,} nodes in those that are done" if progress.n_nodes else "")

    return said
