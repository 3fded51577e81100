"""Edges of bins by hand, on the page Data: typed, or dragged on the histogram of a column."""

import math
from collections.abc import Callable
from itertools import pairwise

import streamlit as st

import treecore as tc
from pages import WORKBENCH
from pages.shared.controls.growth import put
from pages.shared.database.external_table import BY_SIZE, REFINED
from pages.shared.session import state
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets.messages import plain
from treecore.database.database_table import N_CODES
from treecore.export.cards import PALETTE
from treecore.export.experiment_result import Told
from treecore.export.modules import joined, styles
from treecore.figures import counted, exact, number
from treecore.growing.settings.grow_settings import typed_edges
from treecore.growing.settings.thresholds import why_no_bins
from treecore.recipe import setting_text
from treecore.study.column_counts import ColumnCounts
from treecore.tree.short_text import apart, shorten


def edges_of(name: str) -> tuple[float, ...]:
    """The edges in force for a column; () where it has none."""
    return dict(growth_in_force().edges).get(name, ())


def summary() -> None:
    """In the sidebar: which features have edges of their own, and the way to change them."""
    edges = growth_in_force().edges
    if edges:
        st.caption("Own bin edges: " + plain(setting_text("edges", edges)))
    st.page_link("pages/data.py", label="Own bin edges: on Data")


def edges_field(table: tc.Table, name: str) -> None:
    """For a numeric feature: the tree branches into the bins between these edges in one go."""
    if name not in table.features or table.column(name).kind != "numeric":
        return
    edges, why = edges_of(name), why_no_bins(growth_in_force())
    state.controlled(
        st.text_input, "Own bin edges", ", ".join(exact(edge) for edge in edges),
        lambda text: _put_edges(name, typed_edges(text)), f"edges {name}", placeholder="none; such as 10, 30, 50",
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
    edges = edges_of(name) if name in table.features and counts.edges is not None else ()
    if not edges or why_no_bins(growth_in_force()):
        return False
    values = table.column(name).distinct
    edge_handles(counts, edges, bool((values == values.round()).all()), lambda moved: _put_edges(name, moved))
    return True


def _put_edges(name: str, edges: tuple[float, ...]) -> None:
    kept = {feature: own for feature, own in growth_in_force().edges if feature != name}
    put("edges", tuple(sorted((kept | {name: edges} if edges else kept).items())))


# A column's histogram with a handle at every edge of its bins: dragged, moved by keys, added and taken away.

KEY = "edge handles"
MOST, TICKS, STEPS = 200, 5, 100
"""Edges taken from the browser; numbers under the bars; about so many places of a handle."""
HINT = "Drag an edge, or move it by the arrow keys; a double click adds one, Delete takes one away."

Take = Callable[[tuple[float, ...]], None]

_component = st.components.v2.component(
    "treecore_edges", html='<div class="edges"></div>', css=styles(WORKBENCH / "edges.css"),
    js=joined(WORKBENCH / "edges_main.js"),
)  # fmt: skip


def edge_handles(counts: ColumnCounts, edges: tuple[float, ...], whole: bool, take: Take) -> None:
    """whole : are all values whole numbers? take : called with the edges once a handle is let go."""
    _component(key=KEY, data=_handles_data(counts, edges, whole), on_taken_change=lambda: _taken(take))


def _handles_data(counts: ColumnCounts, edges: tuple[float, ...], whole: bool) -> dict:
    ends = counts.edges.tolist()
    low, high = min(ends[0], edges[0]), max(ends[-1], edges[-1])
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-12) / STEPS))
    places = apart(counts.groups)
    names = [shorten(name, 40, places) for name in counts.groups]
    return {
        "low": low, "high": high, "step": max(step, 1.0) if whole else step,
        "bins": list(pairwise(ends)), "counts": counts.counts.tolist(),
        "told": [_bar_titles(name, counts, k) for k, name in enumerate(names or ["rows"])], "edges": list(edges),
        "groups": names, "colors": list(PALETTE), "ticks": _ticks(low, high),
        "words": {"name": f"Edges of the bins of {counts.name}", "edge": "Edge", "hint": HINT},
    }  # fmt: skip


def _bar_titles(name: str, counts: ColumnCounts, k: int) -> list[str]:
    """What each bar of a class says when it is pointed at."""
    ends = [number(edge) for edge in counts.edges]
    return [f"{ends[i]} to {ends[i + 1]}, {name}: {n:,}" for i, n in enumerate(counts.counts[k].tolist())]


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Places under the bars, with the numbers that stand there: round ones."""
    rough = max(high - low, 1e-12) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(at * step, number(round(at * step, 12))) for at in places]


def _taken(take: Take) -> None:
    told = state.widget(KEY).get("taken")
    if not isinstance(told, list) or len(told) > MOST:
        return
    if all(isinstance(edge, int | float) and math.isfinite(edge) for edge in told):
        take(tuple(sorted({float(edge) for edge in told})))


# Whether cuts between bins of a table that stays where it is are moved to the best value beside them.


def choose_refinement() -> None:
    """A control where there is such a table: in memory every value is a place for a cut."""
    opened = state.opened()
    if opened is None:
        return
    chosen = state.record().refine
    label = "Cuts between bins at the best value"
    label += " ●" * (chosen != BY_SIZE)
    state.controlled(
        st.selectbox, label, chosen, _take_refinement, "refine",
        options=list(REFINED), format_func=REFINED.get,
        help=f"Numbers of more than {N_CODES} values are counted in so many bins and cut between two of them. One more "
        "query for every level counts the values of the two bins beside each chosen cut, and the split score chooses "
        "among them. Where both bins hold more than 100,000 rows of a node, among 4096 parts of each.  \n"
        "$t = \\arg\\max_{v \\in B_k \\cup B_{k+1}} \\Delta(v)$: $\\Delta$ is the split score, $B_k$ and $B_{k+1}$ are "
        "the values of the node in the bins beside the cut.  \n"
        f"At first: {REFINED[BY_SIZE]}.",
    )  # fmt: skip
    st.caption(
        "Your tree is cut at the best value beside each cut." if opened.is_refined(chosen)
        else "Your tree is cut between bins."
    )  # fmt: skip


def _take_refinement(chosen: str) -> None:
    state.change(refine=chosen, selected=0, stopped=None)


def describe_refinement() -> str:
    """Behind the recipe, where it is other than at first."""
    changed = state.opened() is not None and state.record().refine != BY_SIZE
    return f" · {_sentence()}" if changed else ""


def refinement_section() -> list[Told]:
    """For the report, of a table that stays where it is."""
    return [("Cuts of numbers", (f"Numbers of more than {N_CODES} values: {_sentence()}.",))] if state.opened() else []


def _sentence() -> str:
    return f"cuts between bins at the best value: {REFINED[state.record().refine]}"
