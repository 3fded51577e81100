"""What the app says when something is missing or wrong."""

import logging
from contextlib import contextmanager, nullcontext

import streamlit as st

from pages.shared.widgets.literal import plain
from pages.shared.widgets.wording import in_labels
from treecore.database.connection import NoAnswer
from treecore.errors import TreecoreError

_log = logging.getLogger("treecore.app")
OUT_OF_MEMORY = TreecoreError(
    "The memory that this server may use is not enough for this",
    remedy="Your former table and settings are kept. Give a table of fewer rows or columns, or ask who runs the server "
    "for more memory",
)
FAILED = TreecoreError(
    "Something went wrong that should not have",
    remedy="Your data and settings are kept; the details are in the terminal that runs the app",
)


def show(error: TreecoreError, method: str | None = None) -> None:
    """A fault the user can put right: what, where, remedy, in the words of the screen. method : see in_labels."""
    error = in_labels(error, method)
    lines = [f"**{plain(error.where)}**: {plain(error.what)}." if error.where else f"{plain(error.what)}."]
    if error.remedy:
        lines.append(plain(error.remedy.rstrip(".")) + ".")
    st.error("  \n".join(lines))


@contextmanager
def caught(on_top: bool = False, again: bool = False):
    """Errors of the page as messages. Nothing the user made is lost: the state is kept as it was.

    on_top : above what is drawn meanwhile, where nobody has to scroll to learn why the page ends. again : with a button
    that tries again what an engine had no answer to.
    """
    place = st.container() if on_top else nullcontext()
    try:
        yield
    except Exception as error:
        with place:
            if on_top:
                st.space("small")  # what stands first would be half under the bar at the top
            show(explained(error))
            if again and isinstance(error, NoAnswer):
                with st.container(horizontal=True):
                    st.space("small")  # a page of a canvas has no margin
                    st.button("Try again", key="try_again")


def explained(error: Exception) -> TreecoreError:
    """What is said of it; what nobody foresaw goes into the log with where it was."""
    if isinstance(error, TreecoreError):
        return error
    _log.error("a page failed", exc_info=error)
    return OUT_OF_MEMORY if isinstance(error, MemoryError) else FAILED


def need(what: object, sentence: str, page: str, label: str) -> None:
    """Stop the page with a hint and a link to the page that provides what is missing."""
    if not what:
        st.info(sentence)
        st.page_link(page, label=label)
        st.stop()
