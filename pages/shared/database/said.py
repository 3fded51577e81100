"""What the screen says of a table that stays where it is: how large it is, and what is only a sample of it."""

import streamlit as st

from pages.shared.session import state
from treecore.database.database_table import N_CODES
from treecore.figures import counted

_REFINED = {
    True: ", and then at the best value within the two bins beside it",
    False: "; All settings beside a tree has a switch for cuts within bins",
}


def n_rows() -> int:
    """Of the session's table, wherever it is, when they were counted last."""
    opened = state.opened()
    return state.raw().n_rows if opened is None else opened.last.n_rows


def size() -> str:
    """ "1,000,000 rows, 11 columns"."""
    return f"{counted(n_rows(), 'row')}, {counted(len(state.raw().names), 'column')}"


def is_sampled() -> bool:
    """Is what stands here row by row a sample?"""
    opened = state.opened()
    return opened is not None and opened.drawn.is_part


def sample() -> str:
    """ "a sample of 10,000 of 1,000,000 rows", as many as there were when it was drawn."""
    return f"a sample of {state.raw().n_rows:,} of {counted(state.opened().drawn.n_rows, 'row')}"


def note() -> None:
    """Beside every tree: what counts all rows, and what a sample of them."""
    if is_sampled():
        every = (
            "the rows that were there when each number was counted"
            if state.opened().change
            else f"all {n_rows():,} rows"
        )
        st.caption(
            f"Your tree, its bars, scores and sizes count {every}. What else is told here is of "
            f"{sample()}, drawn by their hash."
        )


def where() -> None:
    """On the page Data: what is counted where the rows are, and what is looked at here."""
    if state.opened() is None:
        return
    all_of_it = "Trees are grown, pruned and judged on all rows. The rows stay where they are and are only read."
    refined = state.opened().is_refined(state.record().refine)
    all_of_it += f" Numbers of more than {N_CODES} values are cut between bins{_REFINED[refined]}."
    some = f" Columns, charts and single rows below are shown by {sample()}, drawn by their hash." * is_sampled()
    st.info(all_of_it + some, icon=":material/database:")
