"""Text from data as exactly that text, wherever Streamlit would make something else of it."""

import re
from collections.abc import Callable
from functools import lru_cache

import pandas as pd
import streamlit as st

from treecore.brief import visible
from treecore.data.formula_injection import with_texts

_WITHIN = r"(?<=[^\W_])[_-](?=[^\W_])|(?<=[^\W\d_])\.(?=[^\W\d_])"
"""Signs within a word, of which Markdown makes nothing. Where a label is read out, it is read as Markdown."""
_MARKDOWN = re.compile(rf"(?!{_WITHIN})[\\`*_{{}}\[\]()#+\-.!|<>$~:&=]")
_APART = re.compile(
    r"@"  # addresses
    r"|:(?=//|material[/_]|[\w+-]+:)"  # links, icons and emoji
    r"|(?<=www)\."
    r"|(?<=[<>~=-])[<>~=-]",  # arrows, dashes and signs
    re.IGNORECASE,
)
"""What Streamlit replaces in the text that is left after Markdown: backslashes are gone by then, so that nothing but
another element in between keeps the characters apart."""
_FIGURE = re.compile(r"(?<=\d) (?=%)")
"""The space within 5 %: no line ends there."""
WORD, TEXT = 80, 1600
"""Letters of a word, and of all of a text, that are shown."""
MOST_KEPT = 4096
"""Short texts whose Markdown is not made again: a page says most of them at every run."""
MARKDOWN_OPTIONS = {st.pills, st.segmented_control, st.radio, st.select_slider}
PLAIN_OPTIONS = {st.selectbox, st.multiselect}


def plain(text: object) -> str:
    """The text as Markdown that shows exactly it, on one line: no link, image, icon, formula, sign or HTML.

    Characters that draw nothing, or turn what follows around, are written out; see `visible`. Of very long words, and
    of very long texts, the middle is left out.
    """
    told = str(text)
    return _plain(told) if len(told) <= TEXT else _plain.__wrapped__(told)


@lru_cache(MOST_KEPT)
def _plain(text: str) -> str:
    line = _FIGURE.sub("\u00a0", _in_bounds(visible(text)))
    body = line.lstrip(" ")
    parts = _APART.split(body)
    found = [_escaped(parts[0])]
    for sign, part in zip(_APART.findall(body), parts[1:], strict=True):
        found.append(f":color[\\{sign}]{_escaped(part)}")  # a directive without a colour: a bare <span>
    # a space at the start of a line may begin a block of code
    return "&#32;" * (len(line) - len(body)) + "".join(found)


def _escaped(part: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", part)


def _in_bounds(line: str) -> str:
    """A name of thousands of letters must not fill the page; its two ends tell it from others."""
    if len(line) <= WORD:
        return line
    return _shortened(" ".join(_shortened(word, WORD) for word in line.split(" ")), TEXT)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most * 3 // 4]}…{text[-most // 4 + 1 :]}"


def options(widget: Callable, settings: dict) -> dict:
    """Settings of a widget such that its options show exactly what `format_func` makes of them."""
    show = plain if widget in MARKDOWN_OPTIONS else visible if widget in PLAIN_OPTIONS else None
    if show is None:
        return settings
    told = settings.get("format_func", str)
    return settings | {"format_func": lambda option: show(str(told(option)))}


def frame(data: pd.DataFrame) -> pd.DataFrame:
    """The table with names and texts in which everything can be seen."""
    return with_texts(data, visible)
