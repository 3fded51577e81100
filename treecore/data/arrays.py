"""A table straight from arrays, for callers that have numbers in memory already."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from treecore.data.column import Column, frozen, level_column, numeric_column, refuse_infinite
from treecore.data.matrix_table import MatrixTable
from treecore.data.table import Table
from treecore.data.table_keys import Keys
from treecore.data.unranked import UnrankedColumn
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.kernels.encode.keys import ABSENT, INFINITE, NEGATIVE_INFINITE, keys_of_bits, keys_uncompiled

MOST_UNCOMPILED = 4_000_000
"""Numbers that are read sooner than a kernel is compiled."""


def from_arrays(
    X: np.ndarray,
    y: np.ndarray,
    *,
    classes: Iterable[str] | None = None,
    nominal: Iterable[int] = (),
    names: Iterable[str] | None = None,
    weights: np.ndarray | None = None,
    target: str = "y",
) -> Table:
    """A table of the columns of X and a target. The arrays are copied.

    X : (n, d) numbers, NaN for missing. float32 is the fastest; whole-number codes in the nominal columns.
    y : integer (n,), the index of each row's class, if `classes` names them; else float (n,).
    nominal : numbers of the columns whose values are the indices of levels. names : of the features; x0, x1 ... by
    default. weights : (n,) >= 0. Raises TreecoreError for infinite numbers, codes without a class, wrong lengths.
    """
    X, y = _numbers("X", X, 2), _numbers("y", y, 1)
    names = _usual_names(X.shape[1]) if names is None else tuple(names)
    if len(names) != X.shape[1] or len(y) != len(X):
        raise TreecoreError(
            f"X of shape {X.shape}, {len(names)} names and {len(y)} targets do not belong together",
            where="X",
            remedy="Give one row per target and one name per column",
        )
    nominal, target = frozenset(nominal), _target(y, classes, target)
    if not nominal and X.dtype == np.float32:
        return _matrix_table(X, names, weights, target)
    numeric = [j for j in range(X.shape[1]) if j not in nominal]
    columns = _numeric(X[:, numeric], [names[j] for j in numeric])
    found = dict(zip(numeric, columns, strict=True)) | {j: _levels(X[:, j], names[j]) for j in nominal}
    return Table((*(found[j] for j in range(X.shape[1])), target), target.name, names, weights)


def _numbers(name: str, values, n_dimensions: int) -> np.ndarray:
    """The values as an array of real numbers; TreecoreError for what is none of so many dimensions."""
    try:
        array = np.asarray(values)
        array = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError):
        array = None
    if array is None or array.dtype.kind not in "biuf" or array.ndim != n_dimensions:
        found = "no array" if array is None else f"of shape {array.shape} and type {array.dtype}"
        wanted = "(rows, columns)" if n_dimensions == 2 else "(rows,)"
        raise TreecoreError(f"It is {found}", where=name, remedy=f"Give real numbers of shape {wanted}")
    return array


def _matrix_table(X: np.ndarray, names: tuple[str, ...], weights: np.ndarray | None, target: Column) -> Table:
    """The table of float32 (n, d)."""
    table = MatrixTable.of(names, *_read(X, names), target)
    if weights is None and names and len({target.name, *names}) == len(names) + 1:
        return table
    # checks what is given, too
    checked = Table(table.columns, target.name, names, weights)
    checked.keep_keys(table.keys)
    return checked


def _numeric(X: np.ndarray, names: list[str]) -> list[Column]:
    """The columns of X, (n, d)."""
    if X.dtype != np.float32:
        return [numeric_column(name, column) for name, column in zip(names, X.T, strict=True)]
    keys, _ = _read(X, names)
    return UnrankedColumn.side_by_side(names, keys.matrix, keys.n_absent.tolist())


def _read(X: np.ndarray, names: Iterable[str]) -> tuple[Keys, int]:
    """(keys of float32 (n, d), how many are missing)."""
    keys, n_missing, n_infinite = _keys(np.ascontiguousarray(X).view(np.uint32))
    if n_infinite:
        for name, column in zip(names, X.T, strict=True):
            refuse_infinite(name, column, "error")
    d = X.shape[1]
    n_absent = np.count_nonzero(keys == ABSENT, axis=0) if n_missing else np.zeros(d, np.int64)
    return Keys(frozen(keys), _all_absent(d), n_absent), n_missing


@lru_cache(maxsize=64)
def _usual_names(d: int) -> tuple[str, ...]:
    return tuple(f"x{j}" for j in range(d))


@lru_cache(maxsize=64)
def _all_absent(d: int) -> np.ndarray:
    """uint32 (d,), read-only: the keys of missing numbers of 32 bits."""
    return frozen(np.full(d, ABSENT, np.uint32))


def _keys(bits: np.ndarray) -> tuple[np.ndarray, int, int]:
    """(uint32 (n, d), how many are missing, how many infinite) of float32's bits, uint32 (n, d)."""
    if bits.size <= MOST_UNCOMPILED and not compiling.is_loaded("fast"):
        keys = keys_uncompiled(bits)
        infinite = (keys == INFINITE) | (keys == NEGATIVE_INFINITE)
        return keys, np.count_nonzero(keys == ABSENT), np.count_nonzero(infinite)
    keys = np.empty(bits.shape, np.uint32)
    return keys, *keys_of_bits(bits.reshape(-1), keys.reshape(-1))


def _levels(codes: np.ndarray, name: str) -> Column:
    known = codes[~np.isnan(codes)] if codes.dtype.kind == "f" else codes
    levels = tuple(f"c{v}" for v in range(int(known.max(initial=-1)) + 1))
    return level_column(name, "nominal", np.nan_to_num(codes, nan=-1).astype(np.int32), levels)


def _target(y: np.ndarray, classes: Iterable[str] | None, name: str) -> Column:
    if classes is not None:
        return level_column(name, "nominal", y.astype(np.int32, copy=False), tuple(classes))
    numbers = refuse_infinite(name, np.array(y, np.float64), "error")
    return UnrankedColumn.of_numbers(name, numbers)
