"""The tree diagram of a page: which nodes are drawn, the drawing, and what a click does."""

import re
from collections.abc import Callable

import streamlit as st

import treecore as tc
from pages.shared import ghosts, messages, state, twins, work
from pages.shared.tree_view import tree_view
from treecore.errors import TreecoreError
from treecore.evaluation.outline import outline as outline_of
from treecore.export.cards import as_grown, outline
from treecore.export.dot import tree_dot
from treecore.export.from_tree import top_nodes, tree_cards
from treecore.export.layout import layout_svg
from treecore.fit import edit_of
from treecore.plots.icicle import icicle

SIZES = (7, 15, 31, 61, 121, 301)
DRAWN = 15
CHROME = 80  # pixels of the component above the drawing


def toolbar(compact: bool = False) -> None:
    """How much of the tree is drawn, and in which direction. compact : the diagram has no routes to show."""
    tree = work.grown()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size_and_direction()
        if tree.missing_rows.any() and not compact:
            state.controlled(
                st.toggle, "Missing-value routes", routes_drawn(), lambda on: state.choose("routes", on), "routes",
                help="Dashed: where training rows went that have no value for a node's test",
            )  # fmt: skip
        within = state.choice("within", 0)
        node = work.selected()
        if within and within < tree.n_nodes:
            st.button("Show the whole tree", on_click=lambda: state.choose("within", 0), key="widen")
        else:
            st.button(
                f"Only node {node} and below", on_click=lambda: state.choose("within", node), key="narrow",
                disabled=not node or bool(tree.is_leaf[node]),
            )  # fmt: skip
    twins.choose()


def size_and_direction() -> None:
    """How many nodes are drawn, and where the root is."""
    state.controlled(
        st.select_slider, "Nodes drawn, level by level", state.choice("drawn", DRAWN),
        lambda v: state.choose("drawn", v), "drawn", options=SIZES, width=200,
    )  # fmt: skip
    state.controlled(
        st.segmented_control, "Root", state.choice("orientation", "TB"),
        lambda v: state.choose("orientation", v or "TB"), "orientation", options=["TB", "LR"],
        format_func=lambda o: {"TB": "on top", "LR": "left"}[o],
    )  # fmt: skip


def routes_drawn() -> bool:
    """Are the routes of missing values drawn?"""
    return state.choice("routes", True)


def draw(
    key: str,
    height: int = 560,
    cuts: tc.Cuts | None = None,
    editable: bool = False,
    compact: bool = False,
) -> None:
    """The diagram of the grown tree, with these cuts as ghosts; a click selects a node on every page.

    editable : offers to cut and to restore the selected node by hand.
    compact : nodes show their test and bars alone, for panels of half the width.
    """
    tree = work.grown()
    within = state.choice("within", 0)
    within = within if within < tree.n_nodes else 0
    selected = work.selected()
    orientation, limit = state.choice("orientation", "TB"), state.choice("drawn", DRAWN)
    cards = ghosts.faded(tree, cuts, ghosts.drawn(tree, cuts, limit, within, selected))
    about = (tuple(card.id for card in cards), orientation, compact, routes_drawn(), *twins.key())
    about = (*about, ghosts.stamp(tree, cuts))
    cards = twins.marked(cards, twins.found())
    try:
        svg = work.kept("svg", about, make=lambda: _svg(as_grown(cards), tree, orientation, compact))
    except TreecoreError as error:
        messages.show(error)
        st.graphviz_chart(tree_dot(cards, classes=tree.classes))
        return
    tree_view(
        svg,
        f"{hash((work.tree_key(), about)):x}",
        outline(cards),
        selected=selected,
        key=key,
        height=fitting_height(svg, height),
        classes=tree.classes,
        actions=("cut", "restore") if editable else (),
        on_select=lambda node: state.change(selected=node),
        on_action=_edit,
    )
    _say_what_is_drawn(tree.n_nodes, len(cards), within)
    ghosts.say(tree, cuts)
    twins.legend(twins.found())


def draw_part(key: str, part: tc.Tree, node: int, on_select: Callable[[int], None], height: int = 520) -> None:
    """The first nodes of the grown tree, a tree of their own with the same ids; this node is outlined."""
    nodes = top_nodes(part, state.choice("drawn", DRAWN), 0, (node, *part.children(node)))
    orientation = state.choice("orientation", "TB")
    statistics = {role: s[: part.n_nodes] for role, s in twins.statistics().items()}
    cards = tree_cards(part, nodes, statistics)
    svg = _svg(cards, part, orientation)
    svg_key = f"{hash((work.tree_key(), part.n_nodes, nodes.tobytes(), orientation, routes_drawn(), *twins.key())):x}"
    tree_view(
        svg, svg_key, outline(cards), selected=node, key=key, height=fitting_height(svg, height), classes=part.classes,
        on_select=on_select,
    )  # fmt: skip
    _say_what_is_drawn(part.n_nodes, len(nodes), 0)


def _svg(cards, tree: tc.Tree, orientation: str, compact: bool = False) -> str:
    dot = tree_dot(
        cards, classes=tree.classes, orientation=orientation, compact=compact, missing=routes_drawn()
    )  # fmt: skip
    return layout_svg(dot).decode()


def fitting_height(svg: str, most: int) -> int:
    """Pixels that a flat drawing needs in a column of usual width, so that a small tree leaves no hole."""
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    flat = float(size[2]) / float(size[1]) if size else 1.0
    return int(min(most, max(CHROME + 240, CHROME + 1.3 * most * flat)))


def _edit(action: dict) -> None:
    """A cut or restore asked for in the diagram becomes a step of the recipe."""
    tree, node = work.grown(), action["node"]
    if node < tree.n_nodes and not tree.is_leaf[node]:
        state.do(edit_of(tree, node, action["type"]), selected=node)


def whole(key: str) -> None:
    """The whole tree as an icicle, when the diagram draws only a part of it; a click selects."""
    tree = work.grown()
    if tree.n_nodes <= state.choice("drawn", DRAWN) and not state.choice("within", 0):
        return
    found = work.kept("outline", make=lambda: outline_of(tree))
    with st.expander("The whole tree: widths are shares of the training rows", expanded=True):
        figure = icicle(found, work.selected())
        st.plotly_chart(figure, key=key, height=240, on_select=lambda: _take_icicle(key), selection_mode="points")
        if found.n_left_out:
            st.caption(f"The {len(found.node):,} largest nodes; {found.n_left_out:,} smaller ones are not shown here.")


def _take_icicle(key: str) -> None:
    told = state.clicked(key)
    if told:
        state.change(selected=int(told[0]))


def _say_what_is_drawn(n_all: int, n_drawn: int, within: int) -> None:
    roles = messages.plain(", ".join(twins.labels()))
    everything = "the only node" if n_all == 1 else f"all {n_all:,} nodes"
    view = everything if n_drawn == n_all else f"{n_drawn} of {n_all:,} nodes"
    below = f" at and below node {within}" if within else ""
    st.caption(f"Drawn: {view}{below}. n counts training rows; bars: {roles}.")
