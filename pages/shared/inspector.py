"""The selected node: its rows, its mix, its split and the splits that lost."""

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import work
from pages.shared.messages import plain
from treecore.criteria import CRITERIA
from treecore.growing.arithmetic import gain_arithmetic
from treecore.growing.candidates import Candidate, Candidates
from treecore.tree.text import number


def inspect() -> None:
    """Everything about the selected node, training and validation rows side by side."""
    tree, node = work.grown(), work.selected()
    view = tree.node(node)
    cut = work.cuts()
    st.subheader(f"Node {node}", anchor=False)
    st.markdown(plain(view.rule))
    _standing(tree, node, cut)
    columns = st.columns(3)
    share = 100 * view.weight / tree.weight[0]
    columns[0].metric("Training rows", f"{view.n_rows:,}", help=f"{share:.1f} % of the training weight")
    columns[1].metric("Validation rows", number(_weight(tree, work.statistics().get("validation"), node)))
    columns[2].metric(CRITERIA[tree.criterion].label, f"{view.impurity:.4g}", help="Of the training rows")
    _mix(tree, node)
    _split(tree, node)


def _weight(tree: tc.Tree, stats: np.ndarray | None, node: int) -> float:
    """Weight of a role's rows at the node; 0 if the role has none."""
    if stats is None:
        return 0.0
    return float(stats[node].sum() if tree.classes else stats[node][0])


def _standing(tree: tc.Tree, node: int, cuts: tc.Cuts) -> None:
    """Is the node part of the pruned tree, and why (not)?"""
    above = cuts.visible_ancestor(tree, node)
    if above != node:
        st.caption(f"A ghost: node {above} above it is cut ({plain(_reason(cuts, above))}).")
    elif cuts.verdict[node]:
        st.caption(f"Cut: {plain(_reason(cuts, node))}.")


def _reason(cuts: tc.Cuts, node: int) -> str:
    reason = cuts.reasons.get(node)
    return f"{reason.method}: {reason.text}" if reason else "cut"


def _mix(tree: tc.Tree, node: int) -> None:
    """Class weights or the mean of the training and the validation rows."""
    stats = {role: s for role, s in work.statistics().items() if role != "test"}
    if tree.classes:
        frame = pd.DataFrame({"class": tree.classes})
        for role, s in stats.items():
            total = max(float(s[node].sum()), 1e-300)
            frame[f"{role} n"] = s[node]
            frame[f"{role} %"] = 100 * s[node] / total
        settings = {f"{r} %": st.column_config.NumberColumn(format="%.1f") for r in stats}
        st.dataframe(frame, hide_index=True, column_config=settings)
    else:
        means = {role: tree.center + s[node][1] / s[node][0] if s[node][0] else np.nan for role, s in stats.items()}
        frame = pd.DataFrame({"rows of": list(stats), "n": [s[node][0] for s in stats.values()]})
        frame[f"mean of {tree.schema.target}"] = list(means.values())
        st.dataframe(frame, hide_index=True)


def _split(tree: tc.Tree, node: int) -> None:
    found = work.kept("candidates", node, make=lambda: tc.candidates(tree, node, work.roles()["train"]))
    view = tree.node(node)
    if view.is_leaf:
        st.markdown("**A leaf.** It predicts " + plain(view.predicted) + ".")
    else:
        st.markdown(f"**Split** on {plain(view.feature)}, gain {view.gain:.4g} {CRITERIA[tree.criterion].unit}")
        with st.expander("The arithmetic of this gain"):
            for line in gain_arithmetic(tree, node):
                st.latex(line)
    if not found.ranked:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    every = st.toggle("Every cut, not only the best of each feature", key="every_cut")
    shown = found.ranked if every else found.per_feature()
    st.markdown("Splits of the training rows that were possible here, best first")
    st.dataframe(_ranking(found, shown), hide_index=True, height=min(36 * (len(shown) + 1), 360))
    if found.heuristic:
        st.caption("Only the groupings found by a heuristic are listed for: " + plain(", ".join(found.heuristic)))


def _ranking(found: Candidates, shown: tuple[Candidate, ...]) -> pd.DataFrame:
    best = found.ranked[0].gain
    return pd.DataFrame(
        {
            "split": [_text(c) for c in shown],
            "gain": [c.gain for c in shown],
            "of the best": [f"{100 * c.gain / best:.1f} %" if best > 0 else "" for c in shown],
            "rows": [" | ".join(f"{n:,}" for n in c.n_rows) for c in shown],
            "": ["chosen" if c.chosen else "" for c in shown],
        }
    )


def _text(candidate: Candidate) -> str:
    if candidate.threshold is not None:
        return f"{candidate.feature}: {number(candidate.threshold)}"
    return f"{candidate.feature}: " + " | ".join(", ".join(levels) for levels in candidate.branches)
