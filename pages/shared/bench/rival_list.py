"""The rivals of the selected node: ranked bars to point at, and one feature's cuts to drag along."""

import math
from pathlib import Path

import streamlit as st

import treecore as tc
from pages.shared.bench import rival_cuts, tried
from pages.shared.node import rivals
from pages.shared.session import state
from pages.shared.trees import interest, work
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.cards import PALETTE
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.tree.short_text import apart
from treecore.view import rivals as view
from treecore.view.labels import competes_by
from treecore.view.modules import joined, styles
from treecore.view.rivals import cut_picture

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "workbench"
KEY = "rivals"
MOST = 120
"""Bars that are drawn."""
MOST_WORK = 1_500_000
"""Training rows times features times splits tried on the validation rows: more would be waited for."""

_component = st.components.v2.component(
    "treecore_rivals", html='<div class="rivals"></div>', css=styles(ASSETS / "rivals.css"),
    js=joined(ASSETS / "rivals_main.js"),
)  # fmt: skip


def show() -> None:
    """The bars, the cuts of the feature that was pointed at, and what can be said of that split."""
    tree, node = work.trained(), work.selected()
    found = work.candidates(node)
    if not found.ranked:
        st.caption("No split is possible here: its rows are equal in every feature, or too few.")
        return
    every = state.choice("every_cut")
    shown = (rivals.with_own(found, found.ranked) if every else rivals.best_of_each(found))[:MOST]
    _bars(tree, found, shown)
    state.controlled(
        st.toggle, "All splits, not only the best of each feature", every,
        lambda on: state.choose("every_cut", on), "every_cut",
    )  # fmt: skip
    told = rivals.remarks(tree, found, every)
    if told:
        st.caption(plain(told))
    if found.heuristic:
        st.caption("Not every grouping was tried, only those of a heuristic: " + plain(", ".join(found.heuristic)))


def _bars(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> None:
    take = rivals.offered(tree, found.node)
    takes = [rivals.taken(tree, found.node, c) for c in shown]
    chosen = takes.index(take) if take is not None and take in takes else None
    if take is None:
        chosen = next((i for i, c in enumerate(shown) if c.chosen), None)
    feature = take.feature if take is not None else shown[0 if chosen is None else chosen].feature
    data = {
        "node": found.node, "classes": len(tree.classes), "colors": list(PALETTE), "words": _words(tree, found),
        "rivals": _rows(tree, found, shown, takes), "chosen": chosen,
        "cuts": cut_picture(tree, rival_cuts.of_node(found.node), feature, take),
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

    return work.kept("rival rows", found.node, len(shown), shown[0].feature, interest.of(tree), make=make)


def _held(take, node: int) -> view.ValidationEffect | None:
    try:
        return None if take is None else tried.held(take, node)
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
            split = rival_cuts.of_node(found.node).candidate(feature, number, place if isinstance(place, int) else -1)
        except TreecoreError:
            return
    else:
        return
    if split.chosen:
        state.choose("offered", None)
    else:
        rivals.offer(tree, found.node, split)
