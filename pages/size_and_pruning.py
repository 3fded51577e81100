"""Size and pruning: how small can the tree get before it gets worse, and which branches go first?"""

from pages.shared.bench import quality, shell
from pages.shared.node import inspector
from pages.shared.pruning import sizes
from pages.shared.server import guard

guard.enter()


def panel() -> None:
    """The measure, the curve, the sequence in numbers, and what decided about the selected node."""
    sizes.switches()
    sizes.curve()
    sizes.sequence()
    sizes.table()
    quality.arithmetic("size", quality.of_yours)
    inspector.verdict_of_selected()
    sizes.show()


shell.show("size_and_pruning", panel, has_curve=True)
