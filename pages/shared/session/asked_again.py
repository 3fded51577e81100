"""Files that only the server keeps: after a restart they are asked for by name and told by their contents."""

import streamlit as st

from pages.shared.session import state
from pages.shared.widgets.messages import plain

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
