"""Two trees that an experiment has made, laid over each other on the canvas: to be looked at, not to be changed."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from pages.shared.bench import canvas, tree
from pages.shared.server import memo
from pages.shared.session import state
from treecore.errors import TreecoreError
from treecore.export.overlay_cards import overlay_cards
from treecore.study.overlay import Overlay
from treecore.view.subject import Subject

KEY = "bench_experiment_pair"


@dataclass(frozen=True, eq=False)
class Pair:
    """name : what both depend on, as a key. laid : one over the other. names : of the two, short. tag : of both."""

    name: Hashable
    laid: Overlay
    names: tuple[str, str]
    tag: str


def draw(shown: Pair) -> None:
    """The canvas with both as one."""
    laid = shown.laid
    subject = Subject(
        KEY, shown.name, laid, np.arange(len(laid)), None, laid.tree_a.classes,
        lambda entries: overlay_cards(laid, entries, shown.names), selected=_selected(shown), bars=2, lines=1,
    )  # fmt: skip
    try:
        drawn, _ = memo.get(("pair", shown.name, *canvas.looked_at(subject)), lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, laid.tree_b)
        return
    events = {"select": lambda event: _select(shown, event.get("node"))}
    canvas.pane(subject, drawn, {"tag": shown.tag, "acts": False}, events, tree.no_deed)


def _selected(shown: Pair) -> int:
    """The place that was chosen, or the first where the trees differ: so it is drawn, however few rows come there."""
    found = state.kept_for(f"selected of {KEY}", {})
    if found.get("pair") == shown.name and found["entry"] < len(shown.laid):
        return found["entry"]
    return shown.laid.first_difference or 0


def _select(shown: Pair, entry) -> None:
    if isinstance(entry, int) and 0 <= entry < len(shown.laid):
        state.kept_for(f"selected of {KEY}", {}).update(pair=shown.name, entry=entry)
