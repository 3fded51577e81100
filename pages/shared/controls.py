"""The sidebar: how the tree is grown and pruned. Every page that shows the tree has it."""

from functools import partial

import streamlit as st

from pages.shared import controls_growth, controls_panel, controls_prepare, controls_pruning, hand, state, work
from pages.shared.controls_refit import presets_for, refit
from pages.shared.fold import fold
from pages.shared.messages import plain
from treecore.presets import PRESETS

PARTS = {
    "splits": "Splits",
    "limits": "Limits",
    "stopping": "Stopping rules",
    "missing": "Missing values",
    "costs": "Costs and priors",
}


def sidebar() -> None:
    """Growth, its limits, pruning and hand edits, in the order in which they act; and what of them does not fit."""
    work.check_rows()
    refit()
    with st.sidebar:
        _algorithm()
        controls_growth.group("main")
        for name, label in PARTS.items():
            fold(label, name, partial(_part, name))
        controls_growth.reset()
        controls_pruning.choose()
    if state.choice("refitted"):
        st.info(plain(state.choice("refitted")))
    controls_panel.show()
    controls_growth.check()
    controls_pruning.check()
    hand.offer_to_drop()


def _algorithm() -> None:
    chosen = PRESETS[state.record().grow.preset]
    state.controlled(
        st.selectbox, "Algorithm", chosen.name, controls_growth.take_preset, "preset",
        options=presets_for(work.table().task), format_func=lambda name: PRESETS[name].label,
        help=f"{chosen.note} {chosen.source}.",
    )  # fmt: skip


def _part(name: str) -> None:
    if name == "missing":
        _missing()
    if name == "splits":
        controls_prepare.bins()
    if name == "costs":
        controls_panel.summary()
    controls_growth.group(name)


def _missing() -> None:
    controls_prepare.missing()
    gaps = [c.name for c in work.roles()["train"].feature_columns if c.n_missing]
    if not gaps and not controls_prepare.fills():
        st.caption("No training row lacks a value: this decides about rows to come.")


def recipe_line() -> None:
    """What produced the tree on this page, in one line."""
    st.caption("Recipe: " + plain(work.recipe().text()))
