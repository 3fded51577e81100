"""Is there a drawer beside the tree, and how much of the window has it? Each page has its own answer."""

import streamlit as st

from pages import WORKBENCH
from pages.shared.session import state
from treecore.export.modules import joined

OPEN, WIDER, SHARE = "beside is open", "beside is wider", "beside has"
MOST = 0.8
"""Of the window, for what stands beside the tree."""
SMALL = 1000
"""Pixels of a window up to which the drawer lies over the tree."""
LEAST, MOST_HIGH = 320, 1600
"""Pixels of a picture."""
CONTROLS = 266
"""Pixels of the window for the strip and a few lines of controls."""
WIDE = 0.4
"""From this share of the window on a drawer has room for its large pictures."""
HEROES = {
    "regions": 0.72, "size_and_pruning": 0.6, "court": 0.72, "experiments": 0.72, "predict": 0.72, "rules": 0.72,
}  # fmt: skip
"""Pages whose picture, table or form stands beside the tree, and how much of the window they have unless the reader
wants it else."""


def is_open(page: str) -> bool:
    return state.choice(f"{OPEN} {page}")


def share(page: str) -> float:
    """Of the window, where the reader has put the divider, or where the page's picture stands here; 0: by the page."""
    return state.choice(f"{SHARE} {page}") or (HEROES[page] if _has_hero(page) and _is_wider_by_choice(page) else 0.0)


def _is_wider_by_choice(page: str) -> bool:
    """By the button beside the strip, which makes the drawer of a page wide, or narrow where it is wide at first."""
    return state.choice(f"{WIDER} {page}") != _has_hero(page)


def high(page: str, narrow: int, over: int) -> int:
    """Pixels of a page's picture: as many as the window has left below `over` where the drawer is wide, else narrow."""
    if not is_wider(page):
        return narrow
    return min(max(_window()[1] - over, LEAST), MOST_HIGH)


def picture(page: str, narrow: int) -> int:
    """Pixels of the picture of a page whose controls stand over it in a few lines."""
    return max(narrow, high(page, narrow, CONTROLS))


def _window() -> tuple[int, int]:
    """Its width and height, as a pane told them last."""
    return state.choice("window wide"), state.choice("window high")


def take_window(told: object) -> None:
    """Remember how large the window is, beyond a reload: what a pane says of it begins with width and height."""
    for name, pixels in zip(("window wide", "window high"), str(told).split()[:2], strict=False):
        if pixels.isdecimal() and int(pixels) != state.choice(name):
            state.choose(name, int(pixels))


def _has_hero(page: str) -> bool:
    """Has the page a picture of its own, and the window room for it beside the tree?"""
    return page in HEROES and _window()[0] > SMALL


def is_wider(page: str) -> bool:
    result = share(page)
    return result >= WIDE if result else _is_wider_by_choice(page)


def toggle(page: str) -> None:
    """Wide or narrow, wherever the divider was."""
    wider = not is_wider(page)
    state.choose(f"{SHARE} {page}", 0.0)
    state.choose(f"{WIDER} {page}", wider != _has_hero(page))


# The divider between the tree and what stands beside it: where the reader has put it, on each page for itself.

WORDS = "Drag to make the panel wider or narrower; double-click to reset"

_component = st.components.v2.component(
    "treecore_divider",
    html='<div class="divider" data-testid="divider" role="separator" aria-orientation="vertical" tabindex="0"></div>',
    css=(WORKBENCH / "divider.css").read_text(encoding="utf-8"), js=joined(WORKBENCH / "divider_main.js"),
)  # fmt: skip


def draw(page: str) -> None:
    """It, on this page."""
    key = f"divider {page}"
    with st.container(key="divider"):
        _component(
            key=key, data={"share": share(page), "words": WORDS},
            on_moved_change=lambda: _take(page, state.widget(key).get("moved")),
        )  # fmt: skip


def _take(page: str, share) -> None:
    if type(share) in (int, float) and 0 <= share <= MOST:
        state.choose(f"{SHARE} {page}", float(share))
