"""A tree on a canvas, whichever it is: what the browser is sent of it."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from treecore.export.cards import PALETTE
from treecore.tree.short_text import apart, shorten, width
from treecore.tree.tree import Tree
from treecore.view import rows
from treecore.view.shown import LARGEST, Asked, Shown, shown
from treecore.view.subject import Subject

PICTURE = 44
"""Pixels of a card for the picture of what its split parts."""
ROOM = (1100, 560)
"""Pixels of a canvas until the browser has said how large any is."""


@dataclass(frozen=True)
class Look:
    """How the reader looks at a canvas.

    room : width and height in pixels of the drawing at the least size that can be read. detail : how much a card says,
    of rows.DETAILS. orientation : 'LR', 'TB' or '' for the one that shows more. before : the one last seen here.
    opened, closed : ids of the nodes that were opened and folded by hand.
    """

    room: tuple[int, int] = ROOM
    detail: str = "look"
    orientation: str = ""
    before: str = ""
    opened: Collection[int] = ()
    closed: Collection[int] = ()

    @property
    def lines(self) -> int:
        """Lines of figures on a card."""
        return rows.DETAILS[self.detail]

    def bars(self, offered: Collection) -> int:
        """Bars on a card, of those there are."""
        return 1 if self.detail == "look" else len(offered)


def drawing(subject: Subject, look: Look, shades: rows.Shades | None = None) -> tuple[dict, Shown]:
    """What goes to the browser under one stamp, and the nodes that are shown. shades : of the groups of a column."""
    found = _shown(subject, look)
    cards = subject.cards(found.nodes)
    level, made, names = rows.levels(cards), [], _names(subject.figures)
    places = apart(names, subject.classes, (text for card in cards for text in (card.branch, *card.levels)))
    for card, node in zip(cards, found.nodes.tolist(), strict=True):
        at = found.at.at[node]
        made.append(rows.row(card, level[card.id], at, subject, look.detail, places))
    subject.dress(cards, made)
    if _gathers(subject.figures):
        rows.gathered(made, subject.figures, subject.ids)
    picture = _picture(subject, look)
    for row in made:
        if picture and row.get("histogram"):
            row["high"] = found.size[1] + picture
    if subject.groups is not None:
        rows.grouped(made, found.nodes.tolist(), subject.groups)
    legend = rows.groups_legend(subject.groups, len(subject.classes), shades)
    classes = [shorten(name, 60, places) for name in subject.classes]
    told = repr((subject.name, made, found.size, subject.interest, legend)).encode()
    told = hashlib.blake2b(told, digest_size=12).hexdigest()
    return {
        "stamp": told, "tree": f"{hash(subject.name):x}", "cut": subject.cut, "nodes": made,
        "orientation": found.orientation, "stacked": found.stacked, "size": list(found.size), "width": found.at.width,
        "height": found.at.height, "classes": classes, "differ": _differ(names, subject.classes, classes, made),
        "interest": rows.scale(subject.interest), "numbers": rows.numbers(subject.figures), "groups": legend,
        "figures": rows.figures(subject.figures), "colors": list(PALETTE), "apart": found.gap,
        "largest": LARGEST,
    }, found  # fmt: skip


def _gathers(tree: Tree | None) -> bool:
    """Do the splits put several classes together on each side? Twoing looks for such groups."""
    return tree is not None and len(tree.classes) > 2 and dict(tree.growth).get("score") == "twoing"


def _picture(subject: Subject, look: Look) -> int:
    """Pixels of the picture in the card of a split: at a look the canvas stays calm."""
    return PICTURE if subject.pictures and look.detail != "look" else 0


def _shown(subject: Subject, look: Look) -> Shown:
    letters = _longest(subject.figures) if subject.figures else 0
    wide, high = look.room
    spacious = round(wide * subject.crowd), round(high * subject.crowd)
    picture = _picture(subject, look)
    asked = Asked(
        spacious, subject.lines, subject.bars, look.orientation, look.before, letters, picture, subject.hides_empty
    )
    place = {int(node): i for i, node in enumerate(subject.ids)}
    opened, closed = ({place[node] for node in marked if node in place} for marked in (look.opened, look.closed))
    keep = place.get(subject.selected if subject.beside is None else subject.beside, 0)
    if subject.hides_empty and subject.branching.weight[keep] == 0:
        keep = place.get(subject.selected, 0)
    within = place.get(subject.within, 0)
    keep = keep if within in subject.branching.path(keep) else within
    return shown(subject.branching, asked, opened, closed, keep, within)


def _differ(names: Sequence[str], classes: Sequence[str], legend: Sequence[str], made: list[dict]) -> Mapping:
    """Text that the browser shortens to its room -> where it begins to differ from others of its kind."""
    names, answers = ([shorten(name, rows.WORDS, apart(kind)) for name in kind] for kind in (names, classes))
    conditions = (text for row in made for text in (row["branch"], *row.get("levels", ())))
    found = apart(names, answers, legend, conditions, (row["short"] for row in made))
    return {text: list(places) for text, places in found.items()}


def _names(tree: Tree | None) -> list[str]:
    """Of the features that are asked for."""
    asked = np.unique(tree.splits.feature[tree.n_children > 0]).tolist() if tree else []
    return [tree.schema.features[feature].name for feature in asked]


def _longest(tree: Tree) -> int:
    """Letters of the longest name on a card: of a feature that is asked for, or of a class."""
    return max((width(name) for name in (*_names(tree), *tree.class_names)), default=0)
