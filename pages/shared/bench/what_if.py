"""What if: a row of the selected node, with other values, and where it goes then."""

from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

import treecore as tc
from pages.shared import state, work
from pages.shared.bench.node_rows import in_node
from pages.shared.messages import plain

UNKNOWN = "unknown"
MOST_LEVELS = 200


def show() -> None:
    """Choose a row, change values, read the path."""
    tree, node, table = work.grown(), work.selected(), work.roles()["train"]
    here = in_node(tree, node, "train")
    if not len(here):
        st.info("No training row reaches this node.")
        return
    place = min(state.choice("row of what if"), len(here))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, f"Row, of {len(here):,} at this node", place, _start, "what_if_row", min_value=1,
            max_value=len(here), step=1, width=170,
        )  # fmt: skip
        st.button("Its own values again", key="what_if_reset", on_click=lambda: _start(place), disabled=not _changed())
    row = table.take(here[place - 1 : place]).to_frame()
    asked = _asked(tree)
    for name in asked:
        _field(tree, name, row)
    for name, value in _changed().items():
        if name in row.columns:
            row[name] = pd.Series([value if value is not None else np.nan], index=row.index, dtype=object)
    _answer(tree, row)


def _start(place) -> None:
    state.choose("row of what if", int(place or 1))
    state.choose("what if", {})


def _changed() -> dict:
    return state.choice("what if")


def _asked(tree: tc.Tree) -> list[str]:
    """Features that the tree asks for, those of the most rows first."""
    inner = np.flatnonzero(~tree.is_leaf)
    weight = np.bincount(tree.splits.feature[inner], tree.weight[inner], len(tree.schema.features))
    order = [i for i in np.argsort(-weight, kind="stable") if weight[i] > 0]
    return [tree.schema.features[i].name for i in order]


def _field(tree: tc.Tree, name: str, row: pd.DataFrame) -> None:
    """One value: empty or "unknown" where it is not known."""
    feature = next(f for f in tree.schema.features if f.name == name)
    value = _changed().get(name, row[name].iloc[0])
    known = value is not None and not (isinstance(value, float) and np.isnan(value)) and value is not pd.NA
    save = lambda v: _save(name, v)  # noqa: E731
    key = f"what_if_{name}"
    if feature.numeric:
        state.controlled(
            st.number_input, plain(name), float(value) if known else None, save, key, value=None, format="%.6g",
            placeholder=UNKNOWN,
        )  # fmt: skip
        return
    levels = [UNKNOWN, *feature.levels[:MOST_LEVELS]]
    now = str(value) if known and str(value) in levels else UNKNOWN
    state.controlled(
        st.selectbox, plain(name), levels.index(now), lambda i: save(None if i == 0 else levels[i]), key,
        options=list(range(len(levels))), format_func=lambda i: levels[i],
    )  # fmt: skip


def _save(name: str, value) -> None:
    state.choose("what if", {**_changed(), name: value})


def _answer(tree: tc.Tree, row: pd.DataFrame) -> None:
    """Where the row goes, and what your tree answers."""
    end = int(tree.apply(row)[0])
    small = work.pruned()
    answer = small.predict(row)[0]
    st.markdown(f"Your tree answers **{plain(answer)}**.")
    path = tree.path(end)
    stands = set(work.cuts().standing(tree).tolist())
    lines = []
    for above, node in pairwise(path):
        cut = "" if node in stands else " *(cut in your tree)*"
        rows = f"{tree.n_rows[node]:,} of {tree.n_rows[above]:,} rows"
        lines.append(f"- {plain(tree.node(node).condition)} → node {node}, {rows}{cut}")
    st.markdown("\n".join(lines) or "The tree is a lone root.")
    st.button(
        f"Show node {end} in the tree", key="what_if_show", on_click=lambda: state.change(selected=end),
        disabled=end == work.selected(),
    )  # fmt: skip
