"""Explanations on the page: formulas, sentences and small tables."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets import frames, present
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.explaining.branch_statistics import branch_statistics
from treecore.explaining.feature_tests import feature_test_lines
from treecore.explaining.formulas import Formula, Grid, Line
from treecore.explaining.line_arithmetic import line_lines
from treecore.explaining.missing_routes import missing_lines
from treecore.explaining.node_arithmetic import exact_lines, leaf_lines, split_arithmetic
from treecore.explaining.priors_and_costs import label_lines
from treecore.explaining.surrogate_choice import surrogate_lines
from treecore.figures import at_least, count
from treecore.tree.missing import surrogates_of
from treecore.tree.node import NodeView

STRUT = r"\vphantom{\dfrac11}"
"""Gives a line with small fractions the height that they need on the page."""


def rows(view: NodeView) -> str:
    """A node's rows, by name, and their weight where it is another number: of parts of rows, or of weighted ones."""
    n, weight = f"{view.n_rows:,}", count(view.weight, ",")
    return f"{n} {view.tree.rows_named}" + (f" (together {weight})" if weight != n else "")


def show(lines: Iterable[Line]) -> None:
    """One below the other."""
    for line in lines:
        if isinstance(line, Formula):
            st.latex((line.tex.replace(r"\tfrac", r"\dfrac") if present.on() else line.tex) + STRUT)
        elif isinstance(line, Grid):
            frames.figures(frames.of(list(line.rows), columns=list(line.columns)), hide_index=True)
        else:
            st.markdown(plain(line.text))


DIGITS, MORE = "more digits", 9
"""The choice of more digits, and how many these are."""


def with_digits(key: str, make: Callable[[], list[Line]], exact: Callable[[], list[Line]] = list) -> None:
    """Lines, and a switch for more digits and for what is a fraction; exact makes these lines."""
    more = bool(state.choice(DIGITS))
    with at_least(MORE) if more else nullcontext():
        show(work.cached("arithmetic", key, more, make=make))
    if more:
        show(work.cached("exact arithmetic", key, make=exact))
    state.controlled(
        st.toggle, "More digits, fractions", more, lambda on: state.choose(DIGITS, on), f"digits {key.split()[0]}"
    )


def arithmetic(node: int) -> None:
    """Of the split of this node of the grown tree, or of the leaf: a split is by the training rows, which chose it."""
    tree = work.grown()
    if tree.is_leaf[node]:
        with_digits(f"leaf {node}", lambda: leaf_lines(tree, node, work.own_rows()))
        return
    chosen_by(node)
    tree, train = work.trained(), work.roles()["train"]
    result = work.candidates(node)
    exact = lambda: exact_lines(branch_statistics(tree, node, train))  # noqa: E731
    with_digits(f"split {node}", lambda: split_arithmetic(tree, node, result, train), exact)


def line_of(node: int) -> list[Line]:
    """The arithmetic of the line that a node of the grown tree answers with; [] where it answers with none."""
    return work.cached("line", node, make=lambda: line_lines(work.grown(), node, work.own_rows()))


def chosen_by(node: int) -> None:
    """Where the figures are of other rows than the split: how many rows chose it."""
    if work.grown() is not work.trained():
        st.caption(f"By the {rows(work.trained().node(node))} of this node, which chose the split.")


def feature_tests(node: int) -> list[Line]:
    """The tests that chose the feature; [] where none did."""
    tree = work.trained()
    return work.cached("feature tests", node, make=lambda: feature_test_lines(tree, node, work.roles()["train"]))


def tests_grid(node: int) -> Grid | None:
    """The table of these tests."""
    return next((line for line in feature_tests(node) if isinstance(line, Grid)), None)


def missing(node: int) -> None:
    """Where rows without a value of the node's split went: in sight, the rest in a fold."""
    result = missing_lines(work.grown(), node, interest.of(work.grown()))
    if not result:
        return
    first, *rest = result
    st.markdown(plain(first.text))
    listed = any(isinstance(line, Grid) for line in rest)
    told = "Surrogate splits, and predictions" if listed else "Predictions"
    fold(f"{told} without a value", "without a value", lambda: show(rest))
    if listed and len(surrogates_of(work.trained(), node)):
        fold("How the surrogates were chosen", "surrogates", lambda: surrogates(node))


def surrogates(node: int) -> None:
    """The tests or the agreement by which they were chosen, by the training rows, which chose them."""
    chosen_by(node)
    tree, train = work.trained(), work.roles()["train"]
    with_digits(f"surrogates {node}", lambda: surrogate_lines(tree, node, train))


def label(node: int) -> None:
    """Why the node answers with its class, where costs or priors have a say."""
    lines = label_lines(work.grown(), node)
    if lines:
        fold("Why this label: the expected cost of each", "label", lambda: show(lines))
