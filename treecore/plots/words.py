"""Texts from data, made safe for Plotly, and numbers in words."""

import html
from collections.abc import Iterable

from treecore.figures import brief, percent
from treecore.figures import count as number
from treecore.tree.short_text import NOWHERE, Places, apart, clean, shorten


def text(name: object, limit: int | None = 32, places: Places = NOWHERE) -> str:
    """A name as literal text: one line, at most `limit` columns, nothing in it that Plotly would interpret.

    places : where it differs from others, which a shortened name goes on showing; see tree.short_text.

    Plotly renders some HTML, typesets $...$ when the page has MathJax, and fills in %{...} in hover templates.
    It decodes numeric entities but not &quot;, and quotes are harmless outside of tags.
    """
    plain = clean(str(name)) if limit is None else shorten(str(name), limit, places)
    escaped = html.escape(plain, quote=False)
    return escaped.replace("$", "&#36;").replace("%", "&#37;") or "(blank)"


def texts(names: Iterable[object], limit: int = 32) -> list[str]:
    """`text` of each name; shortened names show where they differ, and get their number where they are alike still."""
    names = [str(name) for name in names]
    places = apart(names)
    found = [text(name, limit, places) for name in names]
    twice = {name for name in found if found.count(name) > 1}
    return [f"{name} #{i}" if name in twice else name for i, name in enumerate(found, 1)]


def digits(value: float) -> str:
    """Four significant digits, for hover texts; a dash for no number."""
    return brief(value)


__all__ = ["digits", "number", "percent", "text", "texts"]
