"""Pictures: the whole tree drawn by Graphviz, and palette images as data addresses."""

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from treecore.errors import TreecoreError
from treecore.export.cards import (
    PALE,
    describe_prediction,
    fill,
    number_fill,
    tree_cards,
    with_quantile_bars,
)
from treecore.export.dot import MUTED, cell_of, escaped, tree_dot
from treecore.export.format import ExportRequest
from treecore.export.layout import MAX_NODES, layout_svg, picture_size
from treecore.figures import percent
from treecore.judging.interest import around_zero
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.tree.node import top_nodes
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree

SCALES = (1, 2, 4)
ORIENTATIONS = ("TB", "LR")
_DOTS_PER_INCH = 96
MOST_PIXELS = 32_767
"""On a side of a picture that is drawn in pixels."""
PAPERS = {"": (), "slide": (960, 540), "a4": (842, 595)}
"""Points of a sheet, its longer side first: 16:9, and A4 on whichever side shows more; "" is as large as the tree."""
MARGIN, LARGEST = 18, 2.0
"""Points around the tree on a sheet, and how many times its size a small tree is drawn there at most."""
MOST_NAMED, STEPS = 12, 7
"""Classes in a legend, and shades of a scale of numbers."""


def to_dot(given: ExportRequest, most: int | None = None, attributes: dict[str, str] | None = None) -> str:
    """The diagram's source. most : about so many nodes, those of the top; None: all. attributes : more of the graph."""
    orientation = given.options.get("orientation", "TB")
    if orientation not in ORIENTATIONS:
        raise TreecoreError(f"{orientation!r} is no orientation", where="orientation", remedy="Choose TB or LR")
    tree = given.tree
    cards = tree_cards(tree, top_nodes(tree, tree.n_nodes if most is None else most), {"train": tree.stats})
    cards = with_quantile_bars(cards, tree, _targets(given))
    background = "transparent" if given.options.get("transparent") else "white"
    dots = str(_DOTS_PER_INCH * _scale(given))
    return tree_dot(
        cards,
        classes=tree.class_names,
        orientation=orientation,
        attributes={"bgcolor": background, "dpi": dots} | (attributes or {}),
        interest=given.looked_for,
    )


def _targets(given: ExportRequest) -> dict[str, NodeTargets]:
    """Of the training rows; {} where they are not given, and for a tree whose bars need none."""
    return {} if given.trained_on is None else targets_by_role(given.tree, {"train": given.trained_on})


def to_svg(given: ExportRequest) -> bytes:
    """Lines and text, sharp at any size."""
    return layout_svg(_on_paper(given), "svg")


def to_png(given: ExportRequest) -> bytes:
    """Pixels; options scale (1, 2 or 4) and transparent. TreecoreError where the picture would be larger than a PNG can
    be drawn: it would come scaled down, with text that nobody can read."""
    dot = _on_paper(given, _DOTS_PER_INCH * _scale(given))
    if not _sheet(given):
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


def to_pdf(given: ExportRequest) -> bytes:
    """One page, as large as the tree or as a sheet."""
    return layout_svg(_on_paper(given), "pdf")


def _on_paper(given: ExportRequest, dots: int = 72) -> str:
    """The source with title and legend, on a sheet of the size asked for, there of so many dots per inch."""
    heading = {"label": _heading(given), "labelloc": "t", "labeljust": "l"} if given.options.get("title", True) else {}
    sheet = _sheet(given)
    if not sheet:
        return to_dot(given, attributes=heading)
    wide, high = (72.0 * inches for inches in picture_size(to_dot(given, attributes=heading)))
    sides = [sheet] if given.options["paper"] == "slide" else [sheet, sheet[::-1]]
    scale, (across, down) = max((min((a - 2 * MARGIN) / wide, (d - 2 * MARGIN) / high), (a, d)) for a, d in sides)
    scale = min(scale, LARGEST)
    return to_dot(
        given, attributes=heading | {"viewport": f"{across},{down},{scale:.5f}", "dpi": str(dots), "margin": "0"}
    )


def _sheet(given: ExportRequest) -> tuple[int, ...]:
    paper = given.options.get("paper", "")
    if not isinstance(paper, str) or paper not in PAPERS:
        remedy = f"Choose {' or '.join(name for name in PAPERS if name)}, or nothing for one as large as the tree"
        raise TreecoreError(f"{paper!r} is no size of a picture", where="paper", remedy=remedy)
    return PAPERS[paper]


