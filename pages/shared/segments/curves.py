"""Gains and lift of the segments, the rows of the figures beside those held back; for numbers there are none."""

import streamlit as st

from pages.shared.segments import found
from pages.shared.session import state
from pages.shared.trees import work
from treecore.plots.prediction_quality import ranking_curve

HEIGHT = 300
WORDS = {
    "gains": "Gains: how many of the class are among the first rows.",
    "lift": "Lift: how many times as many as among rows drawn at random.",
}


def show() -> None:
    """The curve that is chosen, with the line of a perfect order and that of chance."""
    of = found.segments()
    if of.name is None:
        return
    now = state.choice("segments curve")
    state.controlled(
        st.segmented_control, "Curve", now, lambda v: state.choose("segments curve", v or now), "segments_curve",
        options=["gains", "lift"], format_func=str.capitalize, label_visibility="collapsed",
    )  # fmt: skip
    shown = dict.fromkeys((of.tree.figures_of, "validation", "test"))
    roles = [role for role in shown if role in of.held]
    rule = work.flag_rule()
    at = None if rule is None or rule.class_of_interest != of.name else rule.threshold
    rankings = {role: of.ranking(role) for role in roles}
    st.plotly_chart(ranking_curve(rankings, now, at, perfect=True), key="segments_gains", height=HEIGHT)
    st.caption(WORDS[now] + ("" if at is None else " Rings mark the flag rule."))
