"""A tree on a canvas, whichever it is: how the reader has chosen to look, and what is done with it."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from uuid import uuid4

import streamlit as st

from pages import WORKBENCH
from pages.shared.bench.side_panel import take_window
from pages.shared.session import choices, state
from pages.shared.widgets import present
from treecore.export.canvas_words import WORDS
from treecore.export.modules import joined, styles
from treecore.plots.picture_style import group_colors
from treecore.tree.tree import Tree
from treecore.view import canvas as view
from treecore.view.canvas import CanvasLayout
from treecore.view.canvas_nodes import DETAILS
from treecore.view.subject import MOST_LETTERS, Subject, hits, searched_texts

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
    beside = memory_of(subject.beside_key)["side"] if subject.beside_key else None
    return state.choice("orientation") or beside or ""


def _before(subject: Subject) -> str:
    """The orientation that the reader last saw on this canvas; "" of your tree, which a reload shows as it was."""
    return "" if subject.key == MAIN else memory_of(subject.key)["side"] or ""


def pane(
    subject: Subject, drawn: Mapping, more: Mapping, events: Mapping[str, Callable], act: Callable[[str, int], None]
) -> None:  # fmt: skip
    """Draw it. drawn : what `drawing` has made. more : what else the browser gets. events, act : see component.pane."""
    always = {
        "selected": subject.selected, "detail": detail(), "turned": drawn["orientation"], "ghosts": False,
        "cuts": False, "acts": True, "window": memory_of(subject.key)["window"], "shape": "tree",
        "room": list(room(subject.key)), "presenting": present.on(),
        "found": search_hits(subject, [row["id"] for row in drawn["nodes"]]),
    }  # fmt: skip
    memory_of(subject.key)["side"] = drawn["orientation"]
    mine = {
        "open": lambda event: _turn(subject, event.get("node"), True),
        "close": lambda event: _turn(subject, event.get("node"), False),
        "room": lambda event: _take_room(subject.key, event),
        "find": lambda event: ask(subject, event.get("text")),
        "choose": lambda event: choose(event, CHOICES),
    }
    tree_component(subject.key, drawn, always | dict(more), mine | dict(events), act)


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

    Until the browser has said it: that of the canvas looked at before, so that a page seldom draws its tree twice, and
    a page that is loaded again does not turn it."""
    return tuple(memory_of(key)["room"] or memory_of(MAIN)["room"] or state.canvas_room() or view.ROOM)


def marks(subject: Subject, name: str) -> tuple[int, ...]:
    """Nodes that the reader has opened or closed ("opened", "closed") in this tree."""
    return tuple(sorted(_marked_nodes(subject, name)))


def _marked_nodes(subject: Subject, name: str) -> set[int]:
    result = state.stored_for(f"{name} nodes of {subject.opens or subject.key}", {})
    if result.get("tree") != subject.name:
        result.clear()
        result.update(tree=subject.name, nodes=set())
    return result["nodes"]


def _turn(subject: Subject, node, is_open: bool) -> None:
    if isinstance(node, int):
        opened, closed = _marked_nodes(subject, "opened"), _marked_nodes(subject, "closed")
        (opened if is_open else closed).add(node)
        (closed if is_open else opened).discard(node)


def _take_room(key: str, event: dict) -> None:
    result = event.get("room")
    if isinstance(result, list) and len(result) == 2 and all(isinstance(v, int) and 0 < v < 20000 for v in result):
        memory = memory_of(key)
        if memory["room"] is None:
            memory["side"] = None  # of a room that was guessed, and seen for a moment: nobody has learnt it
        memory.update(room=tuple(result), window=event.get("window"))
        if key == MAIN:
            state.set_canvas_room(tuple(result))
        take_window(event.get("window"))


# The tree pane as a Streamlit component: what is shown goes out, what the reader does comes back.

DEEDS = ("cut", "restore", "split", "grow", "regrow", "only", "widen")

