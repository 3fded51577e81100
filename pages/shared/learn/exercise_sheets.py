"""The page Exercises: which sheet, how it looks, its files, and quizzes of several variants."""

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

import treecore as tc
from pages.shared.learn import class_link
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import fold, frames
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.teach.exercises import KINDS, OF_WORDS, ON_NUMBERS, ON_ROWS, TreeAndRows, full_sheet
from treecore.teach.hand_in import marked_page
from treecore.teach.quiz import FORMS, quiz
from treecore.teach.sheet import Sheet, tables_of_task, to_pdf, why_not_pdf, written_sheet
from treecore.teach.tree_tasks import rows_below

VARIANT, MEASURE, KEY = "exercise variant", "exercise measure", "exercise key"
AT_NODE, ASKED, IN_QUIZ = "exercise at node", "exercise kinds", "quiz variants"
MEASURES = {"entropy": "Entropy (information gain)", "gini": "Gini index"}
FILES = (
    ("pdf", "PDF", "application/pdf"), ("html", "HTML, A4 print", "text/html"), ("md", "Markdown", "text/markdown"),
    ("tex", "LaTeX", "text/x-tex"),
)  # fmt: skip


def show(table: tc.Table) -> None:
    """Choices, files, and the sheet or its key below."""
    _choose()
    made = _made(table)
    if made is not None:
        _files(made)
        _quiz(table, made)
        _shown(made)


