"""Two columns of the table counted together, on the page Data."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.server import memo
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.evaluation.contingency import contingency
from treecore.lectures.numbers import n_contingency_tables
from treecore.plots.mosaic import mosaic

SHOWN = {"counts": "Counts", "shares": "Shares of the row", "expected": "Expected if independent"}


def show(table: tc.Table) -> None:
    """Folded away until it is asked for."""
    if len(table.columns) > 1:
        fold("Two columns counted together", "two columns", lambda: _counted(table))


def _counted(table: tc.Table) -> None:
    names = [c.name for c in table.columns]
    usual = [table.features[0] if table.features else names[0], table.target or names[-1]]
    picked = [state.choice(f"pair {i}") if state.choice(f"pair {i}") in names else usual[i] for i in (0, 1)]
    what = state.choice("pair shown")
    with st.container(horizontal=True):
        for i, label in enumerate(("Rows", "Columns")):
            state.controlled(
                st.selectbox, label, picked[i], lambda v, i=i: state.choose(f"pair {i}", v), f"pair_{i}", options=names
            )
        state.controlled(
            st.selectbox, "Numbers", what, lambda v: state.choose("pair shown", v), "pair_shown", options=list(SHOWN),
            format_func=SHOWN.get,
        )  # fmt: skip
    found = memo.get(("two columns", work.sight_key(), *picked), lambda: contingency(table, *picked))
    numbers = {"counts": found.counts, "shares": 100 * found.shares, "expected": found.expected}[what]
    digits = "{:,.0f}" if what == "counts" else "{:.1f} %" if what == "shares" else "{:.1f}"
    cells = [[name, *(digits.format(v) for v in row)] for name, row in zip(found.rows, numbers, strict=True)]
    heads = [f"{picked[0]} \\ {picked[1]}", *(f"= {level}" for level in found.columns)]
    frames.figures(pd.DataFrame(cells, columns=heads), hide_index=True)
    st.plotly_chart(mosaic(found, picked[1] == table.target and table.task == "classification"), key="mosaic")
    d = len(table.features)
    left = f" {found.left_out:,} rows are left out: a value is missing, or its level is rare." if found.left_out else ""
    st.caption(plain(
        f"Of {d} features there are {d} tables of one, {n_contingency_tables(d, 2):,} of two and "
        f"{n_contingency_tables(d, 3):,} of three; a tree finds those worth looking at.{left}"
    ))  # fmt: skip