_component = st.components.v2.component(
    "treecore_bench",
    html='<div class="bench"></div>',
    css=styles(WORKBENCH / "bench.css", WORKBENCH / "dock.css"),
    js=joined(WORKBENCH / "main.js"),
)


def tree_component(
    key: str, drawing: Mapping, more: Mapping, events: Mapping[str, Callable], act: Callable[[str, int], None]
):
    """Draw it. drawing : `stamp` and what depends on it alone, with the nodes, sent until the browser says that it
    has them. more : the rest, sent every time. events : kind -> what to do with it, before the script runs again.
    """
    memory = memory_of(key)
    known = memory["have"] == drawing["stamp"]
    data = {name: value for name, value in drawing.items() if name != "nodes" or not known}
    data |= {"key": key, "words": WORDS, "session": memory["session"], "seen": memory["seen"], **more}
    _component(
        key=key,
        data=data,
        on_event_change=lambda: _take_event(key, events),
        on_action_change=lambda: _take_action(key, act),
    )


def memory_of(key: str) -> dict:
    """What this session knows of the pane. seen : number of the last event. have : stamp of what the browser holds.
    session : tells the browser that its own count is void, as after a lost session. room : pixels of its canvas.
    side : its orientation."""
    fresh = {"session": uuid4().hex, "seen": 0, "have": None, "room": None, "window": None, "side": None}
    return state.stored_for(f"{key}.pane", fresh)


def _take_event(key: str, events: Mapping[str, Callable]) -> None:
    memory, event = memory_of(key), state.widget(key).get("event")
    if not isinstance(event, dict) or not isinstance(event.get("seq"), int):
        return
    memory["seen"], memory["have"] = event["seq"], event.get("have")
    if event.get("kind") == "need":
        memory["have"] = None
    result = events.get(event.get("kind"))
    if result is not None:
        result(event)


def _take_action(key: str, act: Callable[[str, int], None]) -> None:
    value = state.widget(key).get("action")
    kind, node = (value.get("type"), value.get("node")) if isinstance(value, dict) else (None, None)
    if kind in DEEDS and isinstance(node, int):
        act(kind, node)


# What the reader searches for on a canvas, kept for it.


def ask(subject: Subject, text) -> None:
    """Search this canvas for a text; for nothing, where it is empty."""
    if isinstance(text, str):
        _memory(subject)["text"] = text[:MOST_LETTERS]


def search_hits(subject: Subject, shown: Sequence[int]) -> dict | None:
    """The hits, see view.search.hits; None where nothing is asked. shown : ids of the nodes that are drawn."""
    text = _memory(subject)["text"]
    return hits(subject, text, _texts(subject), shown) if text.strip() else None


def _memory(subject: Subject) -> dict:
    return state.stored_for(f"search in {subject.key}", {"text": "", "of": None, "texts": {}})


def _texts(subject: Subject) -> dict[int, str]:
    memory, now = _memory(subject), (subject.name, subject.cut)
    if memory["of"] != now:
        memory.update(of=now, texts=searched_texts(subject))
    return memory["texts"]


# A short notice on the canvas: what was just done, with the way back.

SHOWN = 7.0
"""Seconds that a notice stands on the canvas."""


def tell(text: str, undo: bool = True) -> None:
    """undo : was it a step that can be taken back?"""
    kept = state.stored_for("notice", {})
    kept["now"] = {
        "id": kept.get("now", {}).get("id", 0) + 1, "text": text, "at": time.monotonic(), "undo": undo,
        "steps": len(state.past()),
    }  # fmt: skip


def last() -> dict | None:
    """What the canvas shows of it. fresh : on a canvas that has just come, too. over : the step is no longer the last
    one, so that its way back would take back another."""
    now = state.stored_for("notice", {}).get("now")
    return now and {
        "id": now["id"],
        "text": now["text"],
        "undo": now["undo"],
        "fresh": time.monotonic() - now["at"] < SHOWN,
        "over": now["undo"] and now["steps"] != len(state.past()),
    }
