"""Two trees in numbers: sizes, errors by role, and which rows change their answer."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import work
from treecore.evaluation.metrics import Score, compare_predictions, score
from treecore.tree.text import number


def _parts() -> dict[str, tc.Table]:
    return {name: part for name, part in work.roles().items() if part.n_rows}


def _scores() -> list[dict[str, Score]]:
    """Role -> score, of the unpruned and of the pruned tree."""
    trees = (work.grown(), work.pruned())
    make = lambda: [{r: score(t, p) for r, p in _parts().items()} for t in trees]  # noqa: E731
    return work.kept_cut("scores", make=make)


def in_a_line() -> None:
    """Size and quality of the tree in force, role by role."""
    tree, small, found = work.grown(), work.pruned(), _scores()[1]
    leaves = f"{small.n_leaves:,} of {tree.n_leaves:,} leaves" if work.pruned_away() else f"{tree.n_leaves:,} leaves"
    if tree.classes:
        told = ", ".join(f"{role} {100 * s.accuracy:.1f} %" for role, s in found.items())
        st.caption(f"Tree in force: {leaves}, depth {small.depth}. Accuracy: {told}.")
    else:
        told = ", ".join(f"{role} {number(s.rmse)} (R² {s.r2:.3f})" for role, s in found.items())
        st.caption(f"Tree in force: {leaves}, depth {small.depth}. Root mean squared error: {told}.")


def numbers() -> None:
    """Leaves, depth and accuracy (or error) on each role, for both trees and the baseline."""
    tree, small = work.grown(), work.pruned()
    scores = _scores()
    frame = pd.DataFrame(
        {
            "": ["unpruned", "pruned", "baseline: the root alone"],
            "leaves": [tree.n_leaves, small.n_leaves, 1],
            "depth": [tree.depth, small.depth, 0],
        }
    )
    for role in _parts():
        name, values = _measure(scores, role)
        frame[f"{name}, {role} ({scores[0][role].n_rows:,} rows)"] = values
    st.dataframe(frame, hide_index=True)


def _measure(scores: list[dict[str, Score]], role: str) -> tuple[str, list[float]]:
    both = [s[role] for s in scores]
    if both[0].accuracy is None:
        return "mean squared error", [s.error for s in both] + [both[0].baseline]
    return "accuracy", [s.accuracy for s in both] + [1 - both[0].baseline]


def changes() -> None:
    """Rows whose prediction pruning changes, by role."""
    tree, small = work.grown(), work.pruned()
    if not tree.classes:
        return
    found = work.kept_cut("changes", make=lambda: {r: compare_predictions(tree, small, p) for r, p in _parts().items()})
    frame = pd.DataFrame(
        {
            "rows of": list(found),
            "answer changes": [len(c.differ) for c in found.values()],
            "right after pruning only": [len(c.gained) for c in found.values()],
            "right before pruning only": [len(c.lost) for c in found.values()],
        }
    )
    st.dataframe(frame, hide_index=True)
