"""Work that takes long: how far it is, with a button that stops it, and another that takes it up again."""

import time
from collections.abc import Callable, Hashable
from contextlib import contextmanager

import streamlit as st

from pages.shared.server import memo
from pages.shared.session import state
from treecore.figures import counted
from treecore.pruning import PruneProgress

PATIENCE = 0.3
"""Seconds of which nothing is said: most results are there before the browser could show it."""
AGAIN = 0.1
"""Seconds between two things said: work in short steps would be held up by its own progress."""
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


def kept(key: Hashable, make: Callable, said: Callable[[object], str], what: str, remedy: str, again: str):
    """What is kept under this key. Where nothing is, it is made now, watched, or the page ends as it was stopped.

    make : makes it, given a callback for its progress. said, what, remedy, again : as below and above.
    """
    found = memo.find(key)
    if found is not None:
        return found
    halt_if_stopped(key, what, remedy, again)
    with watched(key, said) as report:
        return memo.get(key, lambda: make(report))


@contextmanager
def watched(key: Hashable, said: Callable[[object], str]):
    """A callback that shows how far a long work is; its Stop button ends the work at the next call.

    said : the progress in words, as Markdown. What was shown goes when the work is done or fails.
    """
    shown, next_at = [], time.monotonic() + PATIENCE

    def report(progress) -> None:
        nonlocal next_at
        if time.monotonic() < next_at:
            return
        next_at = time.monotonic() + AGAIN
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
        f"Growing on {n_rows:,} rows: {counted(progress.n_nodes, 'node')} so far, "
        f"{progress.n_waiting:,} waiting to be split"
    )


def folds_said(n_rows: int) -> Callable[[object], str]:
    """How far a cross-validation is."""

    def said(progress) -> str:
        fold = min(progress.n_folds - progress.n_waiting + 1, progress.n_folds)
        told = f"Cross-validating on {n_rows:,} rows: fold {fold} of {progress.n_folds}"
        return told + (f", {progress.n_nodes:,} nodes in those that are done" if progress.n_nodes else "")

    return said


def pruning_said(n_rows: int) -> Callable[[object], str]:
    """How far pruning is: at its folds, where it grows some, else at the nodes that it judges."""
    folds = folds_said(n_rows)

    def said(progress) -> str:
        if not isinstance(progress, PruneProgress):
            return folds(progress)
        return f"Pruning: {progress.n_done:,} of {progress.n_nodes:,} nodes judged"

    return said


def rules_said(progress) -> str:
    """How far post-pruning is."""
    return f"Dropping preconditions: rule {progress.n_done + 1:,} of {progress.n_rules:,}"
