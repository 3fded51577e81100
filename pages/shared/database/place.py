"""Where a table is that is too large to be given as a file: asked for, and opened in the background."""

import streamlit as st

from pages.shared.database import owner
from pages.shared.database.opened import Opened, Opening
from pages.shared.server import background, memo
from pages.shared.session import resumed, state
from pages.shared.trees import first_recipe
from pages.shared.widgets import messages
from treecore.database.connection import without_secrets
from treecore.errors import TreecoreError

KEY = "place"


def ask() -> None:
    """A field for the place of a table, where the server's owner allows any; and what came of the last one."""
    if not owner.is_on():
        return
    with st.form("place_form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Or open a table without loading it: a file, a folder, or a database connection followed by ::table",
            key=KEY, placeholder=_example(), autocomplete="off",
        )  # fmt: skip
        st.form_submit_button("Open", on_click=_begin, key="open_place")
    if state.opening() is None or state.opening().steps is None:
        go_on()


def again() -> None:
    """Open the session's table once more: its settings and steps stay."""
    asked = state.opened().asked
    with state.answered():
        address = owner.allowed(asked.address)
        state.set_opening(Opening(address, asked.told, owner.seconds(), resumed.present()))


def _example() -> str:
    return (
        "sales.duckdb::orders, or a folder of Parquet files" if owner.folder() else "postgres://user@host/name::table"
    )


def _begin() -> None:
    """Take what was typed; of a connection the user and the password do not stay in the field."""
    typed = (state.widget(KEY) or "").strip()
    state.set_widget(KEY, without_secrets(typed))
    with state.answered():
        state.set_opening(Opening(owner.allowed(typed), without_secrets(typed), owner.seconds()))


def go_on() -> None:
    """Open what is waiting; when that is done it is the session's table."""
    asked = state.opening()
    if asked is None:
        return
    try:
        found = background.kept(
            ("opened", asked.token), asked.opened, _said, f"Opening {messages.plain(asked.told)}", "give another place",
            "Open it",
        )  # fmt: skip
    except TreecoreError as fault:
        state.set_opening(None)
        messages.show(fault)
        return
    state.set_opening(None)
    memo.forget(("opened", found.token))
    try:
        _take(found, asked.steps)
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.rerun()


def _said(_) -> str:
    return "Looking at the table …"


def _take(found: Opened, steps: resumed.Awaited | None) -> None:
    """Its sample is what pages show row by row; growing asks the engine. With the steps that wait for this table, which
    may have other rows since: it lives."""
    asked, raw = steps or state.awaited(), found.drawn.raw
    if asked is not None and (asked is steps or asked.fingerprint == raw.fingerprint or asked.file == raw.source):
        resumed.with_file(asked, raw, None, found)
    else:
        state.new_table(raw, opened=found, choices={first_recipe.PENDING: True})
