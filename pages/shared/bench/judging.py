"""In which measure trees are judged on a page, and a figure of it opened to its arithmetic."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

import treecore as tc
from pages.shared.database import counted
from pages.shared.session import state
from pages.shared.trees import interest, nested, work
from pages.shared.widgets import explained
from pages.shared.widgets.fold import fold
from treecore.explaining.measure_arithmetic import measure_lines
from treecore.judging.answers import Answers, answers_of
from treecore.judging.measures import MEASURES, Measure, measures_for, registered_name

CHOICE, ROWS = "judged in", "opened rows"
TITLE = "How a figure is computed"


def known(tree: tc.Tree) -> list[str]:
    """Names in the registry with a meaning for the tree, that in force first; of profits and costs what it has."""
    without = {"profit"} if not tree.earns else {"cost"}
    without |= {"cost"} if tree.loss is None else set()
    names = [m.name for m in measures_for(tree.target_kind) if m.name not in without]
    first = in_force(tree)
    return sorted(names, key=lambda name: name != first)


def in_force(tree: tc.Tree) -> str:
    """What sizes are judged by, by its name in the registry."""
    return registered_name(nested.measure(), tree)


def chosen(tree: tc.Tree) -> Measure:
    """That of the reader; the one in force where none is chosen, or it has no meaning here."""
    name = state.choice(CHOICE)
    return MEASURES[name if name in known(tree) else in_force(tree)]


def choose(tree: tc.Tree, key: str, width: int = 230) -> Measure:
    """The control of it."""
    now = chosen(tree)
    state.controlled(
        st.selectbox, "Judged by", now.name, lambda v: state.choose(CHOICE, v), key, options=known(tree),
        format_func=lambda name: MEASURES[name].label, width=width,
    )  # fmt: skip
    return now


def looked_for(tree: tc.Tree) -> str | None:
    """The reader's class of interest; None where a measure takes the rarer of two."""
    found = interest.of(tree)
    return None if found is None else found.name


def answers(tree: tc.Tree, rows: tc.Table) -> Answers:
    """What a tree says of rows, with the reader's class of interest."""
    found, name = answers_of(tree, rows), looked_for(tree)
    return found if name is None else replace(found, interest=name)


Judged = Mapping[str, tuple[tc.Tree, Mapping[str, tc.Table | Answers]]]
"""Label -> (tree, role -> its rows, or what trees of folds said of theirs)."""


def arithmetic(name: str, made: Callable[[], Judged]) -> None:
    """A fold with a figure opened: of a tree (if there are several), in a measure, on the rows of a role.

    name : of the fold. made : asked for only where the fold is open. Rows that stay in an engine are counted there, and
    not opened.
    """
    if not counted.is_on():
        fold(TITLE, f"figure of {name}", lambda: _opened(name, made()))


def _opened(name: str, trees: Judged) -> None:
    labels = list(trees)
    if not labels:
        return
    with st.container(horizontal=True):
        label = labels[0]
        if len(labels) > 1:
            label = state.choice("opened tree")
            label = label if label in labels else labels[0]
            state.controlled(
                st.selectbox, "Tree", label, lambda v: state.choose("opened tree", v), f"opened_tree_{name}",
                options=labels, width=180,
            )  # fmt: skip
        tree, parts = trees[label]
        measure = choose(tree, f"opened_{name}", 165)
        role = state.choice(ROWS)
        role = role if role in parts else next((r for r in ("validation", "test") if r in parts), next(iter(parts)))
        state.controlled(
            st.selectbox, "Rows", role, lambda v: state.choose(ROWS, v), f"opened_rows_{name}", options=list(parts),
            width=110,
        )  # fmt: skip
    rows = parts[role]
    of_folds = isinstance(rows, Answers)
    found, grown = (rows, None) if of_folds else (answers(tree, rows), tree)
    lines = measure_lines(found, measure.name, grown)
    if lines:
        explained.show(lines)
    else:
        st.caption(f"{measure.label} has no value on these rows.")


def of_yours() -> Judged:
    """Your tree and its rows by role."""
    return {"your tree": (work.pruned(), work.parts())}
