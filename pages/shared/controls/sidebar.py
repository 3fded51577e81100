"""The sidebar: how the tree is grown and pruned. Every page that shows the tree has it."""

import streamlit as st

from pages.shared.controls import between_bins, growth, own_edges, panel, prepare, pruning
from pages.shared.controls.refit import presets_for, refit
from pages.shared.controls.table import PANEL
from pages.shared.learn import classroom
from pages.shared.session import state
from pages.shared.trees import hand, models, work
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.growing.settings.words import SYNONYMS
from treecore.presets import PRESETS

MODEL = "a model's tree"
PARTS = {
    "splits": "Splits",
    "limits": "Limits",
    "stopping": "Stopping rules",
    "missing": "Missing values",
    "costs": "Costs and class weights",
    "pruning": "Pruning",
}


def show() -> None:
    """The five settings that matter most, all others behind them; and what of them does not fit."""
    work.check_rows()
    refit()
    if classroom.is_locked():  # what is to be guessed stays as the teacher has it
        return
    with st.sidebar:
        algorithm("preset")
        if models.in_force():
            st.caption(
                "Your tree comes from this model, so no setting changes how it grew. Choose an algorithm to grow one "
                "of your "
                "own; Undo brings the model's tree back."
            )
            pruning.choose()
            pruning.of_strategy()
        else:
            growth.group("main")
            pruning.choose()
            fold("All settings", "all settings", _all)
            growth.reset()
    if state.choice("refitted"):
        st.info(plain(state.choice("refitted")))
    panel.show()
    growth.check()
    pruning.check()
    hand.offer_to_drop()


def _all() -> None:
    """Every other setting by its part, or those that hold the words asked for."""
    asked = state.choice("asked of settings")
    state.controlled(
        st.text_input, "Find a setting", asked, lambda v: state.choose("asked of settings", v or ""), "find_setting",
        placeholder="overfitting, class weight …", label_visibility="collapsed", icon=":material/search:",
    )  # fmt: skip
    found = [_part(name, label, asked) for name, label in PARTS.items()]
    above = [setting.label for setting in growth.matching("main", asked)] if asked.strip() else []
    if above:
        st.caption(f"Shown above: {', '.join(above)}.")
    if not any(found) and not above:
        st.caption(f"No setting has {plain(asked)} in its name, description or formula.")


def algorithm(key: str) -> None:
    """The chooser of the algorithm. key : of its widget, one for each place where it stands."""
    chosen, known, now = PRESETS[state.record().grow.preset], presets_for(work.table().target_kind), state.record().grow
    if models.in_force():  # in the place of an algorithm, as one can be chosen instead
        state.controlled(
            st.selectbox, "Algorithm", MODEL, lambda name: name == MODEL or growth.take_preset(name), key,
            options=[MODEL, *known], format_func=lambda name: PRESETS[name].label if name in known else now.file,
        )  # fmt: skip
        return
    state.controlled(
        st.selectbox, "Algorithm", chosen.name, growth.take_preset, key,
        options=known, format_func=lambda name: PRESETS[name].label,
        help=f"{chosen.note} {chosen.source}.",
    )  # fmt: skip


def _part(name: str, label: str, asked: str) -> bool:
    """One part under its heading; False when nothing in it is what was asked for."""
    settings = growth.matching(name, asked)
    whole = not asked.strip() or asked.strip().lower() in label.lower() or _is_called(name, asked)
    if not settings and not whole:
        return False
    st.markdown(f"**{label}**")
    if whole:
        _extras(name)
    for setting in settings:
        growth.draw(setting, growth.situation())
    return True


def _is_called(name: str, asked: str) -> bool:
    """Do people call something so that stands in this part and is no setting of growth?"""
    words = {
        "costs": " ".join(f"{label} {SYNONYMS.get(setting, '')}" for setting, label in PANEL.items()),
        "pruning": "pruning post-pruning cost complexity ccp alpha cp overfitting over-fitting simplify",
    }.get(name, "")
    return bool(words) and all(word in words.lower() for word in asked.lower().split())


def _extras(name: str) -> None:
    """What belongs to a part and is no setting of growth."""
    if name == "missing":
        _missing()
    elif name == "splits":
        prepare.bins()
        own_edges.summary()
        between_bins.choose()
    elif name == "costs":
        panel.summary()
    elif name == "pruning":
        pruning.of_strategy()


def _missing() -> None:
    prepare.missing()
    gaps = [c.name for c in work.roles()["train"].feature_columns if c.n_missing]
    if not gaps and not prepare.fills():
        st.caption("No training row has a missing value, so this matters only for new rows.")


def recipe_line() -> None:
    """What produced the tree on this page, in one line."""
    st.caption("Recipe: " + plain(work.recipe().text() + between_bins.told()))
