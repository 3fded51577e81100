"""The splits that were possible at a node: a table of them, and taking another one than the tree's."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.bench import notice
from pages.shared.session import state
from pages.shared.trees import models, work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.explaining.node_arithmetic import own_candidate
from treecore.explaining.why_node import SCORE_WORDS
from treecore.figures import brief, percent
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.recipe import Take
from treecore.tree.short_text import shorten
from treecore.view import rivals as view
from treecore.view.labels import competes_by, question

MOST_TOLD = 12
"""Splits in a table."""


def best_of_each(found: Candidates) -> tuple[Candidate, ...]:
    """The best split of every feature, and the tree's own where it is another one."""
    return view.best_of_each(work.trained(), found, _own(found))


def with_own(found: Candidates, shown: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The splits with the tree's own first where it is not among them: with several cuts, or by hand."""
    return view.with_own(work.trained(), found, shown, _own(found))


def _own(found: Candidates) -> Callable[[], Candidate]:
    tree, node = work.trained(), found.node
    make = lambda: own_candidate(tree, node, found, work.roles()["train"])  # noqa: E731
    return lambda: work.kept("own split", node, make=make)


def table(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> None:
    """Splits with their numbers, of the training rows: the best ones, whose questions are in view whole."""
    frames.whole(_ranking(tree, found, shown[:MOST_TOLD]))
    if len(shown) > MOST_TOLD:
        st.caption(f"And {len(shown) - MOST_TOLD:,} more: the tab Alternatives on the page Explore shows them all.")


def _ranking(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> pd.DataFrame:
    columns = {
        "split": [("✓ " if c.chosen else "") + question(tree, c) for c in shown],
        "gain": [c.gain for c in shown],
    }
    if competes_by(tree, found) != "gain":
        columns[competes_by(tree, found)] = [c.score for c in shown]
    best = max((c.score for c in found.ranked if c.eligible), default=0.0)
    columns["of best"] = [_of_best(c, best) for c in shown]
    columns["rows"] = [" | ".join(f"{n:,}" for n in c.n_rows) for c in shown]
    if found.average_gain is not None and not all(c.eligible for c in shown):
        below = f"gain below the average {brief(found.average_gain)}"
        columns["why not considered"] = ["" if c.eligible or not c.drawn else below for c in shown]
    return pd.DataFrame(columns)


def _of_best(split: Candidate, best: float) -> str:
    """Its share of the best score, or why it does not compete."""
    if not split.eligible:
        return "not considered" if split.drawn else "not drawn"
    return percent(split.score / best) if best > 0 else ""


def remarks(tree: tc.Tree, found: Candidates, every: bool) -> str:
    """What the table does not say by itself; '' for nothing. Plain text."""
    said = []
    if models.in_force():
        said.append("None can be taken in a tree that is read from a model: what is below it could not be grown anew.")
    if tree.growth.get("selector") in ("conditional", "chaid"):
        said.append("The feature was chosen by a test, not by the gains of this list.")
    if found.score in ("gain_ratio", "mdl_gain_ratio") and every:
        said.append("Splits of one feature are compared by their gain, features by the ratio.")
    if found.average_gain is not None and not all(c.eligible for c in found.ranked):
        said.append(
            f"The average gain of the features' best splits is {brief(found.average_gain)}: features below it are "
            f"not considered, however large their {SCORE_WORDS[found.score].split(',')[0]}."
        )
    if not all(c.drawn for c in found.ranked):
        said.append("Only the random features of this node compete.")
    return " ".join(said)


def own_question(tree: tc.Tree, found: Candidates) -> str:
    """What the node's own split asks, as Markdown."""
    own = next((c for c in best_of_each(found) if c.chosen), None)
    return plain(tree.node(found.node).feature if own is None else question(tree, own))


def taken(tree: tc.Tree, node: int, candidate: Candidate) -> Take | None:
    """The step that takes a split; None where it cannot be taken by hand, and in the tree of a model, which cannot be
    grown anew below it."""
    return None if models.in_force() else view.taken(tree, node, candidate)


def offer(tree: tc.Tree, node: int, candidate: Candidate) -> None:
    """Remember a split that the user may take."""
    state.choose("offered", taken(tree, node, candidate))


def offered(tree: tc.Tree, node: int) -> Take | None:
    """The split last pointed at, if it was one of this node."""
    take = state.choice("offered")
    here = (tree.node(node).feature or "", work.path(node))
    return take if take is not None and (take.expect, take.path) == here else None


def button(tree: tc.Tree, node: int, key: str) -> None:
    """Takes the split that was pointed at."""
    take = offered(tree, node)
    st.button(
        "Take this split instead" if not tree.is_leaf[node] else "Take this split",
        on_click=lambda: _take(take, node), key=key, disabled=take is None or work.lost_edit() is not None,
    )  # fmt: skip
    if take is not None and tree.growth["max_leaves"] is not None:
        st.caption("The leaves are limited, so nodes elsewhere may gain or lose branches too.")


def _take(take: Take, node: int) -> None:
    tree = work.trained()
    state.do(take, selected=node)
    state.choose("offered", None)
    notice.tell(f"Node {node} is split by {shorten(question(tree, take), 60)}; what is below grew anew")


def said(tree: tc.Tree, take: Take) -> str:
    """A split in words, as Markdown."""
    return plain(question(tree, take))
