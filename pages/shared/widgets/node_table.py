"""A table with a row per node: a row selects its node on every page, and the selected node's row is marked."""

from collections.abc import Mapping, Sequence

import pandas as pd

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames

MARK = "▶"


def node_table(
    frame: pd.DataFrame,
    nodes: Sequence[int],
    name: str,
    stamp: object = "",
    styles: Mapping[str, Sequence[str]] | None = None,
    **settings,
) -> None:
    """frame : one row per node of `nodes`, in order. name : of the table in this session. stamp : what its rows
    depend on besides the tree; another one starts a fresh table. styles : column -> CSS of its cells."""
    nodes = [int(node) for node in nodes]
    selected, about = work.selected(), hash((work.tree_key(), stamp))
    memory = state.kept_for(f"{name} rows", {"clicked": None, "version": 0})
    if memory["clicked"] not in (None, (selected, about)):  # the browser would still mark the row of that click
        memory |= {"clicked": None, "version": memory["version"] + 1}
    key = f"{name} {memory['version']}"
    frame = frame.copy()
    frame.insert(0, "", [MARK if node == selected else "" for node in nodes])
    css = None if styles is None else lambda shown: _of_columns(shown, styles)
    frames.show(
        frame, css=css, key=key, hide_index=True, on_select=lambda: _take(key, nodes, memory, about),
        selection_mode="single-row", **settings,
    )  # fmt: skip


def _of_columns(frame: pd.DataFrame, styles: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    css = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for column, cells in styles.items():
        css[column] = list(cells)
    return css


def _take(key: str, nodes: list[int], memory: dict, about: int) -> None:
    row = state.picked_row(key)
    if row is not None and row < len(nodes):
        memory["clicked"] = (nodes[row], about)
        state.change(selected=nodes[row])
