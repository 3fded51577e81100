"""The page Rules: every class in one line, as short as can be."""

import streamlit as st

from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.rules.describe import Description, describe


def show() -> None:
    """Each class as an OR of ANDs, and whether anything shorter says the same; of a large tree why not."""
    tree = work.pruned()
    try:
        described = work.kept_cut("described classes", make=lambda: describe(tree))
    except TreecoreError as fault:
        st.caption(plain(f"{fault.what}. {fault.remedy}."))
        return
    for found in described:
        st.markdown(f"**{plain(found.said)}**: {plain(found.text)}")
        st.caption(_how_short(found))
    st.caption("Of rows that have all values that the tree asks for.")


def _how_short(found: Description) -> str:
    paths = f"{found.n_paths:,} {'path' if found.n_paths == 1 else 'paths'} of the tree"
    if not found.terms:
        return f"{paths}; nothing is answered so"
    terms = f"{len(found.terms):,} {'term' if len(found.terms) == 1 else 'terms'} for {paths}"
    return f"{terms}; nothing shorter says the same" if found.exact else f"{terms}; something shorter may say the same"
