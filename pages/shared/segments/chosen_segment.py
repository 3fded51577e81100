"""The segment that is selected, in words and figures."""

import streamlit as st

from pages.shared.segments import found
from pages.shared.segments.skyline import figures_told
from pages.shared.widgets.messages import plain
from treecore.tree.short_text import shorten


def show() -> None:
    """Its rule, and how it does on the rows of every role."""
    of, i = found.segments(), found.chosen()
    if i is None:
        st.caption("Click a tower to select its leaf in the tree.")
        return
    number = int(of.number[i])
    name = f"Segment {number:,} of {int(of.number.max()):,}" if number else "Rows that stop inside the tree"
    st.markdown(f"**{name}**: {plain(shorten(of.rules[i], 600))}")
    st.caption(" · ".join(plain(figures_told(of, role, i)) for role in of.held))
