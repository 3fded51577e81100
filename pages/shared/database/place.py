"""Where a table is that is too large to be given as a file: asked for, and opened in the background."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from pages.shared.database.external_table import Opened, Opening
from pages.shared.server import cache, long_work
from pages.shared.session import saved_session, state
from pages.shared.trees import first_recipe
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.database.connection import without_secrets
from treecore.errors import TreecoreError

# What the server's owner lets users open besides files of their own: nothing, unless the environment says so.

FOLDER, HOSTS, SECONDS = "TREECORE_TABLES_FOLDER", "TREECORE_TABLES_HOSTS", "TREECORE_TABLES_SECONDS"
"""A folder below which tables may be opened; hosts of databases, with commas between; the longest time of a query."""
OF_FILES = ("duckdb", "sqlite", "")
"""Schemes of a place that is a file."""


def folder() -> Path | None:
    """Below which files may be opened; None for nowhere."""
    given = os.environ.get(FOLDER, "").strip()
    return Path(given).resolve() if given else None


def hosts() -> tuple[str, ...]:
    """Of databases that may be asked."""
    return tuple(host.strip().lower() for host in os.environ.get(HOSTS, "").split(",") if host.strip())


def seconds() -> float | None:
    """That a query may take; None where the owner says nothing, or no number."""
    try:
        return max(float(os.environ.get(SECONDS, "")), 1.0)
    except ValueError:
        return None


def is_on() -> bool:
    """May anything be opened?"""
    return folder() is not None or bool(hosts())


def allowed(text: str) -> str:
    """The address that the library is to open; TreecoreError where the owner does not allow it.

    text : a path below the folder, with ::table for a database file; or scheme://user:password@host/name::table.
    """
    place, _, table = text.strip().rpartition("::")
    place, table = (place, table) if place else (table, "")
    if not place:
        raise TreecoreError("Nothing is asked for", where="Place", remedy="Give a file, a folder or a connection")
    scheme = urlsplit(place).scheme if "://" in place else ""
    if scheme not in OF_FILES:
        _check_host(place, table)
        return f"{place}::{table}"
    path = _inside(place.removeprefix("duckdb://").removeprefix("sqlite://"))
    return f"{path}::{table}" if table else str(path)


def _check_host(place: str, table: str) -> None:
    if not table:
        remedy = "Put the table behind it, as in postgres://user:password@host/name::schema.table"
        raise TreecoreError("No table is named", where="Connection", remedy=remedy)
    try:
        host = (urlsplit(place).hostname or "").lower()
    except ValueError:
        host = ""
    if not host or host not in hosts():
        remedy = f"Ask the owner of this server to name its host in {HOSTS}"
        raise TreecoreError("Connections to this host are not allowed here", where="Connection", remedy=remedy)


def _inside(text: str) -> Path:
    """The file or folder, with all links followed: below the owner's folder."""
    root = folder()
    if root is None:
        raise TreecoreError(
            "This server does not allow its files to be opened", where="Place", remedy=f"Ask its owner to set {FOLDER}"
        )
    given = Path(text.replace("\0", ""))
    result = next((p for p in (root / given, root / text.lstrip("/")) if _is_below(p.resolve(), root)), None)
    if result is None or not result.resolve().exists():
        remedy = "Give the path of a file or a folder as seen from the folder that this server opens tables of"
        raise TreecoreError("There is no such file or folder here", where=given.name or "Place", remedy=remedy)
    _check_links(result.resolve(), root)
    return result.resolve()


def _check_links(path: Path, root: Path) -> None:
    """Files of a folder must not be links that lead elsewhere."""
    if path.is_dir() and not all(_is_below(file.resolve(), root) for file in path.rglob("*") if file.is_symlink()):
        raise TreecoreError(
            "It holds links to files elsewhere", where=path.name, remedy="Ask the owner of this server to copy them"
        )


def _is_below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents


KEY = "place"


def ask() -> None:
    """A field for the place of a table, where the server's owner allows any; and what came of the last one."""
    if not is_on():
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
        address = allowed(asked.address)
        state.set_opening(Opening(address, asked.told, seconds(), saved_session.present()))


def _example() -> str:
    return "sales.duckdb::orders, or a folder of Parquet files" if folder() else "postgres://user@host/name::table"


def _begin() -> None:
    """Take what was typed; of a connection the user and the password do not stay in the field."""
    typed = (state.widget(KEY) or "").strip()
    state.set_widget(KEY, without_secrets(typed))
    with state.answered():
        state.set_opening(Opening(allowed(typed), without_secrets(typed), seconds()))


def go_on() -> None:
    """Open what is waiting; when that is done it is the session's table."""
    asked = state.opening()
    if asked is None:
        return
    try:
        result = long_work.cached_in_background(
            ("opened", asked.token), asked.opened, _describe_look, f"Opening {messages.plain(asked.told)}",
            "give another place",
            "Open it",
        )  # fmt: skip
    except TreecoreError as fault:
        state.set_opening(None)
        messages.show(fault)
        return
    state.set_opening(None)
    cache.forget(("opened", result.token))
    try:
        _take(result, asked.steps)
    except TreecoreError as fault:
        messages.show(fault)
        return
    st.rerun()


def _describe_look(_) -> str:
    return "Looking at the table …"


def _take(found: Opened, steps: saved_session.Awaited | None) -> None:
    """Its sample is what pages show row by row; growing asks the engine. With the steps that wait for this table, which
    may have other rows since: it lives."""
    asked, raw = steps or state.awaited(), found.drawn.raw
    if asked is not None and (asked is steps or asked.fingerprint == raw.fingerprint or asked.file == raw.source):
        saved_session.with_file(asked, raw, None, found)
    else:
        state.new_table(raw, opened=found, choices={first_recipe.PENDING: True})


# What every page says of a table that has changed since it was opened, and a button that opens it again.


def say() -> None:
    """What is different and what helps; your tree stays meanwhile."""
    opened, opening = state.opened(), state.opening()
    if opened is None:
        return
    if opening is not None and opening.steps is not None:
        go_on()
    if not opened.change:
        return
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="changed"):
        st.warning(
            f"**{plain(opened.source.name)}**: it has changed since it was opened: {opened.change}. Your tree stays; "
            "each number counts the rows of its moment. Opened again, all are counted anew, and your settings stay.",
            icon=":material/history_toggle_off:",
        )  # fmt: skip
        st.button("Open it again", key="open_again", width="content", on_click=again)
        st.space("small")  # a page of a canvas has no margin
