"""Costs and priors: what is in force in the sidebar, and the editors over the page that they act on."""

import streamlit as st

from pages.shared.controls import features, loss, priors
from pages.shared.controls.growth import situation
from pages.shared.controls.table import PANEL
from pages.shared.session import state
from pages.shared.widgets.messages import plain
from treecore.recipe import setting_text

OPEN = "costs panel"


def summary() -> None:
    """What is in force, in a line each, and the button that opens the editors."""
    now = situation()
    classes = now.task == "classification"
    for name, label in PANEL.items():
        value = getattr(now.growth, name)
        if (name == "profit" and not value) or (name == "loss" and now.growth.profit):
            continue  # what an answer is worth is said once, as a cost or as a profit
        if classes or name in ("costs", "monotonic"):
            st.caption(f"{label}: " + (plain(_in_force(name, value)) if value else _at_first(name)))
    if not classes:
        st.caption("Costs of errors and class weights are for targets with classes.")
    opened = bool(state.choice(OPEN))
    st.button(
        "Close the editors" if opened else "Edit costs and class weights" if classes else "Edit costs",
        key="costs_panel",
        on_click=lambda: state.choose(OPEN, not opened),
    )  # fmt: skip


def _in_force(name: str, value) -> str:
    """As the recipe has it, without the word that the label says already."""
    return setting_text(name, value).removeprefix(f"{name} ").replace("cost of ", "").replace("answers ", "")


def _at_first(name: str) -> str:
    return {
        "loss": "every error costs 1", "priors": "as in the data", "costs": "all cost the same",
        "monotonic": "none",
    }[name]  # fmt: skip


def show() -> None:
    """The editors, when they are open: errors, priors, features."""
    if not state.choice(OPEN):
        return
    now = situation()
    with st.container(border=True, key="costs_editors"):  # it scrolls, so that the tree stays in sight
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="costs_head"
        ):
            st.markdown("**Costs and class weights**: the tree below follows every change", width="content")
            st.button("Close", key="close_costs", on_click=lambda: state.choose(OPEN, False))
        if now.task != "classification":
            features.editor(now)
            return
        left, right = st.columns([3, 2], gap="large")
        with left:
            loss.editor(now)
            priors.editor(now)
        with right:
            features.editor(now)
