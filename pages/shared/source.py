"""Where the table comes from: a file of the user's or a sample, and how it is read."""

import hashlib

import pandas as pd
import streamlit as st

from pages.shared import memo, messages, state
from pages.shared.messages import plain
from treecore.data import ENCODINGS, RaggedLines, ReadOptions, read_raw
from treecore.data.samples import SAMPLES
from treecore.errors import TreecoreError

FIND_OUT = "find out"
DELIMITERS = {FIND_OUT: "find out", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |"}


def choose() -> None:
    """An upload or a sample becomes the session's table; a fault leaves the former table in place."""
    upload, sample = st.columns(2, gap="large")
    with upload:
        _upload()
    with sample:
        _sample()
    if state.choice("unread"):
        _read(state.choice("next_options", ReadOptions()))


def _upload() -> None:
    given = st.file_uploader("Your table: CSV, TSV or Parquet", key="upload", type=None)
    if given is not None and given.file_id != state.choice("upload_id"):
        state.keep_file(given.name, given.getvalue())
        state.choose("upload_id", given.file_id)
        state.choose("next_options", ReadOptions())
        state.choose("unread", True)


def _sample() -> None:
    names = list(SAMPLES)
    picked = st.selectbox(
        "Or a sample", names, index=None, key="sample", placeholder="Choose a sample table",
        format_func=lambda name: SAMPLES[name].label, on_change=_take_sample,
    )  # fmt: skip
    if picked:
        st.caption(f"{plain(SAMPLES[picked].description)} {plain(SAMPLES[picked].source)}")


def _take_sample() -> None:
    """Load the sample that was picked."""
    name = state.widget("sample")
    if name is None:
        return
    sample = SAMPLES[name]
    raw = memo.get(("sample", name), lambda: read_raw(sample.path, name=sample.file))
    state.new_table(raw, target=sample.target, kinds=tuple(sorted(sample.kinds.items())), choices={"sample": name})


def _read(options: ReadOptions) -> None:
    """Read the kept file; on a fault say what it is and offer what can be done."""
    name, content = state.file()
    try:
        with st.spinner(f"Reading {plain(name)}"):
            key = ("raw", hashlib.sha256(content).hexdigest(), name, options)
            raw = memo.get(key, lambda: read_raw(content, name=name, options=options))
    except RaggedLines as fault:
        _offer_to_skip(fault, options)
    except TreecoreError as fault:
        messages.show(fault)
        _say_what_stays()
    else:
        state.new_table(raw, options=options, choices={"upload_id": state.choice("upload_id")})
        st.rerun()


def _say_what_stays() -> None:
    if state.raw() is not None:
        st.caption(f"The table {plain(state.raw().source)} is still loaded.")
    reading_options()


def _offer_to_skip(fault: RaggedLines, options: ReadOptions) -> None:
    messages.show(fault)
    rejects = fault.rejects
    frame = pd.DataFrame(
        {
            "line": [r.line for r in rejects],
            "fields": [r.n_fields for r in rejects],
            "expected": [r.expected for r in rejects],
            "text": [r.text for r in rejects],
        }
    )
    st.dataframe(frame, hide_index=True, height=240)
    many = "this line" if len(rejects) == 1 else f"these {len(rejects)} lines"
    st.button(f"Read the file without {many}", type="primary", on_click=lambda: again(skip_ragged=True))
    _say_what_stays()


def again(**changes) -> None:
    """Read the kept file once more with other options."""
    base = state.choice("next_options") or state.record().options
    state.choose("next_options", ReadOptions(**{**base.__dict__, **changes}))
    state.choose("unread", True)


def _given(value: str) -> str | None:
    return None if value == FIND_OUT else value


def reading_options() -> None:
    """How the file is read, for when the detection was wrong."""
    if state.file() is None:
        return
    options = state.choice("next_options") or state.record().options
    with st.expander("How the file is read", expanded=bool(state.choice("unread"))):
        columns = st.columns(4)
        with columns[0]:
            state.controlled(st.selectbox, "Delimiter", options.delimiter or FIND_OUT,
                             lambda v: again(delimiter=_given(v)), "delimiter", options=list(DELIMITERS), format_func=DELIMITERS.get)  # fmt: skip
        with columns[1]:
            state.controlled(st.selectbox, "Encoding", options.encoding or FIND_OUT,
                             lambda v: again(encoding=_given(v)), "encoding", options=[FIND_OUT, *ENCODINGS])  # fmt: skip
        with columns[2]:
            state.controlled(st.selectbox, "Decimal sign", options.decimal or FIND_OUT,
                             lambda v: again(decimal=_given(v)), "decimal", options=[FIND_OUT, ".", ","])  # fmt: skip
        with columns[3]:
            state.controlled(st.text_input, "More missing values", " ".join(options.extra_missing),
                             lambda v: again(extra_missing=tuple(v.split())), "extra_missing",
                             placeholder="such as -999 unknown")  # fmt: skip
