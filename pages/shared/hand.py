"""What the user did by hand: cuts, restores and taken splits in one history, with undo and redo."""

import streamlit as st

from pages.shared import messages, state, work
from pages.shared.messages import plain
from treecore.errors import TreecoreError
from treecore.fit import node_at
from treecore.recipe import Edit, Take


def history() -> None:
    """The last step by hand, undo and redo."""
    r = state.record()
    if not r.edits and not r.undone:
        return
    n = len(r.edits)
    st.markdown(f"**By hand**: {n} {'edit' if n == 1 else 'edits'}")
    if n:
        st.caption(plain(r.edits[-1].text()))
    with st.container(horizontal=True):
        st.button("Clear", on_click=lambda: state.change(edits=(), undone=()), key="clear_edits")


def undo() -> None:
    """Take the last step by hand back."""
    state.undo(selected=_node_of(state.record().edits[-1]))


def redo() -> None:
    """Do it once more."""
    state.redo(selected=_node_of(state.record().undone[0]))


def _node_of(step: Edit | Take) -> int:
    """The node the step is about; nodes above it and itself keep their ids whatever is split below."""
    try:
        return node_at(work.grown(), type(step)(**{**vars(step), "expect": ""}))
    except TreecoreError:
        return 0


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
        on_click=lambda: state.change(edits=done, undone=()), key="drop_edits",
    )  # fmt: skip
