"""Your tree on its canvas: the same nodes, in the same places, on every page that shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import canvas, dock, node_actions
from pages.shared.database import external_table
from pages.shared.session import history, state
from pages.shared.trees import groups, interest, nested, twins, work
from pages.shared.widgets import messages
from treecore.errors import TreecoreError
from treecore.export.cards import NodeCard, missing_marks, pruned_cards, tree_cards, with_cut
from treecore.export.dot import tree_dot
from treecore.study.outline import outline
from treecore.tree.short_text import shorten
from treecore.view import canvas_nodes, split_histogram
from treecore.view.canvas import CanvasLayout
from treecore.view.canvas_nodes import whole
from treecore.view.subject import Subject

KEY, COMPARED, BELOW = canvas.MAIN, "bench_compared", "bench_below"
"""Of the canvas of your tree; of that which has half the room, and of that below another picture: none of them changes
how another is looked at."""
CROWD = 2.4
"""How small nodes may be where the room is low."""
MOST_COLUMNS = 60
"""In the menu over the tree."""
NONE: Mapping[int, tuple[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class _View:
    """What the canvas shows: of the grown tree, with its ghosts, or of the pruned one; ids are the grown tree's.

    tree : whose nodes are shown. ids : of its nodes in the grown tree, which may be the same.
    """

    tree: tc.Tree
    ids: np.ndarray
    with_ghosts: bool


def draw(
    height: int | None = None, cuts: tc.Cuts | None = None, editable: bool = True, tag: str = "", group: str = "",
    badges: Mapping[int, tuple[str, str]] = NONE, key: str = KEY, ways: Sequence[int] = (), least: int | None = None,
    docked: bool = True, stream: Mapping | None = None,
) -> None:  # fmt: skip
    """The pane. height : pixels where it is not to fill the window. cuts : those of another method, shown as ghosts.
    tag : what the tree is called where there are two. group : canvases of one group zoom together. badges : node of the
    grown tree -> up to three letters on its card, and what they mean. key : KEY, COMPARED or BELOW.
    ways : nodes of the grown tree to which the way is marked. least : pixels of its height of one BELOW, which has no
    size curve and shows all that fits, however small. docked : is the size curve under it? else it stands beside it.
    stream : the rows of another file that run down the branches: its key, how many, node -> [[class, rows], ...]."""
    try:
        drawing, _ = _drawing(cuts, badges, key, bool(ways))
    except TreecoreError as error:
        plainly(error, work.grown())
        return
    state.stored_for("way", {})["shown"] = bool(ways)
    curve = dock.of_tree()[0] if cuts is None and least is None else None
    more = {
        "dock": curve if docked else None, "follows": None if docked or curve is None else {"chosen": curve["chosen"]},
        "ghosts": _ghosts_on(), "cuts": work.pruned_away(), "pixels": height, "group": group, "tag": tag,
        "notice": canvas.last(), "command": state.stored_for("command", {}).get("now"),
        "switches": _switches(), "shapes": True, "shows": None if key == COMPARED else _shows(), "ways": list(ways),
        "least": least, "table": _opened() if key == KEY else None, "stream": stream,
    } | shape_of()  # fmt: skip
    canvas.pane(
        _subject(cuts, badges, key, bool(ways)), drawing, more, _events(), node_actions.act if editable else no_deed
    )


def _opened() -> str | None:
    """Changes with the file that is open: the rows of a new one are seen once as they run down the branches."""
    raw = state.raw()
    return None if raw is None or external_table.is_on() else raw.fingerprint[:16]


def shape_of(other: tc.Tree | None = None) -> dict:
    """Tree, icicle or rings, as chosen on any page: of your tree, or of another one."""
    if state.choice("shape") == "tree":
        return {"shape": "tree", "whole": None}
    return {"shape": state.choice("shape"), "whole": of_tree() if other is None else of(other)}


def plainly(error: TreecoreError, tree: tc.Tree) -> None:
    """What cannot be laid out, said and drawn without our layout."""
    messages.show(error)
    st.graphviz_chart(tree_dot(tree_cards(tree, np.arange(min(tree.n_nodes, 31)), {}), classes=tree.class_names))


def no_deed(kind: str, node: int) -> None:
    """Of a canvas on which nothing can be changed."""


# ---------------------------------------------------------------- what is drawn


def _drawing(
    cuts: tc.Cuts | None, badges: Mapping[int, tuple[str, str]] = NONE, key: str = KEY, has_ways: bool = False
) -> tuple[dict, CanvasLayout]:
    """What depends on the stamp, and the nodes that are shown."""
    subject, view = _subject(cuts, badges, key, has_ways), _view(cuts)
    about = (*canvas.looked_at(subject), view.with_ghosts, *twins.key(), twins.correction(), twins.level())
    about = (
        *about,
        key == COMPARED,
        has_ways,
        (b"" if cuts is None else twins.stamp_of(cuts)),
        _routes(),
        nested.risk(),
        tuple(badges.items()),
    )
    about = (*about, None if subject.groups is None else subject.groups.column)
    return work.cached_cut("bench", *about, make=lambda: canvas.drawing(subject))


def _subject(cuts: tc.Cuts | None, badges: Mapping[int, tuple[str, str]], key: str, has_ways: bool) -> Subject:
    grown, view, shown = work.grown(), _view(cuts), None
    if key != COMPARED:  # the tree beside it has none
        shown = groups.of_grown() if view.with_ghosts else groups.of_pruned()
    return Subject(
        key, work.tree_key(), view.tree, view.ids, grown, grown.class_names, lambda nodes: _cards(view, nodes, cuts),
        lambda cards, made: _dress(cards, made, cuts, badges, key == COMPARED), _cut_mark(view), _ancestor(view),
        _within(),
        bars=1 if shown else canvas.n_bars(twins.statistics()), lines=canvas.n_lines(), opens=KEY,
        interest=interest.of(grown), crowd=CROWD if key == BELOW else 1.0, groups=shown,
        pictures=key == KEY, hides_empty=canvas.hides_empty(view.tree), gives_way=has_ways,
    )  # fmt: skip


def _dress(
    cards: tuple[NodeCard, ...], made: list[dict], cuts: tc.Cuts | None, badges: Mapping[int, tuple[str, str]],
    is_compared: bool,
) -> None:  # fmt: skip
    grown, view = work.grown(), _view(cuts)
    if is_compared:
        canvas_nodes.folded(made, view.tree, view.ids)
    for card, row in zip(cards, made, strict=True):
        row["deeds"] = node_actions.of_card(card, grown, _within())
        if card.id in badges:
            row["returns"], row["told_returns"] = badges[card.id]
    _routed(view, made)
    split_histogram.into(made, grown, work.own_rows(), lambda: work.ends(grown.figures_of))
    steps = dock.of_tree()[1]
    if steps is not None and cuts is None and not work.cuts().stand(grown).any_raised:
        canvas_nodes.falls(made, steps.until, steps.step)


def _view(cuts: tc.Cuts | None) -> _View:
    grown = work.grown()
    if cuts is not None or _ghosts_on() or not work.pruned_away():
        return _View(grown, np.arange(grown.n_nodes), True)
    return _View(work.pruned(), work.cuts().standing(grown), False)


def _cards(view: _View, nodes: np.ndarray, cuts: tc.Cuts | None) -> tuple[NodeCard, ...]:
    grown, mine = work.grown(), work.cuts() if cuts is None else cuts
    if view.with_ghosts:
        faded = twins.faded(grown, mine, nodes)
        return twins.marked_as_cut(faded) if cuts is None else canvas_nodes.marked(faded, twins.differences())
    cards = pruned_cards(grown, mine, view.tree, nodes, twins.pruned_statistics())
    if not mine.stand(grown).any_raised:  # else other rows reach some nodes than when they grew
        cards = twins.with_own_bars(cards, grown)
    return twins.marked_as_cut(with_cut(card, grown, mine) for card in cards)


def _routed(view: _View, made: list[dict]) -> None:
    """Dashed beside the branches that took rows without the value, with their number; what stayed, below its node."""
    if not _routes():
        return
    own = None if external_table.is_on() else work.own_rows()
    tree = view.tree
    came, rest = work.cached_cut("routes", view.with_ghosts, make=lambda: missing_marks(tree, own))
    canvas_nodes.routed(made, {int(node): i for i, node in enumerate(view.ids)}, came, rest, tree)


def _cut_mark(view: _View) -> str:
    """Changes where the picture is laid out anew rather than changed in place."""
    return "grown" if view.with_ghosts else f"{hash(work.cuts().verdict.tobytes()):x}"


# ---------------------------------------------------------------- what the reader chose


def _ghosts_on() -> bool:
    return state.choice("ghosts")


def _routes() -> bool:
    return state.choice("routes")


def _within() -> int:
    within = state.choice("within")
    return within if within < work.grown().n_nodes else 0


def _switches() -> dict:
    result = canvas.empty_switch(work.grown())
    if not work.grown().missing_rows.any():
        return result
    told = f"Dashed: where {work.grown().rows_named} with a missing value went"
    return result | {"routes": {"text": "Missing", "title": told, "on": _routes()}}


def _shows() -> dict | None:
    """What the bars can show: the answer, or one of the first columns; of more, Bars beside the tree has all."""
    names, now = groups.offered(), groups.chosen()
    if not names:
        return None
    first = names[:MOST_COLUMNS] + [now] * (now in names[MOST_COLUMNS:])
    options = [[groups.ANSWER, "Bars: target"], *([name, f"Bars: {shorten(name, 40)}"] for name in first)]
    return {"name": groups.CHOICE, "options": options, "now": now or groups.ANSWER}


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
        "choose": lambda event: canvas.choose(event, CHOICES),
        "step": lambda event: _step(event.get("step")),
        "undo": lambda event: history.undo(),
    }


def _select(node) -> None:
    if isinstance(node, int) and 0 <= node < work.grown().n_nodes:
        state.change(selected=node)


CHOICES = canvas.CHOICES | {"ghosts", "shape", "routes", groups.CHOICE}


def _step(step) -> None:
    if isinstance(step, int):
        dock.take(step)
        canvas.tell(f"Pruned to {work.pruned().n_leaves:,} leaves")


def n_nodes_shown() -> int:
    """How many nodes the canvas shows."""
    return len(_drawing(None, has_ways=state.stored_for("way", {}).get("shown", False))[1].nodes)


def save(kind: str) -> None:
    """Ask the browser for the drawing as a file: 'svg' or 'png'."""
    kept = state.stored_for("command", {})
    kept["now"] = {"id": kept.get("now", {}).get("id", 0) + 1, "kind": kind, "name": "tree", "fresh": True}


# All of the tree at once, for the icicle and the rings: the heaviest nodes as shares of the training rows.


def of_tree() -> list[dict]:
    """Your tree, and in it what is pruned away."""
    tree = work.grown()
    result = work.cached("outline", make=lambda: outline(tree))
    return whole(tree, result, work.cuts().hidden(tree), interest.of(tree), groups.of_grown())


def of(tree: tc.Tree) -> list[dict]:
    """Another tree."""
    return whole(tree, outline(tree), np.zeros(tree.n_nodes, bool), interest.of(tree))
