"""How the settings of growth are drawn, changed and taken back."""

import streamlit as st

from pages.shared import messages, state, work
from pages.shared.controls_settings import Setting, Situation, entries_for, value_of
from pages.shared.controls_table import DEPTHS, KEPT, PANEL, SETTINGS
from pages.shared.messages import plain
from pages.shared.plan import growth_in_force
from treecore.errors import TreecoreError
from treecore.presets import PRESETS
from treecore.recipe import Grow, own_pruning


def situation() -> Situation:
    """The table and the settings in force."""
    table, growth = work.table(), growth_in_force()
    return state.derived("situation", lambda: Situation(table, growth))


def group(name: str) -> None:
    """All settings of one part of the sidebar."""
    now = situation()
    for setting in SETTINGS.values():
        if setting.group == name and setting.shown(now):
            draw(setting, now)


def draw(setting: Setting, now: Situation) -> None:
    """One control; one that would change nothing is disabled, and says why."""
    value, idle = value_of(now.growth, setting.name, now.task), setting.idle(now)
    if setting.name == "max_depth":
        _depth(setting, value)
    elif setting.menu is not None:
        _menu(setting, value, now, bool(idle))
    else:
        _number(setting, value, bool(idle))
    if idle:
        st.caption(idle)


def _menu(setting: Setting, value: str, now: Situation, disabled: bool) -> None:
    fitting = entries_for(setting, now)
    state.controlled(
        st.selectbox, setting.label, value, lambda v: put(setting.name, v), setting.key, options=list(fitting),
        format_func=lambda name: setting.menu[name].label, help=_help(setting, setting.menu[value]),
        disabled=disabled,
    )  # fmt: skip


def _help(setting: Setting, entry) -> str:
    """What the setting does, and of the entry chosen its note, formula and source."""
    note, formula, source = (getattr(entry, name, "") for name in ("note", "formula", "source"))
    label = f"**{plain(entry.label)}**"  # a long one is cut off in the sidebar
    lines = [setting.note, label, note, formula and f"${formula}$", source and f"{source}."]
    return "  \n".join(line for line in lines if line)


def _number(setting: Setting, value, disabled: bool) -> None:
    kind = float if setting.digits else int
    limits = {"min_value": kind(setting.least), "max_value": None if setting.most is None else kind(setting.most)}
    state.controlled(
        st.number_input, setting.label, None if value is None else kind(value), lambda v: put(setting.name, v),
        setting.key, value=None, step=kind(setting.step), format=setting.format,
        placeholder="no limit" if setting.unlimited else "the algorithm's own", help=setting.note or None,
        disabled=disabled, **limits,
    )  # fmt: skip


def _depth(setting: Setting, value: int | None) -> None:
    depths = DEPTHS if value in DEPTHS else (*sorted({value, *DEPTHS[:-1]}), None)
    state.controlled(
        st.select_slider, setting.label, value, lambda v: put(setting.name, v), setting.key, options=depths,
        format_func=lambda d: "no limit" if d is None else str(d),
    )  # fmt: skip


def put(name: str, value) -> None:
    """One setting; what equals the preset's own value is not recorded, and an emptied number goes back to it."""
    grow = state.record().grow
    unlimited = name in SETTINGS and SETTINGS[name].unlimited
    if value is None and not unlimited:
        value = getattr(PRESETS[grow.preset].growth, name)
    take(_made(grow.preset, dict(grow.settings) | {name: value}))


def _made(preset: str, settings: dict) -> Grow:
    """Growth with these settings, less those that are the preset's own."""
    own = PRESETS[preset].growth
    return Grow(preset, tuple((k, v) for k, v in settings.items() if v != getattr(own, k)))


def take_preset(name: str) -> None:
    """Another algorithm keeps limits and costs, and brings its own criterion, splits and pruning.

    A strategy that was chosen stays: only what the former algorithm brought goes with it.
    """
    former = state.record()
    brought = former.prune == own_pruning(former.grow.preset)
    take(with_preset(name))
    if brought:
        state.change(prune=own_pruning(name))


def with_preset(name: str) -> Grow:
    """The growth in force by another algorithm."""
    return _made(name, {k: v for k, v in state.record().grow.settings if k in KEPT})


def take(grow: Grow) -> None:
    """Grow so from now on; the former growth is kept to be taken back."""
    state.choose("former growth", state.record().grow)
    state.choose("refitted", None)
    state.change(grow=grow, selected=0, stopped=None)


def check() -> None:
    """Settings that do not go together stop the page with what is wrong and a way back."""
    try:
        with st.container():  # progress has a place of its own: the browser builds anew whatever moves up or down
            work.grown()
    except TreecoreError as fault:
        if _setting_of(fault) is None:
            raise
        messages.show(fault)
        former = state.choice("former growth")
        if former is not None and former != state.record().grow:
            st.button("Take the last change back", key="take_back", on_click=lambda: take(former))
        st.caption("Nothing is lost: the sidebar still has every setting.")
        st.stop()


def _setting_of(fault: TreecoreError) -> str | None:
    name = fault.where.split(",")[0]
    return name if name in SETTINGS or name in PANEL else None


def reset() -> None:
    """Settings stay when another table is loaded; this puts all of them back."""
    grow = state.record().grow
    if grow.settings:
        st.button(
            f"Back to {plain(PRESETS[grow.preset].label)}'s own settings", key="reset_growth",
            on_click=lambda: take(Grow(grow.preset)),
        )  # fmt: skip
