"""The drawer of Explore: why the selected node is as it is, which splits it might have had, its rows, and what if."""

import streamlit as st

from pages.shared import inspector, landscape, rivals, state, work, zero_gain

TABS = ("Why", "Rivals", "Rows", "What if")


def show() -> None:
    """One of the four, by the reader's choice."""
    now = state.choice("drawer", TABS[0])
    state.controlled(
        st.segmented_control, "About this node", now, lambda v: state.choose("drawer", v or now), "drawer_tab",
        options=list(TABS), label_visibility="collapsed",
    )  # fmt: skip
    {"Why": _why, "Rivals": _rivals, "Rows": _rows, "What if": _what_if}[now]()


def _why() -> None:
    inspector.inspect()
    zero_gain.show()


def _rivals() -> None:
    inspector.rivals_of(work.selected())
    landscape.show()


def _rows() -> None:
    st.write("rows")


def _what_if() -> None:
    st.write("what if")
