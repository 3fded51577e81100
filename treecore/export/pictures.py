"""Pictures of the whole tree, drawn by Graphviz."""

from treecore.errors import TreecoreError
from treecore.export.dot import tree_dot
from treecore.export.format import Given
from treecore.export.from_tree import top_nodes, tree_cards
from treecore.export.layout import MAX_NODES, layout_svg

SCALES = (1, 2, 4)
ORIENTATIONS = ("TB", "LR")
_DOTS_PER_INCH = 96


def to_dot(given: Given) -> str:
    """The diagram's source."""
    orientation = given.options.get("orientation", "TB")
    if orientation not in ORIENTATIONS:
        raise TreecoreError(f"{orientation!r} is no orientation", where="orientation", remedy="Choose TB or LR")
    tree = given.tree
    cards = tree_cards(tree, top_nodes(tree, tree.n_nodes), {"train": tree.stats})
    background = "transparent" if given.options.get("transparent") else "white"
    dots = str(_DOTS_PER_INCH * _scale(given))
    return tree_dot(
        cards, classes=tree.classes, orientation=orientation, attributes={"bgcolor": background, "dpi": dots}
    )


def to_svg(given: Given) -> bytes:
    """Lines and text, sharp at any size."""
    return layout_svg(to_dot(given), "svg")


def to_png(given: Given) -> bytes:
    """Pixels; options scale (1, 2 or 4) and transparent."""
    return layout_svg(to_dot(given), "png")


def to_pdf(given: Given) -> bytes:
    """One page as large as the tree."""
    return layout_svg(to_dot(given), "pdf")


def why_not_picture(given: Given) -> str:
    """A picture of thousands of nodes takes minutes, and nobody can read it."""
    n = given.tree.n_nodes
    return f"{n} nodes are too many for one picture (at most {MAX_NODES}): prune the tree" if n > MAX_NODES else ""


def _scale(given: Given) -> int:
    scale = given.options.get("scale", 1)
    if scale not in SCALES:
        raise TreecoreError(f"{scale!r} is no scale of a picture", where="scale", remedy="Choose 1, 2 or 4")
    return scale
