"""Numeric columns whose codes are found when somebody first asks for them: growing alone does not."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from treecore.data.column import Column, frozen, ranks_of
from treecore.data.gaps import FLOAT32, NO_GAPS, Gaps
from treecore.kernels.encode.keys import ABSENT, numbers_of_keys


class UnrankedColumn(Column):
    """A numeric column known by the keys of its numbers, or by the numbers; see Column for everything else.

    Codes and distinct values are those of the whole column also where it holds some of its rows.
    """

    kind = "numeric"
    _keys = _numbers = _whole = _rows = None

    def __new__(cls, **fields):
        """What dataclasses.replace makes of such a column is an ordinary one. Copying asks for one without fields."""
        return Column(**fields) if fields else object.__new__(cls)

    @classmethod
    def of_numbers(cls, name: str, numbers: np.ndarray) -> "UnrankedColumn":
        """numbers : float64 (n_rows,), NaN for missing, without infinite ones; it becomes read-only."""
        return cls._made(name=name, _numbers=frozen(numbers))

    @classmethod
    def side_by_side(cls, names: Iterable[str], keys: np.ndarray, n_missing: Iterable[int]) -> "list[UnrankedColumn]":
        """The columns of a matrix of keys, uint32 (n_rows, d), of 32-bit numbers, as treecore.kernels.encode.keys has
        them; it becomes read-only. n_missing : of each column."""
        each = zip(names, frozen(keys).T, n_missing, strict=True)
        return [cls._made(name=name, _keys=own, n_missing=n) for name, own, n in each]

    @classmethod
    def _made(cls, **known) -> "UnrankedColumn":
        column = object.__new__(cls)
        object.__setattr__(column, "__dict__", known)
        return column

    def __init__(self, **fields):
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
