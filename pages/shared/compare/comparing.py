"""The page Compare: what stands on the canvas, and what stands beside it."""

import streamlit as st

from pages.shared.bench import beside, tree
from pages.shared.compare import against, changes, confusions, disagreements
from pages.shared.session import state
from pages.shared.trees import compared, comparison, twins, work
from pages.shared.widgets import messages
from treecore.errors import TreecoreError

TABS = ("Numbers", "Rows", "Regions", "Classes")


def draw() -> None:
    """Your tree where it always is, or another one in its place; both as one; or the cuts of one as ghosts."""
    fault, view = _fault(), against.view()
    if fault is not None:
        tree.draw()
    elif view == "overlay":
        beside.draw_overlay()
    elif view == "ghosts":
        _ghosts()
    elif compared.side_of("A").is_yours:
        tree.draw(tag=compared.label_of("A"), group=beside.GROUP, key=tree.COMPARED)
    else:
        beside.draw("A", in_drawer=False)


def _fault() -> TreecoreError | None:
    """Why the two cannot be compared."""
    try:
        for side in compared.SIDES:
            _ = compared.tree_of(side)
    except TreecoreError as fault:
        return fault
    return None


def _ghosts() -> None:
    side = beside.cut_side()
    cuts = work.cuts(compared.plan_of(side))
    yours = compared.side_of(side).is_yours
    tree.draw(cuts=cuts, editable=yours, tag=compared.label_of(side))


def show() -> None:
    """Which two, the other tree, and what is to be said of them."""
    against.choose()
    fault = _fault()
    if fault is not None:
        messages.show(fault)
        return
    compared.say_what_is_lost()
    view = against.view()
    if view == "beside":
        beside.draw("B", in_drawer=True)
        beside.say_difference()
    elif view == "overlay":
        beside.say_places()
    else:
        beside.say_cuts()
    changes.verdict()
    _tabs()
    twins.choose()
    if view == "beside":
        _about_bars()


def _about_bars() -> None:
    """Which rows the bars are of, and what is hatched, in each of the trees."""
    st.caption(f"Bars: {messages.plain(', '.join(twins.labels(compared.plan_of('B'))))}.")
    for side in compared.SIDES:
        chosen = compared.side_of(side)
        if not chosen.chain:
            twins.legend(twins.in_pruned(chosen.plan), chosen.plan, f"tree {side}")


def _tabs() -> None:
    tabs = TABS if work.grown().classes else TABS[:3]
    now = state.choice("compare tab")
    now = now if now in tabs else TABS[0]
    state.controlled(
        st.segmented_control, "About the two", now, lambda v: state.choose("compare tab", v or now), "compare_tab",
        options=list(tabs), label_visibility="collapsed",
    )  # fmt: skip
    {"Numbers": _numbers, "Rows": changes.rows, "Regions": disagreements.show, "Classes": confusions.show}[now]()


def _numbers() -> None:
    comparison.numbers()
    changes.counts()
