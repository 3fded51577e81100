"""Which rules are listed, and in which order: found by a word, by their answer, those of most rows first."""

import numpy as np
import streamlit as st

from pages.shared.bench import room
from pages.shared.rules import rule_views
from pages.shared.session import state
from pages.shared.trees import work
from treecore.tree.short_text import apart, shorten

ALL = "every answer"
WIDTHS = {False: 138, True: 220}
"""Pixels of a field, in the narrow drawer and in the wide one."""
BY_ROWS, BY_USE = "most rows first", "in their order"


def choose() -> None:
    """A word, an answer, and the order."""
    width = WIDTHS[room.is_wider("rules")]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.text_input, "Find", _word(), lambda v: state.choose("find rule", v or ""), "find_rule",
            placeholder="a feature, a level …", width=width,
        )  # fmt: skip
        if work.pruned().classes:
            places = apart(work.pruned().class_names)
            state.controlled(
                st.selectbox, "Prediction", _answer(), lambda v: state.choose("rule answer", v), "rule_answer",
                options=[ALL, *work.pruned().class_names],
                format_func=lambda name: "all" if name == ALL else shorten(name, 40, places),
                width=width,
            )  # fmt: skip
        state.controlled(
            st.segmented_control, "Order", order(), lambda v: state.choose("rule order", v or BY_ROWS), "rule_order",
            options=[BY_ROWS, BY_USE], label_visibility="collapsed",
            format_func={BY_ROWS: BY_ROWS, BY_USE: "in rule order"}.get,
        )  # fmt: skip


def order() -> str:
    return state.choice("rule order")


def _word() -> str:
    return state.choice("find rule")


def _answer() -> str:
    chosen = state.choice("rule answer")
    return chosen if chosen in work.pruned().class_names else ALL


def places() -> list[int]:
    """Positions in the list of those that are wanted."""
    rules, word, answer = rule_views.ordered().rules, _word().casefold(), _answer()
    found = [i for i, rule in enumerate(rules) if answer in (ALL, rule.said)]
    if word:
        texts = work.kept_cut("rule texts", rule_views.in_force(), make=lambda: [r.text.casefold() for r in rules])
        found = [i for i in found if word in texts[i]]
    if order() == BY_USE:
        return found
    weight = np.array([-rules[i].train.weight if rules[i].train else 0.0 for i in found])
    return [found[i] for i in np.argsort(weight, kind="stable").tolist()]
