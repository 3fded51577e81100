"""The page Experiments: one value of one training row is another one; which splits stay, and the tree that grows."""

import streamlit as st

from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.experiments.setup import SessionSetup
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.study import RowSensitivity
from treecore.study.questions.row_sensitivity import (
    COLUMN,
    row_change_sentence,
    row_chosen,
    value_chosen,
    value_in_words,
)


def show() -> None:
    """Which row, column and value; what comes of it."""
    setup = SessionSetup()
    rows, row, name = setup.rows_as_read["train"], row_chosen(setup), setup[COLUMN]
    _choose(rows.n_rows, row, name)
    column = rows.column(name)
    own, value = column.labels()[row - 1], value_chosen(setup)
    st.markdown(plain(f"Row {row:,} has {name} = {own or 'missing'}. " + ("Move it." if value is None else "")))
    _pick(column, row, value)
    if value is None:
        return
    with messages.caught():
        st.markdown(plain(row_change_sentence(_regrown(setup))))
        st.button("As it was", key="moved_back", on_click=lambda: state.choose("moved to", None))


def exhibit() -> Exhibit | None:
    """The tree that grows of the moved row."""
    setup = SessionSetup()
    if (value := value_chosen(setup)) is None:
        return None
    result = _regrown(setup)
    tag = f"With {setup[COLUMN]} = {value_in_words(value)} in row {row_chosen(setup):,}"
    return Exhibit(key(), result.tree, tag, {"train": result.rows})


def key() -> tuple:
    """What the moved row's tree is kept under; () while none is moved."""
    setup = SessionSetup()
    value = value_chosen(setup)
    return () if value is None else moving.key(row_chosen(setup) - 1, {setup[COLUMN]: value}, moving.plan())


def _choose(n_rows: int, row: int, name: str) -> None:
    columns = [*work.unprepared_roles()["train"].features, work.table().target]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, "Training row", row, lambda v: _take("moved row", int(v)), "moved_row", min_value=1,
            max_value=n_rows, step=1, width=120,
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Column", name, lambda v: _take("moved column", v), "moved_column", options=columns,
            width=170,
        )  # fmt: skip


def _take(name: str, value) -> None:
    """Another row or column begins with its own value."""
    state.choose(name, value)
    state.choose("moved to", None)


def _pick(column, row: int, value) -> None:
    """The new value, of those that the column has."""
    save = lambda v: state.choose("moved to", v)  # noqa: E731
    if column.kind != "numeric":
        state.controlled(st.selectbox, "Becomes", value, save, "moved_to", options=list(column.levels), index=None)
        return
    low, high = float(column.distinct[0]), float(column.distinct[-1])
    if low < high:
        own = column.values()[row - 1]
        at = value if value is not None else float(own) if own == own else low
        state.controlled(st.slider, "Becomes", at, lambda v: save(float(v)), "moved_to", min_value=low, max_value=high)


def _regrown(setup: SessionSetup) -> RowSensitivity:
    return moving.regrown(row_chosen(setup) - 1, {setup[COLUMN]: value_chosen(setup)}, moving.plan())
