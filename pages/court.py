"""Pruning court: every method's verdict on every node, with the numbers that decided."""

from pages.shared import court, guard
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """The methods, their verdicts, and what each says of the selected node."""
    court.choose()
    court.choose_ghosts()
    found = court.made()
    court.table(found)
    court.totals(found)
    court.testimony(found)


shell.show("court", beside, wide=600, cuts=court.ghosts)
