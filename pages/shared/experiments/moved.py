"""The page Experiments: one value of one training row is another one; which splits stay, and the tree that grows."""

import streamlit as st

from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.figures import number
from treecore.study import RowSensitivity
from treecore.study.questions.row_sensitivity import row_change_sentence


def show() -> None:
    """Which row, column and value; what comes of it."""
    rows = work.roles_as_given()["train"]
    row, name = _row(), _column()
    _choose(rows.n_rows, row, name)
    column = rows.column(name)
    own, value = column.labels()[row - 1], _value()
    st.markdown(plain(f"Row {row:,} has {name} = {own or 'missing'}. " + ("Move it." if value is None else "")))
    _pick(column, value)
    if value is None:
        return
    with messages.caught():
        st.markdown(plain(row_change_sentence(_moved())))
        st.button("As it was", key="moved_back", on_click=lambda: state.choose("moved to", None))


def exhibit() -> Exhibit | None:
    """The tree that grows of the moved row."""
    if _value() is None:
        return None
    found = _moved()
    tag = f"With {_column()} = {_words(_value())} in row {_row():,}"
    return Exhibit(key(), found.tree, tag, {"train": found.rows})


def key() -> tuple:
    """What the moved row's tree is kept under; () while none is moved."""
    value = _value()
    return () if value is None else moving.key(_row() - 1, {_column(): value}, moving.plan())


def settings() -> tuple[tuple[str, object], ...]:
    """Which value is another one, as it is told with what was found."""
    value = _value()
    to = "" if value is None else _words(value)
    return (("training row", _row()), ("column", _column()), ("to", to), moving.describe_band())


def _choose(n_rows: int, row: int, name: str) -> None:
    columns = [*work.roles_as_given()["train"].features, work.table().target]
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


def _pick(column, value) -> None:
    """The new value, of those that the column has."""
    save = lambda v: state.choose("moved to", v)  # noqa: E731
    if column.kind != "numeric":
        state.controlled(st.selectbox, "Becomes", value, save, "moved_to", options=list(column.levels), index=None)
        return
    low, high = float(column.distinct[0]), float(column.distinct[-1])
    if low < high:
        own = column.values()[_row() - 1]
        at = value if value is not None else float(own) if own == own else low
        state.controlled(st.slider, "Becomes", at, lambda v: save(float(v)), "moved_to", min_value=low, max_value=high)


def _row() -> int:
    return min(state.choice("moved row"), work.roles_as_given()["train"].n_rows)


def _column() -> str:
    rows, chosen = work.roles_as_given()["train"], state.choice("moved column")
    if chosen in (*rows.features, rows.target):
        return chosen
    tree = work.pruned()  # what the root asks for matters most
    return rows.features[0] if tree.is_leaf[0] else tree.node(0).feature


def _value() -> float | str | None:
    """The one chosen, if the column can have it."""
    chosen, column = state.choice("moved to"), work.roles_as_given()["train"].column(_column())
    if column.kind == "numeric":
        fits = not isinstance(chosen, str) and chosen is not None and len(column.distinct)
        return min(max(float(chosen), float(column.distinct[0])), float(column.distinct[-1])) if fits else None
    return chosen if chosen in column.levels else None


def _words(value: float | str) -> str:
    return value if isinstance(value, str) else number(value)


def _moved() -> RowSensitivity:
    return moving.regrown(_row() - 1, {_column(): _value()}, moving.plan())
