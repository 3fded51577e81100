"""Edges of bins by hand, on the page Data: typed, or dragged on the histogram of a column."""

import streamlit as st

import treecore as tc
from pages.shared.controls import edge_handles
from pages.shared.controls.growth import put
from pages.shared.session import state
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets.messages import plain
from treecore.figures import counted, exact
from treecore.growing.settings.as_pairs import typed_edges
from treecore.growing.settings.bins import why_no_bins
from treecore.recipe import setting_text
from treecore.study.column_counts import ColumnCounts


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
        st.text_input, "Own bin edges", ", ".join(exact(edge) for edge in edges),
        lambda text: _take(name, typed_edges(text)), f"edges {name}", placeholder="none; such as 10, 30, 50",
        disabled=bool(why) and not edges,
        help="Splits on this feature get one branch per bin between these numbers, instead of a threshold. A value "
        "equal to an edge belongs to the bin above it. Empty: no edges.",
    )  # fmt: skip
    if why:
        st.caption(f"Not with the algorithm in force: {plain(why[0])}.")
    elif edges:
        st.caption(f"{counted(len(edges) + 1, 'branch', 'branches')} wherever the tree splits on {plain(name)}.")


def on_histogram(table: tc.Table, counts: ColumnCounts) -> bool:
    """The histogram with its edges as handles; False where the column has none in force."""
    name = counts.name
    edges = given(name) if name in table.features and counts.edges is not None else ()
    if not edges or why_no_bins(growth_in_force()):
        return False
    values = table.column(name).distinct
    edge_handles.show(counts, edges, bool((values == values.round()).all()), lambda moved: _take(name, moved))
    return True


def _take(name: str, edges: tuple[float, ...]) -> None:
    kept = {feature: own for feature, own in growth_in_force().edges if feature != name}
    put("edges", tuple(sorted((kept | {name: edges} if edges else kept).items())))
