"""Rules: your tree as IF … THEN …, and what is left of it when preconditions may go."""

from pages.shared.bench import shell
from pages.shared.rules import learned_rules, one_line, rule_card, rule_finder, rule_views, rulebook
from pages.shared.server import guard
from pages.shared.trees import work
from pages.shared.widgets.fold import fold

guard.enter()


def beside() -> None:
    """The rules, how good they are, and the selected one in full."""
    rule_views.choose()
    rulebook.quality()
    rule_card.show()
    if work.grown().classes:  # above the list, which may be long
        fold("Each class in one line", "classes in one line", one_line.show)
    learned_rules.show()
    rule_finder.choose()
    rulebook.listing()
    rulebook.otherwise()


shell.show("rules", beside)
