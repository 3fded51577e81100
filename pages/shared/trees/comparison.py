"""Your tree in a line of numbers, and two trees beside each other in tables."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.bench import judging
from pages.shared.database import counted
from pages.shared.trees import compared, work
from pages.shared.widgets import frames
from treecore.figures import brief, number, percent
from treecore.judging.measures import measured, short_name
from treecore.study.metrics import Score, score


def parts() -> dict[str, tc.Table]:
    """The rows of each role that has any."""
    return work.parts()


def in_a_line() -> None:
    """Size and quality of your tree, role by role."""
    tree, small = work.grown(), work.pruned()
    all_leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    leaves = f"{small.n_leaves:,} of {all_leaves}" if work.pruned_away() else all_leaves
    st.caption(f"Your tree: {leaves}, depth {small.depth}. {quality(work.scores())}")


def quality(found: dict[str, Score]) -> str:
    """The scores in words; what errors cost comes before how many they are."""
    first = next(iter(found.values()))
    heads = {role: s.headline for role, s in found.items()}
    told = ", ".join(f"{role} {h.told(h.value)}" + f" ({h.beside})" * bool(h.beside) for role, h in heads.items())
    accuracy = f"{first.headline.name.capitalize()}: {told}."
    if first.cost is None:
        return accuracy
    costs = ", ".join(f"{role} {brief(s.cost)}" for role, s in found.items())
    return f"{first.measure.capitalize()}: {costs}. {accuracy}"


def numbers() -> None:
    """Leaves, depth and accuracy (or error) on each role, for both trees and the baseline; what errors cost first."""
    trees = [compared.tree_of(side) for side in compared.SIDES]
    if not counted.is_on():
        judging.choose(trees[0], "compared_judged")
    scores = compared.of_all_rows(
        "both scores", lambda rows: [{role: score(tree, part) for role, part in rows.items()} for tree in trees]
    )
    found = {"leaves": [*(f"{tree.n_leaves:,}" for tree in trees), "1"]}
    found["depth"] = [*(f"{tree.depth:,}" for tree in trees), "0"]
    found |= _measured(scores, trees)
    for measure in (_cost, _quality):
        told = _by_role(scores, measure) if measure(scores, next(iter(scores[0]))) else {}
        found |= {name: values for name, values in told.items() if name not in found}
    columns = {name: [row[place] for row in found.values()] for place, name in enumerate(("A", "B", ROOT))}
    right = {name: st.column_config.TextColumn(alignment="right") for name in columns}
    frames.show(pd.DataFrame({"": list(found), **columns}), hide_index=True, column_config=right)
    judging.arithmetic("compare", lambda: {side: (compared.tree_of(side), compared.rows()) for side in compared.SIDES})


ROOT = "baseline"


def _measured(scores: list[dict[str, Score]], trees: list[tc.Tree]) -> dict[str, list[str]]:
    """A row per role in the measure that is chosen; none of rows that an engine counts."""
    if counted.is_on():
        return {}
    measure, looked_for = judging.chosen(trees[0]), judging.looked_for(trees[0])
    told = percent if measure.percent else brief
    three = [*trees, trees[1].after(0)]
    found = compared.of_all_rows(
        f"both in {measure.name} of {looked_for}",
        lambda rows: {
            role: [measured(tree, part, measure.name, looked_for) for tree in three] for role, part in rows.items()
        },
    )
    return {
        f"{short_name(measure)}, {role} ({scores[0][role].n_rows:,} rows)": list(map(told, values))
        for role, values in found.items()
    }


def _by_role(scores: list[dict[str, Score]], measure: Callable) -> dict[str, list[str]]:
    """A row per role; its name says of how many rows."""
    found = {role: measure(scores, role) for role in scores[0]}
    return {f"{name}, {role} ({scores[0][role].n_rows:,} rows)": values for role, (name, values) in found.items()}


def _quality(scores: list[dict[str, Score]], role: str) -> tuple[str, list[str]]:
    """(what is judged, its value for both trees and the root of B alone)."""
    both = [s[role] for s in scores]
    a, b = (s.headline for s in both)
    if both[0].measure == a.name or both[0].accuracy is not None:
        return a.name, [a.told(value) for value in (a.value, b.value, b.baseline)]
    return both[0].measure, [number(error) for error in (*(s.error for s in both), both[1].baseline)]


def _cost(scores: list[dict[str, Score]], role: str) -> tuple[str, list[str]] | None:
    """The same for what errors cost; None unless both trees reckon with the same costs and priors of the same name."""
    both = [s[role] for s in scores]
    if both[0].cost is None or both[0].measure != both[1].measure:
        return None
    return both[0].measure, [brief(cost) for cost in (*(s.cost for s in both), both[1].cost_baseline)]
