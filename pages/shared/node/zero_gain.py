"""Where no split gains anything: what the tree would be that splits all the same, or stops there."""

from dataclasses import replace
from functools import partial

import streamlit as st

import treecore as tc
from pages.shared.controls.growth import put
from pages.shared.session import state
from pages.shared.trees import compared, comparison, offered, work
from pages.shared.trees.plan import Plan, in_force
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.recipe import Prune, Take

OTHER = "zero gain"
"""The other choice, as the page Compare calls it."""


SHORT = {"stop": "Stop there", "split": "Split all the same"}


def show() -> None:
    """Offered where the selected node or the root has no split that gains, if the other choice gives another tree."""
    tree = work.trained()
    node = next((n for n in dict.fromkeys((work.selected(), 0)) if _gains_nothing(tree, n)), None)
    if node is None or not _differs(tree):
        return
    where = "the root" if node == 0 else f"node {node}"
    done = "stops there" if tree.is_leaf[node] else "splits it all the same"
    st.markdown(f"**No split of {where} gains anything by itself**: this tree {done}. The other choice gives another.")
    for plan in (_unpruned(in_force()), _unpruned(offered.plan(OTHER))):
        choice, grown = plan.grow.growth().zero_gain, work.grown(plan)
        mine = ", as your tree has it" if plan.grow == in_force().grow else ""
        leaves = counted(grown.n_leaves, "leaf", "leaves")
        st.markdown(f"**{SHORT[choice]}**{mine}: {leaves}. {comparison.quality(work.scores(plan))}")
    _buttons()


def _buttons() -> None:
    """To see both, and to take the other."""
    with st.container(horizontal=True):
        if st.button("Both side by side", key="both_zero_gains"):
            compared.take("A", "in force")
            compared.take("B", OTHER)
            state.choose("view", "beside")
            st.switch_page("pages/compare.py")
        other = offered.plan(OTHER).grow.growth().zero_gain
        st.button("Grow with the other choice", key="take_zero_gain", on_click=partial(put, "zero_gain", other))


def _gains_nothing(tree: tc.Tree, node: int) -> bool:
    """Is the best gain at this node 0, up to rounding, though its rows are mixed?"""
    slack = tree.growth["tolerance"] * float(tree.impurity[node])
    if tree.impurity[node] <= 0:
        return False
    if not tree.is_leaf[node]:
        return bool(tree.gain[node] <= slack)
    ranked = work.candidates(node).ranked
    return bool(ranked) and ranked[0].gain <= slack


def _unpruned(plan: Plan) -> Plan:
    """The same with the splits taken by hand, and without cuts."""
    return replace(plan, prune=Prune(), edits=tuple(step for step in work.edits() if isinstance(step, Take)))


def _differs(tree: tc.Tree) -> bool:
    """Is the tree of the other choice another one, with all splits taken by hand in it?"""
    plan = _unpruned(offered.plan(OTHER))
    try:
        other = work.grown(plan)
    except TreecoreError:
        return False
    return other.parent.tolist() != tree.parent.tolist() and len(work.edits(plan)) == len(plan.edits)
