"""What cuts make of the diagram: ghosts over the grown layout, and new counts below a raised branch."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.trees import other, twins, work
from treecore.export.cards import NodeCard, pruned_cards, recounted, tree_cards
from treecore.tree.node_statistics import node_statistics


def faded(tree: tc.Tree, cuts: tc.Cuts | None, nodes: np.ndarray) -> tuple[NodeCard, ...]:
    """These nodes of the grown tree; below a raised branch they count the rows that reach them now."""
    cards = tree_cards(tree, nodes, twins.statistics(), cuts)
    return recounted(cards, _standing(tree, cuts, nodes)) if recounts(tree, cuts) else cards


def recounts(tree: tc.Tree, cuts: tc.Cuts | None) -> bool:
    """Do other rows reach some nodes than when the tree was grown?"""
    return cuts is not None and bool(len(cuts.raised_nodes)) and cuts.stand(tree).any_raised


def stamp_of(cuts: tc.Cuts) -> bytes:
    """All that cuts say, as bytes."""
    return _bytes(cuts)


def _bytes(cuts: tc.Cuts) -> bytes:
    added = b"" if cuts.added is None else cuts.added.tobytes()
    return cuts.verdict.tobytes() + cuts.replaced_by.tobytes() + added


def _standing(tree: tc.Tree, cuts: tc.Cuts, nodes: np.ndarray) -> tuple[NodeCard, ...]:
    """Cards of those of the nodes that stand in the pruned tree."""
    positions = np.flatnonzero(np.isin(cuts.standing(tree), nodes))
    return pruned_cards(tree, cuts, _pruned(tree, cuts), positions, _statistics(tree, cuts))


def _pruned(tree: tc.Tree, cuts: tc.Cuts) -> tc.Tree:
    return work.kept("pruned by", _bytes(cuts), make=lambda: work.cut_by(cuts))


def _statistics(tree: tc.Tree, cuts: tc.Cuts) -> dict[str, np.ndarray]:
    """Role -> statistics of its rows in the nodes of the pruned tree, for the two bars."""
    pruned, roles = _pruned(tree, cuts), work.roles()
    rows = {role: other.table()[0] if role == "other" else roles[role] for role in twins.statistics()}
    make = lambda: {role: node_statistics(pruned, part) for role, part in rows.items()}  # noqa: E731
    return work.kept("pruned statistics", _bytes(cuts), twins.key(), make=make)


def say(tree: tc.Tree, cuts: tc.Cuts | None) -> None:
    """What is not obvious about the numbers in the picture."""
    if recounts(tree, cuts):
        st.caption(
            "↑ A raised branch stands where its ghost place was: from there down, rows and bars are counted anew, "
            "with all the rows of the place."
        )
    if cuts is not None and cuts.added is not None:
        st.caption("The pruned tree predicts from its training rows and the pruning rows together.")
