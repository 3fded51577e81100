"""Rules: your tree as IF … THEN …, and what is left of it when preconditions may go."""

import streamlit as st

from pages.shared.bench import room, shell
from pages.shared.rules import learned_rules, one_line, rule_card, rule_finder, rule_views, rulebook
from pages.shared.server import guard
from pages.shared.trees import work
from pages.shared.widgets.fold import fold

guard.enter()


def beside() -> None:
    """The rules, how good they are, and the selected one in full."""
    rule_views.choose()
    if room.is_wider("rules"):  # the list is the page's picture
        rule_finder.choose()
        _list()
        _more()
        return
    rulebook.quality()
    rule_card.show()
    _more()  # above the list, which may be long
    rule_finder.choose()
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
        fold("Each class in one line", "classes in one line", one_line.show)
    learned_rules.show()


shell.show("rules", beside)
