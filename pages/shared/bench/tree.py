"""The tree in force on its canvas: the same nodes, in the same places, on every page that shows it."""

import hashlib
from dataclasses import dataclass

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared import ghosts, history, messages, nested, state, twins, work
from pages.shared.bench import component, dock, histograms, rows, whole
from pages.shared.bench.shown import APART, Asked, Shown, shown
from treecore.errors import TreecoreError
from treecore.export.cards import PALETTE, NodeCard, shorten
from treecore.export.dot import tree_dot
from treecore.export.from_tree import tree_cards
from treecore.export.pruned_cards import pruned_cards
from treecore.fit import edit_of

KEY = "bench"
ROOM = (1100, 560)
"""Pixels of the canvas until the browser has said how large it is."""
TABS = "drawer"


@dataclass(frozen=True)
class _View:
    """What the canvas shows: of the grown tree, with its ghosts, or of the pruned one; ids are the grown tree's.

    tree : whose nodes are shown. ids : of its nodes in the grown tree, which may be the same.
    """

    tree: tc.Tree
    ids: np.ndarray
    with_ghosts: bool


def draw(height: int | None = None, cuts: tc.Cuts | None = None, editable: bool = True) -> None:
    """The pane. height : pixels where it is not to fill the window. cuts : those of another method, shown as ghosts."""
    try:
        drawing, found = _drawing(cuts)
    except TreecoreError as error:
        messages.show(error)
        tree = work.grown()
        st.graphviz_chart(tree_dot(tree_cards(tree, np.arange(min(tree.n_nodes, 31)), {}), classes=tree.classes))
        return
    curve = dock.of_tree()[0] if cuts is None else None
    memory = component.memory_of(KEY)
    more = {
        "selected": _ancestor(_view(cuts)), "dock": curve, "detail": _detail(), "turned": found.orientation,
        "ghosts": _ghosts_on(), "cuts": work.pruned_away(), "window": memory["window"], "pixels": height,
        "notice": state.kept_for("notice", {}).get("now"), "command": state.kept_for("command", {}).get("now"),
        "switches": _switches(), "shape": _shape(), "room": list(_room()),
        "whole": whole.of_tree() if _shape() != "tree" else None,
    }  # fmt: skip
    component.pane(KEY, drawing, more, _events(), _act if editable else lambda kind, node: None)


# ---------------------------------------------------------------- what is drawn


def _drawing(cuts: tc.Cuts | None) -> tuple[dict, Shown]:
    """What depends on the stamp, and the nodes that are shown."""
    view = _view(cuts)
    about = (_room(), _detail(), state.choice("orientation", ""), _marks("opened"), _marks("closed"), _within())
    about = (*about, _ancestor(view), view.with_ghosts, *twins.key(), twins.correction())
    about = (*about, twins.level(), _stamp(cuts), _routes(), nested.risk())
    make = lambda: _made(view, cuts)  # noqa: E731
    return work.kept_cut("bench", *about, make=make)


def _stamp(cuts: tc.Cuts | None) -> bytes:
    return b"" if cuts is None else ghosts.stamp_of(cuts)


def _made(view: _View, cuts: tc.Cuts | None) -> tuple[dict, Shown]:
    grown, detail = work.grown(), _detail()
    asked = Asked(_room(), rows.DETAILS[detail], _n_bars(detail), state.choice("orientation", ""))
    place = {int(node): i for i, node in enumerate(view.ids)}
    mine = lambda ids: {place[n] for n in ids if n in place}  # noqa: E731
    keep = place.get(_ancestor(view), 0)
    within = place.get(_within(), 0)
    keep = keep if within in view.tree.path(keep) else within
    found = shown(view.tree, asked, mine(_marks("opened")), mine(_marks("closed")), keep, within)
    cards = _cards(view, found.nodes, cuts)
    level, made = rows.levels(cards), []
    for card, node in zip(cards, found.nodes.tolist(), strict=True):
        made.append(rows.row(card, level[card.id], found.at.at[node], grown, detail))
        made[-1]["deeds"] = _deeds(card, grown)
    _routed(cards, made)
    histograms.into(made)
    steps = dock.of_tree()[1]
    if steps is not None and cuts is None and not work.cuts().stand(grown).any_raised:
        rows.falls(made, steps.until, steps.step)
    told = hashlib.blake2b(repr((work.tree_key(), made, found.size)).encode(), digest_size=12).hexdigest()
    drawing = {
        "stamp": told, "tree": f"{hash(work.tree_key()):x}", "cut": _cut_mark(view), "nodes": made,
        "orientation": found.orientation, "size": list(found.size), "width": found.at.width,
        "height": found.at.height, "classes": [shorten(name, 60) for name in grown.classes], "colors": list(PALETTE),
        "apart": APART[found.orientation][1],
    }  # fmt: skip
    return drawing, found


def _view(cuts: tc.Cuts | None) -> _View:
    grown = work.grown()
    if cuts is not None or _ghosts_on() or not work.pruned_away():
        return _View(grown, np.arange(grown.n_nodes), True)
    return _View(work.pruned(), work.cuts().standing(grown), False)


def _cards(view: _View, nodes: np.ndarray, cuts: tc.Cuts | None) -> tuple[NodeCard, ...]:
    grown, mine = work.grown(), work.cuts() if cuts is None else cuts
    if view.with_ghosts:
        return twins.marked(ghosts.faded(grown, mine, nodes), twins.found())
    cards = pruned_cards(grown, mine, view.tree, nodes, twins.pruned_statistics())
    return twins.marked((ghosts.with_cut(card, grown, mine) for card in cards), twins.in_pruned())


