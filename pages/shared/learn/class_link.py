"""The teacher's side of a class link: what a class is given, as one address."""

import streamlit as st

from pages import PAGES
from pages.shared.session import link, state
from pages.shared.trees import work
from treecore.errors import TreecoreError
from treecore.exercises.classwork import Classwork
from treecore.exercises.guess_codes import MOST

OPEN, FIRST, NUMBERED, WITH_SHEET = "class pages", "class guesses", "class numbered", "class sheet"
"""Choices of what the link opens."""
AT_FIRST = ("grow", "guess", "step_by_step")
HELP = (
    "One link for the whole class. It opens your recipe and only the pages you choose. A sample table opens by itself;"
    " a file of your own has to be given by each learner. Below you can read the codes that learners hand in."
)


def show(kinds: tuple[str, ...], variant: int, measure: str) -> None:
    """Pages, guesses, numbers, the sheet; then the address. kinds, variant, measure : of the sheet that is chosen."""
    with st.expander("A link for your class"):
        st.caption(HELP)
        state.controlled(
            st.multiselect, "Pages that are open", list(_pages()), lambda v: state.choose(OPEN, list(v)), "class_pages",
            options=[name for name in PAGES if name != "data"], format_func=lambda name: PAGES[name].label,
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom"):
            state.controlled(
                st.number_input, "Splits to guess before they open", state.choice(FIRST),
                lambda v: state.choose(FIRST, int(v or 0)), "class_guesses", min_value=0, max_value=MOST, step=1,
                width=250,
            )  # fmt: skip
            state.controlled(
                st.toggle, "Each learner has a number, which chooses the variant of the sheet", state.choice(NUMBERED),
                lambda on: state.choose(NUMBERED, on), "class_numbered",
            )  # fmt: skip
            state.controlled(
                st.toggle, "With the questions chosen above", state.choice(WITH_SHEET),
                lambda on: state.choose(WITH_SHEET, on), "class_with_sheet",
            )  # fmt: skip
        if not _pages() and not state.choice(FIRST):
            st.caption("Choose a page, or splits to guess.")
            return
        try:
            st.code(link.to_class(_classwork(kinds, variant, measure)), language=None)
        except TreecoreError as fault:  # the page says what is wrong
            st.caption(str(fault))


def _pages() -> tuple[str, ...]:
    chosen = state.choice(OPEN)
    return tuple(name for name in (AT_FIRST if chosen is None else chosen) if name in PAGES and name != "data")


def _classwork(kinds: tuple[str, ...], variant: int, measure: str) -> Classwork:
    asked, pages = kinds if state.choice(WITH_SHEET) else (), _pages() or ("guess",)
    return Classwork(work.recipe(), pages, state.choice(FIRST), state.choice(NUMBERED), variant, asked, measure)
