"""How a file of the user's is read: found out, shown with its first lines, and changed."""

import shlex
from dataclasses import replace

import streamlit as st

from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import frames, messages
from pages.shared.widgets.messages import plain
from treecore.data import ENCODINGS, RawTable, ReadOptions, infer_kinds, why_target
from treecore.data.raw import Doubt
from treecore.data.readers import reader_name
from treecore.data.readers.heading_and_footer import HEAD_BYTES, first_lines
from treecore.data.readers.source import TooManyColumns, some_columns
from treecore.errors import TreecoreError
from treecore.figures import counted

FIND_OUT = "find out"
DELIMITERS = {FIND_OUT: "find out", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |"}
QUOTES = {FIND_OUT: FIND_OUT, '"': 'double "', "'": "single '", "": "none"}

MOST_OFFERS, MOST_SETTLED = 5, 12
OF_TYPED = ("delimiter", "encoding", "quote", "skip_lines", "comment", "header")
WITHOUT = {"delimited": (), "workbook": OF_TYPED[:3]}
"""What there is nothing to say of, by the reader of the file; columns with names and types leave nothing of these."""
COMMENTS = ("", "#", "%", "//", ";")
FIRST_LINE = {FIND_OUT: None, "the names": True, "a row": False}
DAYS = {FIND_OUT: None, "day first": True, "month first": False}

OF_VALUES = {"missing_in", "same_levels", "distinct_rows"}
"""Options that leave names and kinds of columns as they are, so that all other choices hold."""


def _options() -> ReadOptions | None:
    """How the file just given is read, else the table's own; None for a sample."""
    if state.next_file():
        return state.next_file()[2]
    return state.record().options if state.file() else None


def again(**changes) -> None:
    """Read the file once more with other options."""
    if _options() is None:
        return
    if set(changes) <= OF_VALUES and not state.next_file():
        with state.answered():
            state.read_otherwise(replace(_options(), **changes))
        return
    if state.next_file():
        name, content, _ = state.next_file()
    else:
        name, content = state.file().name, state.file().content()
    state.set_next_file((name, content, replace(_options(), **changes)))


def more(changes: tuple) -> None:
    """Read the file with these options beside those in force."""
    if _options() is not None:
        with state.answered():
            state.read_otherwise(_options().with_more(changes))


def settings() -> None:
    """How the file is read, for when the detection was wrong."""
    options = _options()
    if options is None:
        return
    is_open = state.next_file() is not None or state.raw().is_open
    with st.expander("How the file is read", expanded=is_open):
        _part()
        _written(options)
        _first_lines(options)


def _reader() -> str:
    """What reads the file, by its name in the registry."""
    return reader_name(state.next_file()[1]) if state.next_file() else state.raw().reader


def _part() -> None:
    """Which table of a file that holds several."""
    raw = None if state.next_file() else state.raw()
    if raw and raw.parts:
        label = "Sheet" if raw.reader == "workbook" and raw.source not in raw.parts else "Table in the file"
        state.controlled(
            st.selectbox, label, raw.part, lambda name: again(part=name), "part", options=list(raw.parts),
        )  # fmt: skip


def _written(options: ReadOptions) -> None:
    raw = None if state.next_file() else state.raw()
    known = WITHOUT.get(_reader(), OF_TYPED)
    order = None if options.dayfirst is None else "day first" if options.dayfirst else "month first"
    first = None if options.header is None else "the names" if options.header else "a row"
    fields = {
        "delimiter": lambda: _option(
            "Delimiter", "delimiter", options.delimiter, list(DELIMITERS), format_func=DELIMITERS.get
        ),
        "encoding": lambda: _option("Encoding", "encoding", options.encoding, [FIND_OUT, *ENCODINGS]),
        "decimal": lambda: _option("Decimal sign", "decimal", options.decimal, [FIND_OUT, ".", ","]),
        "quote": lambda: _option("Quotes", "quote", options.quote, list(QUOTES), format_func=QUOTES.get),
        "dayfirst": lambda: _option("Dates such as 3/4/2020", "dayfirst", order, list(DAYS), taken=DAYS.get),
        "skip_lines": lambda: state.controlled(
            st.number_input, "Lines above the names", options.skip_lines, lambda n: again(skip_lines=n),
            "skip_lines", min_value=0, step=1, placeholder=FIND_OUT,
        ),
        "comment": lambda: state.controlled(
            st.selectbox, "Comment sign", options.comment or "", lambda sign: again(comment=sign or None),
            "comment", options=COMMENTS, format_func=lambda sign: sign or "none",
        ),
        "header": lambda: _option("The first line is", "header", first, list(FIRST_LINE), taken=FIRST_LINE.get),
        "extra_missing": lambda: state.controlled(
            st.text_input, "More missing values", shlex.join(options.extra_missing),
            lambda v: again(extra_missing=_tokens(v)), "extra_missing", placeholder="such as -999 unknown",
        ),
    }  # fmt: skip
    shown = [draw for name, draw in fields.items() if name not in known]
    for first_of_row in range(0, len(shown), 3):
        for column, draw in zip(st.columns(3), shown[first_of_row : first_of_row + 3], strict=False):
            with column:
                draw()
    if options.keep_spaces or (raw and (raw.merged or raw.merged_unseen)):
        state.controlled(
            st.toggle, "Keep words apart that differ only by spaces or invisible characters",
            options.keep_spaces, lambda on: again(keep_spaces=on), "keep_spaces",
        )  # fmt: skip
    if options.distinct_rows:
        state.controlled(
            st.toggle, "Leave out rows that repeat an earlier row in every column",
            options.distinct_rows, lambda on: again(distinct_rows=on), "distinct_rows",
        )  # fmt: skip


def _tokens(text: str) -> tuple[str, ...]:
    """Words between spaces; quotes hold those together that have one."""
    try:
        return tuple(shlex.split(text))
    except ValueError:  # a quote alone
        return tuple(text.split())


def odd_cells() -> None:
    """Columns that a few cells keep from being numeric: those can be made missing values.

    Not while another file is waiting to be read: it is to that one that options go.
    """
    if not state.file() or state.next_file():
        return
    odd = [guess for guess in infer_kinds(state.raw()) if guess.odd]
    for guess in odd[:MOST_OFFERS]:
        words = ", ".join(f"'{plain(text)}'" for text in guess.odd)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"**{plain(guess.name)}** is not numeric: {plain(guess.reason)}", width="stretch")
            st.button(
                f"Read {words} as missing", key=f"odd {guess.name}", on_click=more,
                args=((("missing_in", ((guess.name, guess.odd),)),),), help="In this column alone; can be undone",
            )  # fmt: skip


