"""Folds and menus: what is drawn and sent only while it is open; a fold stays open when the page changes."""

from collections.abc import Callable

import streamlit as st

from pages.shared.server import guard
from pages.shared.session import state


def fold(label: str, name: str, show: Callable[[], None]) -> None:
    """An expander that calls `show` to fill it while it is open; opening it runs nothing else of the page.

    name : what it is called in all runs, whatever its label says.
    """
    key, opened = f"fold {name}", state.stored_for("open folds", set())

    def take() -> None:
        (opened.add if state.widget(key) else opened.discard)(name)

    def folded() -> None:
        with state.expander(label, name in opened, key, take) as box:
            if box.open:
                show()

    guard.part(folded, on_top=False)


def menus(page: str, show: Callable[[], None]) -> None:
    """`show` draws menus beside each other: opening one runs nothing else of the page, and what is done in one all of
    it. Another page, by its name, begins with all of them closed."""
    memory, is_first = _menus(), True
    if memory["page"] != page:
        memory["open"].clear()
    memory.update(page=page, turned=False)

    @st.fragment
    def alone() -> None:
        nonlocal is_first
        if not is_first and not memory["turned"]:
            st.rerun()
        is_first, memory["turned"] = False, False
        show()

    alone()


def menu(label: str, name: str, show: Callable[[], None], **look) -> None:
    """One of the `menus`: a popover that calls `show` to fill it while it is open. look : of st.popover."""
    memory = _menus()

    def take() -> None:
        memory["turned"] = True
        (memory["open"].add if state.widget(name) else memory["open"].discard)(name)

    with state.popover(label, name in memory["open"], name, take, **look) as box:
        if box.open:
            show()


def _menus() -> dict:
    """open : names. turned : was one opened or closed since the last run? page : where that was."""
    return state.stored_for("menus", {"open": set(), "turned": False, "page": ""})


# What to try next, where a page has come to its end.


def offer_next(*ways: tuple[str, str]) -> None:
    """Links to pages. ways : name of a page, and what can be done there."""
    st.markdown("**Try next**")
    for page, what in ways:
        st.page_link(f"pages/{page}.py", label=what, icon=":material/arrow_forward:")
