"""Edges of bins by hand, on the page Data: typed, or dragged under the histogram of a column."""

from math import floor, log10

import streamlit as st

import treecore as tc
from pages.shared import state
from pages.shared.controls_growth import put
from pages.shared.messages import plain
from pages.shared.plan import growth_in_force
from treecore.data.counted import counted
from treecore.figures import number
from treecore.growing.settings.as_pairs import typed_edges
from treecore.growing.settings.bins import why_no_bins
from treecore.recipe import setting_text

MOST_DRAGGED = 8


def given(name: str) -> tuple[float, ...]:
    """The edges in force for a column; () where it has none."""
    return dict(growth_in_force().edges).get(name, ())


def summary() -> None:
    """In the sidebar: which features have edges of their own, and the way to change them."""
    edges = growth_in_force().edges
    if edges:
        st.caption("Own bin edges: " + plain(setting_text("edges", edges)))
    st.page_link("pages/data.py", label="Own bin edges: below the histogram on Data")


def show(table: tc.Table, name: str) -> None:
    """For a numeric feature: the tree branches into the bins between these edges in one go."""
    if name not in table.features or table.column(name).kind != "numeric":
        return
    edges, why = given(name), why_no_bins(growth_in_force())
    state.controlled(
        st.text_input, "Own bin edges", ", ".join(number(edge) for edge in edges),
        lambda text: _take(name, typed_edges(text)), f"edges {name}", placeholder="none; such as 10, 30, 50",
        disabled=bool(why) and not edges,
        help="The tree asks for all bins between these numbers in one go, a branch each, instead of looking for "
        "thresholds. A value equal to an edge lies above it. Empty: no edges.",
    )  # fmt: skip
    if why:
        st.caption(f"Not with the algorithm in force: {plain(why[0])}.")
    elif edges:
        _drag(table, name, edges)


def _drag(table: tc.Table, name: str, edges: tuple[float, ...]) -> None:
    values = table.column(name).distinct
    low, high = float(min(values.min(initial=edges[0]), edges[0])), float(max(values.max(initial=0), edges[-1]))
    step = 10.0 ** floor(log10(max(high - low, 1e-12) / 50))
    for i, edge in enumerate(edges[:MOST_DRAGGED]):
        state.controlled(
            st.slider, f"Edge {i + 1}", edge, lambda v, i=i: _take(name, _moved(edges, i, v)), f"edge {i} of {name}",
            min_value=low, max_value=high, step=min(step, 1.0) if step < 1 else step, format="%g",
        )  # fmt: skip
    st.caption(f"{counted(len(edges) + 1, 'branch', 'branches')} wherever the tree asks for {plain(name)}.")


def _moved(edges: tuple[float, ...], i: int, value: float) -> tuple[float, ...]:
    """Another place for one of them; two in one place are one."""
    return tuple(sorted({*edges[:i], *edges[i + 1 :], value}))


def _take(name: str, edges: tuple[float, ...]) -> None:
    kept = {feature: own for feature, own in growth_in_force().edges if feature != name}
    put("edges", tuple(sorted((kept | {name: edges} if edges else kept).items())))
