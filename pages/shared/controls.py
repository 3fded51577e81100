"""The sidebar: how the tree is grown and pruned. Every page that shows the tree has it."""

import streamlit as st

from pages.shared import hand, state, work
from pages.shared.messages import plain
from treecore.criteria import CRITERIA, criteria_for
from treecore.growing.parts import NOMINAL_SPLITS, ZERO_GAINS
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.recipe import Grow, Prune

DEPTHS = (*range(1, 13), 15, 20, 30, None)


def sidebar() -> None:
    """Growth, limits, pruning and hand edits, in the order in which they act; and what of them does not fit."""
    with st.sidebar:
        _growth()
        with st.expander("Stopping limits", expanded=True):
            _limits()
        _reset()
        _pruning()
        hand.history()
    if state.choice("refitted"):
        st.info(state.choice("refitted"))
    hand.offer_to_drop()


def _growth() -> None:
    task = work.table().task
    presets = [name for name, p in PRESETS.items() if p.task in ("", task)]
    _refit(task, presets)
    grow = state.record().grow
    preset = PRESETS[grow.preset]
    state.controlled(
        st.selectbox, "Algorithm", grow.preset, _take_preset, "preset",
        options=presets, format_func=lambda name: PRESETS[name].label, help=f"{preset.note} {preset.source}.",
    )  # fmt: skip
    fitting = {c.name: c for c in criteria_for(task)}
    chosen = grow.growth().criterion or ("gini" if task == "classification" else "squared_error")
    state.controlled(
        st.selectbox, "Impurity", chosen, lambda v: _set("criterion", v), "criterion",
        options=list(fitting), format_func=lambda name: fitting[name].label,
        help=f"${fitting[chosen].formula}$. {fitting[chosen].source}.",
    )  # fmt: skip
    _pick("Nominal features", "nominal", NOMINAL_SPLITS, NOMINAL_SPLITS[grow.growth().nominal].note)
    _pick("When no split gains anything", "zero_gain", ZERO_GAINS, "XOR needs a first split whose gain is 0.")


def _refit(task: str, presets: list[str]) -> None:
    """What was chosen for another kind of target gives way to what fits this one, and the page says so."""
    former = state.record().grow
    what = "classes" if task == "classification" else "numbers"
    if former.preset not in presets:
        _take_preset(presets[0])
        gone, new = PRESETS[former.preset].label, PRESETS[presets[0]].label
    elif former.growth().criterion not in ("", *(c.name for c in criteria_for(task))):
        _set("criterion", PRESETS[former.preset].growth.criterion)
        gone, new = CRITERIA[former.growth().criterion].label, f"the one of {PRESETS[former.preset].label}"
    else:
        return
    state.choose("refitted", f"The target holds {what}, and {gone} is not for {what}: {new} took its place.")


def _pick(label: str, name: str, registry, note: str) -> None:
    state.controlled(
        st.selectbox, label, getattr(state.record().grow.growth(), name), lambda v: _set(name, v), name,
        options=list(registry), format_func=lambda key: registry[key].label, help=note,
    )  # fmt: skip


def _reset() -> None:
    """Settings stay when another table is loaded; this puts all of them back."""
    grow = state.record().grow
    if grow.settings:
        st.button(
            f"Back to {PRESETS[grow.preset].label}'s own settings", key="reset_growth",
            on_click=lambda: state.change(grow=Grow(grow.preset), selected=0, stopped=None),
        )  # fmt: skip


def _limits() -> None:
    growth = state.record().grow.growth()
    state.controlled(
        st.select_slider, "Depth at most", growth.max_depth if growth.max_depth in DEPTHS else None,
        lambda v: _set("max_depth", v), "max_depth", options=DEPTHS,
        format_func=lambda d: "no limit" if d is None else str(d),
    )  # fmt: skip
    _number("Leaves at most", "max_leaves", growth.max_leaves, 1, step=1, placeholder="no limit",
            help="Best-first: the split with the largest total gain comes first.")  # fmt: skip
    _number("Rows to split a node, at least", "min_rows_split", growth.min_rows_split, 2, step=1)
    _number("Rows in each branch, at least", "min_rows_leaf", growth.min_rows_leaf, 1, step=1)
    _number(
        "Share of the training rows to split, at least", "min_share_split", growth.min_share_split, 0.0,
        max_value=1.0, step=0.01, format="%.3f", help="0.05 leaves nodes with less than 5 % of the rows alone.",
    )  # fmt: skip
    _number("Gain, at least", "min_gain", growth.min_gain, 0.0, step=0.005, format="%.4f")


def _number(label: str, name: str, value, least, **settings) -> None:
    state.controlled(
        st.number_input, label, value, lambda v: _set(name, v), name, min_value=least, value=None, **settings
    )  # fmt: skip


def _set(name: str, value) -> None:
    """One setting; what equals the preset's own value is not recorded."""
    grow = state.record().grow
    settings = dict(grow.settings)
    own = getattr(PRESETS[grow.preset].growth, name)
    settings[name] = own if value is None and not name.startswith("max_") else value
    if settings[name] == own:
        del settings[name]
    _take_growth(Grow(grow.preset, tuple(settings.items())))


def _take_preset(name: str) -> None:
    """Another algorithm keeps the limits and takes its own criterion and splits."""
    limits = {k: v for k, v in state.record().grow.settings if k.startswith(("max_", "min_"))}
    _take_growth(Grow(name, tuple(limits.items())))


def _take_growth(grow: Grow) -> None:
    state.change(grow=grow, selected=0, stopped=None)
    state.choose("refitted", None)


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
