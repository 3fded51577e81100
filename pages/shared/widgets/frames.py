"""Tables on a page: what is shown is also what the button over it downloads.

pandas is imported with the first table: it takes a second, for which nobody should wait who is about to give a file.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.widgets import messages, present
from treecore.brief import visible
from treecore.data.formula_injection import harmless, harmless_text
from treecore.figures import brief
from treecore.tree.tree import Tree

Frame = "pandas.DataFrame"
COUNT = st.column_config.NumberColumn(format="localized")
"""How a column of counts is written: with thousands separators, and sorted as numbers."""
PERCENT = "%.1f %%"
SHARE = st.column_config.NumberColumn(format=PERCENT)
"""How a column of figures.per_cent is written."""
SHARES = re.compile("<?-?[0-9]+[.][0-9]+[ \u00a0]%")
FIGURES = re.compile("[-+\u2212]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.][0-9]+)?(e[+-][0-9]+)?")
NO_DIGIT, NO_NUMBER = re.compile("[^-+.0-9e]"), ("", "\u2013")
"""How treecore.figures writes shares and numbers, and where there is none."""
LINE, FRAME, LETTER = 31, 4, 8
"""Pixels of a row of a table in the app's letters, of the lines around it, and of a letter at most."""
TURNED = "@media print { [data-testid=stDataFrame] canvas { filter: invert(1) hue-rotate(180deg); } }"


def of(cells, **settings) -> Frame:
    """pandas.DataFrame."""
    import pandas

    return pandas.DataFrame(cells, **settings)


def height(rows: int, most: int = 2**15) -> int:
    """Pixels of a table of so many rows and their heads: no empty row, and `most` at most."""
    return min(LINE * (rows + 1) + FRAME, most)


def name_width(names: Iterable[str], least: int, most: int) -> int:
    """Pixels of a column of these names: the longest is not cut, but where `most` is too few for it."""
    return max(least, min(20 + LETTER * max(map(len, names), default=0), most))


def is_dark() -> bool:
    """Is the page dark, as far as the browser has said?"""
    return st.context.theme.type == "dark"


def dress_for_paper() -> None:
    """Tables are canvases in the colours of the theme, which rules for print do not reach: dark ones turn light."""
    st.html(f"<style>{TURNED * is_dark()}</style>")


def figures(frame: Frame, column_config: dict | None = None, **settings):
    """`show` of a table of ours: a column of figures in words has numbers, written alike and sorted as numbers.

    As text 9.0 would stand behind 20.5. A column in which some cell is no figure, as in a table with a row for each
    measure, stays as it is; a dash is no number.
    """
    made, looks = frame.copy(), {}
    for place, name in enumerate(frame.columns):
        result = numbers(frame.iloc[:, place].tolist())
        if result is not None:
            cells, looks[name] = result
            made.isetitem(place, cells)
    for name, given in (column_config or {}).items():
        looks[name] = looks.get(name, {}) | {part: value for part, value in given.items() if value is not None}
    return show(made, looks, **settings)


def numbers(cells: Sequence[object]) -> tuple[list[float | None], dict] | None:
    """The numbers that a column of texts writes, and how they are written; None for another one.

    Texts are what treecore.figures writes, and a target's figure_text: so a number reads in a table as beside it."""
    if not all(isinstance(cell, str) for cell in cells):
        return None
    said = [cell for cell in cells if cell not in NO_NUMBER]
    for sign, look in ((SHARES, SHARE), (FIGURES, None)):
        if said and all(sign.fullmatch(cell) for cell in said):
            result = [
                None if cell in NO_NUMBER else float(NO_DIGIT.sub("", cell.replace("\u2212", "-"))) for cell in cells
            ]
            return result, look or _written(said)
    return None


def column(texts: Iterable[str]) -> tuple[list[float | None], dict]:
    """The same of texts that are all numbers or dashes."""
    cells = list(texts)
    return numbers(cells) or ([None] * len(cells), COUNT)


