"""What growing asks of a table whose rows stay where they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.data.column import Column


@dataclass(frozen=True, eq=False)
class CountedColumn(Column):
    """A column of which only counts are known; `codes` holds no rows.

    counts : int64 (n_distinct + 1,), rows of each code, the last one of a missing value.
    in_bins : does a code of a numeric column stand for several values, of which `distinct` has the largest?
    """

    counts: np.ndarray = None
    in_bins: bool = False

    @property
    def n_rows(self) -> int:
        return int(self.counts.sum())

    @property
    def n_missing(self) -> int:
        return int(self.counts[-1])

    def present(self) -> np.ndarray:
        """int64 (n_distinct,): how many rows have each code (missing not counted)."""
        return self.counts[:-1]


@dataclass(frozen=True, eq=False)
class Sent:
    """How one node sends its rows to its children.

    node, feature : id and index. low : the last code of the low side of a cut; -1 for levels. branch : int64 (codes,),
    of each level, -1 where no row has it; None for a cut. children, n_rows : ids, and how many rows each has.
    low_branch : of a cut. missing_branch : of rows without a value; negative where they stay.
    """

    node: int
    feature: int
    low: int
    branch: np.ndarray | None
    children: tuple[int, ...]
    n_rows: tuple[int, ...]
    low_branch: int
    missing_branch: int


class Counter(Protocol):
    """The rows of one fit, counted by whoever has them."""

    def cells(self, nodes: Sequence[int]) -> np.ndarray:
        """float64 (q, d, codes, S): statistics of the rows at these nodes by each feature's codes.

        The code after a feature's last one stands for missing. S : a count per class; or for a numeric target the
        rows, the sum of the targets less the table's center, and of the squares.
        """
        ...

    def split(self, sent: Sequence[Sent]) -> None:
        """These nodes have children now."""
        ...

    def close(self) -> None:
        """The fit is over."""
        ...


class CountedTable(Protocol):
    """What growing asks of a table besides what it asks of a Table: its columns are CountedColumns."""

    def lowest(self, codes: Sequence[tuple[int, int]]) -> Sequence[float]:
        """The smallest value of a code, for each (feature that is in bins, code that is not its first)."""
        ...

    def counter(self, look: Callable[[], None]) -> Counter:
        """A counter for one fit. look : called while a query runs; an exception that it raises ends the query."""
        ...
