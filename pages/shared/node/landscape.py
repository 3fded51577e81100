"""The split landscape of the selected node: what every cut of every feature would gain."""

import streamlit as st

import treecore as tc
from pages.shared.node import rivals
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.criteria import CRITERIA
from treecore.figures import brief
from treecore.growing.inspect.landscape import Bars, Landscape, landscape, measures_of, own_measure
from treecore.plots.split_landscape import MOST, height, split_landscape

DRAWN = 400
SCALES = {"values": "their values", "ranks": "the share of rows below"}


def show() -> None:
    """Gain against threshold for every feature; a click offers that cut."""
    tree, node = work.trained(), work.selected()
    st.divider()
    on = state.controlled(
        st.toggle, f"Split landscape: what every cut at node {node} would gain", state.choice("landscape"),
        lambda v: state.choose("landscape", v), "landscape_on",
    )  # fmt: skip
    if not on:
        return
    measure, scale = _switches(tree)
    make = lambda: landscape(tree, node, work.roles()["train"], measure)  # noqa: E731
    found = work.kept("landscape", node, measure, make=make)
    if not found.parts:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    key = f"landscape {node} {measure}"
    figure = split_landscape(found.thinned(DRAWN), scale == "ranks")
    st.plotly_chart(
        figure, key=key, height=height(found), on_select=lambda: _take_click(key, tree, found), selection_mode="points"
    )
    _say(tree, found)
    _offer(tree, node)


def _switches(tree: tc.Tree) -> tuple[str, str]:
    fitting, own = measures_of(tree), own_measure(tree)
    measure = state.choice("measure_of_cuts")
    measure = measure if measure in fitting else own
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "Measured by", measure, lambda v: state.choose("measure_of_cuts", v), "measure_of_cuts",
            options=list(fitting), width=320,
            format_func=lambda name: fitting[name] + (" (used by the tree)" if name == own else ""),
        )  # fmt: skip
        scale = state.controlled(
            st.segmented_control, "Thresholds at", state.choice("scale_of_cuts"),
            lambda v: state.choose("scale_of_cuts", v or "values"), "scale_of_cuts", options=list(SCALES),
            format_func=SCALES.get,
        )  # fmt: skip
    return measure, scale


def _take_click(key: str, tree: tc.Tree, found: Landscape) -> None:
    told = state.clicked(key)
    if len(told) == 3 and int(told[0]) < len(found.parts):
        part = found.parts[int(told[0])]
        rivals.offer(tree, found.node, found.candidate(part.feature, float(told[1]), int(told[2])))


def _say(tree: tc.Tree, found: Landscape) -> None:
    """Of which rows this is, who wins, how many come close."""
    name = CRITERIA[found.measure if found.measure in CRITERIA else tree.criterion].label
    lines = [f"From the {found.n_rows:,} training rows at node {found.node}; their {name}: {brief(found.impurity)}."]
    if found.winner() is None:
        lines.append("No split has a gain by itself.")
    else:
        near = {p.feature: n for p in found.parts if (n := int(found.near(p).sum()))}
        told = ", ".join(f"{plain(feature)} {n:,}" for feature, n in near.items())
        lines.append(
            f"Best: {plain(found.winner())}, {brief(found.best)}. Splits within 1 % of it, itself included: {told}."
        )
    if found.winner() is not None:
        lines += _not_taken(tree, found)
    if any(isinstance(p, Bars) for p in found.parts):
        lines.append("Bars: groupings of levels, the best 20 at most.")
    if len(found.parts) > MOST:
        lines.append("Not shown, as they gain less: " + plain(", ".join(p.feature for p in found.parts[MOST:])) + ".")
    st.caption(" ".join(lines))


def _not_taken(tree: tc.Tree, found: Landscape) -> list[str]:
    """Why the tree does not follow the picture, where its selector looks at more than the measure."""
    if tree.growth.get("selector") in ("conditional", "chaid"):
        return ["The tree chose its feature by a test, not by what is drawn here."]
    listed = work.candidates(found.node)
    passed = {c.feature for c in listed.per_feature() if not c.eligible}
    if found.winner() not in passed or found.measure != own_measure(tree):
        return []
    if not all(c.drawn for c in listed.per_feature() if c.feature == found.winner()):
        return ["It was not among the random features of this node."]
    return [f"The algorithm did not consider it: its gain is below the average {brief(listed.average_gain)}."]


def _offer(tree: tc.Tree, node: int) -> None:
    take = rivals.offered(tree, node)
    if take is None:
        st.caption("Click a point or a bar to choose that split.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Chosen: **{rivals.said(tree, take)}**")
        rivals.button(tree, node, "take_landscape")
