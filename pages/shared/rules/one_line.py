"""The page Rules: every class in one line, as short as can be."""

import streamlit as st

from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.rules.describe import Description, describe
from treecore.tree.tree import Tree


def show() -> None:
    """Each class as an OR of ANDs, and whether anything shorter says the same; of a large tree why not."""
    tree = work.pruned()
    described, refusal = work.kept_cut("described classes", make=lambda: _described(tree))
    if refusal:
        st.caption(plain(refusal))
    for found in described:
        st.markdown(f"**{plain(found.said)}**: {plain(found.text)}")
        st.caption(_how_short(found))
    if described:
        st.caption("For rows without missing values in the features of the tree.")


def _described(tree: Tree) -> tuple[tuple[Description, ...], str]:
    """Every class, or why there is no line of any: kept, too, as a large tree has many paths to look at."""
    try:
        return describe(tree), ""
    except TreecoreError as fault:
        return (), f"{fault.what}. {fault.remedy}."


def _how_short(found: Description) -> str:
    paths = f"{found.n_paths:,} {'path' if found.n_paths == 1 else 'paths'} of the tree"
    if not found.terms:
        return f"{paths}; nothing is answered so"
    terms = f"{len(found.terms):,} {'term' if len(found.terms) == 1 else 'terms'} for {paths}"
    return f"{terms}; nothing shorter says the same" if found.exact else f"{terms}; something shorter may say the same"
