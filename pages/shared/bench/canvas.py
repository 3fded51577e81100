"""A tree on a canvas, whichever it is: what the browser is sent of it, and how the reader has chosen to look."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

import treecore as tc
from pages.shared.bench import component, finding, rows
from pages.shared.bench.room import take_window
from pages.shared.bench.shown import LARGEST, Asked, Shown, shown
from pages.shared.bench.subject import Subject
from pages.shared.session import choices, state
from pages.shared.widgets import present
from treecore.export.cards import PALETTE
from treecore.tree.short_text import apart, shorten, width

ROOM = (1100, 560)
"""Pixels of a canvas until the browser has said how large any is."""
MAIN = "bench"
"""Key of the canvas that most pages show."""


def looked_at(subject: Subject) -> tuple:
    """All of the reader's choices that a drawing depends on."""
    chosen = (room(subject.key), detail(), _turned(subject), _before(subject), subject.bars)
    chosen = (*chosen, subject.interest)
    shown = (subject.selected, subject.beside, subject.within, marks(subject, "opened"), marks(subject, "closed"))
    return (*chosen, *shown)


def drawing(subject: Subject) -> tuple[dict, Shown]:
    """What goes to the browser under one stamp, and the nodes that are shown."""
    found = _shown(subject)
    cards = subject.cards(found.nodes)
    level, made, names = rows.levels(cards), [], _names(subject.figures)
    places = apart(names, subject.classes, (text for card in cards for text in (card.branch, *card.levels)))
    for card, node in zip(cards, found.nodes.tolist(), strict=True):
        at = found.at.at[node]
        made.append(rows.row(card, level[card.id], at, subject, detail(), places))
    subject.dress(cards, made)
    if subject.groups is not None:
        rows.grouped(made, found.nodes.tolist(), subject.groups)
    legend = rows.groups_legend(subject.groups, len(subject.classes))
    classes = [shorten(name, 60, places) for name in subject.classes]
    told = repr((subject.name, made, found.size, subject.interest, legend)).encode()
    told = hashlib.blake2b(told, digest_size=12).hexdigest()
    return {
        "stamp": told, "tree": f"{hash(subject.name):x}", "cut": subject.cut, "nodes": made,
        "orientation": found.orientation, "stacked": found.stacked, "size": list(found.size), "width": found.at.width,
        "height": found.at.height, "classes": classes, "differ": _differ(names, subject.classes, classes, made),
        "interest": rows.scale(subject.interest), "groups": legend,
        "figures": rows.figures(subject.figures), "colors": list(PALETTE), "apart": found.gap,
        "largest": LARGEST,
    }, found  # fmt: skip


def _shown(subject: Subject) -> Shown:
    letters = _longest(subject.figures) if subject.figures else 0
    turned = _turned(subject)
    wide, high = room(subject.key)
    spacious = round(wide * subject.crowd), round(high * subject.crowd)
    asked = Asked(spacious, subject.lines, subject.bars, turned, _before(subject), letters)
    place = {int(node): i for i, node in enumerate(subject.ids)}
    mine = lambda name: {place[n] for n in marks(subject, name) if n in place}  # noqa: E731
    keep = place.get(subject.selected if subject.beside is None else subject.beside, 0)
    within = place.get(subject.within, 0)
    keep = keep if within in subject.branching.path(keep) else within
    return shown(subject.branching, asked, mine("opened"), mine("closed"), keep, within)


def _turned(subject: Subject) -> str:
    """The direction asked for: by the reader, or by the tree that it is compared with, which is drawn before it."""
    beside = component.memory_of(subject.beside_key)["side"] if subject.beside_key else None
    return state.choice("orientation") or beside or ""


def _before(subject: Subject) -> str:
    """The orientation that the reader last saw on this canvas; "" of your tree, which a reload shows as it was."""
    return "" if subject.key == MAIN else component.memory_of(subject.key)["side"] or ""