# ---------------------------------------------------------------- title and legend


def _heading(given: ExportRequest) -> str:
    """What the picture is of, and what its colours mean."""
    tree, looked_for = given.tree, given.looked_for
    what = shorten(tree.schema.target, 40) + (f" = {shorten(looked_for.name, 24)}" if looked_for is not None else "")
    title = what if given.name == "tree" else f"{shorten(given.name, 60)}: {what}"
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    rows = _line([f"<B>{escaped(title)}</B>", _quiet(f"{leaves}, {int(tree.n_rows[0]):,} {tree.rows_named}")])
    legend = _classes(tree) if tree.classes else _numbers(tree)
    if looked_for is not None:
        legend += [_quiet(f"Nodes: share of {shorten(looked_for.name, 24)}, white at {percent(looked_for.base)}")]
    lines = rows + (_line(legend) if legend else "")
    if tree.schema.row_loss is not None and given.trained_on is not None:
        lines += _line([_quiet(f"Bars: 10 % to 90 % of the rows, the mark is the {tree.target_kind.noun}")])
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{lines}</TABLE>>'


def _line(parts: Sequence[str]) -> str:
    cells = "".join(f"<TD>{part}</TD><TD>&#160;&#160;</TD>" for part in parts)
    table = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1"><TR>{cells}</TR></TABLE>'
    return f'<TR><TD ALIGN="LEFT">{table}</TD></TR>'


def _quiet(text: str) -> str:
    return f'<FONT POINT-SIZE="11" COLOR="{MUTED}">{escaped(text)}</FONT>'


def _classes(tree: Tree) -> list[str]:
    """A square of its colour before the name of every class."""
    names = tree.class_names[:MOST_NAMED]
    rest = [_quiet(f"+{len(tree.class_names) - MOST_NAMED:,} more")] if len(tree.class_names) > MOST_NAMED else []
    return [_swatches([cell_of(k)], shorten(name, 24)) for k, name in enumerate(names)] + rest


def _numbers(tree: Tree) -> list[str]:
    """The shades of predictions from the least to the largest; [] where there is but one."""
    if not np.ptp(tree.summary) > 0:
        return []
    low, high = (
        describe_prediction(tree.node(int(node))) for node in (np.argmin(tree.summary), np.argmax(tree.summary))
    )
    between = np.linspace(np.nanmin(tree.summary), np.nanmax(tree.summary), STEPS)
    tints = [around_zero(tree, float(value)) for value in between]
    shades = [
        cell_of(number_fill(i / (STEPS - 1)) if tint is None else fill(tint, most=PALE)) for i, tint in enumerate(tints)
    ]
    return [_quiet(low), _swatches(shades, ""), _quiet(high)]


def _swatches(cells: Sequence[str], name: str) -> str:
    told = f"<TD>&#160;{_quiet(name)}</TD>" if name else ""
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{"".join(cells)}{told}</TR></TABLE>'


def why_not_picture(given: ExportRequest) -> str:
    """A picture of thousands of nodes takes minutes, and nobody can read it."""
    n = given.tree.n_nodes
    return f"{n} nodes are too many for one picture (at most {MAX_NODES}): prune the tree" if n > MAX_NODES else ""


def _scale(given: ExportRequest) -> int:
    scale = given.options.get("scale", 1)
    if scale not in SCALES:
        raise TreecoreError(f"{scale!r} is no scale of a picture", where="scale", remedy="Choose 1, 2 or 4")
    return scale


# A palette image as a data address: a few kilobytes for any number of rectangles.


def palette_png(index: np.ndarray, rgba: np.ndarray) -> str:
    """A PNG of colour indices as "data:image/png;base64,...".

    index : uint8 (height, width), the top row first. rgba : uint8 (256, 4).
    """
    height, width = index.shape
    lines = np.zeros((height, width + 1), np.uint8)  # a filter byte of 0 before every line
    lines[:, 1:] = index
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits, palette
    chunks = [
        (b"IHDR", header),
        (b"PLTE", np.ascontiguousarray(rgba[:, :3]).tobytes()),
        (b"tRNS", np.ascontiguousarray(rgba[:, 3]).tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        (struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))
        for kind, body in chunks
    )
    return "data:image/png;base64," + base64.b64encode(data).decode()
