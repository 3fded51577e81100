"""Two trees in numbers: sizes, errors by role, and which rows change their answer."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import work
from treecore.evaluation.metrics import Score, compare_predictions, score


def _parts() -> dict[str, tc.Table]:
    return {name: part for name, part in work.roles().items() if part.n_rows}


def numbers() -> None:
    """Leaves, depth and accuracy (or error) on each role, for both trees and the baseline."""
    tree, small = work.grown(), work.pruned()
    make = lambda: [{r: score(t, p) for r, p in _parts().items()} for t in (tree, small)]  # noqa: E731
    scores = work.kept_cut("scores", make=make)
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
            "answer changes": [int(c.differ.sum()) for c in found.values()],
            "right after pruning only": [int(c.gained.sum()) for c in found.values()],
            "right before pruning only": [int(c.lost.sum()) for c in found.values()],
        }
    )
    st.dataframe(frame, hide_index=True)