def _choose() -> None:
    """Questions, rows, variant, measure."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, "Variant (0: your own rows)", _variant(),
            lambda v: state.choose(VARIANT, int(v or 0)), "exercise_variant", min_value=0, max_value=9999, step=1,
            width=220,
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Measure", _measure(), lambda v: state.choose(MEASURE, v), "exercise_measure",
            options=list(MEASURES), format_func=MEASURES.get, width=240,
        )  # fmt: skip
        node = work.selected()
        state.controlled(
            st.selectbox, "Rows", bool(state.choice(AT_NODE)), lambda v: state.choose(AT_NODE, v), "exercise_rows",
            options=[False, True], width=240, help="This is the node that is selected on the other pages: click "
                                                   "another one on Explore",
            format_func={False: "all rows", True: f"training rows of node {node}"}.get,
        )  # fmt: skip
        state.controlled(
            st.toggle, "Show the key", bool(state.choice(KEY)), lambda on: state.choose(KEY, on), "exercise_key"
        )
    state.controlled(
        st.pills, "Questions", list(_kinds()), lambda v: state.choose(ASKED, list(v or [])), "exercise_kinds",
        options=list(KINDS), format_func=KINDS.get, selection_mode="multi",
        help="Gains, gain ratios, χ² and trees need columns of words; thresholds need a column of numbers; squared "
             "errors need a numeric target. The last two use your own tree, or a part with at most eight leaves if it "
             "is large",
    )  # fmt: skip


def _variant() -> int:
    return state.choice(VARIANT)


def _measure() -> str:
    return state.choice(MEASURE)


def _node() -> int | None:
    """The node whose rows are asked about; None of all rows."""
    return work.selected() if state.choice(AT_NODE) else None


def _kinds() -> tuple[str, ...]:
    """What is asked, in the order of the sheet."""
    asked = state.choice(ASKED)
    usual = ON_NUMBERS if work.table().task == "regression" else ON_ROWS
    return tuple(kind for kind in KINDS if kind in (usual if asked is None else asked))


def _made(table: tc.Table) -> Sheet | None:
    """The sheet; None, with the reason said, where the table has none of this kind."""
    kinds, at = _kinds(), _node()
    if not kinds:
        st.info("Choose a question.")
        return None
    about = (kinds, at, _variant(), _measure())
    try:
        return work.cached("exercises", *about, make=lambda: _maker(table, kinds, at)(_variant()))
    except TreecoreError as fault:
        st.info(f"{plain(fault.what)}. {plain(fault.remedy)}.")
        if table.classes and set(kinds) & set(OF_WORDS):
            st.caption("Without columns of words choose the threshold of a number, or one of the last two questions.")
        return None


def _maker(table: tc.Table, kinds: tuple[str, ...], at: int | None) -> Callable[[int], Sheet]:
    """Makes a variant, also where nothing can be asked of the session any more, as while a file is fetched."""
    tree, roles = work.grown(), work.roles()
    rows = table if at is None else rows_below(tree, at, roles["train"])
    where = "" if at is None else f"node {at}" + (f": {tree.node(at).rule}" if at else "")
    grown, measure = TreeAndRows(tree, roles["train"], roles["validation"]), _measure()
    return lambda variant: full_sheet(kinds, rows, grown, variant, measure, where)


def _files(made: Sheet) -> None:
    refused = why_not_pdf(made)
    with st.container(horizontal=True):
        for form, label, mime in FILES:
            no = plain(refused) if form == "pdf" else ""
            for key in (False, True):
                name = f"exercises_{made.variant}{'_key' if key else ''}.{form}"
                st.download_button(
                    f"{'Key' if key else 'Sheet'}: {label}", _writer(made, form, key), name, mime,
                    key=f"exercise {form} {key}", on_click="ignore", disabled=bool(no), help=no or None,
                )  # fmt: skip


def _quiz(table: tc.Table, made: Sheet) -> None:
    """The same questions for a learning platform, which marks them."""
    n = min(state.choice(IN_QUIZ), MOST_IN_QUIZ)
    make, numbers = _maker(table, _kinds(), _node()), range(made.variant, made.variant + n)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.controlled(
            st.number_input, "Variants in the quiz", n, lambda v: state.choose(IN_QUIZ, int(v or 1)),
            "quiz_variants", min_value=1, max_value=MOST_IN_QUIZ, step=1, width=220, help=QUIZ,
        )  # fmt: skip
        for form, label in FORMS.items():
            st.download_button(
                f"Quiz: {label}", lambda form=form: quiz(_variants(make, numbers), form),
                f"quiz.{ENDINGS[form]}", key=f"quiz {form}", on_click="ignore",
            )  # fmt: skip
        st.download_button(
            "Sheet that marks itself", lambda: marked_page(made).encode(), f"practice_{made.variant}.html", "text/html",
            key="marked sheet", on_click="ignore", help=PRACTICE,
        )  # fmt: skip
    class_link.show(_kinds(), made.variant, _measure())
    class_link.show_hand_ins(make)


PRACTICE = (
    "This variant as a page that works offline. It marks the answers, gives hints in three steps, and shows a hand-in "
    "code that you can read below."
)
MOST_IN_QUIZ = 40
ENDINGS = {"moodle": "xml", "gift": "gift.txt", "qti": "zip"}
QUIZ = (
    "Starts with the variant above; each variant becomes a category. The platform marks the answers (numbers within a "
    "tolerance) and shows the arithmetic afterwards. GIFT allows one answer per question; the other formats keep the "
    "tables."
)


def _variants(make: Callable[[int], Sheet], numbers: range) -> list[Sheet]:
    """Those there are: a variant whose rows are of one class is left out."""
    result = []
    for number in numbers:
        with suppress(TreecoreError):
            result.append(make(number))
    return result


def _writer(made: Sheet, form: str, key: bool) -> Callable[[], bytes]:
    """Called when somebody asks for the file."""
    return lambda: to_pdf(made, key) if form == "pdf" else written_sheet(made, form, key).encode()


def _shown(made: Sheet) -> None:
    with_key = bool(state.choice(KEY))
    for number, task in enumerate(made.tasks, 1):
        st.markdown(f"**{number}.** {plain(task.text)}")
        for grid in tables_of_task(task, with_key):
            frame = frames.of(list(grid.rows), columns=list(grid.columns))
            frames.figures(frame, hide_index=True, height=frames.height(len(frame), 460))
        for line in task.key if with_key else ():
            st.markdown("- " + plain(line))
    st.caption(
        "The key contains the whole arithmetic. Another variant draws the same number of rows again: same columns, "
        "different counts."
    )
    fold.offer_next(
        ("step_by_step", "Watch this table's tree grow, with the same arithmetic"),
        ("worked_examples", "Follow an example from a lecture"),
    )  # fmt: skip
