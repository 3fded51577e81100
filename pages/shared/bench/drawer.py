"""The drawer of Explore: why the selected node is as it is, which splits it might have had, its rows, and what if."""

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import about_table, quality
from pages.shared.database import external_table
from pages.shared.learn import guides
from pages.shared.node import alternatives, inspector, landscape
from pages.shared.predict import one_row
from pages.shared.session import state
from pages.shared.trees import comparison, work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.figures import counted
from treecore.predicting.decision_path import Story

TABS = {"Why": "Why", "Rivals": "Alternatives", "Rows": "Rows", "What if": "What if"}


def show() -> None:
    """One of the four, by the reader's choice."""
    guides.link()
    now = state.choice("drawer")
    state.controlled(
        st.segmented_control, "About this node", now, lambda v: state.choose("drawer", v or now), "drawer_tab",
        options=list(TABS), format_func=TABS.get, label_visibility="collapsed",
    )  # fmt: skip
    {"Why": _why, "Rivals": _rivals, "Rows": show_rows, "What if": show_what_if}[now]()


def ways() -> list[int]:
    """Nodes to which the tree marks the way: those in which the row of "What if" ends."""
    return ends() if state.choice("drawer") == "What if" else []


def _why() -> None:
    quality.sentence()
    if work.selected() == 0 and not external_table.is_on():
        about_table.remedies()
    quality.arithmetic("strip", quality.of_yours)
    if work.selected() == 0:
        about_table.passed_over()
        if not external_table.is_on():
            about_table.sentence()
            about_table.why_not_cart()
            about_table.offer_survival()
    inspector.inspect()
    comparison.in_a_line()
    landscape.show_zero_gain()


def _rivals() -> None:
    """The bars; then what is to be said of the split that was pointed at, or of the tree's own."""
    tree, node = work.trained(), work.selected()
    alternatives.show_rivals()
    take = alternatives.offered(tree, node)
    if take is not None:
        alternatives.button(tree, node, "take")
        alternatives.show_tried(take, node)
    elif not tree.is_leaf[node]:
        fold("The arithmetic of this split", "arithmetic", lambda: explained.arithmetic(node))
    landscape.show()


# The rows of the selected node, of any role: sorted by a click on a heading, downloaded by the button over them.

MOST = 2000
"""Rows that the browser gets."""


def show_rows() -> None:
    """A table of the rows with what the tree answers for each of them."""
    parts, node = work.estimation() | work.parts(), work.selected()
    role = state.choice("rows of")
    role = role if role in parts else "train"
    state.controlled(
        st.segmented_control, "Rows of", role, lambda v: state.choose("rows of", v or role), "rows_of",
        options=list(parts),
    )  # fmt: skip
    tree, table = work.grown(), parts[role]
    here = in_node(tree, node, role)
    wrong = _wrong(tree, table, here)
    only = state.choice("only wrong")
    if wrong is not None:
        state.controlled(
            st.toggle, f"Only wrong predictions ({int(wrong.sum()):,})", only, lambda v: state.choose("only wrong", v),
            "only_wrong", disabled=not wrong.any(),
        )  # fmt: skip
        here = here[wrong] if only and wrong.any() else here
    st.caption(
        f"{counted(len(here), 'row')} of {table.n_rows:,}: {plain(tree.node(node).rule)}."
        + f" The first {MOST:,} are shown." * (len(here) > MOST)
    )
    frames.show(_frame(tree, table, here[:MOST]), hide_index=True, height=480)


def in_node(tree: tc.Tree, node: int, role: str) -> np.ndarray:
    """Places of the role's rows that end in the node or below it, in their order."""
    below = np.zeros(tree.n_nodes, bool)
    below[tree.descendants(node)] = True
    below[node] = True
    return np.flatnonzero(below[work.ends(role)])


def _wrong(tree: tc.Tree, table: tc.Table, here: np.ndarray) -> np.ndarray | None:
    """Which of the rows your tree answers wrongly; None for a target of numbers."""
    if not tree.classes or not len(here):
        return None
    rows = table.take(here)
    truth = rows.to_frame()[table.target].astype(str).to_numpy()
    return work.pruned().predict(rows).astype(str) != truth


def _frame(tree: tc.Tree, table: tc.Table, here: np.ndarray) -> frames.Frame:
    rows = table.take(here)
    frame = rows.to_frame()
    frame.insert(0, "answer", work.pruned().predict(rows), allow_duplicates=True)
    frame.insert(0, "leaf", work.cuts().standing(tree)[work.pruned().apply(rows)], allow_duplicates=True)
    return frame


# What if: a row of the selected node, with other values, and what your tree answers then.

ROW, VALUES = "row of what if", "what if"
MOST_SHOWN = 4
"""Buttons for the nodes in which the largest parts of the row end."""


def show_what_if() -> None:
    """The answer first, then the row and its values, then the way."""
    own = _own()
    if own is None:
        st.info("No training row reaches this node.")
        return
    row = one_row.over(own, _typed())
    result = one_row.story_of_row(row)
    one_row.answer(result)
    _before(own, result)
    _choose(len(_here()))
    features = {feature.name: feature for feature in work.pruned().schema.features}
    columns = st.columns(2)
    for i, name in enumerate(one_row.names()):
        with columns[i % 2]:
            one_row.field(
                features[name], row[name], f"what if {name}",
                lambda value, name=name: state.choose(VALUES, {**_typed(), name: value}),
            )  # fmt: skip
    one_row.way(result)
    one_row.mixture(result)
    for end in one_row.ends_of(result)[:MOST_SHOWN]:
        st.button(
            f"Show node {end} in the tree", key=f"what_if_show_{end}", disabled=end == work.selected(),
            on_click=lambda end=end: state.change(selected=end),
        )  # fmt: skip


def ends() -> list[int]:
    """Nodes of the grown tree in which the row, or a part of it, ends."""
    own = _own()
    return [] if own is None else one_row.ends_of(one_row.story_of_row(one_row.over(own, _typed())))


def _here() -> np.ndarray:
    """Places of the training rows of the selected node."""
    return in_node(work.grown(), work.selected(), "train")


def _own() -> dict | None:
    """The values of the row that is chosen; None where no row reaches the node."""
    here = _here()
    return one_row.values_of(work.roles()["train"], here[min(state.choice(ROW), len(here)) - 1]) if len(here) else None


def _typed() -> dict:
    """What was typed over the row's own values."""
    return state.choice(VALUES)


def _before(own: dict, found: Story) -> None:
    """What the row's own values are answered, where others were typed."""
    if not _typed():
        return
    said = one_row.story_of_row(own).said
    same = " too" if said == found.said else ""
    st.caption(plain(f"With its own values the tree predicts {said}{same}."))


def _choose(n_rows: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, f"Row (1 to {n_rows:,})", min(state.choice(ROW), n_rows), _take, "what_if_row",
            min_value=1, max_value=n_rows, step=1, width=170,
        )  # fmt: skip
        st.button(
            "Reset row",
            key="what_if_reset",
            on_click=_take,
            args=(state.choice(ROW),),
            disabled=not _typed(),
        )


def _take(place) -> None:
    state.choose(ROW, int(place or 1))
    state.choose(VALUES, {})
