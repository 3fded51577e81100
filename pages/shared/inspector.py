"""The selected node: its rows, its mix, its split and the splits that lost."""

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import rivals, state, work
from pages.shared.messages import plain
from treecore.criteria import CRITERIA
from treecore.growing.steps import step_arithmetic
from treecore.growing.why_leaf import why_leaf
from treecore.tree.node import NodeView
from treecore.tree.text import number


def inspect() -> None:
    """Everything about the selected node, training and validation rows side by side."""
    tree, node = work.grown(), work.selected()
    view = tree.node(node)
    cut = work.cuts()
    st.subheader(f"Node {node}", anchor=False)
    st.markdown(plain(view.rule))
    _standing(tree, node, cut)
    st.markdown(_sizes(tree, view))
    _mix(tree, node)
    _split(tree, node)


def _sizes(tree: tc.Tree, view: NodeView) -> str:
    """Rows of each role with their share, and the impurity."""
    shares = [f"**{view.n_rows:,}** training rows ({100 * view.weight / tree.weight[0]:.1f} %)"]
    validation = work.statistics().get("validation")
    if validation is not None:
        here, whole = (_weight(tree, validation[n]) for n in (view.id, 0))
        shares.append(f"**{number(here)}** validation rows ({100 * here / whole:.1f} %)")
    return f"{' · '.join(shares)}  \n{CRITERIA[tree.criterion].label} of the training rows **{view.impurity:.4g}**"


def _weight(tree: tc.Tree, stats: np.ndarray) -> float:
    """Weight of the rows that these statistics are of."""
    return float(stats.sum() if tree.classes else stats[0])


def _standing(tree: tc.Tree, node: int, cuts: tc.Cuts) -> None:
    """Is the node part of the pruned tree, and why (not)?"""
    above = cuts.visible_ancestor(tree, node)
    if above != node:
        st.caption(f"A ghost: node {above} above it is cut ({plain(_reason(cuts, above))}).")
    elif cuts.verdict[node]:
        st.caption(f"Cut ({plain(_reason(cuts, node))}): a leaf now, it predicts {plain(tree.node(node).predicted)}.")


def _reason(cuts: tc.Cuts, node: int) -> str:
    reason = cuts.reasons.get(node)
    if reason is None:
        return "cut"
    return reason.text if reason.method in reason.text else f"{reason.method}: {reason.text}"


def _mix(tree: tc.Tree, node: int) -> None:
    """Class weights or the mean of the training and the validation rows."""
    stats = {role: s for role, s in work.statistics().items() if role != "test"}
    if tree.classes:
        frame = pd.DataFrame({"class": tree.classes})
        for role, s in stats.items():
            total = max(float(s[node].sum()), 1e-300)
            frame[role] = [f"{number(n)} ({100 * n / total:.1f} %)" for n in s[node]]
        settings = {r: st.column_config.TextColumn(alignment="right") for r in stats}
        st.dataframe(frame, hide_index=True, column_config=settings)
    else:
        means = {role: tree.center + s[node][1] / s[node][0] if s[node][0] else np.nan for role, s in stats.items()}
        frame = pd.DataFrame({"rows of": list(stats), "n": [s[node][0] for s in stats.values()]})
        frame[f"mean of {tree.schema.target}"] = list(means.values())
        st.dataframe(frame, hide_index=True)


def _split(tree: tc.Tree, node: int) -> None:
    found = work.candidates(node)
    view = tree.node(node)
    if view.is_leaf:
        gain = found.ranked[0].gain if found.ranked else None
        st.markdown(f"**A leaf.** It predicts {plain(view.predicted)}. {why_leaf(tree, node, gain)}")
    else:
        st.markdown(f"**Split** on {plain(view.feature)}, gain {view.gain:.4g} {CRITERIA[tree.criterion].unit}")
        with st.expander("The arithmetic of this gain"):
            for line in step_arithmetic(tree, node, found):
                st.latex(line)
    if not found.ranked:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    every = state.controlled(
        st.toggle, "Every cut, not only the best of each feature", state.choice("every_cut", False),
        lambda on: state.choose("every_cut", on), "every_cut",
    )  # fmt: skip
    st.markdown("Splits of the training rows that were possible here, best first"
                + (" (✓ the tree's)" if not view.is_leaf else ""))
    shown = found.ranked if every else rivals.best_of_each(found)
    rivals.table(tree, found, shown, select=True)
    if found.heuristic:
        st.caption("Only the groupings found by a heuristic are listed for: " + plain(", ".join(found.heuristic)))
    rivals.pick(tree, found, shown)
