"""A table straight from arrays, for callers that have numbers in memory already."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from treecore import compiling
from treecore.data.column import Column, frozen, level_column, numeric_column, refuse_infinite
from treecore.data.table import Table
from treecore.data.table_keys import Keys
from treecore.data.unranked import UnrankedColumn
from treecore.errors import TreecoreError
from treecore.kernels.keys import ABSENT, INFINITE, NEGATIVE_INFINITE, keys_of_bits, keys_uncompiled

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
    X = np.asarray(X)
    names = _usual_names(X.shape[1]) if names is None else tuple(names)
    if X.ndim != 2 or len(names) != X.shape[1] or len(y) != len(X):
        raise TreecoreError(
            f"X of shape {X.shape}, {len(names)} names and {len(y)} targets do not belong together",
            where="X",
            remedy="Give one row per target and one name per column",
        )
    nominal = frozenset(nominal)
    numeric = [j for j in range(X.shape[1]) if j not in nominal]
    columns, keys = _numeric(X, numeric, names)
    if nominal:
        found = dict(zip(numeric, columns, strict=True)) | {j: _levels(X[:, j], names[j]) for j in nominal}
        columns, keys = [found[j] for j in range(X.shape[1])], None
    table = Table((*columns, _target(np.asarray(y), classes, target)), target, names, weights)
    if keys is not None:
        table.keep_keys(keys)
    return table


@lru_cache(maxsize=64)
def _usual_names(d: int) -> tuple[str, ...]:
    return tuple(f"x{j}" for j in range(d))


def _numeric(X: np.ndarray, numeric: list[int], names: tuple[str, ...]) -> tuple[list[Column], Keys | None]:
    """(these columns, their keys if they are at hand)."""
    if X.dtype != np.float32:
        return [numeric_column(names[j], X[:, j]) for j in numeric], None
    part = np.ascontiguousarray(X if len(numeric) == X.shape[1] else X[:, numeric])
    keys, n_missing, n_infinite = _keys(part.view(np.uint32))
    if n_infinite:
        for j in numeric:
            refuse_infinite(names[j], X[:, j], "error")
    counts = np.count_nonzero(keys == ABSENT, axis=0) if n_missing else np.zeros(len(numeric), np.int64)
    columns = UnrankedColumn.side_by_side([names[j] for j in numeric], keys, counts.tolist())
    return columns, Keys(keys, _all_absent(len(numeric)), counts)


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
        return level_column(name, "nominal", y.astype(np.int32), tuple(classes))
    numbers = refuse_infinite(name, np.array(y, np.float64), "error")
    return UnrankedColumn.of_numbers(name, numbers)
