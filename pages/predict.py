"""Predict: your tree answers, for one row step by step, by questions, or for a table; and what would change it."""

import streamlit as st

from pages.shared.bench import shell
from pages.shared.predict import asked, change, one_row, questions, whole_table
from pages.shared.server import guard
from pages.shared.session import state

guard.enter()

TABS = {
    "Row": one_row.show,
    "Questions": questions.show,
    "Changes": change.show,
    "Table": whole_table.show,
}


def tab() -> str:
    now = state.choice("ask by")
    return now if now in TABS else "Row"


def beside() -> None:
    """One of the ways to ask; the first row of the table has been asked about when the page opens."""
    if state.choice(asked.ROW) is None:
        asked.take_row(1)
        st.rerun()
    now = tab()
    state.controlled(
        st.segmented_control, "Ask by", now, lambda v: state.choose("ask by", v or now), "predict_tab",
        options=list(TABS), label_visibility="collapsed",
    )  # fmt: skip
    TABS[now]()


shell.show(
    "predict", beside, ways=asked.ends, stream=lambda: whole_table.stream() if tab() == "Table" else None,
)  # fmt: skip
