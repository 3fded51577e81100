"""Rules as tests on values, the arrays of rows that they are learned from, and the check of a learner's settings."""

import operator
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError


@dataclass(frozen=True, eq=False, repr=False)
class TrainingArrays(Brief):
    """Rows with a known class and a weight above 0.

    values : float64 (n_features, n_rows): numbers, or indices of levels; NaN is missing.
    labels : int64 (n_rows,), class indices. weight : float64 (n_rows,). n_classes : classes that are declared.
    n_levels : of every feature; 0 for numbers. texts : the levels of every feature, () for numbers, then the classes.
    """

    values: np.ndarray
    labels: np.ndarray
    weight: np.ndarray
    n_classes: int
    n_levels: tuple[int, ...]
    texts: tuple[tuple[str, ...], ...]

    @property
    def n_features(self) -> int:
        return len(self.values)

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    def by_class(self, rows: np.ndarray | slice = slice(None), weight: np.ndarray | None = None) -> np.ndarray:
        """float64 (n_classes,): weight of each class among these rows. weight : theirs, where it is another."""
        own = self.weight[rows] if weight is None else weight
        return np.bincount(self.labels[rows], own, self.n_classes)

    def numbered(self, labels: np.ndarray) -> "TrainingArrays":
        """The same rows with their classes numbered in another way."""
        return replace(self, labels=labels)


# What a learner finds: rules as tests on values.

HOLDS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
"""The tests there are, by their sign."""


@dataclass(frozen=True)
class ValueTest:
    """A value of one feature beside a number, or the index of a level; a missing value fails.

    sign : one of HOLDS. share : the part of a row without the value that is sent on nevertheless, 0 for none.
    """

    feature: int
    sign: str
    value: float
    share: float = 0.0

    def holds(self, values: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """bool, one per row. values : float64 (n_features, n_rows)."""
        column = values[self.feature][rows]
        return HOLDS[self.sign](column, self.value) & ~np.isnan(column)

    def parts(self, values: np.ndarray) -> np.ndarray:
        """float64 (n_rows,): the part of each row that is sent on, 0, 1 or `share`."""
        column = values[self.feature]
        return np.where(np.isnan(column), self.share, HOLDS[self.sign](column, self.value))


@dataclass(frozen=True)
class ValueRule:
    """A rule: rows that pass all tests are of class `answer`. totals : class weights that it answers from."""

    tests: tuple[ValueTest, ...]
    answer: int
    totals: tuple[float, ...]

    def covers(self, values: np.ndarray, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """bool, one per row."""
        passed = np.ones(values[:, rows].shape[1], bool)
        for test in self.tests:
            passed &= test.holds(values, rows)
        return passed

    def parts(self, values: np.ndarray) -> np.ndarray:
        """float64 (n_rows,): the part of each row that it answers for."""
        part = np.ones(values.shape[1])
        for test in self.tests:
            part *= test.parts(values)
        return part


@dataclass(frozen=True)
class ValueRules:
    """Rules in their order, and what answers where none does.

    default : a class, -1 for no answer. totals : class weights of the training rows that no rule covers.
    """

    rules: tuple[ValueRule, ...]
    default: int = -1
    totals: tuple[float, ...] = ()


# What learners of rules can be told.


def check_settings(settings, **least: float) -> None:
    """TreecoreError unless the settings are of the kinds of their defaults, and none is below its least value."""
    for name, field in settings.__dataclass_fields__.items():
        value, usual = getattr(settings, name), field.default
        is_flag = isinstance(usual, bool)
        fits = isinstance(value, bool) if is_flag else isinstance(value, Real) and not isinstance(value, bool)
        whole = isinstance(usual, int) and not is_flag
        if fits and not is_flag:
            fits = value >= least.get(name, -float("inf")) and (not whole or value % 1 == 0)
        if not fits:
            kind = "true or false" if is_flag else f"a {'whole ' * whole}number of at least {least.get(name, 0):g}"
            raise TreecoreError(f"{value!r} is not possible", where=name, remedy=f"Give {kind}")


SMALL = 1e-6
"""Numbers that differ by no more are equal."""
