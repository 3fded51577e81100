"""The same plane several times: over the levels, or the quarters of the rows, of the next feature the tree asks."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.regions import planes
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import number
from treecore.plots.decision_regions import region_map
from treecore.study.plane import Axis, shown_axes
from treecore.study.points import plane_points
from treecore.study.regions import regions
from treecore.study.shapley import leading_features
from treecore.tree.oblique import own_parts

MOST, QUARTERS, HEIGHT, MOST_POINTS = 6, 4, 250, 200


@dataclass(frozen=True)
class Slice:
    """A value of the feature, in words the rows it stands for, and their places among the training rows."""

    value: object
    said: str
    here: np.ndarray


def show() -> None:
    """Small pictures, and which feature they go along; nothing where the tree asks for no third one."""
    tree, _ = planes.shown()
    x, y = planes.axes()
    asked = own_parts(tree.schema, tree.asked.tolist())
    tested = {tree.schema.features[f].name for f in asked} - {x, y}
    names = [name for name in leading_features(work.grown()) if name in tested]
    if not names:
        return
    name = state.choice("sliced", names[0])
    name = name if name in names else names[0]
    state.controlled(
        st.selectbox, "The same plane over the values of", name, lambda v: state.choose("sliced", v), "sliced",
        options=names,
    )  # fmt: skip
    result = slices(work.roles()["train"], name)
    for first in range(0, len(result), 2):
        for column, part in zip(st.columns(2), result[first : first + 2], strict=False):
            with column:
                _draw(name, part)


def slices(train: tc.Table, name: str) -> list[Slice]:
    """The most frequent levels, or the quarters of the rows at their middles, in order."""
    column = train.column(name)
    known = ~column.missing
    if column.kind != "numeric":
        codes = np.where(known, column.codes, -1)
        counts = np.bincount(codes[known], minlength=len(column.levels))
        often = np.sort(np.argsort(-counts, kind="stable")[:MOST])
        return [
            Slice(column.levels[i], f"{column.levels[i]}: {counts[i]:,} rows", np.flatnonzero(codes == i))
            for i in often if counts[i]
        ]  # fmt: skip
    values = column.values()
    edges = np.unique(np.quantile(values[known], np.linspace(0, 1, QUARTERS + 1)))
    if len(edges) < 2:
        return []
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    result = []
    for i, (low, high) in enumerate(pairwise(edges)):
        here = np.flatnonzero(known & (place == i))
        if len(here):
            middle = float(np.median(values[here]))
            result.append(
                Slice(middle, f"{number(low)} to {number(high)}, at {number(middle)}: {len(here):,} rows", here)
            )
    return result


def _draw(name: str, part: Slice) -> None:
    (tree, ids), parts = planes.shown(), work.roles()
    x, y = planes.axes()
    fixed = planes.values() | {name: part.value}
    looked_for = interest.of(tree)
    dark = frames.is_dark()
    about = (x, y, tuple(fixed.items()), state.choice("regions_tree"), name, looked_for, dark)

    def make():
        axes: tuple[Axis, ...] = shown_axes([tree], (x, y), *(p for p in parts.values() if p.n_rows))
        plane = regions(tree, *axes, fixed, ids=ids, interest=looked_for)
        points = plane_points(tree, plane, {"train": parts["train"].take(part.here)}, ids, MOST_POINTS)
        figure = region_map(plane, points, dark=dark)
        figure.update_layout(showlegend=False, margin={"l": 8, "r": 8, "t": 8, "b": 8})
        figure.update_layout(coloraxis={"showscale": False})
        return figure

    st.caption(plain(f"{name} {part.said}"))
    figure = work.cached_cut("slice", *about, make=make)
    st.plotly_chart(figure, key=f"slice {name} {part.said}", height=HEIGHT)
