"""Grow: the tree, and the node you look at."""

import streamlit as st

from pages import PAGES
from pages.shared import comparison, controls, controls_prepare, diagram, guard, inspector, landscape, work, zero_gain

guard.enter()

st.title(PAGES["grow"].heading, anchor=False)
work.table()
controls.sidebar()
controls_prepare.notes()
work.grown()


def explore() -> None:
    """What follows the selected node."""
    left, right = st.columns([5, 3], gap="medium")
    with left:
        diagram.toolbar()
        diagram.draw("grow_tree", height=540, cuts=work.cuts(), editable=True)
    with right:  # before the rest of the left side: who clicks a node waits for it
        inspector.inspect()
    with left:
        comparison.in_a_line()
        diagram.whole("grow_icicle")
        controls.recipe_line()
    zero_gain.show()
    landscape.show()


guard.part(explore)
