"""Pruning court: every method's verdict on every node, with the numbers that decided."""

from pages.shared.bench import shell
from pages.shared.pruning import court
from pages.shared.server import guard

guard.enter()


def beside() -> None:
    """The methods, their verdicts, and what each says of the selected node."""
    court.choose()
    found = court.made()
    court.totals(found)
    court.testimony(found)
    court.table(found)


shell.show("court", beside, wide=820, cuts=court.ghosts)
