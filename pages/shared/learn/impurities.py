"""The page Impurity: curves of two classes, the triangle of three, and what every measure makes of the node's split."""

import streamlit as st

import treecore as tc
from pages.shared.session import state
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.criteria import CRITERIA
from treecore.plots.lesson_figures import impurity_curves, impurity_triangle
from treecore.study.impurity_curves import Placed, impurity, measures, placed
from treecore.tree.short_text import shorten

MEASURE, SCALED = OWN = "impurity measure", "impurity scaled"
"""Choices that nothing else on the page shows."""
LONGEST = 240
"""Letters of the way to the node: the table under it is to be seen, and Rules has all of it."""


def show(tree: tc.Tree, node: int) -> None:
    """Two classes: the curves with the node; three: the triangle; other trees: the curves alone."""
    measure, scaled = _choose(tree)
    n = len(tree.classes)
    at = placed(tree, node) if n else None
    left, right = st.columns([3, 2], gap="large")
    with left:
        label = tree.class_names[0] if n == 2 else "one of two classes"
        if n == 3:
            st.plotly_chart(impurity_triangle(tree.class_names, measure, at), key="impurity_triangle")
        st.plotly_chart(impurity_curves(label, measure, scaled, at if n == 2 else None), key="impurity_curves")
    with right:
        st.markdown(f"**Node {node}**: {plain(shorten(tree.node(node).rule, LONGEST))}")
        if at is None:
            by = CRITERIA[tree.criterion].label.lower()
            st.caption(f"The target holds {tree.target_kind.held}: its nodes are judged by the {by}, not by classes.")
        else:
            _table(tree, node, at)


def _choose(tree: tc.Tree) -> tuple[str, bool]:
    known = measures()
    own = tree.criterion if tree.criterion in known else known[0]
    measure = state.choice(MEASURE) or own
    scaled = bool(state.choice(SCALED))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.selectbox, "The curve with the node", measure, lambda v: state.choose(MEASURE, v), "impurity_measure",
            options=list(known), format_func=lambda name: CRITERIA[name].label, width=260,
        )  # fmt: skip
        state.controlled(
            st.toggle, "Scaled to 1 at equal shares", scaled, lambda on: state.choose(SCALED, on), "impurity_scaled"
        )
        state.controlled(
            st.number_input, f"Node, 0 to {tree.n_nodes - 1}", min(state.record().selected, tree.n_nodes - 1),
            lambda v: state.change(selected=int(v or 0)), "impurity_node", min_value=0, max_value=tree.n_nodes - 1,
            step=1, width=160,
        )  # fmt: skip
    return measure, scaled


def _table(tree: tc.Tree, node: int, at: Placed) -> None:
    """What each measure says of the node and of its split."""
    names = [m for m in measures() if (CRITERIA[m].max_classes or 99) >= len(tree.classes)]
    told = {
        "measure": [CRITERIA[m].label for m in names],
        "of the node": [float(impurity(m, at.shares)) for m in names],
    }
    if len(at.branches):
        told["left after the split"] = [at.left(m) for m in names]
        told["gain"] = [at.gain(m) for m in names]
    digits = {name: st.column_config.NumberColumn(name, format="%.4g") for name in list(told)[1:]}
    frames.show(frames.of(told), hide_index=True, column_config=digits)
    if not len(at.branches):
        st.caption("This node is a leaf, so there are no branches to show on the curve.")
        return
    st.caption(
        "The gain is the distance between the curve and the straight line that joins the branches, measured at the "
        "node's share. Where the curve is straight itself, like the error rate on either side of ½, two branches that "
        "predict the same class gain nothing, however pure one of them is. A curve that bends shows the difference."
    )
