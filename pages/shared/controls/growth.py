"""How the settings of growth are drawn, changed and taken back."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.shared.controls.settings import DEPTHS, KEPT, PANEL, SETTINGS, Setting, Situation, entries_for, value_of
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import number
from treecore.growing.settings.grow_settings import SYNONYMS
from treecore.growing.settings.thresholds import why_no_bins
from treecore.presets import PRESETS
from treecore.recipe import Grow, own_pruning

PARTS_WORDS = {"limits": "limits stopping", "stopping": "stopping rules tests", "missing": "missing values gaps"}
"""What a part of the settings is looked for by, besides the settings' own words."""


def situation() -> Situation:
    """The table and the settings in force."""
    table, growth = work.table(), growth_in_force()
    return state.derived("situation", lambda: Situation(table, growth))


def group(name: str) -> None:
    """All settings of one part of the sidebar."""
    now = situation()
    for setting in SETTINGS.values():
        if setting.group == name and setting.makes_sense(now):
            draw(setting, now)


def matching(part: str, asked: str) -> list[Setting]:
    """The settings of a part that make sense here and hold the words asked for: in name, note, formula, or synonyms."""
    now, words = situation(), asked.lower().split()
    fitting = [s for s in SETTINGS.values() if s.group == part and s.makes_sense(now)]
    return [s for s in fitting if all(word in _words(s, now) for word in words)]


def _words(setting: Setting, now: Situation) -> str:
    """All that is said of a setting, in small letters."""
    told = [setting.name.replace("_", " "), setting.label, setting.note, PARTS_WORDS.get(setting.group, "")]
    told.append(SYNONYMS.get(setting.name, ""))
    for entry in entries_for(setting, now).values() if setting.menu is not None else ():
        told += [entry.label, getattr(entry, "note", ""), getattr(entry, "formula", "")]
    return " ".join(told).lower()


def own(setting: Setting) -> str:
    """What the algorithm itself has: "Default of CART: 7"."""
    preset = PRESETS[state.record().grow.preset]
    value = getattr(preset.growth, setting.name)
    if setting.name == "criterion" and not value:
        return ""
    if setting.menu is not None:
        told = setting.menu[value].label
    else:
        told = (
            "no limit"
            if value is None and setting.unlimited
            else setting.format % value
            if value is not None
            else "none"
        )
    return f"Default of {preset.label}: {told}."


def changed(setting: Setting) -> bool:
    """Is it other than the algorithm's own?"""
    return setting.name in dict(state.record().grow.settings)


def _label(setting: Setting) -> str:
    return f"{setting.label} ●" if changed(setting) else setting.label


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
        st.selectbox, _label(setting), value, lambda v: put(setting.name, v), setting.key, options=list(fitting),
        format_func=lambda name: setting.menu[name].label, help=_help(setting, setting.menu[value]),
        disabled=disabled,
    )  # fmt: skip


def _help(setting: Setting, entry) -> str:
    """What the setting does, and of the entry chosen its note, formula and source."""
    note, formula, source = (getattr(entry, name, "") for name in ("note", "formula", "source"))
    label = f"**{plain(entry.label)}**"  # a long one is cut off in the sidebar
    lines = [setting.note, label, note, formula and f"${formula}$", source and f"{source}.", plain(own(setting))]
    return "  \n".join(line for line in lines if line)


def _number(setting: Setting, value, disabled: bool) -> None:
    kind = float if setting.digits else int
    limits = {"min_value": kind(setting.least), "max_value": None if setting.most is None else kind(setting.most)}
    state.controlled(
        st.number_input, _label(setting), None if value is None else kind(value), lambda v: put(setting.name, v),
        setting.key, value=None, step=kind(setting.step), format=setting.format,
        placeholder="no limit" if setting.unlimited else "default", help=_note(setting),
        disabled=disabled, **limits,
    )  # fmt: skip


def _note(setting: Setting) -> str | None:
    return " ".join(filter(None, (setting.note, plain(own(setting))))) or None


def _depth(setting: Setting, value: int | None) -> None:
    depths = DEPTHS if value in DEPTHS else (*sorted({value, *DEPTHS[:-1]}), None)
    state.controlled(
        st.select_slider, _label(setting), value, lambda v: put(setting.name, v), setting.key, options=depths,
        format_func=lambda d: "no limit" if d is None else str(d),
    )  # fmt: skip


def put(name: str, value) -> None:
    """One setting; what equals the preset's own value is not recorded, and an emptied number goes back to it."""
    grow = state.record().grow
    unlimited = name in SETTINGS and SETTINGS[name].unlimited
    if value is None and not unlimited:
        value = getattr(PRESETS[grow.preset].growth, name)
    take(with_setting(grow, name, value))


def with_setting(grow: Grow, name: str, value) -> Grow:
    """The same growth but for one setting."""
    return with_settings(grow, {name: value})


def with_settings(grow: Grow, settings: dict) -> Grow:
    """The same growth but for these settings."""
    return _made(grow.preset, dict(grow.settings) | settings)


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
    kept = {k: v for k, v in state.record().grow.settings if k in KEPT}
    if why_no_bins(PRESETS[name].growth):
        kept.pop("edges", None)
    return _made(name, kept)


