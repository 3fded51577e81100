"""The page Exercises: which sheet, how it looks, and its files."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import frames, memo, state, work
from pages.shared.messages import plain
from treecore.errors import TreecoreError
from treecore.exercises.make import sheet
from treecore.exercises.written import written

VARIANT, MEASURE, KEY = "exercise variant", "exercise measure", "exercise key"
MEASURES = {"entropy": "Entropy (information gain)", "gini": "Gini index"}
FILES = (("html", "HTML, A4 print", "text/html"), ("md", "Markdown", "text/markdown"), ("tex", "LaTeX", "text/x-tex"))


def show(table: tc.Table) -> None:
    """Choices, files, and the sheet or its key below."""
    variant, measure = state.choice(VARIANT, 0), state.choice(MEASURE, "entropy")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, "Variant (0: the table's own rows)", variant,
            lambda v: state.choose(VARIANT, int(v or 0)), "exercise_variant", min_value=0, max_value=9999, step=1,
            width=220,
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Measure", measure, lambda v: state.choose(MEASURE, v), "exercise_measure",
            options=list(MEASURES), format_func=MEASURES.get, width=240,
        )  # fmt: skip
        state.controlled(
            st.toggle, "Show the key", bool(state.choice(KEY)), lambda on: state.choose(KEY, on), "exercise_key"
        )
    try:
        made = memo.get(("exercises", work.table_key(), variant, measure), lambda: sheet(table, variant, measure))
    except TreecoreError as fault:
        st.info(f"{plain(fault.what)}. {plain(fault.remedy)}.")
        return
    with st.container(horizontal=True):
        for form, label, mime in FILES:
            for key in (False, True):
                name = f"exercises_{variant}{'_key' if key else ''}.{form}"
                st.download_button(
                    f"{'Key' if key else 'Sheet'}: {label}", written(made, form, key), name, mime,
                    key=f"exercise {form} {key}",
                )  # fmt: skip
    for number, task in enumerate(made.tasks, 1):
        st.markdown(f"**{number}.** {plain(task.text)}")
        for grid in task.given:
            frames.show(pd.DataFrame(list(grid.rows), columns=list(grid.columns)), hide_index=True, height=230)
        if state.choice(KEY):
            for line in task.key:
                st.markdown("- " + plain(line))
    st.caption(
        "The key has all of the arithmetic. Another variant draws as many rows again: same columns, other counts."
    )
