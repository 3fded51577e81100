"""Two columns of the table counted together, if wanted for each level of a third, on the page Data."""

import streamlit as st

import treecore as tc
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.plots.distributions import mosaic
from treecore.study.column_counts import Contingency, contingency, layers
from treecore.study.distances import DISTANCES, Axiom, Distance, axioms, between, points_of
from treecore.teach.example_counts import n_contingency_tables

SHOWN = {"counts": "Counts", "shares": "Shares of the row", "expected": "Expected if independent"}


def show_two_columns(table: tc.Table) -> None:
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
    parts = cache.get(("two columns", work.sight_key(), *picked, third), count)
    heads = [f"{picked[0]} \\ {picked[1]}", *(f"= {level}" for level in parts[0].columns)]
    heads = [third, *heads] if third else heads
    frames.figures(frames.of([row for part in parts for row in _rows(part, what)], columns=heads), hide_index=True)
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


# How far apart rows are, on the page Data: is it a metric, and which rows break it?

CHOSEN, COLUMNS, ROWS = "distance", "distance columns", ("distance row x", "distance row y")
USUAL_COLUMNS = 3


def show_distances(table: tc.Table) -> None:
    """Folded away until it is asked for."""
    if table.features:
        fold("Distances between rows: is it a metric?", "distances", lambda: _checked(table))


def _checked(table: tc.Table) -> None:
    distance = _choose(table)
    names = _columns(table, distance.any_kind)
    st.latex(f"d(x,y)={distance.formula}")
    try:
        key = ("distances", work.sight_key(), distance.name, tuple(names))
        rows, result = cache.get(key, lambda: _rows_and_axioms(table, distance, names))
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.caption(f"{distance.note} Checked on {rows:,} different rows without missing values.")
    told = [
        [a.label, a.formula, ("holds" if a.holds else f"broken by {a.n_broken:,} of {a.n_checked:,}")] for a in result
    ]
    frames.show(frames.of(told, columns=["condition", "formula", "on your rows"]), hide_index=True)
    for axiom in result:
        if not axiom.holds:
            _broken(table, names, axiom)
    _of_two(table, distance, names)
    st.caption(
        "A tree needs no distance: it uses values, or their order. That is why it takes words and numbers side "
        "by side, and why it does not matter in which unit a column is measured."
    )


def _rows_and_axioms(table: tc.Table, distance, names) -> tuple[int, tuple[Axiom, ...]]:
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
        result = between(table, names, distance, chosen[0] - 1, chosen[1] - 1)
    except TreecoreError as fault:
        messages.show(fault)
        return
    told = [[name, a, b, "" if part is None else number(part)] for name, a, b, part in result.parts]
    frames.show(frames.of(told, columns=["column", "x", "y", "adds"]), hide_index=True)
    st.markdown(f"d(x, y) = {result.text}")


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


def _broken(table: tc.Table, names: list[str], axiom: Axiom) -> None:
    """The rows that break a condition by most, as x, y, z."""
    st.markdown(f"**{axiom.label}** is broken: {plain(axiom.text)}")
    rows = table.take(list(axiom.rows)).to_frame()[names]
    rows.index = [f"{letter}: row {row + 1}" for letter, row in zip("xyz", axiom.rows, strict=False)]
    frames.show(rows)
