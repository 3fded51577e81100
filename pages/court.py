"""Compare pruning methods, the court: every method's verdict on every node, with the numbers that decided."""

from pages.shared.bench import shell, side_panel
from pages.shared.pruning import court
from pages.shared.server import guard
from pages.shared.widgets import fold

guard.enter()


def panel() -> None:
    """The methods, which of them is best, their verdicts on the nodes, and what each says of the selected one."""
    court.choose()
    result = court.made()
    if side_panel.is_wider("court"):
        court.best(result)
        court.table(result)
        court.totals(result)
        court.testimony(result)
    else:
        court.totals(result)
        court.testimony(result)
        court.table(result)
    fold.offer_next(
        ("size_and_pruning", "Drag along all sizes of one method"),
        ("guess", "Guess which branch is pruned next"),
        ("compare", "Compare two of these trees row by row"),
    )  # fmt: skip


shell.show("court", panel, wide=820, cuts=court.ghosts)