def open_doubts() -> list[tuple[str, Doubt]]:
    """(column or "", what only the user knows of the file's lines and cells), where little speaks for what was done."""
    return [(name, doubt) for name, doubt in _doubts() if doubt.is_open] + _telling()


def _doubts() -> list[tuple[str, Doubt]]:
    return [*(("", doubt) for doubt in state.raw().doubts), *state.raw().column_doubts]


def _telling() -> list[tuple[str, Doubt]]:
    """Words read as missing that tell something of the target; none where there is no table yet."""
    try:
        table, raw = work.table(), state.raw()
    except TreecoreError:
        return []
    if table.target is None or not raw.column_doubts:
        return []
    return cache.get(
        ("telling words", work.table_key()), lambda: raw.telling_doubts(table.target_column, table.row_numbers)
    )


def doubts() -> None:
    """What only the user knows, with what can be done; not while another file is waiting."""
    if not state.file() or state.next_file():
        return
    for nth, (name, doubt) in enumerate(open_doubts()[:MOST_OFFERS]):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(_named(name, doubt), width="stretch")
            _remedies(doubt, f"doubt {nth}")


def meanings() -> None:
    """What cells were taken to mean where they could mean something else, each to be changed by a click."""
    if not state.file() or state.next_file():
        return
    above = [doubt.remedies[:1] for _, doubt in open_doubts()]
    settled = [(name, doubt) for name, doubt in _doubts() if doubt.remedies[:1] not in above]
    for nth, (name, doubt) in enumerate(settled[:MOST_SETTLED]):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(_named(name, doubt), width="stretch")
            _remedies(doubt, f"meaning {nth}")
    if settled[MOST_SETTLED:]:
        more = counted(len(settled) - MOST_SETTLED, "more column")
        st.caption(f"And {more} whose cells could mean something else: the table above says how each is read.")


