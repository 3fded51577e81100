"""The drawer of Explore: why the selected node is as it is, which splits it might have had, its rows, and what if."""

import streamlit as st

from pages.shared.bench import about_table, judging, node_rows, rival_list, tried, verdict, what_if
from pages.shared.database import counted
from pages.shared.learn import guides
from pages.shared.node import inspector, landscape, rivals, zero_gain
from pages.shared.session import state
from pages.shared.trees import comparison, work
from pages.shared.widgets import explained
from pages.shared.widgets.fold import fold

TABS = {"Why": "Why", "Rivals": "Alternatives", "Rows": "Rows", "What if": "What if"}


def show() -> None:
    """One of the four, by the reader's choice."""
    guides.link()
    now = state.choice("drawer")
    state.controlled(
        st.segmented_control, "About this node", now, lambda v: state.choose("drawer", v or now), "drawer_tab",
        options=list(TABS), format_func=TABS.get, label_visibility="collapsed",
    )  # fmt: skip
    {"Why": _why, "Rivals": _rivals, "Rows": node_rows.show, "What if": what_if.show}[now]()


def ways() -> list[int]:
    """Nodes to which the tree marks the way: those in which the row of "What if" ends."""
    return what_if.ends() if state.choice("drawer") == "What if" else []


def _why() -> None:
    verdict.sentence()
    if work.selected() == 0 and not counted.is_on():
        about_table.remedies()
    judging.arithmetic("strip", judging.of_yours)
    if work.selected() == 0:
        about_table.passed_over()
        if not counted.is_on():
            about_table.sentence()
    inspector.inspect()
    comparison.in_a_line()
    zero_gain.show()


def _rivals() -> None:
    """The bars; then what is to be said of the split that was pointed at, or of the tree's own."""
    tree, node = work.trained(), work.selected()
    rival_list.show()
    take = rivals.offered(tree, node)
    if take is not None:
        rivals.button(tree, node, "take")
        tried.show(take, node)
    elif not tree.is_leaf[node]:
        fold("The arithmetic of this split", "arithmetic", lambda: explained.arithmetic(node))
    landscape.show()
