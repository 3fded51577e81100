"""What leaves the app from the strip: the picture as it is shown, rules, the diagram's source, the recipe."""

import streamlit as st

from pages.shared.bench import tree

PICTURES = {"Picture, SVG": "svg", "Picture, PNG": "png"}


def menu() -> None:
    """A menu; pictures are made by the browser, from what it shows."""
    chosen = st.menu_button("Export", list(PICTURES), type="tertiary", icon=":material/download:", key="export")
    if chosen in PICTURES:
        tree.save(PICTURES[chosen])
