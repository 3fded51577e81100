"""The sidebar: how the tree is grown and pruned. Every page that shows the tree has it."""

from dataclasses import replace

import streamlit as st

from pages.shared.controls import bin_edges, costs, growth, pruning
from pages.shared.controls.refit import presets_for, refit
from pages.shared.controls.settings import PANEL
from pages.shared.learn import classroom
from pages.shared.session import state
from pages.shared.trees import tables, work
from pages.shared.widgets import messages
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.data import BINNINGS, FILLS
from treecore.data.prepare import BINS, OTHERS
from treecore.growing.settings.grow_settings import SYNONYMS
from treecore.presets import PRESETS
from treecore.recipe import Edit, Prepare

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
        if tables.in_force():
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
    costs.show()
    growth.check()
    pruning.check()
    offer_to_drop()


def _all() -> None:
    """Every other setting by its part, or those that hold the words asked for."""
    asked = state.choice("asked of settings")
    state.controlled(
        st.text_input, "Find a setting", asked, lambda v: state.choose("asked of settings", v or ""), "find_setting",
        placeholder="overfitting, class weight …", label_visibility="collapsed", icon=":material/search:",
    )  # fmt: skip
    result = [_part(name, label, asked) for name, label in PARTS.items()]
    above = [setting.label for setting in growth.matching("main", asked)] if asked.strip() else []
    if above:
        st.caption(f"Shown above: {', '.join(above)}.")
    if not any(result) and not above:
        st.caption(f"No setting has {plain(asked)} in its name, description or formula.")


def algorithm(key: str) -> None:
    """The chooser of the algorithm. key : of its widget, one for each place where it stands."""
    chosen, known, now = PRESETS[state.record().grow.preset], presets_for(work.table().target_kind), state.record().grow
    if tables.in_force():  # in the place of an algorithm, as one can be chosen instead
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
        bins()
        bin_edges.summary()
        bin_edges.choose_refinement()
    elif name == "costs":
        costs.summary()
    elif name == "pruning":
        pruning.of_strategy()


def _missing() -> None:
    missing()
    gaps = [c.name for c in work.roles()["train"].feature_columns if c.n_missing]
    if not gaps and not fills():
        st.caption("No training row has a missing value, so this matters only for new rows.")


def recipe_line() -> None:
    """What produced the tree on this page, in one line."""
    st.caption("Recipe: " + plain(work.recipe().text(work.grown()) + bin_edges.describe_refinement()))


# What happens to the training rows before growing: missing values filled or left out, numbers put in bins.

NO_BINS = "none"
SHOWN = 4  # notes that are seen at once


def preparation() -> None:
    """All the controls, in the order in which they act."""
    missing()
    bins()


def missing() -> None:
    """What becomes of missing values before growing."""
    prepare = state.record().prepare
    state.controlled(
        st.selectbox, "Missing values before growing", prepare.missing, lambda v: _take(missing=v),
        "prepare_missing", options=_fills(prepare.missing), format_func=lambda name: FILLS[name].label,
        help=f"{FILLS[prepare.missing].note} Learned from the training rows; other rows keep their missing values, "
        "and the tree puts the same value in their place when it predicts.",
    )  # fmt: skip
    if prepare.missing == "drop_columns":
        state.controlled(
            st.number_input, "Left out above this share of missing values", prepare.limit,
            lambda v: _take(limit=Prepare().limit if v is None else v), "prepare_limit", value=None, min_value=0.0,
            max_value=1.0, step=0.05, format="%.2f", placeholder=f"{Prepare().limit:g}",
        )  # fmt: skip
    if fills():
        st.caption("New rows are filled in the same way, so the tree never meets a missing value.")


def fills() -> bool:
    """Does the preparation leave the tree no missing value to treat?"""
    columns = work.roles()["train"].feature_columns
    return bool(columns) and all(column.fill is not None for column in columns)


def bins() -> None:
    """Numeric features as ordinal ones, cut into bins before growing."""
    method, n = next(((method, n) for feature, method, n in state.record().prepare.bins if not feature), (NO_BINS, 0))
    labels = {NO_BINS: "Leave numbers as they are"} | {name: entry.label for name, entry in BINNINGS.items()}
    classes = work.table().task == "classification"
    fitting = [name for name in labels if classes or name in (method, NO_BINS) or not BINNINGS[name].needs_classes]
    state.controlled(
        st.selectbox, "Bins before growing", method, lambda v: _take_bins(v, n or BINS), "prepare_bins",
        options=fitting, format_func=labels.get,
        help="Numeric features become ordered bins, which trees cut between. "
        + (BINNINGS[method].note if method != NO_BINS else ""),
    )  # fmt: skip
    if method != NO_BINS and not BINNINGS[method].needs_classes:
        state.controlled(
            st.number_input, "Bins", n, lambda v: _take_bins(method, v or BINS), "prepare_n_bins", value=None,
            min_value=2, max_value=1000, step=1, placeholder=str(BINS),
        )  # fmt: skip


def notes() -> None:
    """What was filled, left out or put in bins, a line each."""
    told = work.preparation_notes()
    for note in told[:SHOWN]:
        st.caption("• " + plain(note))
    if told[SHOWN:]:
        with st.expander(f"{len(told) - SHOWN} more features were prepared"):
            for note in told[SHOWN:]:
                st.caption("• " + plain(note))


def _fills(chosen: str) -> list[str]:
    """Names of what fits the target, and of what is chosen even if it does not."""
    classes = work.table().task == "classification"
    return [name for name, fill in FILLS.items() if classes or name == chosen or not fill.needs_classes]


def _take(**fields) -> None:
    state.change(prepare=replace(state.record().prepare, **fields), selected=0, stopped=None)


def _take_bins(method: str, n: int) -> None:
    """Bins for every numeric feature, beside those that a feature has by itself."""
    own = tuple(entry for entry in state.record().prepare.bins if entry[0] != OTHERS)
    _take(bins=own if method == NO_BINS else (*own, (OTHERS, method, n)))


# Steps by hand whose node is not in this tree.


def offer_to_drop() -> None:
    """Steps whose node is not in this tree: the rest goes on, and the user decides about them."""
    fault = work.lost_edit()
    if fault is None:
        return
    messages.show(fault)
    done, given = work.edits(), state.record().edits
    lost, what = len(given) - len(done), "edit" if isinstance(given[len(done)], Edit) else "step"
    st.button(
        f"Drop this {what}" if lost == 1 else f"Drop this {what} and the {lost - 1} after it",
        on_click=lambda: state.change(edits=done), key="drop_edits",
    )  # fmt: skip
