"""The drawer of Explore: why the selected node is as it is, which splits it might have had, its rows, and what if."""

import streamlit as st

from pages.shared import comparison, inspector, landscape, rivals, state, work, zero_gain
from pages.shared.bench import node_rows, tried, verdict, what_if

TABS = ("Why", "Rivals", "Rows", "What if")


def show() -> None:
    """One of the four, by the reader's choice."""
    now = state.choice("drawer", TABS[0])
    state.controlled(
        st.segmented_control, "About this node", now, lambda v: state.choose("drawer", v or now), "drawer_tab",
        options=list(TABS), label_visibility="collapsed",
    )  # fmt: skip
    {"Why": _why, "Rivals": _rivals, "Rows": node_rows.show, "What if": what_if.show}[now]()


def _why() -> None:
    verdict.sentence()
    inspector.inspect()
    comparison.in_a_line()
    zero_gain.show()


def _rivals() -> None:
    tree, node = work.grown(), work.selected()
    inspector.rivals_of(node)
    take = rivals.offered(tree, node)
    if take is not None:
        tried.show(take, node)
    landscape.show()
