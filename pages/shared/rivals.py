"""The splits that were possible at a node: a table of them, and taking another one than the tree's."""

import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import state, work
from pages.shared.messages import plain
from treecore.fit import take_of
from treecore.growing.candidates import Candidate, Candidates
from treecore.growing.parts import THRESHOLD_RULES
from treecore.recipe import Take
from treecore.tree.text import number

WIDTHS = {"split": 130, "gain": 58, "of best": 58, "rows": 78}


def best_of_each(found: Candidates) -> tuple[Candidate, ...]:
    """The best split of every feature, and the tree's own where it is another one."""
    best = {id(c) for c in found.per_feature()}
    return tuple(c for c in found.ranked if id(c) in best or c.chosen)


def table(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...], select: bool = False) -> None:
    """Splits with their numbers, of the training rows; a selected row is offered to be taken."""
    key = f"rivals {found.node} {len(shown)}"
    choosing = {"on_select": lambda: _take_row(key, tree, found.node, shown), "selection_mode": "single-row"}
    settings = {name: st.column_config.Column(width=width) for name, width in WIDTHS.items()}
    st.dataframe(
        _ranking(tree, found, shown), hide_index=True, height=min(35 * (len(shown) + 1) + 3, 353),
        column_config=settings, key=key if select else None, **(choosing if select else {}),
    )  # fmt: skip


def _ranking(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> pd.DataFrame:
    best = found.ranked[0].gain
    return pd.DataFrame(
        {
            "split": [("✓ " if c.chosen else "") + question(tree, c) for c in shown],
            "gain": [c.gain for c in shown],
            "of best": [f"{100 * c.gain / best:.0f} %" if best > 0 else "" for c in shown],
            "rows": [" | ".join(f"{n:,}" for n in c.n_rows) for c in shown],
        }
    )


def question(tree: tc.Tree, split: Candidate | Take) -> str:
    """What a split asks: what goes into its first branch, or all its groups of levels."""
    if split.threshold is not None:
        feature = next(f for f in tree.schema.features if f.name == split.feature)
        if not feature.numeric:
            return f"{feature.name} ≤ {feature.levels[int(split.threshold)]}"
        closed = THRESHOLD_RULES[dict(tree.growth)["threshold"]].closed
        return f"{feature.name} {'≤' if closed else '<'} {number(split.threshold)}"
    return f"{split.feature}: " + " | ".join(", ".join(levels) for levels in split.branches)


def _take_row(key: str, tree: tc.Tree, node: int, shown: tuple[Candidate, ...]) -> None:
    row = state.picked_row(key)
    if row is None or row >= len(shown) or shown[row].chosen:
        state.choose("offered", None)
    else:
        offer(tree, node, shown[row])


def offer(tree: tc.Tree, node: int, candidate: Candidate) -> None:
    """Remember a split that the user may take."""
    state.choose("offered", take_of(tree, node, candidate))


def offered(tree: tc.Tree, node: int) -> Take | None:
    """The split last pointed at, if it was one of this node."""
    take = state.choice("offered")
    here = (tree.node(node).feature or "", work.path(node))
    return take if take is not None and (take.expect, take.path) == here else None


def pick(tree: tc.Tree, found: Candidates, shown: tuple[Candidate, ...]) -> None:
    """A split other than the tree's, from a list; then the button that takes it."""
    node = found.node
    takes = [take_of(tree, node, c) for c in shown if not c.chosen]
    now = offered(tree, node)
    if now is not None and now not in takes:
        takes.append(now)
    if not takes:
        return
    label = "Split this leaf" if tree.is_leaf[node] else "Another split"
    state.controlled(
        st.selectbox, label, takes.index(now) if now else None,
        lambda place: state.choose("offered", None if place is None else takes[place]), "rival",
        options=list(range(len(takes))), format_func=lambda place: question(tree, takes[place]),
        placeholder="Choose one here, in the table or in the landscape",
        help="The node is split so, and what is below it grows anew; the rest of the tree stays.",
    )  # fmt: skip
    button(tree, node, "take")


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
    state.do(take, selected=node)
    state.choose("offered", None)


def said(tree: tc.Tree, take: Take) -> str:
    """A split in words, as Markdown."""
    return plain(question(tree, take))