def answers(tree: Tree, values: Iterable[float]) -> tuple[list[float | None], dict]:
    """A column of answers of a tree, or of rates of rows, as its cards and sentences write them."""
    kind = tree.target_kind
    texts = ("–" if value != value else kind.figure_text(tree, float(value)) for value in values)
    return column(text.removesuffix(f" {kind.figure_unit}") for text in texts)


def _written(said: list[str]) -> dict:
    """With thousands separators where some are large, with as many decimals as all have, else with the digits of the
    longest one."""
    if any("," in cell for cell in said) or all(cell.isdigit() for cell in said):
        return COUNT
    decimals = {len(cell.partition(".")[2]) for cell in said}
    if len(decimals) == 1 and not any("e" in cell for cell in said):
        return st.column_config.NumberColumn(format=f"%.{decimals.pop()}f")
    digits = max(len(re.sub(r"e.*|\D", "", cell).lstrip("0")) for cell in said)
    return st.column_config.NumberColumn(format=f"%.{max(digits, 1)}g")


def show(
    frame: Frame, column_config: dict | None = None, css: Callable[[Frame], Frame] | None = None,
    **settings,
):  # fmt: skip
    """st.dataframe, of text in which everything can be seen and that no spreadsheet works out.

    css : the frame shown -> the CSS of every cell. While the page is presented a table that is only read has large
    letters, too.
    """
    if present.on() and "on_select" not in settings:
        return whole(frame)
    looks = {_named(name): look for name, look in (column_config or {}).items()}
    shown = harmless(messages.frame(frame))
    return st.dataframe(
        shown if css is None else shown.style.apply(css, axis=None), column_config=looks or None, **settings
    )


def whole(frame: Frame):
    """A small table of which every cell is in view, in as many lines as it needs."""
    return st.table(_in_words(frame), hide_index=True)


def _in_words(frame: Frame) -> Frame:
    """Every cell as Markdown that shows exactly its text; numbers with four digits."""
    told = lambda cell: messages.plain(brief(cell) if isinstance(cell, float) else cell)  # noqa: E731
    return frame.map(told).rename(columns=lambda name: messages.plain(name))


def _named(column: object) -> object:
    """A column's name as it is shown."""
    return harmless_text(visible(column)) if isinstance(column, str) else column


# A table with a row per node: a row selects its node on every page, and the selected node's row is marked.

MARK = "▶"


def node_table(
    frame: Frame,
    nodes: Sequence[int],
    name: str,
    stamp: object = "",
    styles: Mapping[str, Sequence[str]] | None = None,
    **settings,
) -> None:
    """frame : one row per node of `nodes`, in order. name : of the table in this session. stamp : what its rows
    depend on besides the tree; another one starts a fresh table. styles : column -> CSS of its cells."""
    nodes = [int(node) for node in nodes]
    selected, about = work.selected(), hash((work.tree_key(), stamp))
    memory = state.stored_for(f"{name} rows", {"clicked": None, "version": 0})
    if memory["clicked"] not in (None, (selected, about)):  # the browser would still mark the row of that click
        memory |= {"clicked": None, "version": memory["version"] + 1}
    key = f"{name} {memory['version']}"
    frame = frame.copy()
    frame.insert(0, "", [MARK if node == selected else "" for node in nodes])
    css = None if styles is None else lambda shown: _of_columns(shown, styles)
    show(
        frame, css=css, key=key, hide_index=True, on_select=lambda: _take(key, nodes, memory, about),
        selection_mode="single-row", **settings,
    )  # fmt: skip


def _of_columns(frame: Frame, styles: Mapping[str, Sequence[str]]) -> Frame:
    css = of("", index=frame.index, columns=frame.columns)
    for column, cells in styles.items():
        css[column] = list(cells)
    return css


def _take(key: str, nodes: list[int], memory: dict, about: int) -> None:
    row = state.picked_row(key)
    if row is not None and row < len(nodes):
        memory["clicked"] = (nodes[row], about)
        state.change(selected=nodes[row])
