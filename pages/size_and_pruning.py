"""Size and pruning: how small can the tree get before it gets worse, and which branches go first?"""

from pages.shared.bench import judging, shell
from pages.shared.node import verdicts
from pages.shared.pruning import sizes, weakest_links
from pages.shared.server import guard

guard.enter()


def beside() -> None:
    """The measure, the curve, the sequence in numbers, and what decided about the selected node."""
    sizes.switches()
    sizes.curve()
    sizes.sequence()
    sizes.table()
    judging.arithmetic("size", judging.of_yours)
    verdicts.of_selected()
    weakest_links.show()


shell.show("size_and_pruning", beside, has_curve=True)
