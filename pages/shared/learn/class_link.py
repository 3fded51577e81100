"""The teacher's side of a class link: what a class is given, as one address."""

from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from pages import PAGES
from pages.shared.session import saved_session, state
from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.figures import counted
from treecore.plots.lesson_figures import class_guesses
from treecore.teach import guess
from treecore.teach.classwork import Classwork
from treecore.teach.guess import MOST_GUESSES, Guesses
from treecore.teach.hand_in import CodeLine, HandIn, by_task, read_lines, read_sheet_code
from treecore.teach.sheet import Sheet

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
                lambda v: state.choose(FIRST, int(v or 0)), "class_guesses", min_value=0, max_value=MOST_GUESSES,
                step=1, width=250,
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
            st.code(saved_session.class_address(_classwork(kinds, variant, measure)), language=None)
        except TreecoreError as fault:  # the page says what is wrong
            st.caption(str(fault))


def _pages() -> tuple[str, ...]:
    chosen = state.choice(OPEN)
    return tuple(name for name in (AT_FIRST if chosen is None else chosen) if name in PAGES and name != "data")


def _classwork(kinds: tuple[str, ...], variant: int, measure: str) -> Classwork:
    asked, pages = kinds if state.choice(WITH_SHEET) else (), _pages() or ("guess",)
    return Classwork(work.recipe(), pages, state.choice(FIRST), state.choice(NUMBERED), variant, asked, measure)


# The teacher's side of a class: codes are pasted, and what it got right is shown, of sheets and of guessed splits.

HAND_IN_HELP = (
    "Paste one code per line, with a name in front if you like: codes of sheets that mark themselves, and of guesses "
    "from a class link. They must belong to this table, with the questions, rows and measure chosen above, and guesses"
    " to this tree. Each code contains its variant. Nothing is stored."
)
MOST_LINES = 200


def show_hand_ins(make: Callable[[int], Sheet]) -> None:
    """make : the sheet of a variant."""
    with st.expander("Read hand-in codes"):
        text = st.text_area("Codes of your class", key="hand_in_codes", help=HAND_IN_HELP, height=140, max_chars=50_000)
        if text.strip():
            sheet_of, tree = lru_cache(make), work.grown()
            lines = read_lines(
                "\n".join(text.splitlines()[:MOST_LINES]),
                lambda code: (
                    guess.read_guess_code(code, tree) if guess.is_guess_code(code) else read_sheet_code(code, sheet_of)
                ),
            )
            _of_class(lines, sheet_of)


def _of_class(lines: list[CodeLine], sheet_of: Callable[[int], Sheet]) -> None:
    for line in lines:
        if line.found is None:
            st.warning(f"{plain(line.name)}: {plain(line.fault)}.")
    guessed = [line for line in lines if isinstance(line.found, Guesses)]
    if guessed:
        _of_guesses(guessed)
    read_sheets = [line for line in lines if isinstance(line.found, HandIn)]
    if read_sheets:
        _of_sheets(read_sheets, sheet_of)


def _of_guesses(lines: list[CodeLine[Guesses]]) -> None:
    """Who guessed what, and the shares that were right as bars on the tree."""
    tree, train = work.grown(), work.roles()["train"]
    nodes = guess.guesses_by_node(tree, train, [line.found for line in lines])
    rows = [
        [
            line.name or "–",
            line.found.number,
            guess.n_best(nodes, line.found),
            *(name or "shown" for name in said),
        ]
        for line in lines
        for said in [(*line.found.said, *["–"] * (len(nodes) - len(line.found.said)))]
    ]
    heads = [f"node {of.node}" for of in nodes]
    st.caption(f"{len(lines)} codes of guesses. Best: guesses that no other feature beats, of {len(nodes)}.")
    frames.figures(frames.of(rows, columns=["who", "number", "best", *heads]), hide_index=True)
    st.markdown("**Where the class went wrong, on the tree**")
    st.plotly_chart(class_guesses(tree, nodes), key="guesses_on_tree")
    for of in sorted(nodes, key=lambda of: of.right / max(of.n, 1)):
        st.caption(plain(f"Node {of.node}, best {' or '.join(of.best)}: {of.text}."))


def _of_sheets(lines: list[CodeLine[HandIn]], sheet_of: Callable[[int], Sheet]) -> None:
    """Who answered what, and the share of each question that was right."""
    told = [_by_question(sheet_of(line.found.variant), line) for line in lines]
    asked = list(dict.fromkeys(text for one in told for text in one))  # a variant may lack a question of another
    heads = [f"{i}." for i in range(1, len(asked) + 1)]
    rows = [
        [line.name or "–", line.found.variant, line.found.n_right, *(_of(one.get(text)) for text in asked)]
        for line, one in zip(lines, told, strict=True)
    ]
    st.caption(
        f"{counted(len(lines), 'code')}. Right without looking at the arithmetic, out of the answers to each question."
    )
    frames.figures(frames.of(rows, columns=["who", "variant", "right", *heads]), hide_index=True)
    sums = [[sum(pair) for pair in zip(*(one[text] for one in told if text in one), strict=True)] for text in asked]
    shares = [100 * right / answers for right, answers in sums]
    frame = frames.of({"question": [f"{h} {text}" for h, text in zip(heads, asked, strict=True)], "right": shares})
    st.markdown("**Where the class went wrong**")
    bar = st.column_config.ProgressColumn("right", format="%.0f %%", min_value=0, max_value=100)
    frames.show(frame.sort_values("right", kind="stable"), {"right": bar}, hide_index=True)


def _by_question(sheet: Sheet, line: CodeLine[HandIn]) -> dict[str, tuple[int, int]]:
    """Question -> (right without help, answers)."""
    return dict(zip((task.text for task in sheet.markable), by_task(sheet, line.found), strict=True))


def _of(counts: tuple[int, int] | None) -> str:
    return "–" if counts is None else f"{counts[0]} of {counts[1]}"
