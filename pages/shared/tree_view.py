"""The tree diagram as a Streamlit component: shows one drawing, tells what the reader clicked."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.shared import state
from treecore.export.cards import PALETTE, shorten

ASSETS = Path(__file__).resolve().parents[2] / "assets"
STRINGS = {
    "toolbar": "Diagram tools",
    "tree": "Decision tree",
    "zoom_in": "Zoom in (+)",
    "zoom_out": "Zoom out (−)",
    "fit": "Fit",
    "ghosts": "Ghosts",
    "cut": "Cut here",
    "restore": "Restore",
    "legend": "The other classes",
    "unreadable": "This drawing cannot be read.",
    "help": "Click or Enter selects · arrows walk · drag moves · Ctrl+wheel zooms · F folds",
}

_component = st.components.v2.component(
    "treecore_tree_view",
    html='<div class="tree-view"></div>',
    css=(ASSETS / "tree_view.css").read_text(encoding="utf-8"),
    js=(ASSETS / "tree_view.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class TreeViewResult:
    """What the reader did since the last run.

    selected : the node just clicked, None when no click is new. Never an old click repeated, so
               `if result.selected is not None: state.select(result.selected)` cannot undo a newer choice.
    folded : the folded nodes, whenever they were folded.
    action : {'type': 'cut' or 'restore', 'node': id} in the one run after the reader asked for it.
    """

    selected: int | None
    folded: tuple[int, ...]
    action: dict | None


def tree_view(
    svg: str,
    svg_key: str,
    nodes: list[dict],
    *,
    selected: int,
    key: str,
    height: int = 560,
    classes: Sequence[str] = (),
    colors: Sequence[str] = PALETTE,
    actions: Sequence[str] = (),
    folded: Iterable[int] | None = None,
    group: str = "",
    on_select: Callable[[int], None] | None = None,
    on_action: Callable[[dict], None] | None = None,
) -> TreeViewResult:
    """Show the drawing with `selected` outlined.

    svg_key : changes exactly when svg does; while it stays, view and folds stay and svg is not sent again.
    nodes : treecore.export.cards.outline of the cards, parents first.
    actions : which of 'cut' and 'restore' the toolbar offers.
    folded : folded nodes to show; None leaves that to the reader.
    group : diagrams of one group zoom together; '' for none.
    on_select, on_action : called before the script runs again, so that the whole page sees the change.
    """
    memory = _memory(key)
    if memory["svg_key"] != svg_key:
        memory |= {"svg_key": svg_key, "folded": ()}
    if folded is not None:
        memory["folded"] = tuple(folded)
    clicked = memory.pop("clicked", None)
    data = _drawing(memory, svg, svg_key) | _wording(classes, colors, actions)
    data |= {"key": key, "nodes": nodes, "height": height, "folded": list(memory["folded"])}
    data["group"] = group
    data["selected"] = selected if clicked is None else clicked
    result = _component(
        key=key,
        data=data,
        on_event_change=lambda: _take_event(key, on_select),
        on_need_change=lambda: memory.update(have=None),
        on_action_change=lambda: _take_action(key, on_action),
    )
    return TreeViewResult(clicked, memory["folded"], _action(result.get("action")))


def _memory(key: str) -> dict:
    """What this session knows of the diagram in the browser.

    seen : number of the last event handled. have : key of the drawing the browser holds.
    session : tells the browser that its own count of events is void, as after a lost session.
    """
    fresh = {"session": uuid4().hex, "seen": 0, "have": None, "svg_key": None, "folded": ()}
    return state.kept_for(f"{key}.tree_view", fresh)


def _drawing(memory: dict, svg: str, svg_key: str) -> dict:
    # A large drawing is megabytes: it goes out until the browser has said that it holds it.
    return {
        "svg_key": svg_key,
        "svg": "" if memory["have"] == svg_key else svg,
        "seen": memory["seen"],
        "session": memory["session"],
    }


def _wording(classes: Sequence[str], colors: Sequence[str], actions: Sequence[str]) -> dict:
    names = [shorten(name, 60) for name in classes]
    return {"classes": names, "colors": list(colors or PALETTE), "actions": list(actions), "strings": STRINGS}


def _take_event(key: str, on_select: Callable[[int], None] | None) -> None:
    """Note what the browser reports; runs before the script, so nothing older can follow it."""
    memory, event = _memory(key), state.widget(key).get("event")
    if not isinstance(event, dict) or not isinstance(event.get("seq"), int):
        return
    memory |= {"seen": event["seq"], "have": event.get("have")}
    memory["folded"] = tuple(node for node in event.get("folded") or () if isinstance(node, int))
    if event.get("kind") == "select" and isinstance(event.get("selected"), int):
        memory["clicked"] = event["selected"]
        if on_select is not None:
            on_select(event["selected"])


def _take_action(key: str, on_action: Callable[[dict], None] | None) -> None:
    action = _action(state.widget(key).get("action"))
    if action is not None and on_action is not None:
        on_action(action)


def _action(value: object) -> dict | None:
    """The action when it is one the browser may ask for."""
    kind, node = (value.get("type"), value.get("node")) if isinstance(value, dict) else (None, None)
    return {"type": kind, "node": node} if kind in ("cut", "restore") and isinstance(node, int) else None
