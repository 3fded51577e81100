"""Playing the nested sequence: one step after the other, until the root alone is left."""

import time
from collections.abc import Callable

import streamlit as st

from pages.shared import nested, state
from pages.shared.state import Record

EVERY = 0.5
"""Seconds from one step to the next."""
FOLLOWS = 1.2
"""Seconds after a step of the reader's until the rest of the page follows."""
LEFT = 10.0
"""Who comes back to the page after more seconds than this does not find it moving."""


def button() -> None:
    """Play or pause. It stands outside of what moves: a click draws all of the page."""
    n_steps, step, playing = len(nested.steps()), nested.chosen_step(), is_playing()
    st.button(
        "Pause" if playing else "Play", icon=":material/pause:" if playing else ":material/play_arrow:",
        on_click=lambda: set_playing(not playing, n_steps, step), key="play", type="primary", disabled=n_steps < 2,
        help="Prune on, a weakest link at a time, until the root alone is left",
    )  # fmt: skip


def steps(n_steps: int, step: int | None) -> None:
    """One step to either side."""
    here = 0 if step is None else step
    with st.container(horizontal=True):
        smaller, larger = step is not None and here < n_steps - 1, bool(step)
        st.button("Smaller", on_click=lambda: _go(here + 1), key="step_smaller", disabled=is_playing() or not smaller)
        st.button("Larger", on_click=lambda: _go(here - 1), key="step_larger", disabled=is_playing() or not larger)


def is_playing() -> bool:
    return time.monotonic() - state.choice("played at", -LEFT) < LEFT and state.choice("playing", False)


def set_playing(on: bool, n_steps: int, step: int | None) -> None:
    """Play from the step in force, or from the unpruned tree where that is no step or the last one."""
    state.choose("playing", on)
    state.choose("played at", time.monotonic())
    if on and (step is None or step >= n_steps - 1):
        nested.take(0)


def _go(step: int) -> None:
    nested.take(step)


def advance() -> None:
    """One step on; stops at the root alone."""
    step, last = nested.chosen_step(), len(nested.steps()) - 1
    if step is not None and step < last:
        nested.take(step + 1)
    state.choose("playing", step is not None and step + 1 < last)
    state.choose("played at", time.monotonic())


def moving(draw: Callable[[], None]) -> None:
    """What is drawn again for itself: after a step of time's or the reader's, or whatever is chosen inside it.

    The rest of the page follows when playing has come to its end, or a moment after the reader's last step. The first
    call is part of the page; a later one in which nothing was changed is time's.
    """
    drawn: list[Record] = []
    playing = is_playing()

    @st.fragment(run_every=EVERY if playing else None)
    def part() -> None:
        if drawn and drawn[-1] is state.record() and playing:
            advance()
        draw()
        drawn.append(state.record())
        if playing and not is_playing():
            st.rerun()
        if not playing and _cuts(drawn[-1]) != _cuts(drawn[0]):
            _follow()

    part()


def _cuts(record: Record) -> tuple:
    """What the rest of the page has to know of."""
    return record.prune, record.edits, record.undone


def _follow() -> None:
    """All of the page, in a moment: a further step until then starts the moment anew."""
    calls: list[int] = []

    @st.fragment(run_every=FOLLOWS)
    def rest() -> None:
        if calls:
            st.rerun()
        calls.append(1)

    rest()
