"""What every table says of itself, in memory or in an engine, and what must hold before a tree is grown on it."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

import numpy as np

from treecore.brief import FEW, MOST_LETTERS, Brief, shortened, visible
from treecore.data.column import Column, quoted, row_list
from treecore.data.gaps import Gaps
from treecore.errors import TreecoreError
from treecore.figures import exact, number
from treecore.target import CountedTarget, EffectTarget, SurvivalTarget, Target, target_of
from treecore.target.effects import named_control

Terms = tuple[tuple[str, float], ...]
Described = tuple[str, str, tuple[str, ...], float | None, tuple[float, ...] | None, Terms, Gaps, str]
"""Name, kind, levels (none of numbers), fill, cuts, terms, gaps and unit of a column; see Column."""


class FromColumns(Brief):
    """The part of a table's face that follows from `feature_columns` and `target_column`."""

    if TYPE_CHECKING:  # what every kind of table has of its own

        @property
        def target(self) -> str | None: ...
        @property
        def n_rows(self) -> int: ...
        @property
        def column_names(self) -> tuple[str, ...]: ...
        @property
        def feature_columns(self) -> tuple[Column, ...]: ...
        @property
        def target_column(self) -> Column: ...

    def __repr__(self) -> str:
        asked = "" if self.target is None else f", target {self.target!r}"
        names = ", ".join(self.column_names[:FEW]) + (", …" if len(self.column_names) > FEW else "")
        return shortened(visible(f"{type(self).__name__}({self._size_in_words}{asked}: {names})"), MOST_LETTERS)

    @property
    def _size_in_words(self) -> str:
        return f"{self.n_rows:,} rows × {len(self.column_names):,} columns"

    @property
    def described(self) -> tuple[Described, ...]:
        """What there is to know of each feature besides its values."""
        return tuple(
            (c.name, c.kind, c.levels or (), c.fill, c.cuts, c.terms, c.gaps, c.unit) for c in self.feature_columns
        )

    counts: CountedTarget | None = None
    """How the target is counted, where it is one of two columns: counts, survival times, effects of a treatment."""

    @cached_property
    def cached_values(self) -> dict[object, Any]:
        """What was made of this table and can be used again: read and written by cached_with_table and TableSlot."""
        return {}

    @property
    def target_kind(self) -> Target:
        """What a tree counts of the target, answers and loses."""
        return self.counts or target_of(self.target_column.levels or () if self.target_column.kind != "numeric" else ())

    @property
    def task(self) -> str:
        """ "regression" for a numeric target, "counts" or "effects" for one of two columns, else "classification"."""
        column = self.target_column
        return self.counts.task if self.counts else "regression" if column.kind == "numeric" else "classification"

    @property
    def classes(self) -> tuple[str, ...]:
        """The target's levels in order; empty for a regression."""
        return self.target_column.levels or ()


Value = TypeVar("Value")
AnyTable = TypeVar("AnyTable", bound=FromColumns)
Arguments = ParamSpec("Arguments")


