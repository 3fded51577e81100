"""A table of a matrix of 32-bit numbers, whose columns are made when somebody first asks for one: growing alone does
not, and to make them takes longer than to grow a small tree.
"""

from functools import cached_property, lru_cache

import numpy as np

from treecore.data.column import Column, frozen
from treecore.data.described import Described
from treecore.data.gaps import FLOAT32
from treecore.data.table import Table
from treecore.data.table_keys import Keys
from treecore.data.unranked import UnrankedColumn

KNOWN = "features", "target", "weights", "notes", "keys", "is_plain", "_target"
"""What such a table has; all else follows."""


class MatrixTable(Table):
    """See Table for everything else."""

    def __new__(cls, **fields):
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

    def __init__(self, **fields):
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
        return (*self.features, self.target)

    @property
    def target_column(self) -> Column:
        return self._target

    @property
    def described(self) -> tuple[Described, ...]:
        return _numbers_described(self.features)


@lru_cache(maxsize=16)
def _numbers_described(names: tuple[str, ...]) -> tuple[Described, ...]:
    return tuple((name, "numeric", (), None, None, (), FLOAT32, "") for name in names)