def _n_bars(detail: str) -> int:
    return 1 if detail == "look" else len(twins.statistics())


def _routed(cards: tuple[NodeCard, ...], made: list[dict]) -> None:
    """Dashed beside the branch that took the rows without a value; who took them otherwise says so in words."""
    if not _routes():
        return
    place = {row["id"]: row for row in made}
    for card in cards:
        if card.missing_rows > 0 and card.missing_to in place:
            place[card.missing_to]["routed"] = True


def _cut_mark(view: _View) -> str:
    """Changes where the picture is laid out anew rather than changed in place."""
    return "grown" if view.with_ghosts else f"{hash(work.cuts().verdict.tobytes()):x}"


# ---------------------------------------------------------------- what the reader chose


def _detail() -> str:
    return state.choice("detail", "look")


def _shape() -> str:
    return state.choice("shape", "tree")


def _ghosts_on() -> bool:
    return state.choice("ghosts", False)


def _routes() -> bool:
    return state.choice("routes", False)


def _within() -> int:
    within = state.choice("within", 0)
    return within if within < work.grown().n_nodes else 0


def _room() -> tuple[int, int]:
    return tuple(component.memory_of(KEY)["room"] or ROOM)


def _switches() -> dict:
    if not work.grown().missing_rows.any():
        return {}
    told = "Dashed: where training rows went that have no value for a node's test"
    return {"routes": {"text": "Missing", "title": told, "on": _routes()}}


def _marks(name: str) -> tuple[int, ...]:
    """Nodes that the reader has opened or closed in this tree."""
    return tuple(sorted(_kept(name)))


def _kept(name: str) -> set[int]:
    found = state.kept_for(f"{name} nodes", {})
    key = work.tree_key()
    if found.get("tree") != key:
        found.clear()
        found.update(tree=key, nodes=set())
    return found["nodes"]


def _ancestor(view: _View) -> int:
    """The selected node, or what stands above it in the tree that is shown."""
    node, grown = work.selected(), work.grown()
    if view.with_ghosts:
        return node
    return work.cuts().visible_ancestor(grown, node)


# ---------------------------------------------------------------- what the reader did


def _events() -> dict:
    return {
        "select": lambda event: _select(event.get("node")),
        "open": lambda event: _turn(event.get("node"), True),
        "close": lambda event: _turn(event.get("node"), False),
        "room": _take_room,
        "choose": _choose,
        "step": lambda event: _step(event.get("step")),
        "undo": lambda event: history.undo(),
    }


def _select(node) -> None:
    if isinstance(node, int) and 0 <= node < work.grown().n_nodes:
        state.change(selected=node)


def _turn(node, is_open: bool) -> None:
    if isinstance(node, int):
        opened, closed = _kept("opened"), _kept("closed")
        (opened if is_open else closed).add(node)
        (closed if is_open else opened).discard(node)


def _take_room(event: dict) -> None:
    room = event.get("room")
    if isinstance(room, list) and len(room) == 2 and all(isinstance(v, int) and 0 < v < 20000 for v in room):
        component.memory_of(KEY).update(room=tuple(room), window=event.get("window"))


CHOICES = {
    "detail": tuple(rows.DETAILS),
    "orientation": ("LR", "TB"),
    "ghosts": (True, False),
    "shape": ("tree", "icicle", "sunburst"),
    "routes": (True, False),
}


def _choose(event: dict) -> None:
    name, value = event.get("name"), event.get("value")
    if name in CHOICES and value in CHOICES[name]:
        state.choose(name, value)


def _step(step) -> None:
    if isinstance(step, int):
        dock.take(step)
        tell(f"Pruned to {work.pruned().n_leaves:,} leaves")


def _deeds(card: NodeCard, grown: tc.Tree) -> list[str]:
    """What can be done with a node."""
    if card.cut or card.raised is not None:
        return ["restore"]
    if card.ghost:
        return []
    if grown.is_leaf[card.id]:
        return ["split"]
    return ["cut", "split", "widen" if _within() == card.id and card.id else "only"][: 3 if card.id else 2]


def _act(kind: str, node: int) -> None:
    """A cut or a restore becomes a step of the recipe; the rest only changes what is looked at."""
    tree = work.grown()
    if node >= tree.n_nodes:
        return
    if kind in ("cut", "restore") and not tree.is_leaf[node]:
        state.do(edit_of(tree, node, kind), selected=node)
        tell(f"{'Cut' if kind == 'cut' else 'Restored'} node {node}")
    elif kind in ("only", "widen"):
        state.choose("within", node if kind == "only" else 0)
    elif kind == "split":
        state.change(selected=node)
        state.choose(TABS, "Rivals")


def n_drawn() -> int:
    """How many nodes the canvas shows."""
    return len(_drawing(None)[1].nodes)


def tell(text: str) -> None:
    """A short notice on the canvas, with the way back."""
    kept = state.kept_for("notice", {})
    kept["now"] = {"id": kept.get("now", {}).get("id", 0) + 1, "text": text, "fresh": True}


def save(kind: str) -> None:
    """Ask the browser for the drawing as a file: 'svg' or 'png'."""
    kept = state.kept_for("command", {})
    kept["now"] = {"id": kept.get("now", {}).get("id", 0) + 1, "kind": kind, "name": "tree", "fresh": True}
