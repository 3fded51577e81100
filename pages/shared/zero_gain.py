"""Where no split gains anything: the tree that stops there beside the tree that splits all the same."""

from dataclasses import replace
from functools import partial

import streamlit as st

import treecore as tc
from pages.shared import comparison, messages, state, work
from pages.shared.controls_growth import put
from pages.shared.plan import growth_in_force
from pages.shared.tree_view import tree_view
from treecore.errors import TreecoreError
from treecore.evaluation.metrics import score
from treecore.export.cards import outline
from treecore.export.dot import tree_dot
from treecore.export.from_tree import top_nodes, tree_cards
from treecore.export.layout import layout_svg
from treecore.fit import grow_with
from treecore.growing.settings.parts import ZERO_GAINS
from treecore.recipe import Take
from treecore.tree.tally import node_statistics

DRAWN = 31
SHORT = {"stop": "Stop there", "split": "Split all the same"}


def show() -> None:
    """Offered where the selected node or the root has no split that gains, if the other choice gives another tree."""
    tree = work.grown()
    node = next((n for n in dict.fromkeys((work.selected(), 0)) if _gains_nothing(tree, n)), None)
    other = None if node is None else _other()
    if other is None:
        return
    st.divider()
    where = "the root" if node == 0 else f"node {node}"
    done = "stops there" if tree.is_leaf[node] else "splits it all the same"
    st.markdown(f"**No split of {where} gains anything by itself**: this tree {done}. The other choice gives another.")
    on = state.controlled(
        st.toggle, "Both choices side by side", state.choice("both zero gains", False),
        lambda v: state.choose("both zero gains", v), "both_zero_gains",
    )  # fmt: skip
    if on:
        _side_by_side(tree, other, node)


def _gains_nothing(tree: tc.Tree, node: int) -> bool:
    """Is the best gain at this node 0, up to rounding, though its rows are mixed?"""
    slack = tree.growth["tolerance"] * float(tree.impurity[node])
    if tree.impurity[node] <= 0:
        return False
    if not tree.is_leaf[node]:
        return bool(tree.gain[node] <= slack)
    ranked = work.candidates(node).ranked
    return bool(ranked) and ranked[0].gain <= slack


def _choice(tree: tc.Tree) -> str:
    return tree.growth["zero_gain"]


def _other() -> tc.Tree | None:
    """The tree that the other choice grows; None if it is the same one, or a split taken by hand is not in it."""
    tree, train = work.grown(), work.roles()["train"]
    growth = growth_in_force()
    growth = replace(growth, zero_gain=next(name for name in ZERO_GAINS if name != growth.zero_gain))
    takes = tuple(step for step in work.edits() if isinstance(step, Take))

    def make() -> tc.Tree | None:
        try:
            found = grow_with(train, growth, takes, validation=work.roles()["validation"])
        except TreecoreError:
            return None
        return None if found.parent.tolist() == tree.parent.tolist() else found

    return work.kept("other zero gain", make=make)


def _side_by_side(tree: tc.Tree, other: tc.Tree, node: int) -> None:
    both = sorted((tree, other), key=lambda t: list(ZERO_GAINS).index(_choice(t)))
    place = work.path(node)
    for column, shown in zip(st.columns(2), both, strict=True):
        with column:
            mine = shown is tree
            st.markdown(f"**{SHORT[_choice(shown)]}**" + (", the choice in force" if mine else ""))
            _draw(shown, _at(shown, place), mine)
            st.caption(f"{shown.n_leaves:,} {'leaf' if shown.n_leaves == 1 else 'leaves'}. {_quality(shown)}")
            if not mine:
                take = partial(put, "zero_gain", _choice(shown))
                st.button("Grow with this choice", key="take_zero_gain", on_click=take)


def _at(tree: tc.Tree, place: tuple[int, ...]) -> int:
    """The node at this path, or the last one on the way that exists."""
    node = 0
    for branch in place:
        if branch >= tree.n_children[node]:
            break
        node = int(tree.first_child[node]) + branch
    return node


def _draw(tree: tc.Tree, node: int, mine: bool) -> None:
    """The tree from this node down; a click selects in the tree in force alone, whose nodes the page is about."""
    choice = _choice(tree)
    cards = work.kept("zero gain cards", choice, node, make=lambda: _cards(tree, node))
    dot = tree_dot(cards, classes=tree.classes, compact=True)
    try:
        svg = work.kept("zero gain svg", choice, node, make=lambda: layout_svg(dot).decode())
    except TreecoreError as error:
        messages.show(error)
        st.graphviz_chart(dot)
        return
    tree_view(
        svg, f"{hash((work.tree_key(), choice, node)):x}", outline(cards), selected=node, key=f"zero_gain_{choice}",
        height=380, classes=tree.classes, on_select=(lambda to: state.change(selected=to)) if mine else None,
    )  # fmt: skip
    if len(cards) < tree.n_nodes:
        st.caption(f"Drawn: {len(cards)} of {tree.n_nodes:,} nodes" + (f", node {node} and below." if node else "."))


def _cards(tree: tc.Tree, node: int) -> tuple:
    stats = {role: node_statistics(tree, part) for role, part in comparison.parts().items() if role != "test"}
    return tree_cards(tree, top_nodes(tree, DRAWN, node), stats)


def _quality(tree: tc.Tree) -> str:
    make = lambda: {role: score(tree, part) for role, part in comparison.parts().items()}  # noqa: E731
    return comparison.quality(work.kept("zero gain scores", _choice(tree), make=make))
