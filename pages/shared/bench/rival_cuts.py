"""What every cut of every feature of a node would gain."""

from pages.shared.trees import work
from treecore.growing.inspect.landscape import Landscape, landscape


def of_node(node: int) -> Landscape:
    """The landscape by what the tree's splits compete by."""
    tree = work.trained()
    make = lambda: landscape(tree, node, work.roles()["train"], "")  # noqa: E731
    return work.kept("landscape", node, "", make=make)
