"""The switch that seals the test rows, and the one that opens them."""

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import tables, work
from treecore.seal import Seal

WHY = (
    "While they are sealed no page tells how good a tree is on them: what is chosen is chosen by validation rows or by "
    "folds. They can be opened once; the report then says when, and whether the tree was changed after that. Undo does "
    "not bring a seal back, or take it away."
)


def show() -> None:
    """Seal; or that they are sealed, and a way to open them; or when they were opened."""
    seal = state.record().seal
    if seal is not None and not seal.is_closed:
        st.caption(seal.told(work.recipe().digest()))
    elif seal is not None:
        _opener()
    elif tables.n_test():
        st.button("Seal the test rows", key="seal_test", icon=":material/lock:", help=WHY, on_click=_close)


def _opener() -> None:
    with st.popover("Test rows are sealed", icon=":material/lock:", help=WHY):
        st.markdown(
            "**Open the test rows?** They judge one tree, once. Open them when nothing is to be changed any more: what "
            "is chosen after that has seen them."
        )
        st.button("Open them now, for good", key="open_test", type="primary", on_click=_open)


def _close() -> None:
    state.change(seal=Seal())


def _open() -> None:
    state.change(seal=work.recipe().opened().last(Seal))
