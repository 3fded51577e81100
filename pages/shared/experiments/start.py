"""Slow work of an experiment begins when it is asked for."""

import streamlit as st

from pages.shared.session import state


def begun(choice: str, button: str, key: str, told: str) -> bool:
    """Has it been asked for? If not, the button is shown. choice : the setting that holds it; told : what it tells."""
    if not state.choice(choice):
        st.caption(told)
        offer(choice, button, key)
    return bool(state.choice(choice))


def offer(choice: str, button: str, key: str) -> None:
    """The button that asks for it."""
    st.button(button, type="primary", key=key, on_click=lambda: state.choose(choice, True))
