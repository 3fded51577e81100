"""Another table of the user's, beside the one that trees learn from: read, matched to the tree, put away."""

import hashlib
from dataclasses import replace

import streamlit as st

import treecore as tc
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan
from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from treecore.data import RaggedLines, RawTable, ReadOptions, read_raw
from treecore.errors import TreecoreError
from treecore.study.other_table import other_table

# Files that only the server keeps: after a restart they are asked for by name and told by their contents.

ROWS, OTHER = "file of rows to answer", "file of the other table"


def remember(what: str, name: str, digest: str, waited: bool) -> None:
    """It was given. waited : was there none before?"""
    former = _former(what)
    changed = waited and former.get("name") == name and former.get("digest") != digest
    state.choose(what, {"name": name, "digest": digest, "changed": changed})


def forget(what: str) -> None:
    """It was put away."""
    state.choose(what, None)


def say(what: str, is_there: bool) -> None:
    """Which file is missing, or that it is not the one that was there before."""
    former = _former(what)
    name = plain(str(former.get("name", "")))
    if name and not is_there:
        st.info(f"Give **{name}** again: the server does not have it any more.", icon=":material/upload_file:")
    elif former.get("changed"):
        st.warning(f"{name} has other contents than the one that was given before.")


def _former(what: str) -> dict:
    """Name and digest as they came back from the browser."""
    return state.choice(what) or {}


def name() -> str | None:
    """What the other table is called: its file's name; None when there is none."""
    return state.other_file() and state.other_file()[0]


def table(plan: Plan | None = None) -> tuple[tc.Table | None, TreecoreError | None]:
    """The rows as the tree judges them, or why there are none; (None, None) without a file."""
    if state.other_file() is None:
        return None, None
    raw, fault = _raw()
    if fault is not None:
        return None, fault
    tree, r = work.grown(plan), state.record()

    def make() -> tuple[tc.Table | None, TreecoreError | None]:
        try:
            return other_table(tree, raw, dict(r.derive), r.weights, r.infinite), None
        except TreecoreError as fault:
            return None, fault

    return work.cached("other table", raw.fingerprint, r.derive, r.weights, r.infinite, make=make, plan=plan)


def fingerprint() -> str | None:
    """Changes with the other table."""
    raw = _raw()[0] if state.other_file() else None
    return raw and raw.fingerprint


def _raw() -> tuple[RawTable | None, TreecoreError | None]:
    """The table as read; a fault is kept too, so that a bad file is not read on every run."""
    file, content, options = state.other_file()

    def make() -> tuple[RawTable | None, TreecoreError | None]:
        try:
            with st.spinner(f"Reading {plain(file)}"):
                return read_raw(content, name=file, options=options), None
        except TreecoreError as fault:
            return None, fault

    return cache.get(("other raw", hashlib.sha256(content).hexdigest(), file, options), make)


def choose() -> None:
    """The uploader, what was found in the file, and a way to put it away."""
    key = f"other_upload {state.choice('other_upload')}"
    st.file_uploader(
        "Another table with the same columns: CSV, Excel, Parquet or another kind of file",
        key=key,
        type=None,
        on_change=lambda: _take(key),
    )
    say(OTHER, state.other_file() is not None)
    if state.other_file() is not None:
        _say()
        st.button(f"Put {plain(name())} away", on_click=_put_away, key="put_other_away")


def _take(key: str) -> None:
    """The file given to the uploader, or none any more; the uploader itself forgets it on another page."""
    given = state.widget(key)
    if given:
        take(given.name, given.getvalue())
        return
    forget(OTHER)
    state.set_other_file(None)
    state.choose("second_bar", None)


def take(file: str, content: bytes) -> None:
    """This file is the other table from now on, and the second bar of every node."""
    waited = state.other_file() is None
    remember(OTHER, file, hashlib.sha256(content).hexdigest(), waited)
    state.set_other_file((file, content, options_of_values()))
    state.choose("second_bar", "other")


def options_of_values() -> ReadOptions:
    """What was said, or found out, of the values of the first table holds; how the file is written is found anew."""
    of_first, raw = state.record().options, state.raw()
    if raw:
        of_first = replace(of_first, decimals=raw.decimals, not_missing=raw.value_options.not_missing)
    return replace(
        of_first, part=None, encoding=None, delimiter=None, quote=None, header=None, skip_lines=None, without_lines=(),
        skip_ragged=False, skip_open_quotes=False, distinct_rows=False,  # every row is answered
    )  # fmt: skip


def _say() -> None:
    result, fault = table()
    if fault is not None:
        messages.show(fault)
        if isinstance(fault, RaggedLines):
            st.button(f"Read it without {fault.rejected.these_lines}", on_click=_skip_ragged, key="other_skip")
        return
    st.caption(f"{plain(name())}: {result.n_rows:,} rows.")
    for note in result.notes:
        st.caption("• " + plain(note))


def _skip_ragged() -> None:
    file, content, options = state.other_file()
    state.set_other_file((file, content, replace(options, skip_ragged=True, skip_open_quotes=True)))


def _put_away() -> None:
    state.set_other_file(None)
    forget(OTHER)
    state.choose("second_bar", None)
    state.choose("other_upload", state.choice("other_upload") + 1)  # another uploader, which holds no file
