"""A table of which an engine elsewhere counts rows: what growing asks of it, and which settings it allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from treecore.brief import DERIVED, Brief
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO
from treecore.data.column import Column
from treecore.data.table_like import TableLike
from treecore.errors import TreecoreError
from treecore.growing.directions import NO_SUMS
from treecore.growing.settings.costs import loss_matrix
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES, THRESHOLD_RULES
from treecore.growing.settings.problem import criterion_of, features_of, rules_of
from treecore.growing.settings.thresholds import branches_by_bins
from treecore.kernels.state import (
    AVERAGE_GAIN,
    BEST,
    MAJORITY,
    MULTIWAY,
    NODE_VALUE,
    ORDERED,
    OWN_VALUE,
    ROW,
    STAY,
    SUBSET,
    Problem,
)
from treecore.tree.line_fit import CONSTANT


@dataclass(frozen=True, eq=False, repr=False)
class CountedColumn(Column):
    """A column of which only counts are known; `codes` holds no rows.

    counts : int64 (n_distinct + 1,), rows of each code, the last one of a missing value.
    in_bins : does a code of a numeric column stand for several values, of which `distinct` has the largest?
    texts : of a column with levels, the code of each text that the engine has.
    """

    counts: np.ndarray = DERIVED
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
class CountedValues(Brief):
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

    def values(self, cuts: Sequence[Cut]) -> Sequence[CountedValues]:
        """What is beside each of these cuts."""
        ...

    def split(self, sent: Sequence[Sent], sums: Sequence[np.ndarray]) -> None:
        """These nodes have children now. sums : of each node, as `cells` gave them."""
        ...

    def close(self) -> None:
        """The fit is over."""
        ...


class CountedTable(TableLike, Protocol):
    """What growing asks of a table besides what it asks of a Table: its columns are CountedColumns.

    is_refined : are cuts between bins to be moved to the best place within the two? For thresholds of 64 bits.
    """

    @property
    def is_refined(self) -> bool: ...

    def check_trainable(self) -> None: ...

    def lowest(self, codes: Sequence[tuple[int, int]]) -> Sequence[float]:
        """The smallest value of a code, for each (feature that is in bins, code that is not its first)."""
        ...

    def counter(self, look: Callable[[], None]) -> Counter:
        """A counter for one fit. look : called while a query runs; an exception that it raises ends the query."""
        ...


# Which settings can be grown from sums, and the kernels' view of a table of which only sums are known.


class NeedsRows(TreecoreError):
    """A setting that needs the rows themselves. instead : (setting, value) that does not, where one alone helps."""

    instead: tuple[str, str] | None = None


def problem_of_counts(table: CountedTable, growth: GrowSettings) -> Problem:
    """As problem_of; `codes` has each code of a feature once, and there are no rows.

    NeedsRows naming the first setting that does.
    """
    columns = table.feature_columns
    _check_bins(table, growth)
    values = [_values(c, growth) for c in columns]
    features = features_of(table, growth, values)
    rules = rules_of(table, growth)
    rules["min_rows_split"] = 0  # a node's cells are no rows; the loop looks at it
    m = int(features["n_codes"].max()) + 1
    codes = np.minimum(np.arange(m, dtype=np.int32), features["n_codes"][:, None].astype(np.int32))
    judge = criterion_of(table, growth).judge(loss_matrix(table, growth))
    problem = Problem(
        codes, np.zeros(0, ROW), features, np.concatenate(values), rules, judge, center=table.target_center
    )
    _check(problem, table, growth)
    return problem


def is_counted(growth: GrowSettings) -> bool:
    """Does a table without a missing value grow from counts by these settings' way with missing values?"""
    strategy = MISSING_STRATEGIES[growth.missing]
    return strategy.code != NODE_VALUE and not (strategy.surrogates and growth.max_surrogates > 0)


def _values(column: Column, growth: GrowSettings) -> np.ndarray:
    """float64: what the codes stand for, the largest value where it is several."""
    if column.kind != "numeric":
        return np.arange(column.n_distinct, dtype=np.float64)
    if THRESHOLD_RULES[growth.threshold].precision == "float64":
        return column.numbers
    rounded = column.numbers.astype(np.float32).astype(np.float64)
    if not (np.diff(rounded) > 0).all() or not np.isfinite(rounded).all():
        raise _needs_rows(
            f"The numbers of column {column.name!r} in 32 bits", "threshold", "choose a rule for 64-bit thresholds"
        )
    return rounded


def _check_bins(table: CountedTable, growth: GrowSettings) -> None:
    if any(branches_by_bins(c, growth) for c in table.feature_columns):
        raise _needs_rows("A branch per bin", "numeric", "let numeric features be cut in two")


def _check(problem: Problem, table: CountedTable, growth: GrowSettings) -> None:
    rules = problem.rules[0]
    if growth.leaf_model != CONSTANT:
        raise _needs_rows("A line in a leaf", "leaf_model", "let leaves have one answer", CONSTANT)
    if not criterion_of(table, growth).additive:
        raise _needs_rows(criterion_of(table, growth).label, "criterion", "choose squared_error", "squared_error")
    if rules["max_surrogates"] or rules["missing"] not in (MAJORITY, STAY, OWN_VALUE):
        remedy = "choose missing = majority, stay, own_value or both_ways"
        raise _needs_rows("What these settings do with missing values", "missing", remedy, "majority")
    if rules["score"] not in (DECREASE, GAIN_RATIO) or rules["selector"] not in (BEST, AVERAGE_GAIN) or rules["step"]:
        raise _needs_rows("This score or selector", "score", "choose the decrease or the gain ratio")
    if not np.isin(problem.features["splitter"], (ORDERED, SUBSET, MULTIWAY)).all():
        raise _needs_rows("One level against the rest", "nominal", "choose subset or multiway", "subset")
    if growth.oblique != NO_SUMS:
        raise _needs_rows("A weighted sum of features", "oblique", "grow without oblique splits")
    if growth.test != "none" or growth.size_penalty or growth.patience or rules["cuts"] or rules["cost_form"]:
        raise _needs_rows(
            "A test, a penalty, patience, boundaries, thresholds that are drawn or a form of costs", "growth",
            "leave these at their defaults",
        )  # fmt: skip
    if growth.monotonic:
        raise _needs_rows("Answers that only rise or fall", "monotonic", "bind none")


def _needs_rows(what: str, where: str, remedy: str, instead: str = "") -> NeedsRows:
    """The error for what cannot be made of sums. instead : the value of the setting that can."""
    fault = NeedsRows(
        f"{what} cannot be had from sums alone, which is how a table grows where it lives",
        where=where,
        remedy=f"For this table {remedy}, or grow on a sample of its rows",
    )
    fault.instead = (where, instead) if instead else None
    return fault
