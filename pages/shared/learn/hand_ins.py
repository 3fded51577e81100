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
    told = [_by_question(sheet_of(line.found.variant), line) for line in read]
    asked = list(dict.fromkeys(text for one in told for text in one))  # a variant may lack a question of another
    heads = [f"{i}." for i in range(1, len(asked) + 1)]
    rows = [
        [line.name or "–", line.found.variant, line.found.n_right, *(_of(one.get(text)) for text in asked)]
        for line, one in zip(read, told, strict=True)
    ]
    st.caption(f"{len(read)} codes. Right without the arithmetic, of the answers that each question has.")
    frames.figures(pd.DataFrame(rows, columns=["who", "variant", "right", *heads]), hide_index=True)
    sums = [[sum(pair) for pair in zip(*(one[text] for one in told if text in one), strict=True)] for text in asked]
    shares = [100 * right / answers for right, answers in sums]
    frame = pd.DataFrame({"question": [f"{h} {text}" for h, text in zip(heads, asked, strict=True)], "right": shares})
    st.markdown("**Where the class went wrong**")
    bar = st.column_config.ProgressColumn("right", format="%.0f %%", min_value=0, max_value=100)
    frames.show(frame.sort_values("right", kind="stable"), {"right": bar}, hide_index=True)


def _by_question(sheet: Sheet, line: Line) -> dict[str, tuple[int, int]]:
    """Question -> (right without help, answers)."""
    return dict(zip((task.text for task in sheet.markable), by_task(sheet, line.found), strict=True))


def _of(counts: tuple[int, int] | None) -> str:
    return "–" if counts is None else f"{counts[0]} of {counts[1]}"
