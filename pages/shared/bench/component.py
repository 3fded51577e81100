"""The tree pane as a Streamlit component: what is shown goes out, what the reader does comes back."""

from collections.abc import Callable, Mapping
from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.shared.session import state
from treecore.view.labels import WORDS
from treecore.view.modules import joined, styles

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "workbench"
DEEDS = ("cut", "restore", "split", "grow", "regrow", "only", "widen")

_component = st.components.v2.component(
    "treecore_bench",
    html='<div class="bench"></div>',
    css=styles(ASSETS / "bench.css", ASSETS / "dock.css"),
    js=joined(ASSETS / "main.js"),
)


def pane(key: str, drawing: Mapping, more: Mapping, events: Mapping[str, Callable], act: Callable[[str, int], None]):
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
    return state.kept_for(f"{key}.pane", fresh)


def _take_event(key: str, events: Mapping[str, Callable]) -> None:
    memory, event = memory_of(key), state.widget(key).get("event")
    if not isinstance(event, dict) or not isinstance(event.get("seq"), int):
        return
    memory["seen"], memory["have"] = event["seq"], event.get("have")
    if event.get("kind") == "need":
        memory["have"] = None
    found = events.get(event.get("kind"))
    if found is not None:
        found(event)


def _take_action(key: str, act: Callable[[str, int], None]) -> None:
    value = state.widget(key).get("action")
    kind, node = (value.get("type"), value.get("node")) if isinstance(value, dict) else (None, None)
    if kind in DEEDS and isinstance(node, int):
        act(kind, node)
