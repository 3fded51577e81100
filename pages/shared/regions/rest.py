"""The features that are not on the axes of a plane: at chosen values, at those of a row, or as they are in all rows."""

import numpy as np
import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.figures import number
from treecore.study.plane import default_fixed

MISSING = "(missing)"
TYPICAL, ROW, ROWS = "at chosen values", "as in one row", "as in all rows"
MODES = {
    TYPICAL: "At typical values of the training rows, or at those you choose",
    ROW: "At the values of one row",
    ROWS: "Averaged over the rows that lie at each place: the deeper the colour, the more rows",
}
LABELS = {TYPICAL: "fixed", ROW: "from a row", ROWS: "averaged"}
PLACE = "plane row"
CLICKED = "clicked row"


def mode() -> str:
    """How the other features stand."""
    return state.choice("plane rest")


def choose(tested: set[str]) -> None:
    """One of the three ways, and what it needs; nothing where the tree asks for no other feature."""
    if not tested:
        return
    state.controlled(
        st.segmented_control, "The other features", mode(), lambda v: state.choose("plane rest", v or TYPICAL),
        "plane_rest", options=list(MODES), format_func=LABELS.get,
        help=" ".join(f"*{LABELS[name]}*: {told}." for name, told in MODES.items()),
    )  # fmt: skip
    if mode() == ROW:
        _choose_row()
    if mode() == TYPICAL:
        choose_values(tested)
    elif mode() == ROW:
        _say(tested, values())
    else:
        st.caption("The deeper the colour, the more rows lie there; white: no rows.")


def _choose_row() -> None:
    n = work.table_in_sight().n_rows
    state.controlled(
        st.number_input, "Row of the table", row(), lambda v: state.choose(PLACE, int(v or 1)), "plane_row",
        min_value=1, max_value=n, step=1, help="Click a point of the plane to take its row",
    )  # fmt: skip


def row() -> int:
    """The chosen row, counted from 1; the one that was clicked last until another is typed."""
    return min(state.choice(PLACE), work.table_in_sight().n_rows)


def take_clicked(source_row: int | None) -> None:
    """A row of the source, counted from 0, was clicked; None: what was clicked is no row."""
    state.choose(CLICKED, source_row)
    place = clicked()
    if place is not None:
        state.choose(PLACE, place)


def clicked() -> int | None:
    """The place in the table, from 1, of the row that was clicked."""
    told = state.choice(CLICKED)
    return None if told is None else place_in_table(told)


def place_in_table(source_row: int) -> int | None:
    """The place, from 1, of a row of the source, counted from 0."""
    place = np.flatnonzero(work.table_in_sight().row_numbers == source_row)
    return int(place[0]) + 1 if len(place) else None


def values() -> dict:
    """Feature -> value: of the row, or the chosen ones over typical ones of the training rows."""
    if mode() == ROW:
        here = np.array([row() - 1])
        make = lambda: default_fixed(work.grown(), work.table_in_sight().take(here))  # noqa: E731
        return work.kept("row", work.sight_key(), row(), make=make)
    return chosen()


def chosen() -> dict:
    """Feature -> value: the chosen ones over typical ones of the training rows."""
    typical = work.kept("typical", make=lambda: default_fixed(work.grown(), work.roles()["train"]))
    return typical | {k: v for k, v in state.choice("fixed").items() if k in typical}


def choose_values(tested: set[str]) -> None:
    """The values of the features that the tree tests besides those of the axes."""
    others, now = [f for f in work.grown().schema.features if f.name in tested], chosen()
    if not others:
        return
    with st.expander("Other values" if len(others) > 1 else "Another value"):
        for f in others:
            if f.numeric:
                state.controlled(
                    st.number_input, plain(f.name), now[f.name], lambda v, n=f.name: _take(n, v),
                    f"fixed {f.name}", value=None, placeholder=MISSING,
                )  # fmt: skip
            else:
                state.controlled(
                    st.selectbox, plain(f.name), now[f.name], lambda v, n=f.name: _take(n, v),
                    f"fixed {f.name}", options=[None, *f.levels], format_func=lambda v: MISSING if v is None else v,
                )  # fmt: skip
        st.button("Back to typical values", on_click=lambda: state.choose("fixed", {}))
    _say(tested, now)


def _take(name: str, value) -> None:
    state.choose("fixed", state.choice("fixed") | {name: value})


def _say(tested: set[str], now: dict) -> None:
    st.caption("Fixed: " + plain(", ".join(f"{name} = {_value(now[name])}" for name in sorted(tested))))


def _value(value) -> str:
    if value is None:
        return MISSING
    return value if isinstance(value, str) else number(value)
