"""The sidebar: how the tree is grown and pruned. Every page that shows the tree has it."""

import streamlit as st

from pages.shared import controls_growth, controls_panel, controls_prepare, hand, state, work
from pages.shared.controls_refit import presets_for, refit
from pages.shared.messages import plain
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.recipe import Prune

PARTS = {
    "splits": "Splits",
    "limits": "Limits",
    "stopping": "Stopping rules",
    "missing": "Missing values",
    "costs": "Costs and priors",
}


def sidebar() -> None:
    """Growth, its limits, pruning and hand edits, in the order in which they act; and what of them does not fit."""
    refit()
    with st.sidebar:
        _algorithm()
        controls_growth.group("main")
        for name, label in PARTS.items():
            with st.expander(label):
                _part(name)
        controls_growth.reset()
        _pruning()
        hand.history()
    if state.choice("refitted"):
        st.info(plain(state.choice("refitted")))
    controls_panel.show()
    controls_growth.check()
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


def _pruning() -> None:
    prune = state.record().prune
    st.divider()
    state.controlled(
        st.selectbox, "Pruning", prune.method, lambda v: state.change(prune=Prune(v)), "pruner",
        options=list(PRUNERS), format_func=lambda name: PRUNERS[name].label,
        help=f"${PRUNERS[prune.method].formula}$  \n{PRUNERS[prune.method].source}",
    )  # fmt: skip
    for parameter in PRUNERS[prune.method].parameters:
        value = dict(prune.parameters).get(parameter.name, parameter.default)
        state.controlled(
            st.number_input, parameter.label, value, lambda v, name=parameter.name: _set_parameter(name, v),
            f"prune_{parameter.name}", value=None, min_value=float(parameter.least), step=0.001, format="%.5f",
            placeholder="by validation rows", help=parameter.note or None,
        )  # fmt: skip


def _set_parameter(name: str, value) -> None:
    prune = state.record().prune
    parameters = dict(prune.parameters) | {name: value}
    if value is None:
        del parameters[name]
    state.change(prune=Prune(prune.method, tuple(parameters.items())))


def recipe_line() -> None:
    """What produced the tree on this page, in one line."""
    st.caption("Recipe: " + plain(work.recipe().text()))
