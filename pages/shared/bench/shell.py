"""The frame of a page with the tree: strip, tree, and beside it what the page is about."""

from collections.abc import Callable

import streamlit as st

import treecore as tc
from pages import WORKBENCH
from pages.shared.bench import side_panel, strip, tree
from pages.shared.controls import sidebar
from pages.shared.data import source
from pages.shared.database import external_table
from pages.shared.server import guard
from pages.shared.session import state
from pages.shared.trees import groups, twins, work
from pages.shared.widgets import messages, present

STYLE = WORKBENCH / "page.css"
NARROW = 324
"""Pixels of the drawer that leave the tree more than half of a laptop's window."""
BESIDE = f"clamp({NARROW}px, 24vw, 440px)", "max(272px, 30vw)"
"""The drawer's width beside the tree, and where it lies over it."""


def show(
    page: str, beside: Callable[[], None], wide: int = 560, narrow: tuple[str, str] = BESIDE,
    cuts: Callable[[], tc.Cuts | None] = lambda: None,
    draw: Callable[[], Callable[[], None] | None] = lambda: None, ways: Callable[[], list[int]] = list,
    has_curve: bool = False, stream: Callable[[], dict | None] = lambda: None,
) -> None:  # fmt: skip
    """The page `page` of the tree; beside() fills the drawer. wide : its pixels where the reader wants it wider;
    narrow : its width otherwise. cuts : those of another method than the one in force, to be shown as ghosts. draw :
    gives what draws the canvas now, None where it is that of your tree. ways : gives the nodes to which the way is
    marked. has_curve : is the size curve what stands beside the tree, so that it need not stand below it, too?
    stream : gives the rows that run down the branches, where they are not those of the table."""
    st.html(STYLE)
    wider = (f"min({wide}px, 66vw)", f"min({wide}px, 94vw)")
    share = side_panel.share(page)
    if share:  # a window that is made small gives the tree its room at once
        wider = (f"calc({share:.4f} * 100%)", narrow[1])
    _set_width(*(wider if share or side_panel.is_wider(page) else narrow))
    with st.container(key="shell", gap=None):
        if state.raw() is None:  # a side bar that came with a kept table would push the page aside
            st.sidebar.caption("Settings appear here as soon as a table is loaded.")
        strip.show(page, lambda: _toggle(page))
        source.without_table(page)
        work.table()
        sidebar.show()
        work.grown()
        docked = not (has_curve and side_panel.is_open(page))
        guard.part(lambda: _bench(page, beside, wide, cuts, draw, ways, docked, stream))


def _bench(
    page: str, beside: Callable[[], None], wide: int, cuts: Callable[[], tc.Cuts | None],
    draw: Callable[[], Callable[[], None] | None], ways: Callable[[], list[int]], docked: bool,
    stream: Callable[[], dict | None],
) -> None:  # fmt: skip
    """The tree and its drawer: in one row, so that opening the drawer never takes the canvas away."""
    with st.container(horizontal=True, key="bench_row", wrap=False, gap=None):
        shown, other = cuts(), draw()
        if other is None:
            tree.draw(cuts=shown, editable=shown is None, ways=ways(), docked=docked, stream=stream())
        else:
            other()
        if side_panel.is_open(page):
            if not present.on():
                side_panel.draw(page)
            with st.container(width=wide if side_panel.is_wider(page) else NARROW, key="drawer", gap="small"):
                sidebar.notes()
                external_table.note()
                beside()
                if present.on():
                    return
                if other is None:
                    _about_picture(shown)
                sidebar.recipe_line()


def _about_picture(cuts: tc.Cuts | None) -> None:
    """Which rows the bars are of, and what else the picture does not say by itself."""
    twins.choose()
    column = groups.chosen()
    told = messages.plain(", ".join(twins.labels()) if column is None else f"{column} of the {work.grown().rows_named}")
    st.caption(f"Drawn: {tree.n_nodes_shown():,} of {work.grown().n_nodes:,} nodes; bars: {told}.")
    twins.say(work.grown(), work.cuts() if cuts is None else cuts)
    twins.legend(twins.in_pruned())


def _set_width(beside: str, over: str) -> None:
    """Of the drawer beside the tree, and where it lies over it, as CSS: page.css reads them."""
    st.html(f"<style>:root {{ --drawer-width: {beside}; --drawer-over: {over}; }}</style>")


def _toggle(page: str) -> None:
    now, wider = side_panel.is_open(page), side_panel.is_wider(page)
    if now:
        st.button(
            "", key="toggle_wider", type="tertiary",
            icon=":material/close_fullscreen:" if wider else ":material/open_in_full:",
            help="Narrow panel" if wider else "Widen panel",
            on_click=lambda: side_panel.toggle(page),
        )  # fmt: skip
    st.button(
        "", key="toggle_drawer", type="tertiary",
        icon=":material/right_panel_close:" if now else ":material/right_panel_open:",
        help="Close panel" if now else "Open panel",
        on_click=lambda: state.choose(f"{side_panel.OPEN} {page}", not now),
    )  # fmt: skip
