"""Plain lists of a file as columns of a tree: nothing is rounded, cut off or guessed on the way."""

from itertools import chain

import numpy as np

from treecore.errors import TreecoreError

NOT_FINITE = {"inf": np.inf, "-inf": -np.inf, None: np.nan}
"""What stands in a file for the numbers that JSON does not have."""


def wrong(where: str, what: str) -> TreecoreError:
    """The error for a saved tree that is none. where : the column. what : its fault."""
    return TreecoreError(what, where=f"Saved tree, {where}", remedy="Load what `to_dict` wrote")


def column_of(where: str, values, dtype: type, n_dimensions: int = 1) -> np.ndarray:
    """The values as an array of this type; TreecoreError for any that the type does not hold as it is."""
    rows = _list(where, values)
    flat = rows if n_dimensions == 1 else list(chain.from_iterable(_list(where, row) for row in rows))
    array = _array(where, flat, np.dtype(dtype))
    if n_dimensions == 1:
        return array
    if len({len(row) for row in rows}) > 1:
        raise wrong(where, "The rows differ in length")
    return array.reshape(len(rows), -1) if rows else array.reshape(0, 0)


def names_of(where: str, values) -> tuple[str, ...]:
    """Names that differ from each other; TreecoreError for anything else."""
    names = _list(where, values)
    if not all(isinstance(name, str) and _is_text(name) for name in names):
        raise wrong(where, "Not every name is text")
    if len(set(names)) < len(names):
        raise wrong(where, "Two have the same name")
    return tuple(names)


def _is_text(name: str) -> bool:
    """Half of a pair of UTF-16 is none: it can be written nowhere."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _list(where: str, values) -> list:
    if not isinstance(values, list):
        raise wrong(where, "There is no list")
    return values


def _array(where: str, values: list, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "f":
        return _numbers(where, values)
    kind = bool if dtype.kind == "b" else int
    if set(map(type, values)) - {kind}:
        raise wrong(where, f"Not every entry is {'true or false' if kind is bool else 'a whole number'}")
    try:
        return np.array(values, dtype)
    except OverflowError:
        raise wrong(where, "There is a number that is too large") from None


def _numbers(where: str, values: list) -> np.ndarray:
    types = set(map(type, values))
    if types <= {int, float, type(None), str}:
        try:
            return np.array([NOT_FINITE[v] if v is None or type(v) is str else v for v in values], np.float64)
        except (KeyError, OverflowError):
            pass
    raise wrong(where, "Not every entry is a number")
