"""A file of very many columns: those to read are chosen before it is read."""

import streamlit as st

from pages.shared.data import reading
from pages.shared.session import state
from pages.shared.widgets import messages
from treecore.data import RawTable, ReadOptions, why_target
from treecore.data.readers.source import TooManyColumns, some_columns

MOST_COLUMNS = 10_000
"""More take longer than somebody waits for a first tree: 5 s to read 20,000, and half a minute until all is shown."""
LIMITED = ReadOptions(max_columns=MOST_COLUMNS)
AT_FIRST, LISTED = 1_000, 500


def offer(fault: TooManyColumns) -> None:
    """What is too much, which of the columns to read, and a way to read all of them all the same."""
    messages.show(fault)
    kept, names = state.kept_for("columns to read", {}), fault.names
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        listed = names if len(names) <= 2 * LISTED else (*names[:LISTED], *names[-LISTED:])
        target = st.selectbox(
            "Predicting", listed, index=len(listed) - 1, key="wide_target", accept_new_options=True,
            help="Type a name that is not listed",
        )  # fmt: skip
    with middle:
        part = st.text_input("Columns whose names hold", key="wide_part", placeholder="any")
    with right:
        most = st.number_input("Columns at most", 2, MOST_COLUMNS, AT_FIRST, step=100, key="wide_most")
    chosen = some_columns(names, target, part, most)

    def read(**options) -> None:
        kept["target"] = target
        reading.again(**options)

    with st.container(horizontal=True):
        st.button(f"Read {len(chosen):,} columns", type="primary", key="wide_read", on_click=read,
                  kwargs={"columns": chosen})  # fmt: skip
        st.button(f"Read all {len(names):,} columns", key="wide_all", on_click=read, kwargs={"max_columns": None},
                  help="Of 20,000 columns the tree is there after about half a minute")  # fmt: skip


def target(raw: RawTable) -> dict:
    """The target that was chosen with the columns, where it is another one than would be taken."""
    chosen = state.kept_for("columns to read", {}).pop("target", None)
    return {"target": chosen} if chosen in raw.names and chosen != why_target(raw.guesses).name else {}
