"""Settings that hold more than one number, as JSON has them and as they are kept: pairs and rows of plain values."""

import itertools
import math
from collections.abc import Mapping
from numbers import Real

from treecore.errors import TreecoreError

REMEDIES = {
    "priors": "a list of shares",
    "loss": "a list of rows of costs",
    "profit": "a list of rows of gains, below 0 for losses",
    "costs": "a cost by feature",
    "edges": "for a feature one number or more, ascending",
    "monotonic": "for a feature 1 (the answer rises with it), -1 (it falls) or 0",
}


def as_pairs(name: str, value):
    """Lists of lists (as JSON has them) as tuples of tuples, a mapping as pairs; TreecoreError for anything else.

    costs hold pairs of a name and a number, monotonic of a name and 1 or -1, edges of a name and ascending numbers,
    priors numbers, loss and profit rows of numbers.
    """
    if value is None and name in ("priors", "loss", "profit"):
        return None
    try:
        return _READ[name](value.items() if isinstance(value, Mapping) else value)
    except (TypeError, ValueError):
        raise TreecoreError(f"{value!r} is not possible", where=name, remedy="Give " + REMEDIES[name]) from None


def _costs(pairs) -> tuple:
    return tuple(sorted((str(feature), _number(cost)) for feature, cost in pairs))


def _monotonic(pairs) -> tuple:
    """Features whose sign is 0 are left out."""
    found = tuple(sorted((str(feature), _number(sign)) for feature, sign in pairs))
    names = [feature for feature, _ in found]
    if len(set(names)) < len(names) or any(sign not in (-1, 0, 1) for _, sign in found):
        raise ValueError
    return tuple((feature, int(sign)) for feature, sign in found if sign)


def _edges(pairs) -> tuple:
    found = tuple(sorted((str(feature), tuple(_number(edge) for edge in edges)) for feature, edges in pairs))
    names = [feature for feature, _ in found]
    if len(set(names)) < len(names) or not all(_ascend(edges) for _, edges in found):
        raise ValueError
    return found


def typed_edges(text: str) -> tuple[float, ...]:
    """ "10, 30; 50" as numbers in ascending order, each once; () of no text. TreecoreError for what is no number."""
    found = set()
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            edge = float(word)
        except ValueError:
            edge = math.nan
        if not math.isfinite(edge):
            remedy = "Give numbers with commas or spaces between them and a point before decimals: 10, 30, 50.5"
            raise TreecoreError(f"{word!r} is no number", where="edges", remedy=remedy)
        found.add(edge)
    return tuple(sorted(found))


def _ascend(edges: tuple[float, ...]) -> bool:
    finite = bool(edges) and all(map(math.isfinite, edges))
    return finite and all(low < high for low, high in itertools.pairwise(edges))


def _number(value) -> float:
    """A plain float; TypeError for what is no number, text included."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError
    return float(value)


def _rows(rows) -> tuple:
    return tuple(tuple(_number(v) for v in row) for row in rows)


_READ = {
    "priors": lambda shares: tuple(_number(v) for v in shares),
    "loss": _rows,
    "profit": _rows,
    "costs": _costs,
    "edges": _edges,
    "monotonic": _monotonic,
}
