"""Slow work of an experiment begins when it is asked for, and tells how far it is."""

import time
from collections.abc import Callable

import streamlit as st

from pages.shared.session import state
from treecore.study.questions.question import Start


def begun(start: Start, key: str) -> bool:
    """Has it been asked for? If not, the button stands there, with what it will do. key : of the button."""
    if not state.choice(start.choice):
        if start.note:
            st.caption(start.note)
        offer(start, key)
    return bool(state.choice(start.choice))


def offer(start: Start, key: str) -> None:
    """The button that asks for it."""
    st.button(start.button, type="primary", key=key, on_click=lambda: state.choose(start.choice, True))


def progress_text(doing: str, things: str = "trees") -> Callable[[object], str]:
    """How many trees are done, and about how long the others take. doing : such as "Regrowing"."""
    began = time.monotonic()

    def text(progress) -> str:
        done = progress.n_folds - progress.n_waiting
        left = (time.monotonic() - began) * progress.n_waiting / done if done else None
        words = f"{doing}: {done:,} of {progress.n_folds:,} {things}"
        return words + (f", about {max(1, round(left)):,} s left" if left is not None else "")

    return text
