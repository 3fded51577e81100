"""Texts from data, made safe for Plotly, and numbers in words."""

import html
from collections.abc import Iterable

from treecore.export.cards import clean, shorten
from treecore.figures import brief, percent
from treecore.figures import count as number


def text(name: object, limit: int | None = 32) -> str:
    """A name as literal text: one line, at most `limit` columns, nothing in it that Plotly would interpret.

    Plotly renders some HTML, typesets $...$ when the page has MathJax, and fills in %{...} in hover templates.
    It decodes numeric entities but not &quot;, and quotes are harmless outside of tags.
    """
    plain = clean(str(name)) if limit is None else shorten(str(name), limit)
    escaped = html.escape(plain, quote=False)
    return escaped.replace("$", "&#36;").replace("%", "&#37;") or "(blank)"


def texts(names: Iterable[object], limit: int = 32) -> list[str]:
    """`text` of each name; shortened names that became alike get their number."""
    found = [text(name, limit) for name in names]
    twice = {name for name in found if found.count(name) > 1}
    return [f"{name} #{i}" if name in twice else name for i, name in enumerate(found, 1)]


def digits(value: float) -> str:
    """Four significant digits, for hover texts; a dash for no number."""
    return brief(value)


__all__ = ["digits", "number", "percent", "text", "texts"]