def cached_with_table(
    make: Callable[Concatenate[AnyTable, Arguments], Value],
) -> Callable[Concatenate[AnyTable, Arguments], Value]:
    """The same function of a table, computed once for each table and the further arguments, which are hashable.

    The values live as long as the table; pickles and copies of it are made without them.
    """

    @wraps(make)
    def cached(table: AnyTable, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        values, key = table.cached_values, (make, args, *kwargs.items())
        if key not in values:
            values[key] = make(table, *args, **kwargs)
        return values[key]

    return cached


class TableSlot(Generic[Value]):
    """A place in every table for one value that is taken out while somebody changes it."""

    def put(self, table: FromColumns, value: Value) -> None:
        table.cached_values[self] = value

    def take(self, table: FromColumns) -> Value | None:
        """The value, which is gone from the table then; None where there is none."""
        return table.cached_values.pop(self, None)


class TableLike(Protocol):
    """The part of a Table that these look at; see there."""

    @property
    def target(self) -> str | None: ...
    @property
    def features(self) -> tuple[str, ...]: ...
    @property
    def weights(self) -> np.ndarray | None: ...
    @property
    def row_numbers(self) -> np.ndarray: ...
    @property
    def counts(self) -> CountedTarget | None: ...
    @property
    def n_rows(self) -> int: ...

    @property
    def column_names(self) -> tuple[str, ...]: ...

    @property
    def target_column(self) -> Column: ...
    @property
    def feature_columns(self) -> tuple[Column, ...]: ...
    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def task(self) -> str: ...
    @property
    def target_kind(self) -> Target: ...
    @property
    def target_center(self) -> float: ...

    def column(self, name: str) -> Column: ...


# A target of counts and its exposure, from the columns of a table.


def refuse_counts_in(table: TableLike, what: str) -> None:
    """TreecoreError for a table whose target is counts. what : that has no meaning for it yet, "a forest"."""
    if table.counts is not None:
        raise TreecoreError(
            f"The target is {table.counts.held}, and {what} is for targets of classes and of numbers",
            where=f"Target '{table.target}'",
            remedy=f"Predict {table.counts.instead}: with_target of its name alone",
        )


def with_arms(kind: EffectTarget, outcome: Column, treatment: Column) -> EffectTarget:
    """The kind with what these columns say: which value is the control, which the treated, and whether outcomes are 0
    and 1. TreecoreError for a treatment of other than two values, and one whose control is not known."""
    where = f"Column '{treatment.name}'"
    if kind.control and kind.treated:
        return replace(kind, shares=_are_shares(outcome))
    values = _texts(treatment)[np.flatnonzero(treatment.present())].tolist()
    if len(values) != 2:
        few = f"only {quoted(values[0])}" if len(values) == 1 else f"{len(values)} values: {_listed(values)}"
        raise TreecoreError(
            f"A treatment has two values, one of them the control; this column has {few if values else 'none'}",
            where=where,
            remedy="Choose another column, or leave out the rows of further arms",
        )
    control = kind.control or named_control(values)
    if control not in values:
        said = f"{quoted(control)} is no value of it" if control else "Which of its values is the control is not said"
        raise TreecoreError(said, where=where, remedy=f"Say control={values[0]!r} or control={values[1]!r}")
    treated = values[1 - values.index(control)]
    return replace(kind, control=control, treated=treated, shares=_are_shares(outcome))


def _are_shares(outcome: Column) -> bool:
    """Is every outcome 0 or 1?"""
    known = outcome.values()[~outcome.missing] if outcome.kind == "numeric" else np.empty(0)
    return bool(len(known)) and bool(((known == 0) | (known == 1)).all())


def _texts(column: Column) -> np.ndarray:
    """The values of a column as texts, by code; the last one stands for missing."""
    names = [exact(value) for value in column.numbers] if column.kind == "numeric" else list(column.level_names)
    return np.array([*names, ""], object)


def _listed(values: list[str]) -> str:
    return ", ".join(map(quoted, values[:5])) + (", …" if len(values) > 5 else "")


def outcomes_of(table: TableLike, target: str, kind: EffectTarget) -> np.ndarray:
    """float64 (n_rows, 2): outcome of every row, and 1 where it was treated, 0 where it is of the control; NaN where
    missing. TreecoreError for other values of the treatment, and an outcome that is no number."""
    outcome, treatment = _numbers(table, target, "outcomes"), table.column(kind.treatment)
    texts = _texts(treatment)
    arms = np.select([texts == kind.treated, texts == kind.control], [1.0, 0.0], np.nan)[treatment.codes]
    other = np.isnan(arms) & ~treatment.missing
    what = f"A treatment is neither {quoted(kind.treated)} nor {quoted(kind.control)}"
    _refuse(table, other, kind.treatment, what, "Leave these rows out, or write one of the two")
    y = outcome.values()
    if kind.shares:
        bad = ~np.isnan(y) & (y != 0) & (y != 1)
        _refuse(table, bad, target, "An outcome is neither 0 nor 1", "Correct these rows, or grow the tree on them too")
    return np.stack([y, arms], axis=1)


def counts_of(table: TableLike, target: str, kind: CountedTarget, whole: bool = False) -> np.ndarray:
    """float64 (n_rows, 2): events and exposure of every row (1 where the kind names no column), NaN where missing; of
    effects see outcomes_of.

    whole : refuse counts with decimals, too. TreecoreError names the column and the first rows of what is no count, or
    no exposure.
    """
    if isinstance(kind, EffectTarget):
        return outcomes_of(table, target, kind)
    column = _numbers(table, target, "counts")
    events, remedy = column.values(), "Correct these rows or leave them out, or predict the column as a number."
    timed = isinstance(kind, SurvivalTarget)
    if timed:
        only = "Write 1 where a row ended in an event and 0 where it was only watched so long."
        _refuse(table, ~np.isnan(events) & (events != 0) & (events != 1), target, "An event is neither 0 nor 1", only)
    _refuse(table, events < 0, target, "A count is below 0", remedy)
    if whole:
        _refuse(table, ~np.isnan(events) & (events != np.floor(events)), target, "A count has decimals", remedy)
    if not kind.exposure:
        return np.stack([events, np.where(np.isnan(events), np.nan, 1.0)], axis=1)
    exposure = _numbers(table, kind.exposure, "exposure").values()
    remedy = "An exposure is above 0: correct these rows or leave them out, or choose another column."
    what = "A time" if timed else "An exposure"
    _refuse(table, exposure <= 0, kind.exposure, f"{what} is not above 0", remedy.replace("An exposure", what))
    return np.stack([events, kind.scaled(events, exposure)], axis=1)


def target_counts(table: TableLike, whole: bool = False) -> np.ndarray:
    """counts_of the table's own target, which is of two columns."""
    assert table.target is not None
    assert table.counts is not None
    return counts_of(table, table.target, table.counts, whole)


def _numbers(table: TableLike, name: str, what: str):
    column = table.column(name)
    if column.kind != "numeric":
        raise TreecoreError(
            f"It is {column.kind}, and {what} are numbers",
            where=f"Column '{name}'",
            remedy="Choose a column of numbers, or make this one numeric.",
        )
    return column


def _refuse(table: TableLike, bad: np.ndarray, name: str, what: str, remedy: str) -> None:
    """TreecoreError where a value is bad, with the rows of the file."""
    rows = table.row_numbers[bad]
    if len(rows):
        raise TreecoreError(f"{what} (first at {row_list(rows)})", where=f"Column '{name}'", remedy=remedy)


# What must hold before a tree can be grown on a table.


def check_trainable(table: TableLike, any_target: bool = False) -> None:
    """TreecoreError naming the first thing that is missing for growing a tree, and the remedy.

    any_target : a target of a class for every row will do, too. One of a single value is answered by a leaf: see
    lone_value.
    """
    if table.n_rows == 0:
        raise TreecoreError(
            "The table has no rows",
            where="Rows",
            remedy="Load a file with rows, or give this role a larger share of them.",
        )
    if len(table.column_names) == 1:
        raise TreecoreError(
            f"The table has one column, '{table.column_names[0]}'",
            where="Columns",
            remedy="A tree needs a target and at least one feature. If the file has more columns, "
            "choose the delimiter that separates them.",
        )
    target = table.target_column
    if not table.features:
        raise TreecoreError(
            "No feature is chosen", where="Features", remedy="Choose at least one column besides the target."
        )
    _check_known(target)
    if table.counts is not None:
        _check_counts(table, whole=not any_target)
    elif not any_target:
        _check_worth_learning(target)
    if table.weights is not None and not table.weights.any():
        raise TreecoreError("All case weights are 0", where="Weights", remedy="Give some rows a weight above 0.")


def _check_known(target: Column, what: str = "Target") -> None:
    where = f"{what} '{target.name}'"
    if target.n_missing == target.n_rows:
        raise TreecoreError("All its values are missing", where=where, remedy="Choose another target.")
    if target.n_missing:
        raise TreecoreError(
            f"{target.n_missing} of {target.n_rows} values are missing (first at "
            f"{row_list(np.flatnonzero(target.missing))})",
            where=where,
            remedy="Leave out the rows whose target is missing, or choose another target.",
        )


def _check_counts(table: TableLike, whole: bool) -> None:
    """TreecoreError for what is no count or no exposure; whole : also for decimals."""
    assert table.counts is not None
    result = target_counts(table, whole)
    if isinstance(table.counts, EffectTarget):
        _check_known(table.column(table.counts.treatment), "Treatment")
        _check_arms(table, result[:, 1])
    elif table.counts.exposure:
        _check_known(table.column(table.counts.exposure), "Exposure")
    if not np.isfinite(result).all():
        raise TreecoreError("A number is infinite", where=f"Target '{table.target}'", remedy="Leave out these rows.")


def _check_arms(table: TableLike, arm: np.ndarray) -> None:
    """TreecoreError where an arm has no rows."""
    assert table.counts is not None
    table.counts.learned(np.zeros(len(arm)), arm, table.weights)


def _check_worth_learning(target: Column) -> None:
    n_values = 0 if target.kind == "numeric" else int(np.count_nonzero(target.present()))
    if n_values == target.n_rows > 2:
        raise TreecoreError(
            f"It has {n_values} classes for {target.n_rows} rows: every row is a class of its own",
            where=f"Target '{target.name}'",
            remedy="Choose another target, or make this one numeric if it holds numbers.",
        )


def lone_value(table: TableLike) -> str:
    """A note where the target has one class, or one value: nothing tells its rows apart, and a leaf answers all of
    them; '' where there are several, or none."""
    if table.target is None:
        return ""
    target = table.target_column
    known = target.n_rows - target.n_missing
    if target.kind == "numeric":
        values = target.values()[~target.missing] if target.n_missing else target.values()
        result = {float(values[0])} if len(values) and values.min() == values.max() else ()
        answers = [number(value) for value in result]
    else:
        answers = [level for level, is_there in zip(target.level_names, target.present(), strict=True) if is_there]
    if len(answers) != 1:
        return ""
    noun = "value" if target.kind == "numeric" else "class"
    only = f"Target '{target.name}' has only one {noun}, {quoted(answers[0])}"
    return f"{only}, in all {known} rows: a leaf answers them all."
