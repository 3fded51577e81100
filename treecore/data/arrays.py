"""A table straight from arrays, for callers that have numbers in memory already."""

from collections.abc import Iterable

import numpy as np

from treecore.data.column import Column, level_column, numeric_column, refuse_infinite
from treecore.data.table import Table
from treecore.data.unranked import UnrankedColumn
from treecore.errors import TreecoreError
from treecore.kernels.keys import keys_of_rows


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
    names = tuple(f"x{j}" for j in range(X.shape[1])) if names is None else tuple(names)
    if X.ndim != 2 or len(names) != X.shape[1] or len(y) != len(X):
        raise TreecoreError(
            f"X of shape {X.shape}, {len(names)} names and {len(y)} targets do not belong together",
            where="X",
            remedy="Give one row per target and one name per column",
        )
    nominal = frozenset(nominal)
    numeric = [j for j in range(X.shape[1]) if j not in nominal]
    found = dict(zip(numeric, _numeric(X, numeric, names), strict=True))
    found |= {j: _levels(X[:, j], names[j]) for j in nominal}
    columns = (*(found[j] for j in range(X.shape[1])), _target(np.asarray(y), classes, target))
    return Table(columns, target=target, features=names, weights=weights)


def _numeric(X: np.ndarray, numeric: list[int], names: tuple[str, ...]) -> list[Column]:
    if X.dtype != np.float32:
        return [numeric_column(names[j], X[:, j]) for j in numeric]
    part = X if len(numeric) == X.shape[1] else X[:, numeric]
    keys = np.empty((len(numeric), len(X)), np.uint32)
    n_missing, n_infinite = np.zeros(len(numeric), np.int64), np.zeros(len(numeric), np.int64)
    keys_of_rows(np.ascontiguousarray(part).view(np.uint32), keys, n_missing, n_infinite)
    for j in np.flatnonzero(n_infinite)[:1]:
        refuse_infinite(names[numeric[j]], X[:, numeric[j]], "error")
    return [
        UnrankedColumn.of(names[j], keys=own, n_missing=int(n))
        for j, own, n in zip(numeric, keys, n_missing, strict=True)
    ]


def _levels(codes: np.ndarray, name: str) -> Column:
    known = codes[~np.isnan(codes)] if codes.dtype.kind == "f" else codes
    n = int(known.max()) + 1 if len(known) else 0
    return level_column(name, "nominal", np.nan_to_num(codes, nan=-1).astype(np.int32), tuple(f"c{v}" for v in range(n)))


def _target(y: np.ndarray, classes: Iterable[str] | None, name: str) -> Column:
    if classes is not None:
        return level_column(name, "nominal", y.astype(np.int32), tuple(classes))
    numbers = refuse_infinite(name, np.array(y, np.float64), "error")
    return UnrankedColumn.of(name, numbers=numbers)
