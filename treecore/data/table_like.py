"""What is asked of a table by those that the table itself asks: roles, and whether a tree can be grown on it."""

from typing import Protocol

import numpy as np

from treecore.data.column import Column
from treecore.target import CountTarget


class TableLike(Protocol):
    """The part of a Table that these look at; see there."""

    target: str | None
    features: tuple[str, ...]
    weights: np.ndarray | None
    row_numbers: np.ndarray
    counts: CountTarget | None

    @property
    def n_rows(self) -> int: ...

    @property
    def column_names(self) -> tuple[str, ...]: ...

    @property
    def target_column(self) -> Column: ...

    def column(self, name: str) -> Column: ...
