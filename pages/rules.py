"""Rules: your tree as IF … THEN …, and what is left of it when preconditions may go."""

from pages.shared import guard, learned_rules, rule_card, rule_finder, rule_views, rulebook
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """The rules, how good they are, and the selected one in full."""
    rule_views.choose()
    rulebook.quality()
    rule_card.show()
    rule_finder.choose()
    rulebook.listing()
    rulebook.otherwise()
    learned_rules.show()


shell.show("rules", beside)
