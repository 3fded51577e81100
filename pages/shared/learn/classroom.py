"""The learner's side of a class link: which pages are open, what is still to be guessed, and the code to hand in."""

from functools import lru_cache

import streamlit as st

from pages import PAGES
from pages.shared.guess import guesses
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.teach import guess
from treecore.teach.classwork import Classwork
from treecore.teach.exercises import TreeAndRows, full_sheet
from treecore.teach.glossary import terms
from treecore.teach.hand_in import marked_page

TEXT, CODE, NUMBER = "classwork", "class code", "exercise variant"
GUESS = "guess"
MOST = 9999


def current() -> Classwork | None:
    """What the class is given; None where nobody has come by a class link."""
    text = state.choice(TEXT)
    return _read(text) if text else None


@lru_cache(64)
def _read(text: str) -> Classwork:
    return Classwork.from_text(text)


def is_locked() -> bool:
    """Is something to be guessed before anything else opens?"""
    given = current()
    return given is not None and given.guesses > 0 and not state.choice(CODE)


def shows(page: str) -> bool:
    """Is it in the navigation now?"""
    given = current()
    return given is None or page in _open(given)


def _open(given: Classwork) -> tuple[str, ...]:
    return (GUESS,) if is_locked() else tuple(name for name in given.pages if name in PAGES) or (GUESS,)


def settle(page: str) -> None:
    """Takes the guesses once all of them are there: what the learner changes then changes no code. Leads from a page
    that is not open to one that is."""
    given = current()
    if given is None:
        return
    if is_locked() and work.is_grown() and not _asks_number(given):
        answers, n = guesses.answers(guesses.SPLITS), _n_asked(given)
        if len(answers) >= n:
            said = [answer["said"][0] if answer["said"] else guess.SHOWN for answer in answers[:n]]
            state.choose(CODE, guess.guess_code(work.grown(), _number(given), said))
            st.rerun()
    if page not in _open(given):
        st.switch_page(f"pages/{_open(given)[0]}.py")


def _n_asked(given: Classwork) -> int:
    return len(guess.guessed_nodes(work.grown(), given.guesses))


def _number(given: Classwork) -> int:
    return min(state.choice(NUMBER), MOST) if given.numbered else given.variant


def _asks_number(given: Classwork) -> bool:
    return given.numbered and not _number(given)


def menu() -> None:
    """In the strip: the number, how far the guesses are, the sheet, the code, and the way out."""
    given = current()
    if given is None:
        return
    with st.popover(f"Class: {_label(given)}", icon=":material/school:", type="tertiary", key="class"):
        if given.numbered:
            state.controlled(
                st.number_input, "Your number, as your teacher gave it", _number(given),
                lambda v: state.choose(NUMBER, int(v or 0)), "class_number", min_value=0, max_value=MOST, step=1,
                disabled=bool(state.choice(CODE)), help="The number gives you other rows than your neighbour. Nothing "
                                                        "else about you is asked or stored",
            )  # fmt: skip
        if is_locked():
            st.markdown(f"Guess the first {given.guesses} splits on the page Guess; then the other pages open.")
        elif state.choice(CODE):
            st.markdown("Your guesses, for your teacher:")
            st.code(state.choice(CODE), language=None)
        if given.kinds and not is_locked() and not _asks_number(given):
            _sheet(given)
        st.button("Leave the class", key="leave_class", type="tertiary", on_click=_leave,
                  help="Opens all pages; your guesses are kept")  # fmt: skip


def _label(given: Classwork) -> str:
    if _asks_number(given):
        return "your number?"
    if not is_locked():
        return "your code" if state.choice(CODE) else "your sheet" if given.kinds else "at work"
    if not work.is_grown():
        return "guess first"
    return f"{len(guesses.answers(guesses.SPLITS))} of {_n_asked(given)} guessed"


def _sheet(given: Classwork) -> None:
    """The questions as a page that marks itself, of the learner's own variant."""
    grown, variant = TreeAndRows(work.grown(), work.roles()["train"], work.roles()["validation"]), _number(given)
    rows, key = work.table_in_sight(), ("class sheet", given.kinds, given.measure, variant)
    try:
        make = lambda: marked_page(full_sheet(given.kinds, rows, grown, variant, given.measure)).encode()  # noqa: E731
        page = work.cached(*key, make=make)
    except TreecoreError as fault:
        st.caption(plain(str(fault)))
        return
    st.download_button(
        "Your sheet: it marks itself", page, f"sheet_{variant}.html", "text/html", key="class sheet",
        on_click="ignore", help="Open it in your browser. At the end it shows a code for your teacher",
    )  # fmt: skip


def _leave() -> None:
    state.choose(TEXT, "")


# The glossary, from every page: a word is typed and its meaning read.

WANTED = "glossary word"
HIGH = 420


def glossary_menu() -> None:
    """In the strip."""
    fold.menu("", "glossary", _shown, type="tertiary", icon=":material/menu_book:", help="Glossary")


def _shown() -> None:
    wanted = state.choice(WANTED)
    state.controlled(
        st.text_input, "Glossary", wanted, lambda v: state.choose(WANTED, v or ""), "glossary_word",
        placeholder="branching factor, surrogate …", icon=":material/search:",
    )  # fmt: skip
    result = terms(wanted)
    with st.container(height=HIGH if len(result) > 6 else "content", border=False):
        for term in result:
            also = f" ({', '.join(term.also)})" if term.also else ""
            st.markdown(f"**{term.name}**{also}: {term.said}")
    if not result:
        st.caption("No entry contains this text.")
