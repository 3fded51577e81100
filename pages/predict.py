"""Predict: your tree answers, for one row step by step, by questions, or for a table; and what would change it."""

import streamlit as st

from pages.shared.bench import shell
from pages.shared.predict import change, one_row, whole_table
from pages.shared.server import guard
from pages.shared.session import state

guard.enter()

TABS = {
    "Row": one_row.show,
    "Questions": one_row.ask_questions,
    "Changes": change.show,
    "Table": whole_table.show,
}


def tab() -> str:
    now = state.choice("ask by")
    return now if now in TABS else "Row"


def panel() -> None:
    """One of the ways to ask; the first row of the table has been asked about when the page opens."""
    if state.choice(one_row.ROW) is None:
        one_row.take_row(1)
        st.rerun()
    now = tab()
    state.controlled(
        st.segmented_control, "Ask by", now, lambda v: state.choose("ask by", v or now), "predict_tab",
        options=list(TABS), label_visibility="collapsed",
    )  # fmt: skip
    TABS[now]()


shell.show(
    "predict", panel, ways=one_row.ends, stream=lambda: whole_table.stream() if tab() == "Table" else None,
)  # fmt: skip
