"""Two trees in numbers: sizes, errors by role, and which rows change their answer."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import work
from treecore.evaluation.metrics import Score, compare_predictions, score
from treecore.tree.text import number


def parts() -> dict[str, tc.Table]:
    """The rows of each role that has any."""
    return {name: part for name, part in work.roles().items() if part.n_rows}


def _scores() -> list[dict[str, Score]]:
    """Role -> score, of the unpruned and of the pruned tree."""
    trees = (work.grown(), work.pruned())
    make = lambda: [{r: score(t, p) for r, p in parts().items()} for t in trees]  # noqa: E731
    return work.kept_cut("scores", make=make)


def in_a_line() -> None:
    """Size and quality of the tree in force, role by role."""
    tree, small, found = work.grown(), work.pruned(), _scores()[1]
    all_leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    leaves = f"{small.n_leaves:,} of {all_leaves}" if work.pruned_away() else all_leaves
    st.caption(f"Tree in force: {leaves}, depth {small.depth}. {quality(found)}")


def quality(found: dict[str, Score]) -> str:
    """The scores in words; what errors cost comes before how many they are."""
    first = next(iter(found.values()))
    if first.accuracy is None:
        told = ", ".join(f"{role} {number(s.rmse)} (R² {s.r2:.3f})" for role, s in found.items())
        return f"Root mean squared error: {told}."
    accuracy = "Accuracy: " + ", ".join(f"{role} {100 * s.accuracy:.1f} %" for role, s in found.items()) + "."
    if first.cost is None:
        return accuracy
    costs = ", ".join(f"{role} {s.cost:.4g}" for role, s in found.items())
    return f"{first.measure.capitalize()}: {costs}. {accuracy}"


def numbers() -> None:
    """Leaves, depth and accuracy (or error) on each role, for both trees and the baseline; what errors cost first."""
    tree, small = work.grown(), work.pruned()
    scores = _scores()
    names = {"": ["unpruned", "pruned", "baseline: the root alone"]}
    sizes = {"leaves": [tree.n_leaves, small.n_leaves, 1], "depth": [tree.depth, small.depth, 0]}
    tables = [_by_role(scores, measure) for measure in (_cost, _quality) if measure(scores, next(iter(scores[0])))]
    st.dataframe(pd.DataFrame(names | sizes | tables[0]), hide_index=True)
    for more in tables[1:]:
        st.dataframe(pd.DataFrame(names | more), hide_index=True)


def _by_role(scores: list[dict[str, Score]], measure: Callable) -> dict[str, list[float]]:
    """A column per role; its name says of how many rows."""
    found = {role: measure(scores, role) for role in parts()}
    return {f"{name}, {role} ({scores[0][role].n_rows:,} rows)": values for role, (name, values) in found.items()}


def _quality(scores: list[dict[str, Score]], role: str) -> tuple[str, list[float]]:
    """(what is judged, its value for both trees and the root alone)."""
    both = [s[role] for s in scores]
    if both[0].accuracy is None:
        return "mean squared error", [s.error for s in both] + [both[0].baseline]
    return "accuracy", [s.accuracy for s in both] + [1 - both[0].baseline]


def _cost(scores: list[dict[str, Score]], role: str) -> tuple[str, list[float]] | None:
    """The same for what errors cost; None where every error costs 1 and no priors are given."""
    both = [s[role] for s in scores]
    return None if both[0].cost is None else (both[0].measure, [s.cost for s in both] + [both[0].cost_baseline])


def changes() -> None:
    """Rows whose prediction pruning changes, by role."""
    tree, small = work.grown(), work.pruned()
    if not tree.classes:
        return
    found = work.kept_cut("changes", make=lambda: {r: compare_predictions(tree, small, p) for r, p in parts().items()})
    frame = pd.DataFrame(
        {
            "rows of": list(found),
            "answer changes": [len(c.differ) for c in found.values()],
            "right after pruning only": [len(c.gained) for c in found.values()],
            "right before pruning only": [len(c.lost) for c in found.values()],
        }
    )
    st.dataframe(frame, hide_index=True)
