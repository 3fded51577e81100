"""What would have to change for another answer: the nearest leaves that give it."""

import numpy as np
import streamlit as st

from pages.shared.predict import one_row
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import brief, exact
from treecore.predicting.counterfactual import Change, Limits, changes, limits_of

ANY, UP, DOWN = "either way", "only up", "only down"
LIMITS = "limits of changes"
WAYS = {UP: "up", DOWN: "down"}


def show() -> None:
    """The row's answer now, the answer wanted, what may change, and the cheapest ways there."""
    result = one_row.story_of_row()
    one_row.answer(result)
    st.caption("The row is the one of the tab Row.")
    try:
        wanted = _wanted(result.answer)
    except TreecoreError as fault:
        messages.show(fault)
        return
    with st.expander("What may change, and what it costs"):
        _editor()
    try:
        limits = _limits()
        key = ("changes", tuple(sorted(one_row.asked_row().items())), wanted, repr(limits))
        made = work.cached_cut(*key, make=lambda: changes(
            one_row.portable_tree(), one_row.asked_row(), wanted, limits
        ))  # fmt: skip
    except TreecoreError as fault:
        messages.show(fault)
        return
    if not made:
        st.info(_why_none(wanted))
    for i, change in enumerate(made):
        _offer(i, change)


def _why_none(wanted) -> str:
    tree = work.pruned()
    if tree.classes and wanted not in {tree.node(int(leaf)).predicted for leaf in np.flatnonzero(tree.is_leaf)}:
        return f"No leaf of your tree predicts {plain(str(wanted))}, so no change can lead there."
    return "No leaf with that answer can be reached within these limits."


def _wanted(answer):
    tree = work.pruned()
    if tree.classes:
        others = [name for name in tree.classes if name != answer] or list(tree.classes)
        now = state.choice("wanted", others[0])
        now = now if now in tree.classes else others[0]
        state.controlled(
            st.selectbox, f"Wanted: {plain(tree.schema.target)} =", now, lambda v: state.choose("wanted", v), "wanted",
            options=list(tree.classes), format_func=tree.name_of_class.get,
        )  # fmt: skip
        return now
    values = tree.value[tree.is_leaf]
    low, high = state.choice("wanted range", (float(answer), float(max(values))))
    with st.container(horizontal=True):
        for label, key, value, save in (
            ("Wanted: at least", "wanted_low", low, lambda v: [v, high]),
            ("at most", "wanted_high", high, lambda v: [low, v]),
        ):
            state.controlled(
                st.number_input, label, value, lambda v, save=save: state.choose("wanted range", save(v)), key,
                value=None, format="%.6g",
            )  # fmt: skip
    return (low if low is not None else float("-inf"), high if high is not None else float("inf"))


def _editor() -> None:
    """A line for each feature that the tree asks for."""
    kept, names, row = state.choice(LIMITS), one_row.names(), one_row.asked_row()
    lines = [
        {"column": name, "now": _value_text(row[name]), "may change": True, "direction": ANY, "from": None, "to": None,
         "cost": 1.0} | kept.get(name, {})
        for name in names
    ]  # fmt: skip
    frame = frames.of(lines).astype({"from": "float64", "to": "float64"})
    state.table_editor(
        frame, "limits", lambda edits: _save(names, edits), hide_index=True, disabled=["column", "now"],
        column_config={
            "direction": st.column_config.SelectboxColumn(options=[ANY, UP, DOWN], required=True),
            "cost": st.column_config.NumberColumn(min_value=0.001),
        },
    )  # fmt: skip


def _save(names: list[str], edits: dict) -> None:
    kept = dict(state.choice(LIMITS))
    for place, changed in edits.items():
        name = names[int(place)]
        kept[name] = {**kept.get(name, {}), **changed}
    state.choose(LIMITS, kept)


def _limits() -> Limits:
    table = work.roles()["train"]
    base = work.cached("spread of changes", make=lambda: limits_of(table))
    names = set(one_row.names())
    kept = {name: line for name, line in state.choice(LIMITS).items() if name in names}
    numeric = {f.name for f in work.pruned().schema.features if f.numeric}
    ordered = numeric | {f.name for f in work.pruned().schema.features if f.kind == "ordinal"}
    return Limits(
        locked=frozenset(name for name, line in kept.items() if not line.get("may change", True)),
        one_way={n: WAYS[way] for n, line in kept.items() if (way := line.get("direction")) in WAYS and n in ordered},
        ranges={
            name: (line.get("from"), line.get("to"))
            for name, line in kept.items()
            if name in numeric and (line.get("from") is not None or line.get("to") is not None)
        },
        costs={name: float(line["cost"]) for name, line in kept.items() if line.get("cost")},
        scale=base.scale, whole=base.whole,
    )  # fmt: skip


def _offer(place: int, change: Change) -> None:
    if not change.values:
        st.success("Nothing: this is already the prediction.")
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(change.text)}**  \ncost {brief(change.cost)}, leaf {change.leaf}")
        st.space("stretch")
        st.button("Try it", key=f"try_{place}", on_click=one_row.take_values, args=(dict(change.values),))


def _value_text(value) -> str:
    if value is None:
        return "not known"
    return exact(value) if isinstance(value, float) else str(value)
