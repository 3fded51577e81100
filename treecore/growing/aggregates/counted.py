"""What growing asks of a table whose rows stay where they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column


@dataclass(frozen=True, eq=False, repr=False)
class CountedColumn(Column):
    """A column of which only counts are known; `codes` holds no rows.

    counts : int64 (n_distinct + 1,), rows of each code, the last one of a missing value.
    in_bins : does a code of a numeric column stand for several values, of which `distinct` has the largest?
    texts : of a column with levels, the code of each text that the engine has.
    """

    counts: np.ndarray = None
    in_bins: bool = False
    texts: Mapping[str, int] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return int(self.counts.sum())

    @property
    def n_missing(self) -> int:
        return int(self.counts[-1])

    @property
    def lists_values(self) -> bool:
        return self.kind == "numeric" and not self.in_bins

    @property
    def missing_texts(self) -> list[str]:
        """The texts of the engine that are missing values, such as an empty one."""
        return [text for text, code in self.texts.items() if code == self.n_distinct]

    def present(self) -> np.ndarray:
        """int64 (n_distinct,): how many rows have each code (missing not counted)."""
        return self.counts[:-1]


@dataclass(frozen=True, eq=False, repr=False)
class Sent(Brief):
    """How one node sends its rows to its children.

    node, feature : id and index. low : the last code of the low side of a cut; -1 for levels. branch : int64 (codes,),
    of each level, -1 where no row has it; None for a cut. children, n_rows : ids, and how many rows each has.
    low_branch : of a cut. missing_branch : of rows without a value; negative where they stay. edge : the largest value
    below a cut within a bin; None for one between codes.
    """

    node: int
    feature: int
    low: int
    branch: np.ndarray | None
    children: tuple[int, ...]
    n_rows: tuple[int, ...]
    low_branch: int
    missing_branch: int
    edge: float | None = None


@dataclass(frozen=True)
class Cut:
    """A cut of a node between two bins of a feature.

    low, high : codes of the bins, with no rows of the node between them. n_rows : that it has in the two.
    below, above : the largest value of the bin before them, None where there is none, and of the last one.
    """

    node: int
    feature: int
    low: int
    high: int
    n_rows: int
    below: float | None
    above: float


@dataclass(frozen=True, eq=False, repr=False)
class Values(Brief):
    """What a node has in two bins, ascending. low, high : float64 (k,), the smallest and largest value of each part,
    which is one value unless there are very many. sums : float64 (k, S), statistics as of Counter.cells.
    """

    low: np.ndarray
    high: np.ndarray
    sums: np.ndarray


class Counter(Protocol):
    """The rows of one fit, counted by whoever has them."""

    def cells(self, nodes: Sequence[int]) -> np.ndarray:
        """float64 (q, d, codes, S): statistics of the rows at these nodes by each feature's codes.

        The code after a feature's last one stands for missing. S : a count per class; or for a numeric target the
        rows, the sum of the targets less the table's center, and of the squares.
        """
        ...

    def values(self, cuts: Sequence[Cut]) -> Sequence[Values]:
        """What is beside each of these cuts."""
        ...

    def split(self, sent: Sequence[Sent], sums: Sequence[np.ndarray]) -> None:
        """These nodes have children now. sums : of each node, as `cells` gave them."""
        ...

    def close(self) -> None:
        """The fit is over."""
        ...


class CountedTable(Protocol):
    """What growing asks of a table besides what it asks of a Table: its columns are CountedColumns.

    is_refined : are cuts between bins to be moved to the best place within the two? For thresholds of 64 bits.
    """

    is_refined: bool

    def lowest(self, codes: Sequence[tuple[int, int]]) -> Sequence[float]:
        """The smallest value of a code, for each (feature that is in bins, code that is not its first)."""
        ...

    def counter(self, look: Callable[[], None]) -> Counter:
        """A counter for one fit. look : called while a query runs; an exception that it raises ends the query."""
        ...
