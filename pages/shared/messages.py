"""What the app says when something is missing or wrong."""

import logging
from contextlib import contextmanager

import streamlit as st

from pages.shared.literal import plain
from treecore.errors import TreecoreError

_log = logging.getLogger("treecore.app")


def show(error: TreecoreError) -> None:
    """A fault the user can put right: what, where, remedy."""
    lines = [f"**{plain(error.where)}**: {plain(error.what)}." if error.where else f"{plain(error.what)}."]
    if error.remedy:
        lines.append(plain(error.remedy.rstrip(".")) + ".")
    st.error("  \n".join(lines))


@contextmanager
def caught():
    """Errors of the page as messages. Nothing the user made is lost: the state is kept as it was."""
    try:
        yield
    except TreecoreError as error:
        show(error)
    except Exception:
        _log.exception("a page failed")
        st.error(
            "Something went wrong that should not have. Your data and settings are kept; "
            "the details are in the terminal that runs the app.",
        )


def need(what: object, sentence: str, page: str, label: str) -> None:
    """Stop the page with a hint and a link to the page that provides what is missing."""
    if not what:
        st.info(sentence)
        st.page_link(page, label=label)
        st.stop()
