"""The teacher's side of sheets that mark themselves: codes are pasted, and what a class got right is shown."""

from collections.abc import Callable
from functools import lru_cache

import pandas as pd
import streamlit as st

from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.exercises.handin import Line, by_task, read_all
from treecore.exercises.sheet import Sheet

HELP = (
    "One code in each line, with a name before it if you like. The sheets must be of this table, with the questions, "
    "rows and measure chosen above; the variant is in the code. Nothing is kept."
)
MOST_LINES = 200


def show(make: Callable[[int], Sheet]) -> None:
    """make : the sheet of a variant."""
    with st.expander("Read hand-in codes"):
        text = st.text_area("Codes of your class", key="hand_in_codes", help=HELP, height=140, max_chars=50_000)
        if text.strip():
            sheet_of = lru_cache(make)
            _of_class(read_all("\n".join(text.splitlines()[:MOST_LINES]), sheet_of), sheet_of)


def _of_class(lines: list[Line], sheet_of: Callable[[int], Sheet]) -> None:
    read = [line for line in lines if line.found is not None]
    faults = [line for line in lines if line.found is None]
    for line in faults:
        st.warning(f"{plain(line.name)}: {plain(line.fault)}.")
    if not read:
        return
    asked = [task.text for task in sheet_of(read[0].found.variant).markable]
    heads = [f"{i}." for i in range(1, len(asked) + 1)]
    rows, right, answers = [], [0] * len(asked), [0] * len(asked)
    for line in read:
        told = by_task(sheet_of(line.found.variant), line.found)
        rows.append([line.name or "–", line.found.variant, line.found.n_right, *(f"{r} of {n}" for r, n in told)])
        for i, (r, n) in enumerate(told[: len(asked)]):
            right[i] += r
            answers[i] += n
    most = sum(n for _, n in by_task(sheet_of(read[0].found.variant), read[0].found))
    st.caption(f"{len(read)} codes. Right without the arithmetic, of {most} answers or as many as the variant has.")
    frames.figures(pd.DataFrame(rows, columns=["who", "variant", "right", *heads]), hide_index=True)
    shares = [100 * r / n for r, n in zip(right, answers, strict=True)]
    frame = pd.DataFrame({"question": [f"{h} {text}" for h, text in zip(heads, asked, strict=True)], "right": shares})
    st.markdown("**Where the class went wrong**")
    bar = st.column_config.ProgressColumn("right", format="%.0f %%", min_value=0, max_value=100)
    frames.show(frame.sort_values("right", kind="stable"), {"right": bar}, hide_index=True)
