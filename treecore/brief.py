"""Objects as text: a repr of a few hundred letters whatever they hold, small tables for people, names that can be
seen."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import Field, fields
from itertools import islice
from typing import Any, ClassVar

import numpy as np

MOST_LETTERS = 600
"""Of a repr."""
MOST_OF_A_FIELD = 80
FEW = 4
"""So many items of a collection are written out."""
MOST_LINES = 40
"""Of a str."""
DERIVED: Any = None
"""Default of a field that __post_init__ works out of the others where it is not given: no reader meets None."""


class Brief:
    """Base of the dataclasses that hold arrays: their repr says of what shape they are instead of writing them out."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __repr__(self) -> str:
        parts = (f"{f.name}={brief_value(getattr(self, f.name))}" for f in fields(self) if f.repr)
        text = f"{type(self).__name__}({', '.join(parts)})"
        return visible(text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 2] + "…)")

    def __str__(self) -> str:
        """Its fields below each other; arrays of one length as the columns of a table."""
        shown = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}
        flat = {name: value for name, value in shown.items() if isinstance(value, np.ndarray) and value.ndim == 1}
        length = max((len(value) for value in flat.values()), default=0)
        table = {name: value for name, value in flat.items() if len(value) == length} if length > FEW else {}
        lines = [f"{name}: {brief_value(value)}" for name, value in shown.items() if name not in table]
        head = [type(self).__name__, *map(shortened, lines[: MOST_LINES // 2])]
        if not table:
            return "\n".join(head)
        rows = ([_figure(value[i]) for value in table.values()] for i in range(length))
        return "\n".join([*head, "", text_table(list(table), rows, length, most=MOST_LINES - len(head) - 3)])


def _figure(value) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def brief_value(value) -> str:
    """A value in at most some 80 letters, none of its items read but the few that are written."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}" if value.size > FEW else str(value.tolist())
    if isinstance(value, Mapping | Set | Sequence) and not isinstance(value, str | bytes) and len(value) > FEW:
        return f"{type(value).__name__} of {len(value):,}"
    if isinstance(value, tuple | list):
        inner = ", ".join(map(brief_value, value))
        return shortened(f"({inner})" if isinstance(value, tuple) else f"[{inner}]")
    return shortened(repr(value[: 2 * MOST_OF_A_FIELD] if isinstance(value, str | bytes) else value))


def shortened(text: str, most: int = MOST_OF_A_FIELD) -> str:
    """The text, its end left out where it is longer."""
    return text if len(text) <= most else text[: most - 1] + "…"


def text_table(
    head: Sequence[str], rows: Iterable[Sequence], n_rows: int, rest: str = "more", most: int = MOST_LINES - 3
) -> str:
    """Rows below each other, numbers to the right; of many rows the first ones, and how many are left out.

    rows : cells as text or numbers; only as many are asked for as are shown. n_rows : how many there are.
    """
    cells = [[shortened(visible(str(cell)), 60) for cell in row] for row in (head, *islice(rows, most))]
    shown = cells[1:]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [all(_is_figure(row[i]) for row in shown) for i in range(len(head))]
    lines = [
        "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in cells
    ]
    left_out = n_rows - len(shown)
    return "\n".join(lines + ([f"… {left_out:,} {rest}"] if left_out > 0 else []))


_FIGURE = re.compile(r"[<≤]? ?[-+]?[\d.,]*(e[-+]?\d+)?[ \u00a0]?%?|nan|[-–]?∞?")


def _is_figure(text: str) -> bool:
    return _FIGURE.fullmatch(text) is not None


_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that draw nothing, besides the characters whose category says so."""
_JOINERS = "\u200c\u200d"
_PRINTABLE = re.compile(r"[\x20-\x7e]*")


def visible(text: str) -> str:
    """The text with every character that draws nothing, or turns what follows around, written out as [U+202E].

    So two names that differ look different, and none can change the text beside it. White space becomes plain
    spaces; a joiner stays inside an emoji or a word of a script that needs it.
    """
    if _PRINTABLE.fullmatch(text):
        return text
    return "".join(_seen(text, i) for i in range(len(text)))


def _seen(text: str, i: int) -> str:
    ch = text[i]
    if ch.isspace():
        return " "
    joins = ch in _JOINERS and 0 < i < len(text) - 1 and not (text[i - 1].isascii() or text[i + 1].isascii())
    hidden = unicodedata.category(ch) in ("Cc", "Cf", "Cs", "Cn", "Co") or ch in _UNSEEN
    return f"[U+{ord(ch):04X}]" if hidden and not joins else ch
