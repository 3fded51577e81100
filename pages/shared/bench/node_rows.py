"""The rows of the selected node, of any role: sorted by a click on a heading, downloaded by the button over them."""

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.figures import counted

MOST = 2000
"""Rows that the browser gets."""


def show() -> None:
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


def _frame(tree: tc.Tree, table: tc.Table, here: np.ndarray) -> pd.DataFrame:
    rows = table.take(here)
    frame = rows.to_frame()
    frame.insert(0, "answer", work.pruned().predict(rows), allow_duplicates=True)
    frame.insert(0, "leaf", work.cuts().standing(tree)[work.pruned().apply(rows)], allow_duplicates=True)
    return frame
