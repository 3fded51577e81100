"""Where the two trees of the page Compare answer differently, in the plane of two features or along one."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.compare import changes
from pages.shared.regions import planes
from pages.shared.session import state
from pages.shared.trees import compared, interest, work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import counted, percent
from treecore.plots.decision_regions import region_map
from treecore.plots.disagreement_map import disagreement_map
from treecore.study.disagreement import (
    Disagreement,
    check_same_values,
    disagreement,
    places_of,
    tested_features,
    weight_inside,
)
from treecore.study.plane import shown_axes
from treecore.study.points import Points, plane_points
from treecore.study.regions import Regions, regions

HEIGHT, FLAT, BESIDE = 420, 220, 260
PLANE = 230, 190
"""Pixels of each of two planes beside each other."""


def show() -> None:
    """Two features, the rectangles, and how much of the plane and of the rows lies in them."""
    tested = {name for side in compared.SIDES for name in tested_features(compared.tree_of(side))}
    if planes.is_curve(work.grown()):
        features = (work.grown().schema.features[0].name,)
    else:
        planes.choose_axes(tested)
        features = planes.axes()
    try:
        found = _found(features)
    except TreecoreError as error:
        messages.show(error)
        return
    if found.y is not None:
        _each(found)
    if not len(found):
        fixed = " at these values of the other features" if tested - set(features) else ""
        st.caption(f"Both trees predict the same everywhere shown{fixed}.")
        return
    st.plotly_chart(
        disagreement_map(found, rows=_rows(found)), key="disagreement", height=HEIGHT if found.y is not None else FLAT,
        on_select=_take_click, selection_mode="points",
    )  # fmt: skip
    planes.say_bands(found.x, found.y, trees="neither tree separates")
    _say(found)


def _each(found: Disagreement) -> None:
    """What each tree answers there, and the training rows: the two planes beside each other."""
    fixed = planes.fixed_values()
    for column, side in zip(st.columns(2), compared.SIDES, strict=True):
        about, make = (found.x, found.y, tuple(fixed.items())), partial(_plane, side, found, fixed)
        looked_for = interest.of(compared.tree_of(side))
        plane, points = compared.side_of(side).kept("plane of one", *about, looked_for, make=make)
        with column:
            st.markdown(f"**{plain(compared.label_of(side))}**")
            chart = region_map(plane, points, room=PLANE).update_layout(showlegend=False, margin_t=8)
            chart.update_layout(coloraxis={"showscale": not plane.classes})
            st.plotly_chart(chart, key=f"plane_{side}", height=BESIDE)


def _plane(side: str, found: Disagreement, fixed: dict) -> tuple[Regions, Points]:
    tree = compared.tree_of(side)
    plane = regions(tree, found.x, found.y, fixed, interest=interest.of(tree))
    return plane, plane_points(tree, plane, {"train": compared.rows()["train"]}, None, planes.FEW)


def _found(features: tuple[str, ...]) -> Disagreement:
    a, b = (compared.tree_of(side) for side in compared.SIDES)
    fixed = planes.fixed_values()

    def make() -> Disagreement:
        check_same_values(a, b, features)
        return disagreement(a, b, shown_axes((a, b), features, *compared.rows().values()), fixed)

    return compared.kept("disagreement", features, tuple(fixed.items()), make=make)


def _rows(found: Disagreement) -> dict[str, list[np.ndarray]]:
    """The judging rows that lie there and change their answer, by who alone is right."""
    role, _, kinds = changes.judged()
    places = places_of(found, compared.tree_of("A"), compared.rows()[role])
    inside = np.flatnonzero(found.covers(*places))
    shown = {name: np.intersect1d(inside, which) for name, which in kinds.items()}
    return {f"{name} ({len(rows):,} {role} rows)": [along[rows] for along in places] for name, rows in shown.items()}


def _say(found: Disagreement) -> None:
    """Shares of the plane and of the rows."""
    tree = compared.tree_of("A")
    inside = {role: weight_inside(found, tree, part) for role, part in compared.rows().items()}
    shown = "the plane" if found.y is not None else "the range"
    pieces = counted(len(found), "piece")
    st.markdown(plain(f"They disagree on {percent(found.share)} of {shown} shown ({pieces})."))
    frame = pd.DataFrame({
        "rows of": list(inside),
        "rows that lie there": [n for n, _ in inside.values()],
        "share of the role's weight": [percent(share) for _, share in inside.values()],
    })  # fmt: skip
    frames.figures(frame, hide_index=True)
    st.caption("Rows are placed by these features alone. A row's prediction also depends on its other features, so "
               "these are not "
               "the rows whose prediction changes. Point at the middle of an area to see both predictions; click to "
               "select the nodes.")  # fmt: skip


def _take_click() -> None:
    """Look at the node of A at the point clicked."""
    told = state.clicked("disagreement")
    if told:
        compared.select("A", int(told[0]))
