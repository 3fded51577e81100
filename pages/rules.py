"""Rules: your tree as IF … THEN …, and what is left of it when preconditions may go."""

import streamlit as st

from pages.shared.bench import shell, side_panel
from pages.shared.rules import learned_rules, rule_card, rule_views, rulebook
from pages.shared.server import guard
from pages.shared.trees import work
from pages.shared.widgets.fold import fold

guard.enter()


def panel() -> None:
    """The rules, how good they are, and the selected one in full."""
    rule_views.choose()
    if side_panel.is_wider("rules"):  # the list is the page's picture
        rule_views.choose_order()
        _list()
        _more()
        return
    rulebook.quality()
    rule_card.show()
    _more()  # above the list, which may be long
    rule_views.choose_order()
    rulebook.listing()
    rulebook.otherwise()


def _list() -> None:
    """How good the rules are, the selected one in full, then all of them."""
    with st.container(key="rule_list"):
        rulebook.quality()
        rule_card.show()
        rulebook.listing()
        rulebook.otherwise()


def _more() -> None:
    """Other ways to say what the rules say, and to find rules."""
    if work.grown().classes:
        fold("Each class in one line", "classes in one line", rule_views.show)
    learned_rules.show()


shell.show("rules", panel)