def _named(name: str, doubt: Doubt) -> str:
    return f"**{plain(name)}**: {plain(doubt.text)}" if name else plain(doubt.text)


def _remedies(doubt: Doubt, key: str) -> None:
    for words, changes in doubt.remedies:
        st.button(plain(words), key=f"{key} {words}", on_click=again, kwargs=dict(changes))


def _first_lines(options: ReadOptions) -> None:
    """What the first lines of the file are taken for."""
    raw = None if state.next_file() else state.raw()
    if _reader() not in WITHOUT:
        return
    if raw and work.is_sealed():
        st.caption("Lines of the file are not shown: some of them may be sealed test rows.")
        return
    head = raw.head or state.file().head(HEAD_BYTES) if raw else state.next_file()[1][:HEAD_BYTES]
    lines = first_lines(head, options)
    if lines:
        frames.show(frames.of(lines, columns=["line", "read as", "text"]), hide_index=True, height=240)


def _option(label: str, name: str, value: str | None, options: list[str], taken=lambda v: v, **settings) -> None:
    save = lambda v: again(**{name: None if v == FIND_OUT else taken(v)})  # noqa: E731
    state.controlled(st.selectbox, label, FIND_OUT if value is None else value, save, name, options=options, **settings)


# A file of very many columns: those to read are chosen before it is read.

MOST_COLUMNS = 10_000
"""More take longer than somebody waits for a first tree: 5 s to read 20,000, and half a minute until all is shown."""
LIMITED = ReadOptions(max_columns=MOST_COLUMNS)
AT_FIRST, LISTED = 1_000, 500


def offer(fault: TooManyColumns) -> None:
    """What is too much, which of the columns to read, and a way to read all of them all the same."""
    messages.show(fault)
    kept, names = state.stored_for("columns to read", {}), fault.names
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    with left:
        listed = names if len(names) <= 2 * LISTED else (*names[:LISTED], *names[-LISTED:])
        target = st.selectbox(
            "Predicting", listed, index=len(listed) - 1, key="wide_target", accept_new_options=True,
            help="Type a name that is not listed",
        )  # fmt: skip
    with middle:
        part = st.text_input("Columns whose names hold", key="wide_part", placeholder="any")
    with right:
        most = st.number_input("Columns at most", 2, MOST_COLUMNS, AT_FIRST, step=100, key="wide_most")
    chosen = some_columns(names, target, part, most)

    def read(**options) -> None:
        kept["target"] = target
        again(**options)

    with st.container(horizontal=True):
        st.button(f"Read {len(chosen):,} columns", type="primary", key="wide_read", on_click=read,
                  kwargs={"columns": chosen})  # fmt: skip
        st.button(f"Read all {len(names):,} columns", key="wide_all", on_click=read, kwargs={"max_columns": None},
                  help="Of 20,000 columns the tree is there after about half a minute")  # fmt: skip


def target(raw: RawTable) -> dict:
    """The target that was chosen with the columns, where it is another one than would be taken."""
    chosen = state.stored_for("columns to read", {}).pop("target", None)
    return {"target": chosen} if chosen in raw.names and chosen != why_target(raw.guesses).name else {}
