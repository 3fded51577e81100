"""The frame of a page with the tree: strip, tree, and beside it what the page is about."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.shared import controls, controls_prepare, guard, state, work
from pages.shared.bench import strip, tree

STYLE = Path(__file__).resolve().parents[3] / "assets" / "workbench" / "page.css"
OPEN = "beside is open"


def show(page: str, beside: Callable[[], None], wide: int = 340) -> None:
    """The page `page` of the tree; beside() fills the drawer. wide : its pixels."""
    work.table()
    st.html(STYLE)
    with st.container(key="shell", gap=None):
        strip.show(page, lambda: _toggle(page))
        controls.sidebar()
        work.grown()
        guard.part(lambda: _bench(page, beside, wide))


def _bench(page: str, beside: Callable[[], None], wide: int) -> None:
    """The tree and its drawer: in one row, so that opening the drawer never takes the canvas away."""
    with st.container(horizontal=True, key="bench_row", wrap=False, gap=None):
        tree.draw()
        if is_open(page):
            with st.container(width=wide, key="drawer", gap="small"):
                controls_prepare.notes()
                beside()


def is_open(page: str) -> bool:
    return state.choice(f"{OPEN} {page}", True)


def _toggle(page: str) -> None:
    now = is_open(page)
    st.button(
        "", key="toggle_drawer", type="tertiary",
        icon=":material/right_panel_close:" if now else ":material/right_panel_open:",
        help="Close what stands beside the tree" if now else "Open what stands beside the tree",
        on_click=lambda: state.choose(f"{OPEN} {page}", not now),
    )  # fmt: skip
