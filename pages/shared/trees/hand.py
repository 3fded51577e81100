"""Steps by hand whose node is not in this tree."""

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import messages
from treecore.recipe import Edit


def offer_to_drop() -> None:
    """Steps whose node is not in this tree: the rest goes on, and the user decides about them."""
    fault = work.lost_edit()
    if fault is None:
        return
    messages.show(fault)
    done, given = work.edits(), state.record().edits
    lost, what = len(given) - len(done), "edit" if isinstance(given[len(done)], Edit) else "step"
    st.button(
        f"Drop this {what}" if lost == 1 else f"Drop this {what} and the {lost - 1} after it",
        on_click=lambda: state.change(edits=done), key="drop_edits",
    )  # fmt: skip
