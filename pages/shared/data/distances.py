"""How far apart rows are, on the page Data: is it a metric, and which rows break it?"""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.server import memo
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.study.distances import DISTANCES, Axiom, Distance, axioms, between, points_of

CHOSEN, COLUMNS, ROWS = "distance", "distance columns", ("distance row x", "distance row y")
USUAL_COLUMNS = 3


def show(table: tc.Table) -> None:
    """Folded away until it is asked for."""
    if table.features:
        fold("Distances between rows: is it a metric?", "distances", lambda: _checked(table))


def _checked(table: tc.Table) -> None:
    distance = _choose(table)
    names = _columns(table, distance.any_kind)
    st.latex(f"d(x,y)={distance.formula}")
    try:
        key = ("distances", work.sight_key(), distance.name, tuple(names))
        rows, found = memo.get(key, lambda: _found(table, distance, names))
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.caption(f"{distance.note} Checked on {rows:,} different rows without missing values.")
    told = [[a.label, a.formula, _verdict(a)] for a in found]
    frames.show(pd.DataFrame(told, columns=["condition", "formula", "on your rows"]), hide_index=True)
    for axiom in found:
        if not axiom.holds:
            _broken(table, names, axiom)
    _of_two(table, distance, names)
    st.caption(
        "A tree needs no distance: it uses values, or their order. That is why it takes words and numbers side "
        "by side, and why it does not matter in which unit a column is measured."
    )


def _found(table: tc.Table, distance, names) -> tuple[int, tuple[Axiom, ...]]:
    rows, points = points_of(table, names, distance.any_kind)
    return len(rows), axioms(distance, rows, points)


def _of_two(table: tc.Table, distance: Distance, names: list[str]) -> None:
    """How far two rows of the reader's choice are from each other, column by column."""
    st.markdown("**Two rows of yours**")
    chosen = [min(state.choice(row), table.n_rows) for row in ROWS]
    with st.container(horizontal=True):
        for row, now in zip(ROWS, chosen, strict=True):
            state.controlled(
                st.number_input, f"Row {row[-1]}", now, lambda v, row=row: state.choose(row, int(v or 1)),
                row.replace(" ", "_"), min_value=1, max_value=table.n_rows, step=1, width=130,
            )  # fmt: skip
    try:
        found = between(table, names, distance, chosen[0] - 1, chosen[1] - 1)
    except TreecoreError as fault:
        messages.show(fault)
        return
    told = [[name, a, b, "" if part is None else number(part)] for name, a, b, part in found.parts]
    frames.show(pd.DataFrame(told, columns=["column", "x", "y", "adds"]), hide_index=True)
    st.markdown(f"d(x, y) = {found.text}")


def _choose(table: tc.Table):
    """Of tables of words those that ask only whether cells are equal stand first."""
    usual = "euclidean" if _fitting(table, False) else "discrete"
    name = state.choice(CHOSEN, usual)
    state.controlled(
        st.selectbox, "Distance", name, lambda v: state.choose(CHOSEN, v), "distance", options=list(DISTANCES),
        format_func=lambda name: DISTANCES[name].label, width=260,
    )  # fmt: skip
    return DISTANCES[name]


def _columns(table: tc.Table, any_kind: bool) -> list[str]:
    fitting = _fitting(table, any_kind)
    chosen = [name for name in state.choice(COLUMNS, fitting[:USUAL_COLUMNS]) if name in fitting]
    chosen = chosen or fitting[:USUAL_COLUMNS]
    state.controlled(
        st.multiselect, "Columns", chosen, lambda v: state.choose(COLUMNS, list(v)), "distance_columns",
        options=fitting, format_func=plain,
    )  # fmt: skip
    return chosen


def _fitting(table: tc.Table, any_kind: bool) -> list[str]:
    return [c.name for c in table.feature_columns if any_kind or c.kind in ("numeric", "ordinal")]


def _verdict(axiom: Axiom) -> str:
    return "holds" if axiom.holds else f"broken by {axiom.n_broken:,} of {axiom.n_checked:,}"


def _broken(table: tc.Table, names: list[str], axiom: Axiom) -> None:
    """The rows that break a condition by most, as x, y, z."""
    st.markdown(f"**{axiom.label}** is broken: {plain(axiom.text)}")
    rows = table.take(list(axiom.rows)).to_frame()[names]
    rows.index = [f"{letter}: row {row + 1}" for letter, row in zip("xyz", axiom.rows, strict=False)]
    frames.show(rows)
