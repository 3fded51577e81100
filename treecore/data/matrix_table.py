"""Tables straight from arrays, whose columns are encoded when somebody first asks for them."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from treecore.data.column import Column, frozen, level_column, numeric_column, ranks_of, refuse_infinite
from treecore.data.gaps import FLOAT32, NO_GAPS, Gaps
from treecore.data.table import Keys, Table
from treecore.data.table_like import Described
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.kernels.ranks import (
    ABSENT,
    INFINITE,
    NEGATIVE_INFINITE,
    keys_of_bits,
    keys_uncompiled,
    numbers_of_keys,
)

# Numeric columns whose codes are found when somebody first asks for them: growing alone does not.


class UnrankedColumn(Column):
    """A numeric column known by the keys of its numbers, or by the numbers; see Column for everything else.

    Codes and distinct values are those of the whole column also where it holds some of its rows.
    """

    kind = "numeric"
    _keys: Any = None
    _numbers: Any = None
    _whole: Any = None
    _rows: Any = None

    def __new__(cls, **fields: Any) -> Any:
        """What dataclasses.replace makes of such a column is an ordinary one. Copying asks for one without fields."""
        return Column(**fields) if fields else object.__new__(cls)

    @classmethod
    def of_numbers(cls, name: str, numbers: np.ndarray) -> "UnrankedColumn":
        """numbers : float64 (n_rows,), NaN for missing, without infinite ones; it becomes read-only."""
        return cls._made(name=name, _numbers=frozen(numbers))

    @classmethod
    def side_by_side(cls, names: Iterable[str], keys: np.ndarray, n_missing: Iterable[int]) -> "list[UnrankedColumn]":
        """The columns of a matrix of keys, uint32 (n_rows, d), of 32-bit numbers, as treecore.kernels.ranks has
        them; it becomes read-only. n_missing : of each column."""
        each = zip(names, frozen(keys).T, n_missing, strict=True)
        return [cls._made(name=name, _keys=own, n_missing=n) for name, own, n in each]

    @classmethod
    def _made(cls, **known: Any) -> "UnrankedColumn":
        column = object.__new__(cls)
        object.__setattr__(column, "__dict__", known)
        return column

    def __init__(self, **fields: Any) -> None:
        """Nothing is left to do."""

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """(codes, distinct values)."""
        if self._whole is not None:
            codes, distinct = self._whole._ranked
            return frozen(codes[self._rows]), distinct
        codes, distinct = ranks_of(self.values())
        return frozen(codes), frozen(distinct)

    @property
    def codes(self) -> np.ndarray:
        return self._ranked[0]

    @property
    def distinct(self) -> np.ndarray:
        return self._ranked[1]

    @property
    def n_rows(self) -> int:
        return len(self._numbers if self._keys is None else self._keys)

    @property
    def missing(self) -> np.ndarray:
        return np.isnan(self._numbers) if self._keys is None else self._keys == ABSENT

    @cached_property
    def n_missing(self) -> int:
        return int(np.count_nonzero(self.missing))

    def values(self) -> np.ndarray:
        return self._numbers if self._keys is None else numbers_of_keys(self._keys)

    @property
    def keys(self) -> np.ndarray:
        return super().keys if self._keys is None else self._keys

    @property
    def absent(self) -> int:
        return super().absent if self._keys is None else int(ABSENT)

    @property
    def lists_values(self) -> bool:
        return False

    @property
    def gaps(self) -> Gaps:
        return NO_GAPS if self._keys is None else FLOAT32

    def numbers_of(self, keys: np.ndarray) -> np.ndarray:
        return super().numbers_of(keys) if self._keys is None else numbers_of_keys(keys)

    def take(self, rows: np.ndarray) -> "UnrankedColumn":
        part = lambda array: None if array is None else frozen(array[rows])  # noqa: E731
        whole = self if self._whole is None else self._whole
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        of_whole = rows if whole is self else self._rows[rows]
        return self._made(
            name=self.name, _keys=part(self._keys), _numbers=part(self._numbers), _whole=whole, _rows=of_whole
        )


KNOWN = "features", "target", "weights", "notes", "keys", "is_plain", "_target"
"""What such a table has; all else follows."""


class MatrixTable(Table):
    """See Table for everything else."""

    _target: Column

    def __new__(cls, **fields: Any) -> Any:
        """What dataclasses.replace makes of such a table is an ordinary one. Copying asks for one without fields."""
        return Table(**fields) if fields else object.__new__(cls)

    @classmethod
    def of(cls, names: tuple[str, ...], keys: Keys, n_missing: int, target: Column) -> "MatrixTable":
        """Of keys of 32-bit numbers, n_missing of them missing. names : of the features, all different, and none of
        them that of the target."""
        table = object.__new__(cls)
        known = (names, target.name, None, (), keys, n_missing == 0, target)
        object.__setattr__(table, "__dict__", dict(zip(KNOWN, known, strict=True)))
        return table

    def __init__(self, **fields: Any) -> None:
        """Nothing is left to do."""

    def __getstate__(self) -> dict:
        """See Table."""
        return {name: vars(self)[name] for name in KNOWN}

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        matrix, _, n_absent = self.keys
        return (*UnrankedColumn.side_by_side(self.features, matrix, n_absent.tolist()), self._target)

    @cached_property
    def row_numbers(self) -> np.ndarray:
        return frozen(np.arange(self.n_rows, dtype=np.int32))

    @property
    def n_rows(self) -> int:
        return len(self.keys.matrix)

    @property
    def column_names(self) -> tuple[str, ...]:
        return (*self.features, self._target.name)

    @property
    def target_column(self) -> Column:
        return self._target

    @property
    def described(self) -> tuple[Described, ...]:
        return _numbers_described(self.features)


@lru_cache(maxsize=16)
def _numbers_described(names: tuple[str, ...]) -> tuple[Described, ...]:
    return tuple((name, "numeric", (), None, None, (), FLOAT32, "") for name in names)


# A table straight from arrays, for callers that have numbers in memory already.

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
    nominal, truth = frozenset(nominal), _target(y, classes, target)
    if not nominal and X.dtype == np.float32:
        return _matrix_table(X, names, weights, truth)
    numeric = [j for j in range(X.shape[1]) if j not in nominal]
    columns = _numeric(X[:, numeric], [names[j] for j in numeric])
    result = dict(zip(numeric, columns, strict=True)) | {j: _levels(X[:, j], names[j]) for j in nominal}
    return Table((*(result[j] for j in range(X.shape[1])), truth), truth.name, names, weights)


def _numbers(name: str, values: Any, n_dimensions: int) -> np.ndarray:
    """The values as an array of real numbers; TreecoreError for what is none of so many dimensions."""
    try:
        array = np.asarray(values)
        array = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError):
        array = None
    if array is None or array.dtype.kind not in "biuf" or array.ndim != n_dimensions:
        result = "no array" if array is None else f"of shape {array.shape} and type {array.dtype}"
        wanted = "(rows, columns)" if n_dimensions == 2 else "(rows,)"
        raise TreecoreError(f"It is {result}", where=name, remedy=f"Give real numbers of shape {wanted}")
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
    return [*UnrankedColumn.side_by_side(names, keys.matrix, keys.n_absent.tolist())]


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
        return keys, int(np.count_nonzero(keys == ABSENT)), int(np.count_nonzero(infinite))
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
