"""Presenting a page of the tree: without navigation and strip, in letters that the last row can read."""

import streamlit as st

from pages.shared.session import state

PRESENT = "present"


def on() -> bool:
    """Is the page in hand presented?"""
    return bool(state.choice(PRESENT))


def look(page: str) -> None:
    """The look of a page that is presented; a page that is gone to is not."""
    if state.choice(PRESENT) not in (None, page):
        state.choose(PRESENT, None)
    st.html(STYLE if on() else NO_STYLE)


def button(page: str) -> None:
    """Begins and ends it."""
    st.button(
        "End" if on() else "Present", key="present", type="tertiary",
        icon=":material/fullscreen_exit:" if on() else ":material/slideshow:",
        on_click=state.choose, args=(PRESENT, None if on() else page), shortcut="Alt+P",
        help="Back to all of the page" if on() else "Present: the tree and this step alone, in large letters; "
        "Page Up and Page Down walk",
    )  # fmt: skip


NO_STYLE = "<style>/* of a page that is not presented */</style>"
"""It makes the browser fetch what draws sheets of style on whichever page comes first: the sheet of a page of the tree
that came a moment after the page would move all of it."""
STYLE = """<style>
:root { --drawer-width: clamp(340px, 36vw, 720px) !important; }
header[data-testid=stHeader], [data-testid=stLayoutWrapper]:has(> .st-key-strip, > .st-key-purpose), [data-testid=stSidebar] { display: none !important; }
.stApp .stMain .stMainBlockContainer { padding-top: 0 !important; }
.st-key-drawer { gap: 0.7rem !important; }
.st-key-drawer :is(p, li, td, th, label, input, [data-baseweb=select] *, summary *, button *:not([data-testid=stIconMaterial])) { font-size: 1.2rem !important; }
.st-key-drawer [data-testid=stIconMaterial] { font-size: 1.4rem !important; }
.st-key-drawer :is(h2, h3) { font-size: 1.6rem !important; }
.st-key-drawer .katex { font-size: 24px; }
.st-key-drawer [data-testid=stMarkdownContainer]:has(.katex-display) { overflow-x: auto; overflow-y: hidden; }
</style>"""  # noqa: E501
