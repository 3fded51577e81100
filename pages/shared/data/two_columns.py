"""Two columns of the table counted together, if wanted for each level of a third, on the page Data."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.server import memo
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.lectures.numbers import n_contingency_tables
from treecore.plots.distributions import mosaic
from treecore.study.column_counts import Contingency, contingency, layers

SHOWN = {"counts": "Counts", "shares": "Shares of the row", "expected": "Expected if independent"}


def show(table: tc.Table) -> None:
    """Folded away until it is asked for."""
    if len(table.columns) > 1:
        fold("Two or three columns counted together", "two columns", lambda: _counted(table))


def _counted(table: tc.Table) -> None:
    names = [c.name for c in table.columns if c.present().any()]
    if len(names) < 2:
        st.caption("At least two columns need values.")
        return
    usual = [next((name for name in table.features if name in names), names[0])]
    usual.append(table.target if table.target in names else names[-1])
    picked = [state.choice(f"pair {i}") if state.choice(f"pair {i}") in names else usual[i] for i in (0, 1)]
    what, third = state.choice("pair shown"), state.choice("third counted")
    others = [name for name in names if name not in picked]
    third = third if third in others else ""
    with st.container(horizontal=True):
        for i, label in enumerate(("Rows", "Columns")):
            state.controlled(
                st.selectbox, label, picked[i], lambda v, i=i: state.choose(f"pair {i}", v), f"pair_{i}", options=names
            )
        state.controlled(
            st.selectbox, "For each level of", third, lambda v: state.choose("third counted", v), "third_counted",
            options=["", *others], format_func=lambda name: name or "all rows",
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Numbers", what, lambda v: state.choose("pair shown", v), "pair_shown", options=list(SHOWN),
            format_func=SHOWN.get,
        )  # fmt: skip
    count = (lambda: (contingency(table, *picked),)) if not third else lambda: layers(table, *picked, third)
    parts = memo.get(("two columns", work.sight_key(), *picked, third), count)
    heads = [f"{picked[0]} \\ {picked[1]}", *(f"= {level}" for level in parts[0].columns)]
    heads = [third, *heads] if third else heads
    frames.figures(pd.DataFrame([row for part in parts for row in _rows(part, what)], columns=heads), hide_index=True)
    st.plotly_chart(mosaic(parts, picked[1] == table.target and table.task == "classification"), key="mosaic")
    d, left_out = len(table.features), parts[0].left_out
    left = f" {left_out:,} rows are left out: a value is missing, or its level is rare." if left_out else ""
    st.caption(plain(
        f"Of {d} features there are {d} tables of one, {n_contingency_tables(d, 2):,} of two and "
        f"{n_contingency_tables(d, 3):,} of three; a tree finds those worth looking at.{left}"
    ))  # fmt: skip


def _rows(part: Contingency, what: str) -> list[list[str]]:
    """The rows of one table, each after the third column's level, where there is one."""
    numbers = {"counts": part.counts, "shares": 100 * part.shares, "expected": part.expected}[what]
    digits = "{:,.0f}" if what == "counts" else "{:.1f} %" if what == "shares" else "{:.1f}"
    within = [part.within] if part.within else []
    return [[*within, name, *map(digits.format, row)] for name, row in zip(part.rows, numbers, strict=True)]
