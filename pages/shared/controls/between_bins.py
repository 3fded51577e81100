"""Whether cuts between bins of a table that stays where it is are moved to the best value beside them."""

import streamlit as st

from pages.shared.database.opened import BY_SIZE, REFINED
from pages.shared.session import state
from treecore.database.database_table import N_CODES
from treecore.export.experiment_result import Told


def choose() -> None:
    """A control where there is such a table: in memory every value is a place for a cut."""
    opened = state.opened()
    if opened is None:
        return
    chosen = state.record().refine
    label = "Cuts between bins at the best value"
    label += " ●" * (chosen != BY_SIZE)
    state.controlled(
        st.selectbox, label, chosen, _take, "refine",
        options=list(REFINED), format_func=REFINED.get,
        help=f"Numbers of more than {N_CODES} values are counted in so many bins and cut between two of them. One more "
        "query for every level counts the values of the two bins beside each chosen cut, and the split score chooses "
        "among them. Where both bins hold more than 100,000 rows of a node, among 4096 parts of each.  \n"
        "$t = \\arg\\max_{v \\in B_k \\cup B_{k+1}} \\Delta(v)$: $\\Delta$ is the split score, $B_k$ and $B_{k+1}$ are "
        "the values of the node in the bins beside the cut.  \n"
        f"At first: {REFINED[BY_SIZE]}.",
    )  # fmt: skip
    st.caption(
        "Your tree is cut at the best value beside each cut." if opened.is_refined(chosen)
        else "Your tree is cut between bins."
    )  # fmt: skip


def _take(chosen: str) -> None:
    state.change(refine=chosen, selected=0, stopped=None)


def told() -> str:
    """Behind the recipe, where it is other than at first."""
    changed = state.opened() is not None and state.record().refine != BY_SIZE
    return f" · {_sentence()}" if changed else ""


def section() -> list[Told]:
    """For the report, of a table that stays where it is."""
    return [("Cuts of numbers", (f"Numbers of more than {N_CODES} values: {_sentence()}.",))] if state.opened() else []


def _sentence() -> str:
    return f"cuts between bins at the best value: {REFINED[state.record().refine]}"
