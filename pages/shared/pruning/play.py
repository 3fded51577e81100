"""Playing the nested sequence: one step after the other, until only the root is left."""

import time

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import nested

EVERY = 0.5
"""Seconds from one step to the next."""
LEFT = 5.0
"""Who comes back to the page after more seconds than this does not find it moving."""


def _button(n_steps: int, step: int | None) -> None:
    """Play or pause."""
    playing = is_playing()
    st.button(
        "Pause" if playing else "Play", icon=":material/pause:" if playing else ":material/play_arrow:",
        on_click=lambda: set_playing(not playing, n_steps, step), key="play", disabled=n_steps < 2,
        help="Prune on, a weakest link at a time, until only the root is left",
    )  # fmt: skip


def steps(n_steps: int, step: int | None) -> None:
    """All steps one after the other, or one step to either side."""
    here = 0 if step is None else step
    with st.container(horizontal=True):
        _button(n_steps, step)
        smaller, larger = step is not None and here < n_steps - 1, bool(step)
        for name, to, possible in (("Smaller", here + 1, smaller), ("Larger", here - 1, larger)):
            st.button(
                name, on_click=nested.take, args=(to,), key=f"step_{name.lower()}",
                disabled=is_playing() or not possible,
            )  # fmt: skip


def is_playing() -> bool:
    return time.monotonic() - state.choice("played at", -LEFT) < LEFT and state.choice("playing")


def set_playing(on: bool, n_steps: int, step: int | None) -> None:
    """Play from the step in force, or from the unpruned tree where that is no step or the last one."""
    state.choose("playing", on)
    state.choose("played at", time.monotonic())
    before = len(state.past())
    if on and (step is None or step >= n_steps - 1):
        nested.take(0)
    after = len(state.past())
    state.choose("played as", after if after > before else None)


def advance() -> None:
    """One step on; stops at the root alone. All that is played is one step of the history."""
    step, last = nested.chosen_step(), len(nested.steps()) - 1
    if state.choice("played as") == len(state.past()):
        state.go_on()
    if step is not None and step < last:
        nested.take(step + 1)
    state.choose("played as", len(state.past()))
    state.choose("playing", step is not None and step + 1 < last)
    state.choose("played at", time.monotonic())


def tick() -> None:
    """While playing, the next step after a while. All of the page is drawn again: what is drawn in part, while other
    parts change, can leave a browser with a page that it cannot put together."""
    if not is_playing():
        return
    calls: list[int] = []

    @st.fragment(run_every=EVERY)
    def clock() -> None:
        if calls:  # the first call is part of the page, the next one is time's
            advance()
            st.rerun()
        calls.append(1)

    clock()
