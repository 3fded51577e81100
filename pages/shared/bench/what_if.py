"""What if: a row of the selected node, with other values, and what your tree answers then."""

import numpy as np
import streamlit as st

from pages.shared.bench.node_rows import in_node
from pages.shared.predict import asked, fields, telling
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets.messages import plain
from treecore.predicting.decision_path import Story

ROW, VALUES = "row of what if", "what if"
MOST_SHOWN = 4
"""Buttons for the nodes in which the largest parts of the row end."""


def show() -> None:
    """The answer first, then the row and its values, then the way."""
    own = _own()
    if own is None:
        st.info("No training row reaches this node.")
        return
    row = asked.over(own, _typed())
    found = asked.told(row)
    telling.answer(found)
    _before(own, found)
    _choose(len(_here()))
    features = {feature.name: feature for feature in work.pruned().schema.features}
    columns = st.columns(2)
    for i, name in enumerate(asked.names()):
        with columns[i % 2]:
            fields.field(
                features[name], row[name], f"what if {name}",
                lambda value, name=name: state.choose(VALUES, {**_typed(), name: value}),
            )  # fmt: skip
    telling.way(found)
    telling.mixture(found)
    for end in asked.ends_of(found)[:MOST_SHOWN]:
        st.button(
            f"Show node {end} in the tree", key=f"what_if_show_{end}", disabled=end == work.selected(),
            on_click=lambda end=end: state.change(selected=end),
        )  # fmt: skip


def ends() -> list[int]:
    """Nodes of the grown tree in which the row, or a part of it, ends."""
    own = _own()
    return [] if own is None else asked.ends_of(asked.told(asked.over(own, _typed())))


def _here() -> np.ndarray:
    """Places of the training rows of the selected node."""
    return in_node(work.grown(), work.selected(), "train")


def _own() -> dict | None:
    """The values of the row that is chosen; None where no row reaches the node."""
    here = _here()
    return asked.values_of(work.roles()["train"], here[min(state.choice(ROW), len(here)) - 1]) if len(here) else None


def _typed() -> dict:
    """What was typed over the row's own values."""
    return state.choice(VALUES)


def _before(own: dict, found: Story) -> None:
    """What the row's own values are answered, where others were typed."""
    if not _typed():
        return
    said = asked.told(own).said
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
