"""The splits that were possible at a node: a table of them, and taking another one than the tree's."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

import treecore as tc
from pages import WORKBENCH
from pages.shared.bench import canvas
from pages.shared.session import state
from pages.shared.trees import interest, tables, work
from pages.shared.trees.plan import in_force
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.explaining.branch_statistics import branch_statistics
from treecore.explaining.node_arithmetic import exact_lines, own_candidate, split_arithmetic
from treecore.explaining.why_node import SCORE_WORDS
from treecore.export.cards import PALETTE
from treecore.export.modules import joined, styles
from treecore.figures import brief, count, counted, percent
from treecore.fit import grow_with, node_at
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.landscape import Landscape, landscape
from treecore.judging.losses import OWN, leaf_errors
from treecore.pruning.risk import loss_moments
from treecore.pruning.validation import losses_on
from treecore.recipe import Take
from treecore.tree.node_statistics import node_statistics
from treecore.tree.short_text import apart, shorten
from treecore.view import rivals as view
from treecore.view.labels import competes_by, question
from treecore.view.rivals import ValidationEffect, cut_picture

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
    return lambda: work.cached("own split", node, make=make)


def table(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> None:
    """Splits with their numbers, of the training rows: the best ones, whose questions are in view whole."""
    frames.whole(_ranking(tree, found, shown[:MOST_TOLD]))
    if len(shown) > MOST_TOLD:
        st.caption(f"And {len(shown) - MOST_TOLD:,} more: the tab Alternatives on the page Explore shows them all.")


def _ranking(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> frames.Frame:
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
    return frames.of(columns)


def _of_best(split: Candidate, best: float) -> str:
    """Its share of the best score, or why it does not compete."""
    if not split.eligible:
        return "not considered" if split.drawn else "not drawn"
    return percent(split.score / best) if best > 0 else ""


def remarks(tree: tc.Tree, found: Candidates, every: bool) -> str:
    """What the table does not say by itself; '' for nothing. Plain text."""
    said = []
    if tables.in_force():
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
    return None if tables.in_force() else view.taken(tree, node, candidate)


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
    canvas.tell(f"Node {node} is split by {shorten(question(tree, take), 60)}; what is below grew anew")


def describe_split(tree: tc.Tree, take: Take) -> str:
    """A split in words, as Markdown."""
    return plain(question(tree, take))


# A split that is only tried: its arithmetic, and what it would do to the rows held back, before it is taken.


def show_tried(take: Take, node: int) -> None:
    """What the rows held back say of the split, and its sums."""
    try:
        tree, here = _tried(take, node)
    except TreecoreError:
        return  # taking it says why it cannot be
    st.markdown(f"**{describe_split(work.grown(), take)}**, tried on its own:")
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

    return work.cached("tried", take, node, make=make)


def _arithmetic(tree: tc.Tree, here: int, take: Take) -> None:
    train = work.roles()["train"]
    make = lambda: split_arithmetic(tree, here, tc.candidates(tree, here, train), train)  # noqa: E731
    explained.with_digits(f"tried {take} {here}", make, lambda: exact_lines(branch_statistics(tree, here, train)))


def _on_validation(tree: tc.Tree, take: Take, node: int) -> str:
    """ "Of the 60 validation rows here it answers 53 rightly, a leaf 50."; '' without such rows."""
    result = held(take, node)
    if result is None:
        return "" if "validation" not in work.parts() else "No validation row reaches this node."
    is_whole = float(result.n).is_integer()
    rows = counted(round(result.n), "validation row") if is_whole else f"{count(result.n)} validation rows"
    if tree.classes:
        return f"Of the {rows} here it predicts {count(result.split)} correctly; a leaf {count(result.leaf)}."
    (name, split), (_, leaf) = (tree.target_kind.loss_shown(tree, loss) for loss in (result.split, result.leaf))
    return f"{name[:1].upper()}{name[1:]} of the {rows} here: {split}; as a leaf {leaf}."


def held(take: Take, node: int) -> ValidationEffect | None:
    """Of this split at this node of the grown tree; None where no validation row comes there. TreecoreError for a split
    that cannot be made."""
    parts = work.parts()
    if "validation" not in parts:
        return None
    tree, here = _tried(take, node)
    result = work.cached("tried validation", take, make=lambda: node_statistics(tree, parts["validation"]))
    children, n = [*tree.children(here)], float(tree.weight_of(result[here]))
    if n <= 0 or not children:
        return None
    if tree.classes and tree.lines is not None:
        moments, _, _ = loss_moments(tree, parts["validation"], np.ones(len(tree.classes)), "accuracy")
        right = tree.weight_of(result) - moments[:, 0]
        return ValidationEffect(n, *(float(right[nodes].sum()) for nodes in (children, [here])))
    if tree.classes:
        return ValidationEffect(n, *(sum(_right(tree, result, t) for t in nodes) for nodes in (children, [here])))
    if tree.target_kind.needs_rows(OWN):
        losses = work.cached("tried losses", take, make=lambda: losses_on(tree, parts["validation"])).through
    else:
        losses = leaf_errors(tree, result)
    return ValidationEffect(n, *(float(losses[nodes].sum()) / n for nodes in (children, [here])))


def _right(tree: tc.Tree, found: np.ndarray, node: int) -> float:
    value = int(tree.value[node])
    return float(found[node][value]) if value >= 0 else 0.0


# What every cut of every feature of a node would gain.


def of_node(node: int) -> Landscape:
    """The landscape by what the tree's splits compete by."""
    tree = work.trained()
    make = lambda: landscape(tree, node, work.roles()["train"], "")  # noqa: E731
    return work.cached("landscape", node, "", make=make)


