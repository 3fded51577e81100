"""Another tree on a canvas of its own beside yours, and two trees laid over each other."""

import numpy as np
import streamlit as st

from pages.shared.bench import canvas, tree
from pages.shared.trees import compared, interest, twins, work
from pages.shared.trees.compared import Side
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.cards import tree_cards
from treecore.export.overlay_cards import overlay_cards
from treecore.figures import counted
from treecore.study.overlay import RELATIONS, Overlay, overlay
from treecore.tree.node_statistics import node_statistics
from treecore.view import canvas_nodes as canvas_rows
from treecore.view import split_histogram
from treecore.view.subject import Subject

GROUP = "compared"
SHARE = 0.68
"""Of the window's height, for the canvas in the drawer."""


def draw(side: str, in_drawer: bool) -> None:
    """The tree of a side; a click selects in both."""
    subject = _subject(side, compared.side_of(side), in_drawer)
    about = (*canvas.looked_at(subject), *twins.key(compared.plan_of(side)), twins.correction(), twins.level())
    about = (*about, side, compared.side_of("A").key)  # what A lacks is marked in B
    try:
        drawn, _ = compared.side_of(side).kept("bench", *about, make=lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, compared.tree_of(side))
        return
    more = {"tag": compared.label_of(side), "group": GROUP, "acts": False} | tree.shape_of(compared.tree_of(side))
    more |= {"pixels": SHARE, "slim": True, "mark": "other-tree"} if in_drawer else {"shapes": True}
    events = {
        "select": lambda event: _select(side, event.get("node")),
        "choose": lambda event: canvas.choose(event, canvas.CHOICES | {"shape"}),
    }
    canvas.pane(subject, drawn, more, events, tree.no_deed)


def _subject(side: str, chosen: Side, in_drawer: bool) -> Subject:
    made, statistics = chosen.tree, _statistics(chosen)
    tested = None if chosen.chain else twins.in_pruned(chosen.plan)
    return Subject(
        _key(side, in_drawer), chosen.key, made, np.arange(made.n_nodes), made, made.class_names,
        lambda nodes: twins.marked(tree_cards(made, nodes, statistics), tested),
        lambda cards, rows: _dress(rows, chosen, side), selected=compared.selected(side),
        bars=canvas.n_bars(statistics), lines=canvas.n_lines(), interest=interest.of(made),
        beside_key=_first_key() if in_drawer else "",
    )  # fmt: skip


def _key(side: str, in_drawer: bool) -> str:
    return f"bench_{side}{in_drawer * '_in_drawer'}"


def _first_key() -> str:
    """Of the canvas at the left."""
    return tree.COMPARED if compared.side_of("A").is_yours else _key("A", in_drawer=False)


def _statistics(chosen: Side) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in the nodes of the tree."""
    if not chosen.chain:
        return twins.pruned_statistics(chosen.plan)
    parts = twins.tables(chosen.plan)
    make = lambda: {role: node_statistics(chosen.tree, rows) for role, rows in parts.items()}  # noqa: E731
    return chosen.kept("bars of the chain", twins.key(chosen.plan), make=make)


def _dress(rows: list[dict], chosen: Side, side: str) -> None:
    others = _of_both() if side == "B" and compared.same_growth() else None
    for row in rows if others is not None else []:
        if not others[row["id"]]:
            row["look"] = "only-b"
    canvas_rows.folded(rows, chosen.tree, np.arange(chosen.tree.n_nodes))
    own = work.own_rows(chosen.plan)
    make = lambda: chosen.tree.apply(own)  # noqa: E731
    split_histogram.into(rows, chosen.tree, own, lambda: chosen.kept("ends in the cut tree", make=make))


def _select(side: str, node) -> None:
    if isinstance(node, int):
        compared.select(side, node)


def _of_both() -> np.ndarray:
    """bool, one per node of B: is it a node of A, too? Both are cuts of the same grown tree."""
    grown, (a, b) = work.grown(), (work.cuts(compared.plan_of(side)).standing(work.grown()) for side in compared.SIDES)
    in_a = np.zeros(grown.n_nodes, bool)
    in_a[a] = True
    return in_a[b]


def say_difference() -> None:
    """What one of two cuts of the same tree has and the other has not, in a sentence."""
    if not compared.same_growth():
        return
    a, b = (compared.tree_of(side).n_leaves for side in compared.SIDES)
    if a < b:
        more = counted(b - a, "more leaf", "more leaves")
        st.markdown(f"B has {more} than A: dotted. A wedge is a folded branch, as wide as its number of leaves.")


# ---------------------------------------------------------------- one over the other


def laid_over() -> Overlay:
    """Both trees as one."""
    tree_a, tree_b = (compared.tree_of(side) for side in compared.SIDES)
    return compared.kept("overlay", make=lambda: overlay(tree_a, tree_b))


def draw_overlay() -> None:
    """Both as one; a click selects the node of A, or of B where A has none."""
    found = laid_over()
    key = tuple(compared.side_of(side).key for side in compared.SIDES)
    subject = Subject(
        "bench_overlay", key, found, np.arange(len(found)), None, found.tree_a.class_names,
        lambda entries: overlay_cards(found, entries), selected=_entry(found), bars=2, lines=1,
    )  # fmt: skip
    about = canvas.looked_at(subject)
    try:
        drawn, _ = compared.kept("bench overlay", *about, make=lambda: canvas.drawing(subject))
    except TreecoreError as error:
        tree.plainly(error, found.tree_a)
        return
    more = {"tag": " · ".join(compared.label_of(side) for side in compared.SIDES), "acts": False}
    events = {"select": lambda event: _select_entry(found, event.get("node"))}
    canvas.pane(subject, drawn, more, events, tree.no_deed)


def _entry(found: Overlay) -> int:
    """The place of the node that is looked at, in the tree in which it was pointed at."""
    side = compared.pointed_side()
    return int((found.of_b if side == "B" else found.of_a)[compared.selected(side)])


def _select_entry(found: Overlay, entry) -> None:
    if isinstance(entry, int) and 0 <= entry < len(found):
        a, b = found.nodes(entry)
        compared.select(*(("A", a) if a >= 0 else ("B", b)))


WORDS = {
    "same": "the same in both (split, or prediction of a leaf)",
    "shifted": "same feature, split elsewhere",
    "other test": "another feature",
    "other answer": "leaves with another prediction",
    "splits in A": "split in A, a leaf in B",
    "splits in B": "split in B, a leaf in A",
    "only A": "only in A (dashed)",
    "only B": "only in B (dotted)",
}


def say_places() -> None:
    """How many places of the overlay are what to each other."""
    counts = laid_over().counts()
    told = [f"{counts[name]:,} {WORDS[name]}" for name in RELATIONS if counts[name]]
    st.markdown(plain("Places: " + "; ".join(told) + "."))
    st.caption("Nodes are matched from the root down, as far as both trees split on the same feature. Bars: training "
               "rows, "
               "A over B.")  # fmt: skip


def say_cuts() -> None:
    """Whose cuts are drawn as ghosts."""
    st.markdown(f"Ghosts: what is pruned in {plain(compared.label_of(cut_side()))}.")


def cut_side() -> str:
    """The side whose cuts are shown as ghosts: B, or A where B cuts nothing."""
    return "B" if work.pruned_away(compared.plan_of("B")) else "A"
