"""The glossary, from every page: a word is typed and its meaning read."""

import streamlit as st

from pages.shared.session import state
from pages.shared.widgets import fold
from treecore.lectures.glossary import terms

WANTED = "glossary word"
HIGH = 420


def menu() -> None:
    """In the strip."""
    fold.menu("", "glossary", _shown, type="tertiary", icon=":material/menu_book:", help="Glossary")


def _shown() -> None:
    wanted = state.choice(WANTED)
    state.controlled(
        st.text_input, "Glossary", wanted, lambda v: state.choose(WANTED, v or ""), "glossary_word",
        placeholder="branching factor, surrogate …", icon=":material/search:",
    )  # fmt: skip
    found = terms(wanted)
    with st.container(height=HIGH if len(found) > 6 else "content", border=False):
        for term in found:
            also = f" ({', '.join(term.also)})" if term.also else ""
            st.markdown(f"**{term.name}**{also}: {term.said}")
    if not found:
        st.caption("No entry contains this text.")
