"""The teacher's side of a class: codes are pasted, and what it got right is shown, of sheets and of guessed splits."""

from collections.abc import Callable
from functools import lru_cache

import pandas as pd
import streamlit as st

from pages.shared.trees import work
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.exercises import guess_codes
from treecore.exercises.guess_codes import Guesses
from treecore.exercises.handin import HandIn, Line, by_task, read, read_lines
from treecore.exercises.sheet import Sheet
from treecore.figures import counted
from treecore.plots.lesson_figures import class_guesses

HELP = (
    "Paste one code per line, with a name in front if you like: codes of sheets that mark themselves, and of guesses "
    "from a class link. They must belong to this table, with the questions, rows and measure chosen above, and guesses"
    " to this tree. Each code contains its variant. Nothing is stored."
)
MOST_LINES = 200


def show(make: Callable[[int], Sheet]) -> None:
    """make : the sheet of a variant."""
    with st.expander("Read hand-in codes"):
        text = st.text_area("Codes of your class", key="hand_in_codes", help=HELP, height=140, max_chars=50_000)
        if text.strip():
            sheet_of, tree = lru_cache(make), work.grown()
            lines = read_lines(
                "\n".join(text.splitlines()[:MOST_LINES]),
                lambda code: guess_codes.read(code, tree) if guess_codes.is_one(code) else read(code, sheet_of),
            )
            _of_class(lines, sheet_of)


def _of_class(lines: list[Line], sheet_of: Callable[[int], Sheet]) -> None:
    for line in lines:
        if line.found is None:
            st.warning(f"{plain(line.name)}: {plain(line.fault)}.")
    guessed = [line for line in lines if isinstance(line.found, Guesses)]
    if guessed:
        _of_guesses(guessed)
    read_sheets = [line for line in lines if isinstance(line.found, HandIn)]
    if read_sheets:
        _of_sheets(read_sheets, sheet_of)


def _of_guesses(lines: list[Line[Guesses]]) -> None:
    """Who guessed what, and the shares that were right as bars on the tree."""
    tree, train = work.grown(), work.roles()["train"]
    nodes = guess_codes.by_node(tree, train, [line.found for line in lines])
    rows = [
        [
            line.name or "–",
            line.found.number,
            guess_codes.n_best(nodes, line.found),
            *(name or "shown" for name in said),
        ]
        for line in lines
        for said in [(*line.found.said, *["–"] * (len(nodes) - len(line.found.said)))]
    ]
    heads = [f"node {of.node}" for of in nodes]
    st.caption(f"{len(lines)} codes of guesses. Best: guesses that no other feature beats, of {len(nodes)}.")
    frames.figures(pd.DataFrame(rows, columns=["who", "number", "best", *heads]), hide_index=True)
    st.markdown("**Where the class went wrong, on the tree**")
    st.plotly_chart(class_guesses(tree, nodes), key="guesses_on_tree")
    for of in sorted(nodes, key=lambda of: of.right / max(of.n, 1)):
        st.caption(plain(f"Node {of.node}, best {' or '.join(of.best)}: {of.text}."))


def _of_sheets(lines: list[Line[HandIn]], sheet_of: Callable[[int], Sheet]) -> None:
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
    frames.figures(pd.DataFrame(rows, columns=["who", "variant", "right", *heads]), hide_index=True)
    sums = [[sum(pair) for pair in zip(*(one[text] for one in told if text in one), strict=True)] for text in asked]
    shares = [100 * right / answers for right, answers in sums]
    frame = pd.DataFrame({"question": [f"{h} {text}" for h, text in zip(heads, asked, strict=True)], "right": shares})
    st.markdown("**Where the class went wrong**")
    bar = st.column_config.ProgressColumn("right", format="%.0f %%", min_value=0, max_value=100)
    frames.show(frame.sort_values("right", kind="stable"), {"right": bar}, hide_index=True)


def _by_question(sheet: Sheet, line: Line[HandIn]) -> dict[str, tuple[int, int]]:
    """Question -> (right without help, answers)."""
    return dict(zip((task.text for task in sheet.markable), by_task(sheet, line.found), strict=True))


def _of(counts: tuple[int, int] | None) -> str:
    return "–" if counts is None else f"{counts[0]} of {counts[1]}"
