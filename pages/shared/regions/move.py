"""Regions: one row is moved over the plane, and the tree grows anew; the table itself stays as it is."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from pages.shared.bench import experiment_trees
from pages.shared.bench.experiment_trees import Exhibit
from pages.shared.regions import planes
from pages.shared.session import state
from pages.shared.trees import moving, work
from pages.shared.trees.plan import Plan
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.plots.decision_regions import Place, row_move_map
from treecore.study.plane import Axis
from treecore.study.points import plane_points
from treecore.study.questions.row_sensitivity import row_change_sentence
from treecore.study.regions import plane_change, regions

ROW, X, Y = "plane moved row", "plane moved x", "plane moved y"


def on() -> bool:
    """Is a row being moved over a plane of two numbers?"""
    return _place() is not None and _can()


def offer() -> None:
    """A button that takes the row that was clicked."""
    row = state.choice(planes.CLICKED)
    if row is None or _place_of(row) is None or not _can():
        return
    st.button(
        f"Move row {planes.clicked():,} and see the tree grow anew", key="move_row", icon=":material/open_with:",
        on_click=_take, args=(row,),
    )  # fmt: skip


def show() -> None:
    """The plane with the row where it is now, what that changes, its two values, and the way back."""
    place, axes = _place(), planes.sides()
    start, now = _start(place, axes), _now(place, axes)
    with messages.caught():
        _draw(place, axes, start, now)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for axis, name, value in zip(axes, (X, Y), now, strict=True):
            step = _step(axis)
            state.controlled(
                st.number_input, plain(axis.name), value, lambda v, name=name: _set(name, v), name.replace(" ", "_"),
                min_value=min(axis.low, value), max_value=max(axis.high, value), step=step, width=150,
                help="Arrow keys move the row",
            )  # fmt: skip
        st.button("Put it back", key="put_back", on_click=_take, args=(None,), icon=":material/undo:")
    st.caption(
        "★ the row, ○ where it was; dashed: borders before; hatched: changed. Click any place to move it there. Only "
        "this picture knows of it: your table and your tree stay as they are."
        + " Steps by hand are not repeated."
        * bool(state.record().edits)
    )


def _draw(place: int, axes: tuple[Axis, Axis], start: Place | None, now: Place) -> None:
    """The picture and its sentence."""
    plan, values = _plan(), _values(axes, start, now)
    of = moving.regrown(place, values, plan)
    fixed = planes.values()

    def make():
        planes_of = [regions(tree, *axes, fixed) for tree in (of.before, of.tree)]
        rows = work.roles()["train"]
        others = {"train": rows.take(rows.row_numbers != state.choice(ROW))}
        points = plane_points(of.tree, planes_of[1], others, None, planes.FEW)
        return planes_of, points, plane_change(*planes_of)

    about = (*moving.key(place, values, plan), axes, tuple(fixed.items()))
    (before, after), points, change = work.cached("moved plane", *about, make=make)
    drawn = row_move_map(after, before, change, points, start, now, frames.is_dark())
    st.plotly_chart(drawn, key="moved_plane", height=planes.height(), on_select=_take_click, selection_mode="points")
    said = f"{_row_at(values)}. {row_change_sentence(of, change.share)}"
    st.markdown(plain(said if values else f"{_row_at({})} is where it was. How much of the tree hangs on one row?"))


def canvas() -> Callable[[], None] | None:
    """Draws the tree that grew anew, while a row is not where it was."""
    try:
        values = _new_values()
        if not values:
            return None
        result = moving.regrown(_place(), values, _plan())
    except TreecoreError:  # what stands beside the tree says so
        return None
    return partial(experiment_trees.draw, Exhibit(key(), result.tree, _row_at(values), {"train": result.rows}))


def key() -> tuple:
    """What the moved row's tree is kept under; () while none is moved."""
    values = _new_values()
    return moving.key(_place(), values, _plan()) if values else ()


def settings() -> tuple[tuple[str, object], ...]:
    """Which row is where, as it is told with what was found."""
    values = _new_values()
    if not values:
        return ()
    return ("row", planes.place_in_table(state.choice(ROW))), ("to", _there(values)), moving.describe_band()


def _new_values() -> dict[str, float]:
    """Column -> its new value, of the row that is moved now."""
    if not on():
        return {}
    place, axes = _place(), planes.sides()
    return _values(axes, _start(place, axes), _now(place, axes))


def _plan() -> Plan:
    return moving.whole_plan() if state.choice("regions_tree") == "unpruned" else moving.plan()


def _values(axes: tuple[Axis, Axis], start: Place | None, now: Place) -> dict[str, float]:
    """Column -> its new value; {} while the row is where it was."""
    return {} if start == now else {axis.name: value for axis, value in zip(axes, now, strict=True)}


def _row_at(values: dict[str, float]) -> str:
    """ "Row 58 at height = 3, width = 0.5"."""
    return f"Row {planes.place_in_table(state.choice(ROW)):,}" + (f" at {_there(values)}" if values else "")


def _there(values: dict[str, float]) -> str:
    return ", ".join(f"{name} = {number(value)}" for name, value in values.items())


def _can() -> bool:
    """Are both axes numbers, and are all rows here?"""
    features = {f.name: f for f in work.grown().schema.features}
    return state.opened() is None and all(features[name].numeric for name in planes.axes())


def _place() -> int | None:
    """The place of the row that is moved among the training rows."""
    row = state.choice(ROW)
    return None if row is None else _place_of(row)


def _place_of(row: int) -> int | None:
    """row : of the source, from 0. None where it does not train."""
    result = np.flatnonzero(moving.train().row_numbers == row)
    return int(result[0]) if len(result) else None


def _start(place: int, axes: tuple[Axis, Axis]) -> Place | None:
    """Where the row is in the table; None where it lacks a value."""
    values = tuple(float(moving.train().column(axis.name).values()[place]) for axis in axes)
    return values if np.isfinite(values).all() else None


def _now(place: int, axes: tuple[Axis, Axis]) -> Place:
    """Where it was moved to; of what was not, where it was, or the middle."""
    start, chosen = _start(place, axes), (state.choice(X), state.choice(Y))
    middle = tuple((axis.low + axis.high) / 2 for axis in axes)
    return tuple(float(own if to is None else to) for to, own in zip(chosen, start or middle, strict=True))


def _step(axis: Axis) -> float:
    """About a fiftieth of what is shown, a round number."""
    return float(10 ** np.round(np.log10((axis.high - axis.low) / 50)))


def _take(row: int | None) -> None:
    """Move this row from where it is; None: none any more."""
    state.choose(ROW, row)
    state.choose(X, None)
    state.choose(Y, None)


def _set(name: str, value: float | None) -> None:
    state.choose(name, None if value is None else float(value))


def _take_click() -> None:
    """A clicked place is where the row is now; a clicked row is none."""
    told = state.clicked("moved_plane")
    if len(told) == 3:
        state.choose(X, float(told[0]))
        state.choose(Y, float(told[1]))
