"""The grown tree beside itself as a chain of splits in two."""

import numpy as np
import streamlit as st

from pages.shared import comparison, diagram, state, work
from pages.shared.tree_view import tree_view
from treecore.export.cards import outline
from treecore.export.dot import tree_dot
from treecore.export.from_tree import top_nodes, tree_cards
from treecore.export.layout import layout_svg
from treecore.tree.binary_chain import Chain, answered_alike, binary_chain
from treecore.tree.tally import node_statistics

HEIGHT = 520


def show() -> None:
    """Both trees, side by side; a node selected in one is selected in the other."""
    tree = work.grown()
    n_many = int(np.count_nonzero(tree.n_children > 2))
    if not n_many:
        return
    st.divider()
    nodes = "1 node has" if n_many == 1 else f"{n_many:,} nodes have"
    on = state.controlled(
        st.toggle, f"As binary splits: {nodes} more than two branches", state.choice("chain", False),
        lambda v: state.choose("chain", v), "chain_on",
    )  # fmt: skip
    if not on:
        return
    chain = work.kept("chain", make=lambda: binary_chain(tree))
    left, right = st.columns(2)
    with left:
        st.markdown("**As grown**")
        diagram.draw("chain_grown_tree", height=HEIGHT, compact=True)
    with right:
        st.markdown("**As binary splits**")
        _draw(chain)
    _say(chain)


def _draw(chain: Chain) -> None:
    """The chain; its first link is outlined where the node of the grown tree has many branches."""
    tree, selected = chain.tree, int(chain.new_id[work.selected()])
    orientation = state.choice("orientation", "TB")
    nodes = top_nodes(tree, state.choice("drawn", diagram.DRAWN), 0, (selected,))
    about = (nodes.tobytes(), orientation)
    cards = tree_cards(tree, nodes, work.kept("chain statistics", make=lambda: _statistics(chain)))

    def drawn() -> str:
        return layout_svg(
            tree_dot(cards, classes=tree.classes, orientation=orientation, compact=True, missing=False)
        ).decode()

    svg = work.kept("chain svg", *about, make=drawn)
    tree_view(
        svg, f"{hash((work.tree_key(), 'chain', about)):x}", outline(cards), selected=selected, key="chain_tree",
        height=HEIGHT, classes=tree.classes, on_select=lambda node: state.change(selected=int(chain.origin[node])),
    )  # fmt: skip
    st.caption(f"Drawn: {len(nodes):,} of {tree.n_nodes:,} nodes, depth {tree.depth}.")


def _statistics(chain: Chain) -> dict[str, np.ndarray]:
    """Of training and validation rows: the diagram has room for two bars."""
    return {role: node_statistics(chain.tree, part) for role, part in comparison.parts().items() if role != "test"}


def _say(chain: Chain) -> None:
    """How many nodes both have, and on how many rows of each role they answer alike."""
    tree = work.grown()
    alike = work.kept("chain alike", make=lambda: _alike(chain))
    n_rows = sum(len(same) for same in alike.values())
    n_differ = n_rows - sum(int(same.sum()) for same in alike.values())
    roles = ", ".join(f"{len(same):,} {role}" for role, same in alike.items())
    told = "identical on all" if not n_differ else f"different on {n_differ:,} of"
    st.markdown(
        f"{tree.n_nodes:,} nodes of depth {tree.depth} become {chain.tree.n_nodes:,} of depth {chain.tree.depth}; "
        f"the leaves are the same {tree.n_leaves:,}. Predictions are {told} {n_rows:,} rows ({roles})."
    )


def _alike(chain: Chain) -> dict[str, np.ndarray]:
    return {role: answered_alike(work.grown(), chain, part) for role, part in comparison.parts().items()}