# The rivals of the selected node: ranked bars to point at, and one feature's cuts to drag along.

KEY = "rivals"
MOST = 120
"""Bars that are drawn."""
MOST_WORK = 1_500_000
"""Training rows times features times splits tried on the validation rows: more would be waited for."""

_component = st.components.v2.component(
    "treecore_rivals", html='<div class="rivals"></div>', css=styles(WORKBENCH / "rivals.css"),
    js=joined(WORKBENCH / "rivals_main.js"),
)  # fmt: skip


def show_rivals() -> None:
    """The bars, the cuts of the feature that was pointed at, and what can be said of that split."""
    tree, node = work.trained(), work.selected()
    result = work.candidates(node)
    if not result.ranked:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    every = state.choice("every_cut")
    shown = (with_own(result, result.ranked) if every else best_of_each(result))[:MOST]
    _bars(tree, result, shown)
    state.controlled(
        st.toggle, "All splits, not only the best of each feature", every,
        lambda on: state.choose("every_cut", on), "every_cut",
    )  # fmt: skip
    told = remarks(tree, result, every)
    if told:
        st.caption(plain(told))
    if result.heuristic:
        st.caption("Not every grouping was tried, only those of a heuristic: " + plain(", ".join(result.heuristic)))


def _bars(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> None:
    take = offered(tree, found.node)
    takes = [taken(tree, found.node, c) for c in shown]
    chosen = takes.index(take) if take is not None and take in takes else None
    if take is None:
        chosen = next((i for i, c in enumerate(shown) if c.chosen), None)
    feature = take.feature if take is not None else shown[0 if chosen is None else chosen].feature
    data = {
        "node": found.node, "classes": len(tree.classes), "colors": list(PALETTE), "words": _words(tree, found),
        "rivals": _rows(tree, found, shown, takes), "chosen": chosen,
        "cuts": cut_picture(tree, of_node(found.node), feature, take),
    }  # fmt: skip
    _component(key=KEY, data=data, on_picked_change=lambda: _pick(found, shown))


def _words(tree: tc.Tree, found: Candidates) -> dict:
    held = "validation" in work.parts()
    return {
        "name": f"Splits of the training rows that were possible at node {found.node}, best first",
        "gain": f"Possible splits, by {competes_by(tree, found)}",
        "held": "validation" if held else "", "own": "yours" if not tree.is_leaf[found.node] else "",
        "held_title": "Validation rows here that it gets right, more (+) or fewer (−) than a leaf does" if held else "",
    }  # fmt: skip


def _rows(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...], takes: list) -> list[dict]:
    train = work.roles()["train"]
    most = MOST_WORK // max(train.n_rows * len(train.features), 1)

    def make() -> list[dict]:
        rows, places = [], apart(feature.name for feature in tree.schema.features)
        for i, (split, take) in enumerate(zip(shown, takes, strict=True)):
            held = _held(take, found.node) if i < most else None
            rows.append(view.row(tree, found, split, held, take is not None, places, interest.of(tree)))
        return rows

    return work.cached("rival rows", found.node, len(shown), shown[0].feature, interest.of(tree), make=make)


def _held(take, node: int) -> view.ValidationEffect | None:
    try:
        return None if take is None else held(take, node)
    except TreecoreError:  # taking it says why it cannot be
        return None


def _pick(found: Candidates, shown: tuple[Candidate, ...]) -> None:
    """A bar, or a place of the handle."""
    tree, told = work.trained(), state.widget(KEY).get("picked")
    if not isinstance(told, dict):
        return
    at, feature, threshold = told.get("at"), told.get("feature"), told.get("threshold")
    if told.get("kind") == "rival" and isinstance(at, int) and 0 <= at < len(shown):
        split = shown[at]
    elif told.get("kind") == "cut" and isinstance(feature, str):
        number = float(threshold) if isinstance(threshold, int | float) and math.isfinite(threshold) else None
        place = told.get("place")
        try:
            split = of_node(found.node).candidate(feature, number, place if isinstance(place, int) else -1)
        except TreecoreError:
            return
    else:
        return
    if split.chosen:
        state.choose("offered", None)
    else:
        offer(tree, found.node, split)
