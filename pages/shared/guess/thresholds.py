"""A threshold to be dragged over the rows of a node, by class."""

import numpy as np
import streamlit as st

from pages.shared.bench import rival_cuts
from pages.shared.guess.told import AT, SAID
from pages.shared.session import state
from pages.shared.trees import work
from treecore.exercises.counted import rows_below
from treecore.exercises.guess import ordered_features
from treecore.growing.inspect.candidates import Candidates
from treecore.growing.inspect.landscape import Curve, Landscape
from treecore.plots.distributions import column_histogram
from treecore.study.column_counts import column_counts
from treecore.view.labels import question

MOST = 240
"""Places of the handle; the best cut is among them."""


def choose_threshold(found: Candidates) -> bool:
    """A feature, its histogram here, and the handle; is a cut chosen?"""
    scape = rival_cuts.of_node(found.node)
    names = ordered_features(scape)
    if not names:
        st.info("No feature here is cut by a threshold. Show it, or guess a feature.")
        return False
    said = state.choice(SAID) or []
    feature = said[0] if said and said[0] in names else names[0]
    state.controlled(
        st.selectbox, "Where is it cut?", feature, _take_feature, f"guess_feature_{found.node}", options=list(names),
    )  # fmt: skip
    part, asks = _cuts(scape, feature)
    at = state.choice(AT)
    place = len(asks) // 2 if at is None else int(np.abs(part.threshold - at).argmin())
    counts = column_counts(_rows(found.node), feature)
    st.plotly_chart(
        column_histogram(counts, (float(part.threshold[place]),)), key=f"guess_histogram_{found.node}", height=230,
    )  # fmt: skip
    if len(asks) > 1:
        state.controlled(
            st.select_slider, "Threshold", place, lambda i: _take_cut(feature, float(part.threshold[i])),
            f"guess_cut_{found.node}_{feature}", options=list(range(len(asks))), format_func=asks.__getitem__,
        )  # fmt: skip
    if at is None or said[:1] != [feature]:
        st.caption("Drag the handle, or move it by the arrow keys.") if len(asks) > 1 else None
    return _chosen(feature, part.threshold, place, said, at)


def _cuts(scape: Landscape, feature: str) -> tuple[Curve, list[str]]:
    """Cuts that the handle can stand at, and what each asks: those that would read alike are one place."""
    part = next(p for p in scape.parts if p.feature == feature).thinned(MOST)
    cuts = [scape.candidate(feature, float(t)) for t in part.threshold]
    asks = [question(work.grown(), c).removeprefix(feature).strip() for c in cuts]
    place = {}
    for i, ask in enumerate(asks):
        if ask not in place or part.gain[i] > part.gain[place[ask]]:
            place[ask] = i
    return part.take(np.array(list(place.values()))), list(place)


def _chosen(feature: str, thresholds: np.ndarray, place: int, said: list, at) -> bool:
    if len(thresholds) == 1 and (said[:1] != [feature] or at is None):
        _take_cut(feature, float(thresholds[place]))
        return True
    return said[:1] == [feature] and at is not None


def _take_feature(name: str) -> None:
    state.choose(SAID, [name])
    state.choose(AT, None)


def _take_cut(feature: str, threshold: float) -> None:
    state.choose(SAID, [feature])
    state.choose(AT, threshold)


def _rows(node: int):
    """The training rows that come to a node."""
    tree, train = work.grown(), work.roles()["train"]
    return work.kept("rows of a node", node, make=lambda: rows_below(tree, node, train, work.ends()))
