"""What the app says when something is missing or wrong."""

import logging
import re
from collections.abc import Callable, Mapping
from contextlib import contextmanager, nullcontext
from functools import lru_cache

import streamlit as st

from treecore.brief import visible
from treecore.data.formula_injection import with_texts
from treecore.database.connection import NoAnswer
from treecore.errors import TreecoreError
from treecore.pruning import PRUNERS

# Text from data as exactly that text, wherever Streamlit would make something else of it.

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
    result = [_escaped(parts[0])]
    for sign, part in zip(_APART.findall(body), parts[1:], strict=True):
        result.append(f":color[\\{sign}]{_escaped(part)}")  # a directive without a colour: a bare <span>
    # a space at the start of a line may begin a block of code
    return "&#32;" * (len(line) - len(body)) + "".join(result)


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


def frame(data):
    """The pandas frame with names and texts in which everything can be seen."""
    return with_texts(data, visible)


# Faults in the words of the screen: what the library calls by a name of its own is called as its control is.

READING = {
    "skip_ragged": "Read the file without these lines",
    "extra_missing": "More missing values",
    "delimiter": "Delimiter",
    "encoding": "Encoding",
    "decimal": "Decimal sign",
    "quote": "Quotes",
}
"""Controls of how a file is read."""


def in_labels(fault: TreecoreError, method: str | None = None) -> TreecoreError:
    """The fault with settings, and the entries of their menus, called as the page calls them.

    method : the pruner that it is from, as some of them call different parameters by one name.
    """
    name, comma, rest = fault.where.partition(",")
    own = {p.name: p.label for p in PRUNERS[method].parameters} if method else {}
    names, menu = _names() | own, _menus().get(name, {})
    where = f"{names[name]}{comma}{rest}" if name in names else fault.where
    known = {own: label for own, label in names.items() if _is_a_name(own)} | menu
    return TreecoreError(_replaced(fault.what, known), where=where, remedy=_replaced(fault.remedy, known))


def _is_a_name(own: str) -> bool:
    """No word that a sentence might hold: it has an underscore, or no vowel."""
    return "_" in own or not set(own) & set("aeiouy")


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """Names outside of quotation marks, which hold the user's own, replaced by labels."""
    for own in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w'\"“-]){re.escape(own)}(?![\w'\"”-])", lambda _, o=own: f"“{names[o]}”", text)
    return text


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Name in the library -> label on the screen, of settings, of parameters of pruning, of how a file is read."""
    from pages.shared.controls.settings import ON_DATA, PANEL, SETTINGS

    parameters: dict[str, set[str]] = {}
    for parameter in (p for pruner in PRUNERS.values() for p in pruner.parameters):
        parameters.setdefault(parameter.name, set()).add(parameter.label)
    plain = {own: labels.pop() for own, labels in parameters.items() if len(labels) == 1}
    entries = {own: label for menu in _menus().values() for own, label in menu.items() if "_" in own}
    settings = {name: setting.label for name, setting in SETTINGS.items()}
    return entries | {p.name: p.label for p in PRUNERS.values()} | READING | plain | settings | PANEL | ON_DATA


@lru_cache(maxsize=1)
def _menus() -> dict[str, dict[str, str]]:
    """Setting -> its entries with their labels."""
    from pages.shared.controls.settings import SETTINGS

    return {
        name: {own: setting.menu[own].label for own in setting.menu}
        for name, setting in SETTINGS.items()
        if setting.menu is not None
    }


def role_rows(role: str) -> str:
    """The rows of a role, in words: "training rows", "validation rows", "estimation rows"."""
    return f"{'training' if role == 'train' else role} rows"


_log = logging.getLogger("treecore.app")
OUT_OF_MEMORY = TreecoreError(
    "The memory that this server may use is not enough for this",
    remedy="Your former table and settings are kept. Give a table of fewer rows or columns, or ask who runs the server "
    "for more memory",
)
FAILED = TreecoreError(
    "Something went wrong that should not have",
    remedy="Your data and settings are kept; the details are in the terminal that runs the app",
)


def show(error: TreecoreError, method: str | None = None) -> None:
    """A fault the user can put right: what, where, remedy, in the words of the screen. method : see in_labels."""
    error = in_labels(error, method)
    lines = [f"**{plain(error.where)}**: {plain(error.what)}." if error.where else f"{plain(error.what)}."]
    if error.remedy:
        lines.append(plain(error.remedy.rstrip(".")) + ".")
    st.error("  \n".join(lines))


@contextmanager
def caught(on_top: bool = False, again: bool = False):
    """Errors of the page as messages. Nothing the user made is lost: the state is kept as it was.

    on_top : above what is drawn meanwhile, where nobody has to scroll to learn why the page ends. again : with a button
    that tries again what an engine had no answer to.
    """
    place = st.container() if on_top else nullcontext()
    try:
        yield
    except Exception as error:
        with place:
            if on_top:
                st.space("small")  # what stands first would be half under the bar at the top
            show(explained(error))
            if again and isinstance(error, NoAnswer):
                with st.container(horizontal=True):
                    st.space("small")  # a page of a canvas has no margin
                    st.button("Try again", key="try_again")


def explained(error: Exception) -> TreecoreError:
    """What is said of it; what nobody foresaw goes into the log with where it was."""
    if isinstance(error, TreecoreError):
        return error
    _log.error("a page failed", exc_info=error)
    return OUT_OF_MEMORY if isinstance(error, MemoryError) else FAILED


def need(what: object, sentence: str, page: str, label: str) -> None:
    """Stop the page with a hint and a link to the page that provides what is missing."""
    if not what:
        st.info(sentence)
        st.page_link(page, label=label)
        st.stop()
