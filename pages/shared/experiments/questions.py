"""The page Experiments: which question is looked at, how it is shown, and the tree that it puts on the canvas."""

import streamlit as st

from pages.shared.experiments import findings, panels
from pages.shared.experiments.panel import Canvas
from pages.shared.session import state
from treecore.errors import TreecoreError
from treecore.study.questions import QUESTIONS

FOUND = "found"
"""In place of a question: all answers so far."""


def show() -> None:
    """The choice, and what is chosen."""
    now = state.choice("experiment")
    labels = {name: q.label for name, q in QUESTIONS.items() if q.on_page} | {FOUND: "What was found so far?"}
    state.controlled(
        st.selectbox, "Experiment", now, lambda v: state.choose("experiment", v), "experiment", options=list(labels),
        format_func=labels.get, label_visibility="collapsed",
    )  # fmt: skip
    if now == FOUND:
        findings.show()
        return
    panels.panel_of(now).show()
    findings.keep(now)


def canvas() -> Canvas | None:
    """What draws the canvas in place of your tree."""
    try:
        now = state.choice("experiment")
        return None if now == FOUND else panels.panel_of(now).canvas()
    except TreecoreError:  # what stands beside the tree says so
        return None
