"""The pictures of the page Compare: two trees side by side, laid over each other, or the cuts of one as ghosts."""

import streamlit as st

import treecore as tc
from pages.shared import compared, diagram, messages, state, twins, work
from pages.shared.messages import plain
from pages.shared.plan import in_force
from pages.shared.tree_view import tree_view
from treecore.errors import TreecoreError
from treecore.evaluation.overlay import RELATIONS, SAME, Overlay, overlay
from treecore.export.cards import as_grown, outline
from treecore.export.dot import tree_dot
from treecore.export.from_tree import top_nodes, tree_cards
from treecore.export.layout import layout_svg
from treecore.export.overlay_cards import overlay_cards, top_entries

VIEWS = ("side by side", "overlay", "ghosts")
HEIGHT = 520


def choose_view() -> str:
    """The view; ghosts only where both trees are cuts of the grown tree in force."""
    views = VIEWS if compared.same_growth() else VIEWS[:2]
    view = state.choice("view", VIEWS[0])
    view = view if view in views else VIEWS[0]
    state.controlled(
        st.segmented_control, "View", view, lambda v: state.choose("view", v or view), "view", options=list(views)
    )  # fmt: skip
    return view


def draw(view: str) -> None:
    """Both trees in this view, and how much of them is drawn."""
    if view == "ghosts":
        _ghosts()
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        diagram.size_and_direction()
    if view == "overlay":
        _overlay()
        return
    twins.choose()
    for side, column in zip(compared.SIDES, st.columns(2), strict=True):
        with column:
            st.markdown(f"**{plain(compared.label_of(side))}**")
            _tree(side)
    st.caption("A node selected in one tree is selected in the other: there it is the one that shares most of its "
               "training rows (rows in both over rows in either). Both pictures zoom together.")  # fmt: skip


def _ghosts() -> None:
    """The grown tree with the cuts of B, or of A where B cuts nothing."""
    side = "B" if work.pruned_away(compared.plan_of("B")) else "A"
    plan = compared.plan_of(side)
    if not work.pruned_away(plan):
        plan = in_force()
    diagram.toolbar()
    diagram.draw("ghost_tree", height=600, cuts=work.cuts(plan), editable=plan == in_force())
    if work.pruned_away(plan):
        st.caption(f"Ghosts: what is cut in {plain(compared.label_of(side))}.")


def _tree(side: str) -> None:
    plan, tree, node = compared.plan_of(side), compared.tree_of(side), compared.selected(side)
    nodes = top_nodes(tree, state.choice("drawn", diagram.DRAWN), 0, (node,))
    about = (tuple(nodes.tolist()), state.choice("orientation", "TB"), *twins.key(plan))
    tested = twins.in_pruned(plan)
    cards = twins.marked(tree_cards(tree, nodes, twins.pruned_statistics(plan)), tested)
    dot = tree_dot(as_grown(cards), classes=tree.classes, orientation=about[1], compact=True, missing=False)
    make = lambda: layout_svg(dot).decode()  # noqa: E731
    key = (work.tree_key(plan), plan.prune, plan.edits, about)
    _show(dot, lambda: work.kept_cut("own svg", *about, make=make, plan=plan), key, cards, node, f"tree_{side}",
          tree, lambda to: compared.select(side, to), group="compared")  # fmt: skip
    leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.depth}"
    bars = plain(", ".join(twins.labels(plan)))
    st.caption(f"{leaves}. Drawn: {len(nodes):,} of {tree.n_nodes:,} nodes; bars: {bars}.")
    twins.legend(tested, plan, "this tree")


def _show(dot: str, drawn, key: tuple, cards, selected: int, name: str, tree: tc.Tree, on_select, **more) -> None:
    """The drawing in the component; without the layout engine a plain one."""
    try:
        svg = drawn()
    except TreecoreError as error:
        messages.show(error)
        st.graphviz_chart(dot)
        return
    tree_view(
        svg, f"{hash(key):x}", outline(cards), selected=selected, key=name, height=HEIGHT, classes=tree.classes,
        on_select=on_select, **more,
    )  # fmt: skip


def _overlay() -> None:
    """Both trees as one; a click selects the node of A, or of B where A has none."""
    tree_a, tree_b = (compared.tree_of(side) for side in compared.SIDES)
    found = compared.kept("overlay", make=lambda: overlay(tree_a, tree_b))
    entry = _entry(found)
    entries = top_entries(found, state.choice("drawn", diagram.DRAWN), (entry,))
    about = (tuple(entries.tolist()), state.choice("orientation", "TB"))
    cards = overlay_cards(found, entries)
    dot = tree_dot(cards, classes=tree_a.classes, orientation=about[1])
    drawn = lambda: compared.kept("overlay svg", *about, make=lambda: layout_svg(dot).decode())  # noqa: E731
    plans = tuple((work.tree_key(p), p.prune, p.edits) for p in map(compared.plan_of, compared.SIDES))
    _show(dot, drawn, (plans, about), cards, entry, "overlay_tree", tree_a, lambda to: _select(found, to))
    _say(found, len(entries))


def _entry(found: Overlay) -> int:
    """The place of the node that is looked at, in the tree in which it was pointed at."""
    at = state.choice("compared at")
    side = "B" if at is not None and at[0] == compared.plan_of("B") != compared.plan_of("A") else "A"
    return int((found.of_b if side == "B" else found.of_a)[compared.selected(side)])


def _select(found: Overlay, entry: int) -> None:
    a, b = found.nodes(entry)
    compared.select(*(("A", a) if a >= 0 else ("B", b)))


WORDS = {
    "same": "the same in both (test, or answer of a leaf)",
    "shifted": "same feature, parted elsewhere",
    "other test": "another feature",
    "other answer": "leaves of another answer",
    "splits in A": "split in A, a leaf in B",
    "splits in B": "split in B, a leaf in A",
    "only A": "only in A (dashed)",
    "only B": "only in B (dotted)",
}


def _say(found: Overlay, n_drawn: int) -> None:
    counts = found.counts()
    told = [f"{counts[name]:,} {WORDS[name]}" for name in RELATIONS if counts[name]]
    st.markdown("**Places**: " + "; ".join(told) + ".")
    if counts[SAME] == len(found):
        st.caption("Both trees are the same.")
    names = " · ".join(plain(compared.label_of(side)) for side in compared.SIDES)
    st.caption(f"{names}. Drawn: {n_drawn:,} of {len(found):,} places. Matched from the root down: below a place with "
               "another feature, or with a leaf, nothing is. Bars: training rows.")  # fmt: skip
