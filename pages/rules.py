"""Rules: your tree as IF … THEN …, and what is left of it when preconditions may go."""

from pages.shared import guard, rule_card, rule_views, rulebook
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """The rules, how good they are, and the selected one in full."""
    rule_views.choose()
    rulebook.listing()
    rule_card.show()
    rulebook.otherwise()
    rulebook.quality()


shell.show("rules", beside, wide=600)
