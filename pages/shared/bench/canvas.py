"""A tree on a canvas, whichever it is: how the reader has chosen to look, and what is done with it."""

from collections.abc import Callable, Collection, Mapping

from pages.shared.bench import component, finding
from pages.shared.bench.room import take_window
from pages.shared.session import choices, state
from pages.shared.widgets import present
from treecore.plots.picture_style import group_colors
from treecore.tree.tree import Tree
from treecore.view import canvas as view
from treecore.view.canvas import CanvasLayout
from treecore.view.canvas_nodes import DETAILS
from treecore.view.subject import Subject

MAIN = "bench"
"""Key of the canvas that most pages show."""


def looked_at(subject: Subject) -> tuple:
    """All of the reader's choices that a drawing depends on."""
    chosen = (room(subject.key), detail(), _turned(subject), _before(subject), subject.bars)
    chosen = (*chosen, subject.interest, subject.hides_empty)
    shown = (subject.selected, subject.beside, subject.within, marks(subject, "opened"), marks(subject, "closed"))
    return (*chosen, *shown)


def drawing(subject: Subject) -> tuple[dict, CanvasLayout]:
    """What goes to the browser under one stamp, and the nodes that are shown."""
    return view.drawing(subject, look(subject), group_colors)


def look(subject: Subject) -> view.Look:
    """How the reader looks at this canvas."""
    opened, closed = (marks(subject, name) for name in ("opened", "closed"))
    return view.Look(room(subject.key), detail(), _turned(subject), _before(subject), opened, closed)


def _turned(subject: Subject) -> str:
    """The direction asked for: by the reader, or by the tree that it is compared with, which is drawn before it."""
    beside = component.memory_of(subject.beside_key)["side"] if subject.beside_key else None
    return state.choice("orientation") or beside or ""


def _before(subject: Subject) -> str:
    """The orientation that the reader last saw on this canvas; "" of your tree, which a reload shows as it was."""
    return "" if subject.key == MAIN else component.memory_of(subject.key)["side"] or ""


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

CHOICES = {"detail", "orientation", "empty"}


def choose(event: dict, among: Collection[str]) -> None:
    """Take a choice made on the canvas, if it is one of these."""
    name, value = event.get("name"), event.get("value")
    if name in among and choices.is_known(name, value):
        state.choose(name, value)


def detail() -> str:
    """How much a card says."""
    return state.choice("detail")


def hides_empty(tree: Tree) -> bool:
    """Are the leaves left out to which no row comes?"""
    return not state.choice("empty") and has_empty(tree)


def has_empty(tree: Tree) -> bool:
    return bool((tree.weight == 0).any())


def empty_switch(tree: Tree) -> dict:
    """Shows or hides branches to which no row comes; {} where there are none."""
    if not has_empty(tree):
        return {}
    told = "Show branches without rows, of levels that are declared and that no row here has"
    return {"empty": {"text": "Empty", "title": told, "on": state.choice("empty")}}


def n_lines() -> int:
    """Lines of figures on a card."""
    return DETAILS[detail()]


def n_bars(offered: Collection) -> int:
    """Bars on a card, of those there are."""
    return 1 if detail() == "look" else len(offered)


def room(key: str) -> tuple[int, int]:
    """Width and height of a canvas, in pixels of the drawing at the least size that can be read.

    Until the browser has said it: that of the canvas looked at before, so that a page seldom draws its tree twice."""
    return tuple(component.memory_of(key)["room"] or component.memory_of(MAIN)["room"] or view.ROOM)


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
