"""Decision regions: the votes of the many trees of the page Experiments in place of one tree's answers."""

import numpy as np
import streamlit as st

from pages.shared.experiments import many as experiment_many
from pages.shared.server import long_work
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.ensembles import Ensemble, votes_in_plane
from treecore.ensembles.ensemble import Additive
from treecore.plots.decision_regions import vote_map
from treecore.study.plane import Axis
from treecore.study.points import Points

VOTES = "votes"
HELD = " The features on neither axis are fixed at the chosen or at typical values."
PLACES = 64
"""Of a numeric feature at which the trees are asked."""


def offered() -> list[str]:
    """What there is to choose besides trees: the votes, once many trees have been grown."""
    return [VOTES] if experiment_many.grown() is not None else []


def is_on() -> bool:
    """Are the votes shown?"""
    return state.choice("regions_tree") == VOTES and bool(offered())


def draw(x: Axis, y: Axis, fixed: dict, points: Points, height: int) -> None:
    """The votes in the plane, with the rows on top."""
    many = experiment_many.grown()
    sides = (x.name, _places(x)), (y.name, _places(y))
    key = ("votes", experiment_many.key(), x, y, tuple(fixed.items()))
    make = lambda report: votes_in_plane(many, *sides, fixed)  # noqa: E731
    votes = long_work.cached_in_background(key, make, str, "Asking the trees", "choose fewer trees", "Ask them")
    about = (experiment_many.key(), x, y, points.roles, len(points))
    told = work.cached_cut("points of votes", *about, make=lambda: points.answered_by(many.answers, work.parts()))
    chart = vote_map(x, y, votes, many.table.target, many.classes, told, frames.is_dark())
    st.plotly_chart(chart, key="votes", height=height)
    who = f"{len(many.trees):,} trees ({experiment_many.label()})"
    st.caption(plain(_describe_votes(many, who) + (HELD if len(many.table.features) > 2 else "")))


def _describe_votes(many: Ensemble, who: str) -> str:
    """What the colours say."""
    if not many.classes:
        return f"What {who} answer together."
    if isinstance(many, Additive):
        return f"The likeliest class by {who}, the deeper the likelier. They add up and do not vote."
    return f"The class with most votes of {who}, the deeper the more of them say so; wrong: by all of them."


def _places(axis: Axis) -> np.ndarray:
    """float64: where the trees are asked; of levels one of each band."""
    if axis.kind != "numeric":
        return axis.codes.astype(np.float64)
    return axis.low + (np.arange(PLACES) + 0.5) / PLACES * (axis.high - axis.low)
