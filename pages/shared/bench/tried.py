"""A split that is only tried: its arithmetic, and what it would do to the rows held back, before it is taken."""

from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.node import rivals
from pages.shared.trees import work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.explaining.branch_statistics import branch_statistics
from treecore.explaining.node_arithmetic import exact_lines, split_arithmetic
from treecore.figures import count, counted, measure
from treecore.fit import grow_with, node_at
from treecore.judging.losses import leaf_errors
from treecore.recipe import Take
from treecore.tree.node_statistics import node_statistics
from treecore.view.rivals import ValidationEffect


def show(take: Take, node: int) -> None:
    """What the rows held back say of the split, and its sums."""
    try:
        tree, here = _tried(take, node)
    except TreecoreError:
        return  # taking it says why it cannot be
    st.markdown(f"**{rivals.said(work.grown(), take)}**, tried on its own:")
    told = _on_validation(tree, take, node)
    if told:
        st.markdown(plain(told))
    fold("The arithmetic of this split", "arithmetic of a rival", lambda: _arithmetic(tree, here, take))


def _tried(take: Take, node: int) -> tuple[tc.Tree, int]:
    """The tree with this split and nothing below it, and the node's number there."""

    def make() -> tuple[tc.Tree, int]:
        plan, depth = in_force(), int(work.grown().node_depth[node])
        growth = replace(plan.grow.growth(), max_depth=depth + 1, max_leaves=None)
        before = tuple(t for t in work.takes() if len(t.path) < len(take.path))
        rows = work.roles()
        tree = grow_with(rows["train"], growth, (*before, replace(take, expect="")), validation=rows["validation"])
        return tree, node_at(tree, replace(take, expect=""))

    return work.kept("tried", take, node, make=make)


def _arithmetic(tree: tc.Tree, here: int, take: Take) -> None:
    train = work.roles()["train"]
    make = lambda: split_arithmetic(tree, here, tc.candidates(tree, here, train), train)  # noqa: E731
    explained.with_digits(f"tried {take} {here}", make, lambda: exact_lines(branch_statistics(tree, here, train)))


def _on_validation(tree: tc.Tree, take: Take, node: int) -> str:
    """ "Of the 60 validation rows here it answers 53 rightly, a leaf 50."; '' without such rows."""
    found = held(take, node)
    if found is None:
        return "" if "validation" not in work.parts() else "No validation row reaches this node."
    is_whole = float(found.n).is_integer()
    rows = counted(round(found.n), "validation row") if is_whole else f"{count(found.n)} validation rows"
    if tree.classes:
        return f"Of the {rows} here it predicts {count(found.split)} correctly; a leaf {count(found.leaf)}."
    named = tree.target_kind.loss_name(tree).capitalize()
    return f"{named} of the {rows} here: {measure(found.split)}; as a leaf {measure(found.leaf)}."


def held(take: Take, node: int) -> ValidationEffect | None:
    """Of this split at this node of the grown tree; None where no validation row comes there. TreecoreError for a split
    that cannot be made."""
    parts = work.parts()
    if "validation" not in parts:
        return None
    tree, here = _tried(take, node)
    found = work.kept("tried validation", take, make=lambda: node_statistics(tree, parts["validation"]))
    children, n = [*tree.children(here)], float(tree.weight_of(found[here]))
    if n <= 0 or not children:
        return None
    if tree.classes:
        return ValidationEffect(n, *(sum(_right(tree, found, t) for t in nodes) for nodes in (children, [here])))
    losses = leaf_errors(tree, found)
    return ValidationEffect(n, *(float(losses[nodes].sum()) / n for nodes in (children, [here])))


def _right(tree: tc.Tree, found: np.ndarray, node: int) -> float:
    value = int(tree.value[node])
    return float(found[node][value]) if value >= 0 else 0.0
