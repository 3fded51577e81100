"""The divider between the tree and what stands beside it: where the reader has put it, on each page for itself."""

from pathlib import Path

import streamlit as st

from pages.shared.bench import room
from pages.shared.session import state
from treecore.view.modules import joined

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "workbench"
WORDS = "Drag to make the panel wider or narrower; double-click to reset"

_component = st.components.v2.component(
    "treecore_divider",
    html='<div class="divider" data-testid="divider" role="separator" aria-orientation="vertical" tabindex="0"></div>',
    css=(ASSETS / "divider.css").read_text(encoding="utf-8"), js=joined(ASSETS / "divider_main.js"),
)  # fmt: skip


def draw(page: str) -> None:
    """It, on this page."""
    key = f"divider {page}"
    with st.container(key="divider"):
        _component(
            key=key, data={"share": room.share(page), "words": WORDS},
            on_moved_change=lambda: _take(page, state.widget(key).get("moved")),
        )  # fmt: skip


def _take(page: str, share) -> None:
    if type(share) in (int, float) and 0 <= share <= room.MOST:
        state.choose(f"{room.SHARE} {page}", float(share))
