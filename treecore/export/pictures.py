"""Pictures of the whole tree, drawn by Graphviz."""

from treecore.errors import TreecoreError
from treecore.export.dot import tree_dot
from treecore.export.format import Given
from treecore.export.from_tree import tree_cards
from treecore.export.layout import MAX_NODES, layout_svg, picture_size
from treecore.tree.printed import top_nodes

SCALES = (1, 2, 4)
ORIENTATIONS = ("TB", "LR")
_DOTS_PER_INCH = 96
MOST_PIXELS = 32_767
"""On a side of a picture that is drawn in pixels."""


def to_dot(given: Given, most: int | None = None) -> str:
    """The diagram's source. most : about so many nodes, those of the top; None: all."""
    orientation = given.options.get("orientation", "TB")
    if orientation not in ORIENTATIONS:
        raise TreecoreError(f"{orientation!r} is no orientation", where="orientation", remedy="Choose TB or LR")
    tree = given.tree
    cards = tree_cards(tree, top_nodes(tree, tree.n_nodes if most is None else most), {"train": tree.stats})
    background = "transparent" if given.options.get("transparent") else "white"
    dots = str(_DOTS_PER_INCH * _scale(given))
    return tree_dot(
        cards,
        classes=tree.class_names,
        orientation=orientation,
        attributes={"bgcolor": background, "dpi": dots},
        interest=given.looked_for,
    )


def to_svg(given: Given) -> bytes:
    """Lines and text, sharp at any size."""
    return layout_svg(to_dot(given), "svg")


def to_png(given: Given) -> bytes:
    """Pixels; options scale (1, 2 or 4) and transparent. TreecoreError where the picture would be larger than a PNG can
    be drawn: it would come scaled down, with text that nobody can read."""
    dot = to_dot(given)
    _check_pixels(dot, _scale(given))
    return layout_svg(dot, "png")


def _check_pixels(dot: str, scale: int) -> None:
    size = picture_size(dot)
    if reason := why_not_pixels(size, scale):
        smaller = [s for s in SCALES if s < scale and not why_not_pixels(size, s)]
        at = f"scale {smaller[-1]}, " if smaller else ""
        remedy = f"Choose {at}SVG or PDF, which are sharp at any size, or prune the tree"
        raise TreecoreError(reason, where="PNG", remedy=remedy)


def why_not_pixels(size: tuple[float, float], scale: int) -> str:
    """Why a picture of so many inches cannot be drawn in pixels at this scale; '' where it can."""
    wide, high = (round(_DOTS_PER_INCH * scale * inches) for inches in size)
    most = f"and can have at most {MOST_PIXELS:,} on a side"
    return f"The picture would be {wide:,} × {high:,} pixels, {most}" if max(wide, high) > MOST_PIXELS else ""


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