def _differ(names: Sequence[str], classes: Sequence[str], legend: Sequence[str], made: list[dict]) -> dict:
    """Text that the browser shortens to its room -> where it begins to differ from others of its kind."""
    names, answers = ([shorten(name, rows.WORDS, apart(kind)) for name in kind] for kind in (names, classes))
    conditions = (text for row in made for text in (row["branch"], *row.get("levels", ())))
    found = apart(names, answers, legend, conditions, (row["short"] for row in made))
    return {text: list(places) for text, places in found.items()}


def _names(tree: tc.Tree | None) -> list[str]:
    """Of the features that are asked for."""
    asked = np.unique(tree.splits.feature[tree.n_children > 0]).tolist() if tree else []
    return [tree.schema.features[feature].name for feature in asked]


def _longest(tree: tc.Tree) -> int:
    """Letters of the longest name on a card: of a feature that is asked for, or of a class."""
    return max((width(name) for name in (*_names(tree), *tree.class_names)), default=0)


def pane(
    subject: Subject, drawn: Mapping, more: Mapping, events: Mapping[str, Callable], act: Callable[[str, int], None]
) -> None:  # fmt: skip
    """Draw it. drawn : what `drawing` has made. more : what else the browser gets. events, act : see component.pane."""
    always = {
        "selected": subject.selected, "detail": detail(), "turned": drawn["orientation"], "ghosts": False,
        "cuts": False, "acts": True, "window": component.memory_of(subject.key)["window"], "shape": "tree",
        "room": list(room(subject.key)), "presenting": present.on(),
        "found": finding.found(subject, [row["id"] for row in drawn["nodes"]]),
    }  # fmt: skip
    component.memory_of(subject.key)["side"] = drawn["orientation"]
    mine = {
        "open": lambda event: _turn(subject, event.get("node"), True),
        "close": lambda event: _turn(subject, event.get("node"), False),
        "room": lambda event: _take_room(subject.key, event),
        "find": lambda event: finding.ask(subject, event.get("text")),
        "choose": lambda event: choose(event, CHOICES),
    }
    component.pane(subject.key, drawn, always | dict(more), mine | dict(events), act)


# ---------------------------------------------------------------- what the reader chose

CHOICES = {"detail", "orientation"}


def choose(event: dict, among: Collection[str]) -> None:
    """Take a choice made on the canvas, if it is one of these."""
    name, value = event.get("name"), event.get("value")
    if name in among and choices.is_known(name, value):
        state.choose(name, value)


def detail() -> str:
    """How much a card says."""
    return state.choice("detail")


def n_lines() -> int:
    """Lines of figures on a card."""
    return rows.DETAILS[detail()]


def n_bars(offered: Collection) -> int:
    """Bars on a card, of those there are."""
    return 1 if detail() == "look" else len(offered)


def room(key: str) -> tuple[int, int]:
    """Width and height of a canvas, in pixels of the drawing at the least size that can be read.

    Until the browser has said it: that of the canvas looked at before, so that a page seldom draws its tree twice."""
    return tuple(component.memory_of(key)["room"] or component.memory_of(MAIN)["room"] or ROOM)


def marks(subject: Subject, name: str) -> tuple[int, ...]:
    """Nodes that the reader has opened or closed ("opened", "closed") in this tree."""
    return tuple(sorted(_kept(subject, name)))


def _kept(subject: Subject, name: str) -> set[int]:
    found = state.kept_for(f"{name} nodes of {subject.opens or subject.key}", {})
    if found.get("tree") != subject.name:
        found.clear()
        found.update(tree=subject.name, nodes=set())
    return found["nodes"]


def _turn(subject: Subject, node, is_open: bool) -> None:
    if isinstance(node, int):
        opened, closed = _kept(subject, "opened"), _kept(subject, "closed")
        (opened if is_open else closed).add(node)
        (closed if is_open else opened).discard(node)


def _take_room(key: str, event: dict) -> None:
    found = event.get("room")
    if isinstance(found, list) and len(found) == 2 and all(isinstance(v, int) and 0 < v < 20000 for v in found):
        component.memory_of(key).update(room=tuple(found), window=event.get("window"))
        take_window(event.get("window"))