def take(grow: Grow, **more) -> None:
    """Grow so from now on; the former growth is kept to be taken back. more : what changes in the same step."""
    state.choose("former growth", state.record().grow)
    state.choose("refitted", None)
    state.change(grow=grow, selected=0, stopped=None, **more)


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
        with st.container(horizontal=True):
            _offer(getattr(fault, "instead", None))
            if former is not None and former != state.record().grow:
                st.button("Undo the last change", key="take_back", on_click=lambda: take(former))
        st.caption("Nothing is lost: the sidebar still has every setting.")
        st.stop()


def _offer(instead: tuple[str, str] | None) -> None:
    """A button that applies the remedy. instead : (setting, value)."""
    if instead is not None:
        name, value = instead
        label = SETTINGS[name].menu[value].label
        st.button(f"Take “{plain(label)}”", key="take_instead", type="primary", on_click=lambda: put(name, value))


def _setting_of(fault: TreecoreError) -> str | None:
    name = fault.where.split(",")[0]
    return name if name in SETTINGS or name in PANEL else None


def reset() -> None:
    """Settings stay when another table is loaded; this puts all of them back."""
    grow = state.record().grow
    if grow.settings:
        n = len(grow.settings)
        st.caption(f"● {n} {'setting' if n == 1 else 'settings'} changed from the default.")
        st.button(
            f"Reset to the defaults of {plain(PRESETS[grow.preset].label)}", key="reset_growth",
            on_click=lambda: take(Grow(grow.preset)),
        )  # fmt: skip


# The editable tables of costs and priors, which stand beside each other.

EDITS = "cost edits"


def table(frame, name: str, save: Callable, **settings) -> None:
    """An editable table; after an edit in any of them all are drawn anew.

    One that stayed as it was would swallow the first click after an edit in another one.
    """
    n_edits = state.choice(EDITS)

    def take(changed: dict[int, dict]) -> None:
        state.choose(EDITS, n_edits + 1)
        save(changed)

    state.table_editor(frame, f"{name} {n_edits}", take, **settings)


# What it costs to know each feature, and with which ones the answer may only rise or only fall.

SAID = "feature costs said"
WAYS = {"either way": 0, "rises": 1, "falls": -1}
"""What the answer may do when a feature grows."""


def features_editor(now: Situation) -> None:
    """A cost above 0 per feature, whose form is chosen in the sidebar; which way the answer may go with it, where the
    target has an order."""
    st.markdown("**Costs of features**: what it takes to know their values")
    given = dict(now.growth.costs)
    features = now.table.features
    frame = frames.of({"feature": features, "cost": [given.get(f, 1.0) for f in features]})
    if has_order(now):
        st.caption(f"{_answer(now)} can be forced to only rise, or only fall, as the feature grows.")
        signs = dict(now.growth.monotonic)
        frame["answer"] = [list(WAYS)[signs.get(f, 0)] for f in features]
    table(
        frame, "feature costs", lambda changed: _take(features, changed), hide_index=True, disabled=["feature"],
        height=frames.height(len(features), 248),
        column_config={"answer": st.column_config.SelectboxColumn(options=list(WAYS), required=True)},
    )  # fmt: skip
    if state.choice(SAID):
        st.error(plain(state.choice(SAID)))
    st.button(
        "Every feature costs 1", key="costs_reset", disabled=not given,
        on_click=lambda: (put("costs", ()), state.choose(SAID, "")),
    )  # fmt: skip
    if given:
        st.latex(_formula(now))


def has_order(now: Situation) -> bool:
    """Can an answer rise or fall?"""
    return now.task == "regression" or now.n_classes == 2


def _answer(now: Situation) -> str:
    return "The answer" if now.task == "regression" else f"The share of “{plain(work.called(now.table.classes[1]))}”"


def _formula(now: Situation) -> str:
    """The form in force, g being a split's score and c its feature's cost."""
    w = number(now.growth.cost_power)
    return {"divide": r"\frac{g}{c}", "square": r"\frac{g^2}{c}", "power": rf"\frac{{2^g - 1}}{{(c + 1)^{{{w}}}}}"}.get(
        now.growth.cost_form, ""
    )


def _take(features: tuple[str, ...], changed: dict[int, dict]) -> None:
    """Put new costs and ways in force, or say which of them cannot be; an emptied cell costs 1 again."""
    now = situation()
    costs, signs = dict(now.growth.costs), dict(now.growth.monotonic)
    for i, cells in changed.items():
        said = _refused(now, features[i], cells)
        if said:
            state.choose(SAID, said)
            return
        if "cost" in cells:
            costs[features[i]] = _cost(cells)
        if cells.get("answer"):
            signs[features[i]] = WAYS[cells["answer"]]
    put("costs", tuple(sorted((f, cost) for f, cost in costs.items() if cost != 1)))
    put("monotonic", tuple(sorted((f, sign) for f, sign in signs.items() if sign)))
    state.choose(SAID, "")


def _cost(cells: dict) -> float:
    return 1.0 if cells.get("cost") is None else float(cells["cost"])


def _refused(now: Situation, feature: str, cells: dict) -> str:
    """Why these cells of a feature cannot be; "" if they can."""
    if not 0 < _cost(cells) < np.inf:
        return f"A cost of {number(_cost(cells))} is not possible for “{feature}”: give a number above 0."
    ordered = now.table.column(feature).kind in ("numeric", "ordinal")
    if WAYS[cells.get("answer") or next(iter(WAYS))] and not ordered:
        return f"The values of “{feature}” have no order with which an answer could rise or fall."
    return ""
